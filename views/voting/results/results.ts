import { type Html, html } from '#kernel/html.ts';
import type { Words } from '#kernel/language/words.ts';
import { hashText } from '#views/components/codes.ts';
import { withNames } from '#views/components/names.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted, listed, shareOf } from '#views/components/numbers.ts';
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
  byWhom,
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
  heading?: string | undefined;
}

/** A result: the outcome in a sentence, the chart, how to check it, and collapsed details. */
export const resultsView = (results: ResultsJson, context: ResultsContext = {}): Html =>
  html`${resultSection(results, context)}${resultTurnout(results, context)}${checksOf(results, context)}${
    context.detailsPath === undefined
      ? moreSection(resultDetails(results, context))
      : computedOf(results) &&
        html`<p><a class="link-alone" href="${context.detailsPath}">How it was counted, and what was published</a></p>`
  }`;

/** The outcome in a sentence, and the chart. */
export function resultSection(results: ResultsJson, context: ResultsContext = {}): Html {
  if (results.results_mode === 'void') return voidView(results, context);
  const parts = results.results_mode === 'manual' ? manualParts(results) : tallyParts(results, context);
  return html`<section class="results" aria-labelledby="results-heading">
<h2 id="results-heading">${context.heading ?? 'Result'}</h2>
${results.results_mode === 'computed' && warnings(results)}
${results.void && voidNotice(results.void)}
<div class="result-head">${portraits(results, context)}${outcomeHead(results)}</div>
${results.results_mode === 'computed' && unanimous(results)}
${results.results_mode === 'manual' && certification(results, context.certifiedAt)}
${results.results_mode === 'computed' && quorumLine(results)}${results.results_mode === 'computed' && blankLine(results)}
${results.certified && notice('attention', certifiedSentence(results.certified))}
${results.void ? disclosure('What was counted before: it does not count', parts.picture) : parts.picture}
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
  return html`<section class="screen-only"><h2>Check this result</h2><div class="actions">${
    recountPath !== undefined && html`<a class="button" href="${recountPath}">Count the ballots yourself</a>`
  }${
    hasCodes &&
    html`<a class="button${recountPath !== undefined && ' button-quiet'}" href="/e/${results.election_id}/check">Is my ballot in the box?</a>`
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
  details.length === 0 ? null : html`<section class="more"><h2>More</h2>${details}</section>`;

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
<h2 id="results-heading">${context.heading ?? 'Result'}</h2>
${voidNotice(isVoid)}
<p>Its ballots are not counted, and nobody sees what is on them.</p></section>`;

/** Who drew the lots of a result, and in which order. */
function drawnLots({ lots = [], results }: ComputedResultsJson): Html[] {
  const options = 'candidates' in results ? results.candidates : 'options' in results ? results.options : [];
  const names = options.map(({ name }) => name);
  const nameOf = (id: string) => options.find((option) => option.id === id)?.name ?? '';
  return lots.map(
    ({ order, drawn_by, witnesses }) =>
      html`<p>Lot drawn by ${drawn_by}${witnesses.length > 0 && `, seen by ${listed(witnesses)}`}: ${withNames(
        order.map(nameOf).join(', '),
        names,
      )}, in this order.</p>`,
  );
}

/** Says that an election is void, why, and what repeats it. */
export function voidNotice({ reason, repeated_by, by }: VoidJson): Html {
  const repeat =
    repeated_by !== null && html` <a href="/e/${repeated_by}">It is repeated in a new election</a>.`;
  return notice('danger', html`<p>“${reason}”${byWhom(by)}.${repeat}</p>`, 'This election is void');
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
  <h2 id="counted-heading">Counted from the ballots</h2>
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
    return html`<h3>Turnout</h3><p>${count(used)} ${used === 1 ? 'has' : 'have'} voted.</p>`;
  if (issued === 0 && of === 'voters') return html`<h3>Turnout</h3><p>Nobody could vote.</p>`;
  if (issued === 0) return html`<h3>Turnout</h3><p>There are no voting codes.</p>`;
  const each = of === 'voters' ? 'voter' : 'voting code';
  // More have voted than the door counted: a share of either number would be wrong.
  if (door !== undefined)
    return html`<h3>Turnout</h3><p>${channels && `${channelsSentence(channels)} `}${count(used)} voted; the door counted ${counted(door, 'voter')}.</p>`;
  if (channels)
    return html`<h3>Turnout</h3><p>${channelsSentence(channels)} That is ${count(used)} of ${counted(issued, each)} (${percent(share)}).</p>
${bars({ label: 'Turnout', whole: issued, bars: [{ label: 'Voted', value: used, strong: true }] })}`;
  if (of === 'voters')
    return html`<h3>Turnout</h3><p>${count(used)} of ${counted(issued, each)} voted (${percent(share)}).</p>
${bars({ label: 'Turnout', whole: issued, bars: [{ label: 'Voted', value: used, strong: true }] })}`;
  return html`<h3>Turnout</h3>
  <p>${count(used)} of ${count(issued)} voting codes ${used === 1 ? 'was' : 'were'} used (${percent(share)}).${
    mailed !== undefined &&
    mailed > 0 &&
    mailed < issued &&
    ` ${count(mailed)} of them ${
      mailed === 1 ? 'was' : 'were'
    } mailed and ${count(issued - mailed)} made for paper; a code that nobody was given counts as unused.`
  }</p>
${bars({ label: 'Turnout', whole: issued, bars: [{ label: 'Codes used', value: used, strong: true }] })}`;
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
    status === 'closed' ? badge('Quorum not met', 'danger') : badge('Quorum not met yet', 'scheduled');
  return html`<p>${
    quorum_met === true ? badge('Quorum met', 'open') : missed
  } ${counted(total_ballots, 'ballot')}, ${count(quorum)} needed.</p>`;
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
        note: label === contest.winner && badge('Most votes', 'open'),
      })),
    })}`;
  });
  return { picture: html`${picture}`, details: [] };
}

