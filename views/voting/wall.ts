import { type Child, type Html, html } from '#kernel/html.ts';
import { Page, type Site } from '#kernel/site.ts';
import { siteIcons, siteSign, siteTheme } from '#views/components/club.ts';
import { type QrModules, qrCode } from '#views/components/codes.ts';
import { PAGE_LANGUAGE } from '#views/components/language.ts';
import { count, counted, shareOf } from '#views/components/numbers.ts';
import { modules } from '#views/modules.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { viewOf } from '#views/voting/ballot-types.ts';
import {
  contestOutcome,
  isCarried,
  isDecided,
  outcomeNotes,
  outcomeSentence,
  outcomeText,
} from '#views/voting/results/outcome.ts';
import { byVotes, type WallBars } from '#views/voting/types/ballot-view.ts';
import { NOT_ANNOUNCED } from '#views/voting/words.ts';
import type { ResultsJson } from '#voting/counting/results.ts';
import type { ElectionStatus } from '#voting/elections/elections.ts';
import type { ShownTurnout } from '#voting/elections/shown-turnout.ts';
import { barDrawing } from './bars.ts';

/** The data of an election's page for a projector. Times are already formatted. */
export interface WallProps {
  election: { id: string; title: string; status: ElectionStatus };
  /** Whether the opening was moved into the future after voting had begun. */
  paused?: boolean | undefined;
  opens: string;
  closes: string;
  /** The time left until the close, `12 minutes`; null when it is not open. */
  left: string | null;
  turnout: ShownTurnout;
  /** Null while hidden, and before voting has begun. */
  results: ResultsJson | null;
  /** Whether voting has closed and the result is not announced. */
  isAwaited?: boolean | undefined;
  /** Leads to the page for voters; empty while the address of the service is not known. */
  way:
    | {
        qr: QrModules;
        /** The address of the page to type a code, without `https://`. */
        address: string;
      }
    | ''
    | undefined;
}

/** The seconds after which a browser without script loads the page again. */
const AGAIN_S = 15;

/** The page for a projector: turnout and how to vote, then the result. Its script keeps it up to date. */
export const wallPage = (props: WallProps): Page => {
  const { results } = props;
  const said = html`${results ? resultOf(results) : null}${
    props.isAwaited && html`<p class="wall-outcome wall-short">${NOT_ANNOUNCED}</p>`
  }`;
  const shown = {
    said,
    hasResult: results !== null,
    hidden: results ? hiddenRows(results) : 0,
    leadsTo: results ? 'the whole result' : 'the page of this election',
  };
  return new Page((site) => documentOf({ ...props, ...shown }, site), 'club');
};

type Shown = Pick<WallProps, 'election' | 'paused' | 'opens' | 'closes' | 'left' | 'turnout' | 'way'> & {
  said: Child;
  hasResult: boolean;
  /** What the code leads to after the close. */
  leadsTo: string;
  /** Rows of the result that do not fit. */
  hidden?: number;
};

/** A page for a projector around what it says. */
export function documentOf(props: WallDocument, site: Site): Html {
  const { election } = props;
  return html`<!doctype html>
<html${PAGE_LANGUAGE}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${election.title} · ${site.name}</title>
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
${siteIcons(site)}
${stylesheets('wall')}
${siteTheme(site)}
<noscript><meta http-equiv="refresh" content="${AGAIN_S}"></noscript>
${modules(['voting/wall.js'])}</head>
<body${props.every !== undefined && html` data-every="${props.every}"`}>
<main class="wall${props.hasResult && ' wall-result'}">
<header><p class="wall-club">${siteSign(site)}<span>${site.name}</span></p>
<p class="wall-state">${props.state ?? stateOf(props)}</p></header>
<div class="wall-body">
${site.banner && html`<p class="wall-banner"><strong>${site.banner.title}.</strong> ${site.banner.text}</p>`}
<h1 class="${sizeOf(election.title)}">${election.title}</h1>
<div class="wall-said">${props.said}${props.state === undefined && election.status !== 'closed' && turnoutOf(props)}</div>
</div>
<footer>${
    props.way &&
    qrCode(
      props.way.qr,
      election.status === 'closed' ? `QR code of ${props.leadsTo}` : 'QR code of the voting page',
    )
  }
<p>${props.foot ?? wayOn(props)}</p><p class="wall-old" data-wall-old hidden>The service cannot be reached. This may be old.</p>
</footer>
</main>
</body>
</html>`;
}

