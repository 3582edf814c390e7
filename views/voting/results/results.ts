import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import {
  allOf,
  anyOf,
  atLineStart,
  commas,
  formatNumber as count,
  sentences,
} from '#kernel/language/times.ts';
import { formatted, type Note, type Words } from '#kernel/language/words.ts';
import { hashText } from '#views/components/codes.ts';
import { withNames } from '#views/components/names.ts';
import { notice } from '#views/components/notices.ts';
import { shareOf } from '#views/components/numbers.ts';
import { linkTo } from '#views/components/slots.ts';
import { badge } from '#views/components/status.ts';
import { definitionList, disclosure, plainText } from '#views/components/structure.ts';
import { viewOf } from '#views/voting/ballot-types.ts';
import { pictureOf } from '#views/voting/ballots/about-options.ts';
import { bars } from '#views/voting/bars.ts';
import type { ResultParts } from '#views/voting/types/ballot-view.ts';
import { channelsSentence, invalidSentence, percent } from '#views/voting/words.ts';
import type {
  ComputedResultsJson,
  ManualResultsJson,
  ResultsJson,
  VoidResultsJson,
} from '#voting/counting/results.ts';
import type { OptionJson } from '#voting/elections/elections.ts';
import type { ShownTurnout } from '#voting/elections/shown-turnout.ts';
import type { Channels } from '#voting/elections/turnout.ts';
import type { VoidJson } from '#voting/elections/void.ts';
import {
  blankSentence,
  certifiedSentence,
  isDecided,
  outcomeHead,
  outcomeText,
  unanimousSentence,
} from './outcome.ts';

/** Further data for showing a result. */
export interface ResultsContext {
  /** When it was certified, already formatted; manual results only. */
  certifiedAt?: Words | string | null | undefined;
  /** The address to download the ballots for a recount, where that is allowed. */
  exportHref?: string | undefined;
  /** The page with the matrices of many candidates; without it they are shown in the result. */
  matrixPath?: string | undefined;
  /** The page where everybody can count the ballots, if they are published. */
  recountPath?: string | undefined;
  /** Whether the codes of voters cover the choice. */
  codesCover?: boolean | undefined;
  /** Whether it is a question of a ballot paper, whose code voters have. */
  onPaper?: boolean | undefined;
  /** How many voting codes were mailed, where that is known. */
  mailed?: number | undefined;
  /** The candidates or options; the picture of the winner stands beside the outcome. */
  portraits?: readonly OptionJson[] | undefined;
  /** The page with the collapsed details, which are left out then. */
  detailsPath?: string | undefined;
  /** Whether one of the details is open at a time. */
  oneAtATime?: boolean | undefined;
  /** The heading of the section, where it is not “Result”. */
  heading?: Words | string | undefined;
}

/** A result: the outcome in a sentence, the chart, how to check it, and collapsed details. */
export const resultsView = (results: ResultsJson, context: ResultsContext = {}): Html =>
  html`${resultSection(results, context)}${resultTurnout(results, context)}${checksOf(results, context)}${
    context.detailsPath === undefined
      ? moreSection(resultDetails(results, context))
      : computedOf(results) &&
        html`<p><a class="link-alone" href="${context.detailsPath}">${t('voting.results.how_counted_what_published')}</a></p>`
  }`;

/** The outcome in a sentence, and the chart. */
export function resultSection(results: ResultsJson, context: ResultsContext = {}): Html {
  if (results.results_mode === 'void') return voidView(results, context);
  const parts = results.results_mode === 'manual' ? manualParts(results) : tallyParts(results, context);
  return html`<section class="results" aria-labelledby="results-heading">
<h2 id="results-heading">${context.heading ?? t('voting.results.result')}</h2>
${results.results_mode === 'computed' && warnings(results)}
${results.void && voidNotice(results.void)}
<div class="result-head">${portraits(results, context)}${outcomeHead(results)}</div>
${results.results_mode === 'computed' && unanimous(results)}
${results.results_mode === 'manual' && certification(results, context.certifiedAt)}
${results.results_mode === 'computed' && quorumLine(results)}${results.results_mode === 'computed' && blankLine(results)}
${results.certified && notice('attention', certifiedSentence(results.certified))}
${results.void ? disclosure(t('voting.results.what_counted_before_count'), parts.picture) : parts.picture}
${results.results_mode === 'computed' && drawnLots(results)}${
  results.invalid !== undefined && html`<p>${invalidSentence(results.invalid)}</p>`
}</section>
${results.results_mode === 'manual' && countedBeside(results, context)}`;
}

