import { type Child, type Html, html } from '#kernel/html.ts';
import { sayFor, t } from '#kernel/language/message.ts';
import { formatNumber as count, sentences } from '#kernel/language/times.ts';
import { formatted, type Words } from '#kernel/language/words.ts';
import { hashText } from '#views/components/codes.ts';
import { asWritten } from '#views/components/language.ts';
import { notice } from '#views/components/notices.ts';
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
  const winnerLabel = 'elected' in results ? t('voting.recount.elected') : recounted.winner;
  // The script compares what it counts with the texts in these cells: with what visitors see, not with another answer.
  const row = (key: string, label: Words, said: Child): Child[] => [
    label,
    html`<span data-shown="${key}">${said}</span>`,
    html`<span data-counted="${key}">…</span>`,
  ];
  const body = html`${pageHeader({
    title: t('voting.recount.count_ballots_yourself'),
    eyebrow: asWritten(election.title),
    lede: t('voting.recount.page_loads_all_ballots_counts', { ballots: total_ballots }),
    crumbs: [{ href: path, label: t('voting.recount.election') }],
  })}
${warnings(published)}${published.void && voidNotice(published.void)}
<div data-recount data-ballots="${path}/ballots.json" data-results="${JSON.stringify(results)}">
<div role="status" data-recount-result><p data-recount-waiting hidden>${t('voting.recount.counting')}</p>
<noscript>${notice(
    'info',
    t('voting.recount.needs_javascript_which_switched_off'),
    t('voting.recount.page_cannot_count'),
  )}</noscript></div>
${table({
  caption: t('voting.recount.what_published_what_counted_here'),
  columns: [
    { label: t('voting.recount.what') },
    { label: t('voting.recount.published') },
    { label: t('voting.recount.counted_here') },
  ],
  rows: [
    row('ballots', t('voting.recount.ballots'), count(total_ballots)),
    row(
      'winner',
      winnerLabel,
      formatted((reader) => winnerIn(ballot_type, results, sayFor(reader))),
    ),
    row(
      'figures',
      recounted.figures,
      formatted((reader) => rulesOf(ballot_type).figures(results, sayFor(reader))),
    ),
    ...(question_sha256 === undefined
      ? []
      : [row('question', t('voting.recount.check_number_question'), hashText(question_sha256))]),
    row('fingerprint', t('voting.recount.check_number_ballots'), hashText(ballot_set_sha256)),
  ],
})}
<p class="small soft">${
    ballot_set_salt === undefined
      ? t('voting.recount.earlier_version_made_check_number')
      : t('voting.recount.check_number_ballots_covers_check', {
          salt: html`<span data-shown="salt">${hashText(ballot_set_salt)}</span>`,
        })
  }</p>
<template data-recount-agrees>${notice(
    'success',
    t('voting.recount.same_result'),
    t('voting.recount.everything_agrees'),
  )}</template>
<template data-recount-differs>${notice(
    'danger',
    t('voting.recount.other_result'),
    t('voting.recount.something_agree'),
  )}</template>
<template data-recount-failed>${notice(
    'attention',
    t('voting.recount.ballots_loaded_counted_load_page'),
    t('voting.recount.nothing_counted'),
  )}</template>
<template data-recount-yes>${badge(t('voting.recount.agrees'), 'open')}</template><template data-recount-no>${badge(
    t('voting.recount.differs'),
    'danger',
  )}</template>
<template data-recount-unknown>${badge(t('voting.recount.computed_here_page_come_over'))}</template></div>
<h2>${t('voting.recount.the_ballots')}</h2>
<div data-ballot-list hidden>${disclosure(
    t('voting.recount.read'),
    html`
<p class="soft">${sentences([
      t('voting.recount.best_first_where_candidates_ranked'),
      partial && t('voting.recount.those_not_named_share_last_place'),
    ])}</p><ul></ul><p data-more hidden>${t('voting.recount.more_download_list_see_all')}</p>`,
  )}</div>
<p><a class="link-alone" href="${path}/ballots.json" download="ballots.json">${t('voting.recount.download_program_json')}</a></p>
<p><a class="link-alone" href="${path}/ballots.csv">${t('voting.recount.download_table_csv')}</a></p>
${disclosure(
  t('voting.recount.count_own_machine'),
  html`
<p>${t('voting.recount.trust_server_cannot_trust_page')}</p>
<p><code>npm run recount -- ballots.json</code></p>
<p>${t('voting.recount.compare_check_numbers')}</p>`,
)}
${disclosure(
  t('voting.recount.what_shows_what'),
  html`
<p>${t('voting.recount.ballots_list_give_published_result')}</p>
<p>${t('voting.recount.order_ballots_show_when_cast')}</p>`,
)}`;
  return page({
    title: t('voting.recount.count_ballots', { title: election.title }),
    body,
    scripts: ['voting/recount.js'],
  });
}