/** What stands on the wall; a meeting says its own state, and what stands beside the code. */
export type WallDocument = Shown & { state?: Child; foot?: Child; every?: number };

function stateOf({ election, paused, opens, closes, left }: Shown): Html {
  switch (election.status) {
    case 'scheduled':
      return html`${paused ? 'Voting is paused and resumes' : 'Voting opens'} ${opens}`;
    case 'open':
      return html`Voting is open until ${closes}${
        left !== null && html` · <span class="wall-left">${left} left</span>`
      }`;
    case 'closed':
      return html`Voting has closed`;
  }
}

function wayOn({ election, way, leadsTo, hidden: more = 0 }: Shown): Html {
  if (!way) return html`To vote, open the link in your mail.`;
  if (election.status === 'closed')
    return html`Scan the square for ${leadsTo}${more > 0 && `, with ${count(more)} more`}.`;
  return html`To vote, open the link in your mail. With a printed code scan the square, or
  open <strong class="wall-address">${way.address}</strong>`;
}

function turnoutOf({ election, turnout: { issued, used, of } }: Shown): Html | null {
  if (election.status === 'scheduled' || issued === 0) return null;
  if (of === 'unknown') return html`<p class="wall-turnout"><strong>${count(used)}</strong> have voted</p>`;
  return html`<p class="wall-turnout"><strong>${count(used)}</strong> of ${
    of === 'voters' ? html`${counted(issued, 'vote')} cast` : html`${count(issued)} have voted`
  }</p>
  ${barDrawing(shareOf(used, issued), true)}`;
}