/** How many took part; null where it says nothing. */
export function resultTurnout(results: ResultsJson, { mailed }: ResultsContext = {}): Html | null {
  if (results.results_mode === 'void') return turnoutView(results.turnout, mailed);
  if (results.results_mode === 'manual' && results.turnout.issued === 0) return null;
  return turnoutView(results.turnout, mailed, results.channels);
}

/** The pages where everybody checks a result; null without any. */
export function checksOf(results: ResultsJson, { recountPath }: ResultsContext): Html | null {
  const hasCodes = computedOf(results)?.inclusion_hashes !== undefined;
  if (recountPath === undefined && !hasCodes) return null;
  return html`<section class="screen-only"><h2>${t('voting.results.check_result')}</h2><div class="actions">${
    recountPath !== undefined &&
    html`<a class="button" href="${recountPath}">${t('voting.results.count_ballots_yourself')}</a>`
  }${
    hasCodes &&
    html`<a class="button${recountPath !== undefined && ' button-quiet'}" href="/e/${results.election_id}/check">${t('voting.results.my_ballot_box')}</a>`
  }</div></section>`;
}

/** The collapsed details of a result. */
export function resultDetails(results: ResultsJson, context: ResultsContext): Html[] {
  const computed = computedOf(results);
  if (!computed) return [];
  const details = tallyParts(computed, context).details.map(([summary, content]) =>
    disclosure(summary, content, false, context.oneAtATime ? 'details' : undefined),
  );
  return [...details, ...published(computed, context)];
}

/** Collapsed texts as one list. */
export const moreSection = (details: readonly Html[]): Html | null =>
  details.length === 0
    ? null
    : html`<section class="more"><h2>${t('voting.results.more')}</h2>${details}</section>`;

/** The winners with a portrait, where the result is valid and says who they are. */
function portraits(results: ResultsJson, { portraits: all = [] }: ResultsContext): Html[] {
  if (results.results_mode !== 'computed' || !isDecided(results)) return [];
  const { results: tally } = results;
  const winners =
    'elected' in tally && tally.elected
      ? tally.elected
      : 'winners' in tally && !tally.tied
        ? tally.winners
        : [];
  return winners.flatMap((id) => all.filter((one) => one.id === id).flatMap((one) => pictureOf(one) ?? []));
}

/** A vote that became void before its close: why, and how many voted. */
const voidView = ({ void: isVoid }: VoidResultsJson, context: ResultsContext): Html =>
  html`<section class="results" aria-labelledby="results-heading">
<h2 id="results-heading">${context.heading ?? t('voting.results.result')}</h2>
${voidNotice(isVoid)}
<p>${t('voting.results.ballots_counted_sees_what')}</p></section>`;

/** Who drew the lots of a result, and in which order. */
function drawnLots({ lots = [], results }: ComputedResultsJson): Html[] {
  const options = 'candidates' in results ? results.candidates : 'options' in results ? results.options : [];
  const names = options.map(({ name }) => name);
  const nameOf = (id: string) => options.find((option) => option.id === id)?.name ?? '';
  return lots.map(
    ({ order, drawn_by, witnesses }) =>
      html`<p>${
        witnesses.length > 0
          ? t('voting.results.lot_drawn_seen_order', {
              drawn: drawn_by,
              witnesses: allOf(witnesses),
              names: withNames(commas(order.map(nameOf)) ?? '', names),
            })
          : t('voting.results.lot_drawn_order', {
              drawn: drawn_by,
              names: withNames(commas(order.map(nameOf)) ?? '', names),
            })
      }</p>`,
  );
}

/** Says that an election is void, why, and what repeats it. */
export function voidNotice({ reason, repeated_by, by }: VoidJson): Html {
  const why =
    by === undefined
      ? t('voting.results.void_reason', { reason })
      : t('voting.results.void_reason_by', { reason, by });
  const repeat =
    repeated_by !== null && t('voting.results.repeated_new_election', { link: linkTo(`/e/${repeated_by}`) });
  return notice('danger', html`<p>${sentences([why, repeat])}</p>`, t('voting.results.election_void'));
}

