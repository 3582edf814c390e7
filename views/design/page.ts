import type { Identity } from '#kernel/access/permissions.ts';
import { html } from '#kernel/html.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { JOINED_STYLESHEETS, stylesheetAddress, stylesheets } from '#views/stylesheets.ts';
import { SAMPLES } from './samples.ts';

const SCHEME_NAMES = ['light', 'dark'] as const;

/**
 * Every component in all its states, on light and on dark paper: whoever changes one sees all.
 * @param schemes the address of the style sheet that `schemesSheet` makes
 */
export function designPage(identity: Identity | undefined, schemes: string) {
  const groups = Object.entries(SAMPLES);
  const body = html`${pageHeader({ title: 'Components' })}
<p>Hover over them, press Tab, print the page, zoom to 200%, and look at it with forced colours.</p>
<ul>${groups.map(([name], at) => html`<li><a href="#group-${at}">${name}</a></li>`)}</ul>
${groups.map(
  ([name, samples], at) => html`<section class="design-group" id="group-${at}"><h2>${name}</h2>
${samples.map(
  ([state, draw], index) =>
    html`<h3>${state}</h3><div class="design-states">${SCHEME_NAMES.map(
      (scheme) => html`<div class="scheme-${scheme}">${draw(`${scheme}-${at}-${index}-`)}</div>`,
    )}</div>\n`,
)}</section>`,
)}`;
  return page({
    title: 'Components',
    body,
    area: 'officer',
    viewer: identity,
    scripts: ['base/copy.js'],
    head: html`${stylesheets('officers', 'content', 'staff')}<link rel="stylesheet" href="${schemes}">`,
  });
}

/** The house style once as that of a light part of a page, and once as that of a dark one, for a browser in light mode. */
export function schemesSheet(): string {
  const house = JOINED_STYLESHEETS.get(stylesheetAddress('house'))?.() ?? '';
  const light = /^:root \{([^}]*)\}/m.exec(house)?.[1];
  const dark = [...house.matchAll(/^@media screen and \(prefers-color-scheme: dark\) \{$([\s\S]*?)^\}/gm)];
  const nested = dark.map(([, rules]) => rules!.replaceAll(':root', '&')).join('\n');
  return `.scheme-light { ${light} color-scheme: light; }
.scheme-dark { ${light} color-scheme: dark; ${nested} }
.scheme-light, .scheme-dark { flex: 1 1 22rem; min-width: 0; padding: var(--s4); border: 1px solid var(--rule); background: var(--paper); color: var(--ink); }
.design-states { display: flex; flex-wrap: wrap; gap: var(--s4); margin-bottom: var(--s5); }
`;
}