function certification(
  { certification: by }: ManualResultsJson,
  at: Words | string | null | undefined,
): Html {
  return html`<p class="soft">These figures were counted outside this service and entered by an officer.</p>
${
  (by.certified_by !== null || at) &&
  definitionList([
    ...(by.certified_by === null ? [] : [['Certified by', by.certified_by] as const]),
    ...(at ? [['Certified on', at] as const] : []),
  ])
}
${by.notes !== null && by.notes !== '' && html`<h3>Notes</h3>${plainText(by.notes)}`}`;
}

/** Says what does not agree; no result is shown without this notice. */
export function warnings(results: ComputedResultsJson): Html | null {
  const { books, result_matches, differences = [], total_ballots } = results;
  const found = [
    ...(books && !books.balanced
      ? [
          `There are ${counted(books.ballots, 'ballot')}, but ${counted(books.tokens_used, 'voting code')} ${
            books.tokens_used === 1 ? 'was' : 'were'
          } used${books.paper === undefined ? '' : `, ${counted(books.paper, 'ballot')} came on paper`}, and the log has ${counted(books.vote_entries, 'vote')}.`,
        ]
      : []),
    ...differences.map(differenceText),
    ...(result_matches === false && differences.length === 0
      ? [
          `The stored ballots no longer give the result that was settled, of ${counted(total_ballots, 'ballot')}.`,
        ]
      : []),
  ];
  return disagreement(found);
}

/** The notice about facts that do not agree; null if there are none. */
export const disagreement = (sentences: readonly string[]): Html | null =>
  sentences.length === 0 ? null : notice('danger', sentences.join(' '), 'Something does not agree');

/** A difference as a sentence. */
export const differenceText = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** What was published at the close, and how anyone can check it. */
function published(results: ComputedResultsJson, context: ResultsContext): Html[] {
  const group = context.oneAtATime ? 'details' : undefined;
  const { ballot_set_sha256: checkNumber, inclusion_hashes: hashes } = results;
  const number =
    checkNumber !== undefined &&
    disclosure(
      'What was published',
      html`${checkNumberText(checkNumber, results, context.exportHref)}${anchorText(results)}`,
      false,
      group,
    );
  const codes =
    hashes !== undefined &&
    disclosure('Look for a ballot by hand', inclusionText(results, hashes, context), false, group);
  return [number, codes].filter((one) => one !== false);
}