function unanimous(results: ComputedResultsJson): Html | null {
  const sentence = unanimousSentence(results);
  return sentence === null ? null : html`<p>${sentence}</p>`;
}

function blankLine(results: ComputedResultsJson): Html | null {
  const sentence = blankSentence(results);
  return sentence === null ? null : html`<p>${sentence}</p>`;
}

/** The count of the ballots: of certified figures that replace it the one below them; undefined without ballots. */
function computedOf(results: ResultsJson): ComputedResultsJson | undefined {
  if (results.results_mode !== 'manual') return results.results_mode === 'computed' ? results : undefined;
  const { computed, ...frame } = results;
  if (!computed || computed.total_ballots === 0) return undefined;
  const { election_id, ballot_type, status, turnout } = frame;
  return {
    ...(frame.void && { void: frame.void }),
    election_id,
    ballot_type,
    status,
    turnout,
    results_mode: 'computed',
    ...computed,
  };
}

/** The count of the ballots, shown below certified figures that replace it. */
function countedBeside(results: ManualResultsJson, context: ResultsContext): Html | null {
  const counted = computedOf(results);
  if (!counted) return null;
  return html`<section class="results" aria-labelledby="counted-heading">
  <h2 id="counted-heading">${t('voting.results.counted_ballots')}</h2>
${warnings(counted)}
<p>${outcomeText(counted)}</p>
${unanimous(counted)}${blankLine(counted)}
${tallyParts(counted, context).picture}</section>`;
}

/**
 * The number of voting codes that were used, with a bar. `mailed` is the number of codes that were sent by mail.
 * @param channels where ballots came on paper too
 */
export function turnoutView(
  { issued, used, of, door }: ShownTurnout,
  mailed?: number,
  channels?: Channels,
): Html {
  const share = shareOf(used, issued);
  if (of === 'unknown')
    return html`<h3>${t('voting.results.turnout')}</h3><p>${t('voting.results.have_voted', { used })}</p>`;
  if (issued === 0 && of === 'voters')
    return html`<h3>${t('voting.results.turnout')}</h3><p>${t('voting.results.vote')}</p>`;
  if (issued === 0)
    return html`<h3>${t('voting.results.turnout')}</h3><p>${t('voting.results.voting_codes')}</p>`;
  // More have voted than the door counted: a share of either number would be wrong.
  if (door !== undefined)
    return html`<h3>${t('voting.results.turnout')}</h3><p>${sentences([channels && channelsSentence(channels), t('voting.results.voted_door_counted_voters', { used, door })])}</p>`;
  if (channels)
    return html`<h3>${t('voting.results.turnout')}</h3><p>${sentences([
      channelsSentence(channels),
      of === 'voters'
        ? t('voting.results.that_is_of_voters', { used, issued, share: percent(share) })
        : t('voting.results.that_is_of_codes', { used, issued, share: percent(share) }),
    ])}</p>
${bars({ label: t('voting.results.turnout'), whole: issued, bars: [{ label: t('voting.results.voted'), value: used, strong: true }] })}`;
  if (of === 'voters')
    return html`<h3>${t('voting.results.turnout')}</h3><p>${t('voting.results.voted_of_voters', { used, issued, share: percent(share) })}</p>
${bars({ label: t('voting.results.turnout'), whole: issued, bars: [{ label: t('voting.results.voted'), value: used, strong: true }] })}`;
  return html`<h3>${t('voting.results.turnout')}</h3>
  <p>${
    mailed !== undefined && mailed > 0 && mailed < issued
      ? t('voting.results.voting_codes_used_mailed_made', {
          used,
          issued,
          share: percent(share),
          mailed,
          paper: issued - mailed,
        })
      : t('voting.results.voting_codes_used_of', { used, issued, share: percent(share) })
  }</p>
${bars({ label: t('voting.results.turnout'), whole: issued, bars: [{ label: t('voting.results.codes_used'), value: used, strong: true }] })}`;
}

function tallyParts(results: ComputedResultsJson, { matrixPath }: ResultsContext): ResultParts {
  const { ballot_type, results: tally, total_ballots: ballots, lots } = results;
  const { ballot_set_sha256: ballotSetSha256 } = results;
  return viewOf(ballot_type).parts(tally, {
    ballots: ballots - tally.blank,
    decided: isDecided(results),
    matrixPath,
    lots,
    ballotSetSha256,
  });
}

