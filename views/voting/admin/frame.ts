import type { Reader } from '#kernel/access/permissions.ts';
import { type Child, type Html, html } from '#kernel/html.ts';
import { stylesheets } from '#views/components/head.ts';
import { page } from '#views/layout.ts';

/** What every officer page is given beside its own data. */
export interface OfficerProps {
  reader?: Reader | undefined;
}

/** A page of the officers' area, with the scripts they all share. */
export function officerPage(props: {
  title: string;
  body: Html;
  nav: string;
  reader: Reader | undefined;
  scripts?: readonly string[] | undefined;
}): Html {
  const { scripts = [], ...rest } = props;
  return page({
    ...rest,
    area: 'officer',
    scripts: ['copy.js', 'admin.js', ...scripts],
    head: stylesheets('invitations.css', 'officer.css', 'officer-records.css'),
  });
}

/** A part of an officer's page: what it is about beside what is done in it. */
export function deskSection(props: { id: string; title: string; about?: Child; work: Child }): Html {
  const { id, title, about, work } = props;
  return html`<section class="panel desk" id="${id}" aria-labelledby="${id}-title">
<div class="desk-about"><h2 id="${id}-title">${title}</h2>${about && html`<p class="small soft">${about}</p>`}</div>
<div class="desk-work">${work}</div></section>
`;
}
