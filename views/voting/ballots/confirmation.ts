import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { copyField } from '#views/components/codes.ts';
import { icon } from '#views/components/icons.ts';
import { asWritten } from '#views/components/language.ts';
import { page } from '#views/layout.ts';
import { secrecyLimits, secrecyWords } from '#views/voting/words.ts';
import type { SecrecySettings } from '#voting/ballots/secrecy.ts';
import { coversChoice } from '#voting/election-settings.ts';
import type { ElectionJson } from '#voting/elections/elections.ts';
import type { OtherBallots } from '#voting/invitations/own-list.ts';
import { formatCode } from '#voting/shared/receipts.ts';

/** The data of the page after a ballot was cast. */
export interface ConfirmationProps {
  election: Pick<ElectionJson, 'id' | 'title' | 'candidates' | 'paper_id'> & { settings: SecrecySettings };
  /** Whether fewer than five voting codes were made. */
  few: boolean;
  /** A sentence on when results appear: `Results appear when voting closes: …`. */
  resultsWhen: Words | string;
  /** Whether the voter has a code to type, from a slip; otherwise it was a link. */
  typed?: boolean | undefined;
  /** The other ballots of the list that the voter came from; undefined without such a list. */
  others?: OtherBallots | undefined;
  /** Shown only here, and only once. */
  inclusionCode?: string | null | undefined;
}

/** Says what happened, what nobody can see, and what comes next. */
export function confirmationPage(props: ConfirmationProps): Html {
  const { election, few, resultsWhen, inclusionCode, typed, others } = props;
  const body = html`<div class="thanks"><p class="thanks-sign">${icon('check')}</p>
<h1 tabindex="-1">${t('voting.confirmation.vote_has_been_recorded')}</h1><p class="lede">${asWritten(election.title)}</p></div>
<h2>${t('voting.confirmation.what_happened')}</h2><p>${election.paper_id === undefined ? (typed ? t('voting.confirmation.ballot_done_box_code_used') : t('voting.confirmation.ballot_done_box_link_used')) : t('voting.confirmation.ballot_done_box')}</p>
${typeof inclusionCode === 'string' && codePart({ path: `/e/${election.id}`, covers: coversChoice(election.settings) }, inclusionCode)}
<h2>${t('voting.confirmation.what_stored')}</h2>
<p>${sentences([secrecyWords(election), ...secrecyLimits({ election, few })])}</p>
<h2>${t('voting.confirmation.what_comes_next')}</h2>${others && otherBallots(others)}<p>${resultsWhen}</p>
<p><a class="button button-quiet" href="/e/${election.id}">${t('voting.confirmation.elections_page')}</a></p>`;
  return page({ title: t('voting.confirmation.document_title'), body, scripts: ['base/copy.js'] });
}

/** What else waits for a voter who came from the list of their own elections. */
export function otherBallots({
  waiting,
  next,
  list,
  label = t('voting.confirmation.my_elections'),
}: OtherBallots): Html {
  if (waiting === null)
    return html`<p><a class="button button-large" href="${list}">${t('voting.confirmation.see_what_else_waits')}</a></p>`;
  const back = html`<a class="button button-quiet" href="${list}">${label}</a>`;
  if (next === null || waiting === 0)
    return html`<p>${t('voting.confirmation.other_ballot_waits_now')}</p><p>${back}</p>`;
  return html`<p><strong>${t('voting.confirmation.more_ballots_wait', { waiting })}</strong></p>
<p class="toolbar"><a class="button button-large" href="${next}">${t('voting.confirmation.next_ballot')}</a> ${back}</p>`;
}

/** The inclusion code of a ballot or of a paper, at whose `path` it can be checked. */
export function codePart({ path, covers }: { path: string; covers: boolean }, code: string): Html {
  return html`<section class="card" aria-labelledby="code-heading"><h2 id="code-heading">${t('voting.confirmation.code_keep_now')}</h2>
<p>${t('voting.confirmation.shown_only_now_copy_write', { strong: (inside) => html`<strong>${inside}</strong>` })}</p>
${copyField({ id: 'inclusion-code', value: formatCode(code), label: t('voting.confirmation.code') })}
<p>${covers ? t('voting.confirmation.check_ballot_as_cast', { link: (inside) => html`<a href="${path}/check">${inside}</a>` }) : t('voting.confirmation.check_ballot', { link: (inside) => html`<a href="${path}/check">${inside}</a>` })} ${
    covers
      ? t('voting.confirmation.keep_code_yourself_anyone_who')
      : t('voting.confirmation.list_shows_choices_keep_code')
  }</p></section>`;
}
