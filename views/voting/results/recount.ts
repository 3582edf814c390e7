import { type Child, type Html, html } from '#kernel/html.ts';
import { hashText } from '#views/components/codes.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { disclosure, pageHeader } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { page } from '#views/layout.ts';
import { viewOf } from '#views/voting/ballot-types.ts';
import type { ComputedResultsJson } from '#voting/counting/results.ts';
import { rulesOf, winnerIn } from '#voting/shared/ballot-types.ts';
import { voidNotice, warnings } from './results.ts';

export interface RecountPageProps {
  election: { id: string; title: string };
  /** What was published at the close. */
  published: ComputedResultsJson;
  /** Whether ballots may rank only some candidates. */
  partial: boolean;
}

/** The address of the page that counts an election's ballots in the browser. */
export const recountPath = (electionId: string): string => `/e/${electionId}/recount`;

/** Counts the published ballots in the visitor's browser and says whether the result agrees. */
export function recountPage({ election, published, partial }: RecountPageProps): Html {
  const path = `/e/${election.id}`;
  const {
    ballot_type,
    results,
    total_ballots,
    ballot_set_sha256 = '',
    question_sha256,
    ballot_set_salt,
  } = published;
  const { recounted } = viewOf(ballot_type);
  const winnerLabel = 'elected' in results ? 'Elected' : recounted.winner;
  // The script compares what it counts with the texts in these cells: with what visitors see, not with another answer.
  const row = (key: string, label: string, said: Child): Child[] => [
    label,
    html`<span data-shown="${key}">${said}</span>`,
    html`<span data-counted="${key}">…</span>`,
  ];
  const body = html`${pageHeader({
    title: 'Count the ballots yourself',
    eyebrow: election.title,
    lede: `This page loads ${
      total_ballots === 1 ? 'the ballot' : `all ${counted(total_ballots, 'ballot')}`
    } and counts them again on your device.`,
    crumbs: [{ href: path, label: 'The election' }],
  })}
${warnings(published)}${published.void && voidNotice(published.void)}
<div data-recount data-ballots="${path}/ballots.json" data-results="${JSON.stringify(results)}">
<div role="status" data-recount-result><p data-recount-waiting hidden>Counting…</p>
<noscript>${notice(
    'info',
    'It needs JavaScript, which is switched off here. Download the ballots, and count them on your own ' +
      'machine as described below.',
    'This page cannot count',
  )}</noscript></div>
${table({
  caption: 'What was published, and what was counted here',
  columns: [{ label: 'What' }, { label: 'Published' }, { label: 'Counted here' }],
  rows: [
    row('ballots', 'Ballots', count(total_ballots)),
    row('winner', winnerLabel, winnerIn(ballot_type, results)),
    row('figures', recounted.figures, rulesOf(ballot_type).figures(results)),
    ...(question_sha256 === undefined
      ? []
      : [row('question', 'Check number of the question', hashText(question_sha256))]),
    row('fingerprint', 'Check number of the ballots', hashText(ballot_set_sha256)),
  ],
})}
<p class="small soft">${
    ballot_set_salt === undefined
      ? 'An earlier version made the check number: it covers the ballots alone, not the question and the ' +
        'names of the options.'
      : html`The check number of the ballots covers the check number of the question and this random number: <span data-shown="salt">${hashText(
          ballot_set_salt,
        )}</span>`
  }</p>
<template data-recount-agrees>${notice(
    'success',
    'The ballots in the list give the result that was published.',
    'Everything agrees',
  )}</template>
<template data-recount-differs>${notice(
    'danger',
    'The ballots in the list do not give the result that was published. Show this page to somebody who ' +
      'watches over the election.',
    'Something does not agree',
  )}</template>
<template data-recount-failed>${notice(
    'attention',
    'The ballots could not be loaded or counted. Load this page again, or count them on your own machine.',
    'Nothing was counted',
  )}</template>
<template data-recount-yes>${badge('Agrees', 'open')}</template><template data-recount-no>${badge(
    'Differs',
    'danger',
  )}</template>
<template data-recount-unknown>${badge('Not computed here: this page did not come over https')}</template></div>
<h2>The ballots</h2>
<div data-ballot-list hidden>${disclosure(
    'Read them',
    html`
<p class="soft">Best first where candidates were ranked,
in the order of the list.${
      partial && ' Those whom a ballot does not name share its last place.'
    }</p><ul></ul><p data-more hidden>There are more: download the list to see all of them.</p>`,
  )}</div>
<p><a class="link-alone" href="${path}/ballots.json" download="ballots.json">Download them for a program (JSON)</a></p>
<p><a class="link-alone" href="${path}/ballots.csv">Download them as a table (CSV)</a></p>
${disclosure(
  'Count on your own machine',
  html`
<p>If you do not trust this server, you cannot trust this page either. Get the program from
where it is published, not from here, and let it count the file:</p>
<p><code>npm run recount -- ballots.json</code></p>
<p>Compare the check numbers (SHA-256) that it prints with those in the mail with the results.</p>`,
)}
${disclosure(
  'What this shows, and what not',
  html`
<p>That the ballots in the list give the published result, and that neither the question
nor the list has changed since the check numbers were mailed. With a code you can check that
your own ballot is in it. Whether every ballot came from a member the list cannot show:
the number of voting codes that were used is shown beside the result.</p>
<p>The order of the ballots does not show when they were cast or by whom.</p>`,
)}`;
  return page({ title: `Count the ballots: ${election.title}`, body, scripts: ['voting/recount.js'] });
}