function quorumLine({
  status,
  results: { quorum, quorum_met },
  total_ballots,
}: ComputedResultsJson): Html | null {
  if (quorum === null) return null;
  const missed =
    status === 'closed'
      ? badge(t('voting.results.quorum_not_met'), 'danger')
      : badge(t('voting.results.quorum_met_yet'), 'scheduled');
  return html`<p>${
    quorum_met === true ? badge(t('voting.results.quorum_met'), 'open') : missed
  } ${t('voting.results.ballots_needed', { ballots: total_ballots, quorum })}</p>`;
}

function manualParts({ display }: ManualResultsJson): ResultParts {
  const picture = display.contests.map((contest) => {
    const most = Math.max(...contest.items.map((item) => item.votes));
    return html`<h3>${contest.label}</h3>${bars({
      label: contest.label,
      whole: contest.total_votes,
      bars: contest.items.map(({ label, votes }) => ({
        label,
        value: votes,
        strong: votes === most && votes > 0,
        note: label === contest.winner && badge(t('voting.results.most_votes'), 'open'),
      })),
    })}`;
  });
  return { picture: html`${picture}`, details: [] };
}

function certification(
  { certification: by }: ManualResultsJson,
  at: Words | string | null | undefined,
): Html {
  return html`<p class="soft">${t('voting.results.these_figures_counted_outside_service')}</p>
${
  (by.certified_by !== null || at) &&
  definitionList([
    ...(by.certified_by === null ? [] : [[t('voting.results.certified_by'), by.certified_by] as const]),
    ...(at ? [[t('voting.results.certified_on'), at] as const] : []),
  ])
}
${by.notes !== null && by.notes !== '' && html`<h3>${t('voting.results.notes')}</h3>${plainText(by.notes)}`}`;
}

/** Says what does not agree; no result is shown without this notice. */
export function warnings(results: ComputedResultsJson): Html | null {
  const { books, result_matches, differences = [], total_ballots } = results;
  const found = [
    ...(books && !books.balanced
      ? [
          books.paper === undefined
            ? t('voting.results.counts_differ', {
                ballots: books.ballots,
                used: books.tokens_used,
                entries: books.vote_entries,
              })
            : t('voting.results.counts_differ_with_paper', {
                ballots: books.ballots,
                used: books.tokens_used,
                paper: books.paper,
                entries: books.vote_entries,
              }),
        ]
      : []),
    ...differences.map(asSentence),
    ...(result_matches === false && differences.length === 0
      ? [t('voting.results.stored_ballots_longer_give_result', { ballots: total_ballots })]
      : []),
  ];
  return notAgreeing(found);
}

/** The notice about what differs from the log; null where nothing does. */
export const disagreement = (differences: readonly Note[]): Html | null =>
  notAgreeing(differences.map(asSentence));

/** A difference is written as a part of a sentence: JSON and the minutes list it among others. */
const asSentence = (difference: Note): Words =>
  formatted((reader) => `${atLineStart(difference).for(reader)}.`);

const notAgreeing = (found: readonly Words[]): Html | null =>
  found.length === 0
    ? null
    : notice('danger', html`${sentences(found)}`, t('voting.results.something_agree'));

/** What was published at the close, and how anyone can check it. */
function published(results: ComputedResultsJson, context: ResultsContext): Html[] {
  const group = context.oneAtATime ? 'details' : undefined;
  const { ballot_set_sha256: checkNumber, inclusion_hashes: hashes } = results;
  const number =
    checkNumber !== undefined &&
    disclosure(
      t('voting.results.what_published'),
      html`${checkNumberText(checkNumber, results, context.exportHref)}${anchorText(results)}`,
      false,
      group,
    );
  const codes =
    hashes !== undefined &&
    disclosure(t('voting.results.look_ballot_hand'), inclusionText(results, hashes, context), false, group);
  return [number, codes].filter((one) => one !== false);
}

