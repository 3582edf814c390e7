import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { field } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';

/** The page where a voter looks for a ballot by its code. */
export interface CheckPageProps {
  election: { id: string; title: string };
  /** When codes can be checked, as a ready string; null once they can. */
  opens: string | null;
  state: {
    /** What was found; absent before anything was looked for. */
    found?: boolean;
    errors?: readonly FieldError[];
    /** What was typed and refused. A code that was looked for is not shown again. */
    entered?: string;
  };
}

/** One field, and what came of it. With script the code never leaves the browser. */
export function checkPage({ election, opens, state }: CheckPageProps): Html {
  const { found, errors = [], entered = '' } = state;
  const error = errors.find(({ path }) => path === 'code')?.message;
  const body = html`${pageHeader({
    title: 'Is my ballot in the box?',
    eyebrow: election.title,
    lede: 'When you voted you were shown a code. With it you find your ballot among those that were counted.',
    crumbs: [{ href: `/e/${election.id}`, label: 'The election' }],
  })}
${
  opens !== null
    ? notice(
        'info',
        `Voting closes ${opens}. The list of ballots is made then.`,
        'Codes can be checked after the close',
      )
    : html`<div role="status" data-check-result>${found !== undefined && checkResult(found)}</div>
<form method="post" action="/e/${election.id}/check" class="code-form" data-check="/e/${election.id}/results">
${field({ name: 'code', label: 'Your code', hint: '32 letters and digits. Spaces and capital letters do not matter.', value: entered, autocomplete: 'off', spellcheck: false, maxlength: 200, error: error && `Your code ${error}.` })}
<button class="button">Look for my ballot</button></form>
<template data-check-found>${checkResult(true)}</template><template data-check-missing>${checkResult(false)}</template>
<p class="small soft">The service keeps only the SHA-256 of each code. It hashes what you type and forgets it; where script runs, your browser does that itself and sends nothing. A code says nothing about the choice.</p>`
}`;
  return page({ title: `Is my ballot in the box? ${election.title}`, body, scripts: ['voting/check.js'] });
}

function checkResult(found: boolean): Html {
  return found
    ? notice('success', 'A ballot with this code was counted.', 'Your ballot is in the box')
    : notice(
        'attention',
        'Compare every letter and digit with what you kept. If it is right, show it to somebody who watches over the election: your ballot may be missing.',
        'There is no ballot with this code',
      );
}