function resultOf(results: ResultsJson): Html {
  const drawn = wallBars(results);
  const doubt =
    results.results_mode === 'computed' &&
    (results.books?.balanced === false || results.result_matches === false);
  return html`${doubt && html`<p class="wall-doubt">Something does not agree: see the whole result.</p>`}
${
  results.results_mode === 'manual' && results.display.contests.length > 1
    ? contests(results.display.contests)
    : html`<p class="wall-outcome ${sizeOf(outcomeSentence(results))}${
        isCarried(results) && ' wall-carried'
      }">${outcomeText(results)}</p>`
}
${results.status === 'closed' && html`<p class="wall-facts">${facts(results)}</p>`}
${drawn && barsOf(drawn)}`;
}

function facts(results: ResultsJson): string {
  if (results.results_mode === 'void')
    return `${counted(results.turnout.used, 'ballot was', 'ballots were')} cast.`;
  if (results.results_mode === 'manual') return 'Certified figures, counted outside this service.';
  const { quorum, quorum_met } = results.results;
  const cast = `${counted(results.total_ballots, 'ballot')} of ${count(results.turnout.issued)} possible.`;
  return [
    cast,
    quorum !== null && `Quorum of ${count(quorum)} ${quorum_met ? 'met' : 'not met'}.`,
    ...outcomeNotes(results),
  ]
    .filter(Boolean)
    .join(' ');
}

function contests(contests: Extract<ResultsJson, { results_mode: 'manual' }>['display']['contests']): Html {
  return html`<ul class="wall-contests">${contests.slice(0, BARS_AT_MOST).map(
    (contest) => html`
  <li><strong>${contest.label}</strong> ${contestOutcome(contest)}</li>`,
  )}</ul>`;
}

/** The bars of a result. */
export function barsOf({ title, bars, whole }: WallBars): Html {
  return html`${title && html`<h2>${title}</h2>`}<ul class="wall-bars${bars.length > 3 && ' wall-bars-many'}">${bars
    .slice(0, BARS_AT_MOST)
    .map(
      ({ label, votes, leads }) =>
        html`<li><span class="wall-name${leads && ' wall-leads'}" translate="no">${label}</span><span class="wall-votes">${count(votes)}</span>${barDrawing(
          shareOf(votes, whole),
          leads,
        )}</li>`,
    )}</ul>`;
}

/** How many bars of a result do not fit. */
export const moreThanBars = ({ bars }: WallBars): number => Math.max(0, bars.length - BARS_AT_MOST);

/** The number of rows or contests that do not fit. */
function hiddenRows(results: ResultsJson): number {
  const contests = results.results_mode === 'manual' ? results.display.contests.length : 0;
  return Math.max(0, (wallBars(results)?.bars.length ?? contests) - BARS_AT_MOST);
}

/** The size of a text: a long one gets a smaller font, so that it is not cut off. */
export function sizeOf(text: string): string {
  if (text.length <= 60) return 'wall-short';
  return text.length <= 160 ? 'wall-medium' : 'wall-long';
}

/** The most rows that can be read from the back of the room. */
const BARS_AT_MOST = 6;

/** The data of a ballot paper's page for a projector. */
export interface PaperWallProps extends Omit<WallProps, 'results' | 'isAwaited'> {
  /** In their order. */
  questions: readonly {
    title: string;
    status: ElectionStatus;
    /** Null while hidden, and before voting has begun. */
    results: ResultsJson | null;
    isAwaited: boolean;
  }[];
}

/** The page of a ballot paper for a projector: each question, and its result where there is one. */
export function paperWallPage({ questions, ...props }: PaperWallProps): Page {
  const said = html`<ul class="wall-contests">${questions
    .slice(0, BARS_AT_MOST)
    .map(
      (question) =>
        html`<li><strong>${question.title}</strong> ${stateOfQuestion(question, props.election)}</li>`,
    )}</ul>`;
  const hidden = Math.max(0, questions.length - BARS_AT_MOST);
  const leadsTo = 'each result';
  return new Page((site) => documentOf({ ...props, said, hasResult: false, hidden, leadsTo }, site), 'club');
}

/** What there is to say of a question; the head of the page says the state of the paper. */
function stateOfQuestion(
  { status, results, isAwaited }: PaperWallProps['questions'][number],
  paper: PaperWallProps['election'],
): string | null {
  if (isAwaited) return NOT_ANNOUNCED;
  if (status === 'closed') return results ? outcomeSentence(results) : 'Voting has closed.';
  const isLive = results?.results_mode === 'computed' && results.total_ballots > 0;
  if (status === 'open' && isLive) return outcomeSentence(results);
  if (status === paper.status) return null;
  return status === 'open' ? 'Voting is open.' : 'Voting has not begun.';
}

/** The bars of a result; null without ballots, and for several certified contests, which have a sentence each. */
export function wallBars(results: ResultsJson): WallBars | null {
  if (results.results_mode === 'void' || results.void) return null;
  if (results.results_mode === 'manual') {
    const [contest, ...others] = results.display.contests;
    if (!contest || others.length > 0) return null;
    const bars = contest.items.map(({ label, votes }) => ({ label, votes, leads: label === contest.winner }));
    return { title: null, bars: byVotes(bars), whole: contest.total_votes };
  }
  const { results: tally, total_ballots: whole } = results;
  const choices = whole - tally.blank;
  if (choices === 0) return null;
  const drawn = viewOf(results.ballot_type).wallBars(tally, choices);
  // Nobody has won a vote that is void or lacks its quorum, whoever has the most votes.
  const isValid = results.status !== 'closed' || isDecided(results);
  return isValid ? drawn : { ...drawn, bars: drawn.bars.map((bar) => ({ ...bar, leads: false })) };
}