function checkNumberText(
  checkNumber: string,
  { question_sha256: question, ballot_set_salt: salt }: ComputedResultsJson,
  exportHref: string | undefined,
): Html {
  return html`<p>${t('voting.results.close_ballots_sealed_check_number')}</p>
<p>${hashText(checkNumber)}</p>
${
  question && salt
    ? html`<p class="small soft">${t('voting.results.sha_256_check_number_question')}</p>
<p>${hashText(salt)}</p>
<p class="small soft">${t('voting.results.check_number_question_covers_title')}</p>
<p>${hashText(question)}</p>`
    : html`<p class="small soft">${t('voting.results.sha_256_sorted_ballots_earlier')}</p>`
}
${exportHref !== undefined && html`<p><a class="link-alone" href="${exportHref}">${t('voting.results.download_ballots')}</a></p>`}`;
}

function anchorText({ anchor, books, electors_sha256 }: ComputedResultsJson): Html | null {
  if (!anchor || !books) return null;
  return html`<h3>${t('voting.results.position_log')}</h3><p>${hashText(anchor.head)}</p>
<p class="small soft">${t('voting.results.newest_entry_audit_log_when', { entries: anchor.entries })}</p>
${definitionList([
  [t('voting.results.ballots'), count(books.ballots)],
  [t('voting.results.voting_codes_used'), count(books.tokens_used)],
  ...(books.paper === undefined ? [] : [[t('voting.results.ballots_paper'), count(books.paper)] as const]),
  [t('voting.results.votes_log'), count(books.vote_entries)],
  [
    t('voting.results.voting_codes_made'),
    t('voting.results.mailed_deleted', {
      made: books.tokens_made,
      mailed: books.tokens_mailed,
      deleted: books.tokens_deleted,
    }),
  ],
])}
${
  electors_sha256 !== undefined &&
  html`<p class="small soft">${t('voting.results.check_number_voting_codes_close')}</p><p>${hashText(electors_sha256)}</p>`
}`;
}

/** The most hashes that a page lists: more would make it megabytes large. */
const HASHES_AT_MOST = 2_000;

function inclusionText(
  { election_id: id, question_sha256 }: ComputedResultsJson,
  hashes: readonly string[],
  { codesCover: covers = false, onPaper = false }: ResultsContext,
): Html {
  const about = covers
    ? t('voting.results.find_out_whether_ballot_counted')
    : t('voting.results.find_out_whether_ballot_box');
  return html`<p>${t('voting.results.when_voted_shown_code')} ${about}</p>
${onPaper && ofPaper(id)}${byHand(id, hashes, covers ? receiptChoice(question_sha256 !== undefined) : undefined)}`;
}

/** How the code of a question is made from that of its paper. */
const ofPaper = (id: string): Html => html`<p>${t('voting.results.code_ballot_paper_makes_each')}</p>
<p><code>printf %s 'your-code:${id}' | shasum -a 256 | cut -c1-32</code></p>`;

const asCode = (text: string): Html => html`<code>${text}</code>`;

/** How a choice is spelled for its receipt; earlier versions used the numbers of the options. */
const receiptChoice = (byName: boolean): Words =>
  byName
    ? t('voting.results.receipt_choice', {
        words: anyOf(['yes', 'no', 'abstain', 'blank'].map(asCode)),
        list: asCode('["Ann","Bob"]'),
        answers: asCode('{"Ann":"yes","Bob":"no"}'),
      })
    : t('voting.results.receipt_choice_by_number', {
        words: anyOf(['yes', 'no', 'abstain'].map(asCode)),
        list: asCode('[3,1,2]'),
      });

/** @param choice how a choice is spelled, if codes cover it */
function byHand(id: string, hashes: readonly string[], choice: Words | undefined): Html {
  const covers = choice !== undefined;
  return html`<p>${covers ? t('voting.results.list_holds_code_and_choice') : t('voting.results.list_holds_code')}</p>
<p>${covers ? t('voting.results.find_by_code_and_choice', { choice }) : t('voting.results.find_by_code')}</p>
<p><code>printf %s ${covers ? "'your-code:your-choice'" : 'your-code'} | shasum -a 256</code></p>
<p><strong>${t('voting.results.ballots_list', { hashes: hashes.length })}</strong></p>
${
  hashes.length > HASHES_AT_MOST
    ? html`<p>${t('voting.results.too_long_page_program_gets', { name: html`<code>inclusion_hashes</code>`, address: html`<code>/e/${id}/results</code>` })}</p>`
    : html`<ol class="hash-list" tabindex="0" aria-label="${t('voting.results.hashes_codes')}">${hashes.map(
        (hash) => html`
    <li>${hashText(hash)}</li>\n`,
      )}</ol>`
}`;
}