function checkNumberText(
  checkNumber: string,
  { question_sha256: question, ballot_set_salt: salt }: ComputedResultsJson,
  exportHref: string | undefined,
): Html {
  return html`<p>At the close the ballots were sealed with a check number. If a single ballot were added, removed
  or changed later, it would be a different one. Write it down, or keep the mail with the result.</p>
<p>${hashText(checkNumber)}</p>
${
  question && salt
    ? html`<p class="small soft">It is the SHA-256 of the check number of the question, this
    random number and the sorted ballots. Anyone can recompute it from these.</p>
<p>${hashText(salt)}</p>
<p class="small soft">Check number of the question: it covers the title, the description, the document’s address,
the rules of the count and each option with its name and number.</p>
<p>${hashText(question)}</p>`
    : html`<p class="small soft">It is the SHA-256 of the sorted ballots. An earlier version made
    it: it does not cover the question and the names of the options. Anyone can recompute it from the ballots.</p>`
}
${exportHref !== undefined && html`<p><a class="link-alone" href="${exportHref}">Download the ballots</a></p>`}`;
}

function anchorText({ anchor, books, electors_sha256 }: ComputedResultsJson): Html | null {
  if (!anchor || !books) return null;
  return html`<h3>Position in the log</h3><p>${hashText(anchor.head)}</p>
<p class="small soft">The newest entry of the audit log
when the result was settled, with ${counted(anchor.entries, 'entry', 'entries')}. Keep it to check later
that the log was not truncated or rewritten.</p>
${definitionList([
  ['Ballots', count(books.ballots)],
  ['Voting codes used', count(books.tokens_used)],
  ...(books.paper === undefined ? [] : [['Ballots on paper', count(books.paper)] as const]),
  ['Votes in the log', count(books.vote_entries)],
  [
    'Voting codes made',
    `${count(books.tokens_made)}, ${count(books.tokens_mailed)} of them mailed, ${count(books.tokens_deleted)} deleted`,
  ],
])}
${
  electors_sha256 !== undefined &&
  html`<p class="small soft">Check number of the voting codes at the close:
it says who could vote.</p><p>${hashText(electors_sha256)}</p>`
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
    ? 'With it you find out whether your ballot was counted as you cast it. Anyone who has your code can find ' +
      'out how you voted: keep it to yourself.'
    : 'With it you find out whether your ballot is in the box. It cannot show how anyone voted. Keep your ' +
      'code to yourself.';
  return html`<p>When you voted you were shown a code. ${about}</p>
${onPaper && ofPaper(id)}${byHand(id, hashes, covers ? receiptChoice(question_sha256 !== undefined) : undefined)}`;
}

/** How the code of a question is made from that of its paper. */
const ofPaper = (
  id: string,
): Html => html`<p>The code of a ballot paper makes one for each of its questions. Type this
with your code in place of the word; what it prints is your code for this question:</p>
<p><code>printf %s 'your-code:${id}' | shasum -a 256 | cut -c1-32</code></p>`;

/** How a choice is spelled for its receipt; earlier versions used the numbers of the options. */
const receiptChoice = (byName: boolean): string =>
  byName
    ? 'yes, no, abstain or blank, or what the list of ballots gives, like ["Ann","Bob"] or {"Ann":"yes","Bob":"no"}'
    : 'yes, no or abstain, or the numbers of the options as the list of ballots gives them, best first, like [3,1,2]';

/** @param choice how a choice is spelled, if codes cover it */
function byHand(id: string, hashes: readonly string[], choice: string | undefined): Html {
  const covers = choice !== undefined;
  const what = covers ? 'your code and your choice' : 'your code';
  return html`<p>This list holds the SHA-256 of ${what} if your ballot was counted${covers && ' as you cast it'}.</p>
<p>To find it, on a Mac or on Linux type this in a terminal, with your code without spaces
in place of the word${covers && `, and your choice: ${choice}`}; look for what it prints in the list:</p>
<p><code>printf %s ${covers ? "'your-code:your-choice'" : 'your-code'} | shasum -a 256</code></p>
<p><strong>${counted(hashes.length, 'ballot')} in the list</strong></p>
${
  hashes.length > HASHES_AT_MOST
    ? html`<p>It is too long for this page: a program
    gets it as <code>inclusion_hashes</code> at <code>/e/${id}/results</code>.</p>`
    : html`<ol class="hash-list" tabindex="0" aria-label="Hashes of the codes">${hashes.map(
        (hash) => html`
    <li>${hashText(hash)}</li>\n`,
      )}</ol>`
}`;
}
