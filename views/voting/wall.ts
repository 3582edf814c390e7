import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { formatNumber as count, sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { clubReader } from '#kernel/locale.ts';
import { Page, type Site } from '#kernel/site.ts';
import { siteIcons, siteSign, siteTheme } from '#views/components/club.ts';
import { type QrModules, qrCode } from '#views/components/codes.ts';
import { PAGE_LANGUAGE } from '#views/components/language.ts';
import { shareOf } from '#views/components/numbers.ts';
import { strong } from '#views/components/slots.ts';
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
  opens: Words | string;
  closes: Words | string;
  /** The time left until the close, `12 minutes`; null when it is not open. */
  left: Words | string | null;
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
    leadsTo: results ? ('result' as const) : ('election' as const),
  };
  return new Page((site) => documentOf({ ...props, ...shown }, site), 'club');
};

type Shown = Pick<WallProps, 'election' | 'paused' | 'opens' | 'closes' | 'left' | 'turnout' | 'way'> & {
  said: Child;
  hasResult: boolean;
  /** What the code leads to after the close. */
  leadsTo: 'result' | 'election' | 'results' | 'meeting';
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
      election.status === 'closed'
        ? t('voting.wall.qr_code', { what: codeFor(props.leadsTo) })
        : t('voting.wall.qr_code_voting_page'),
    )
  }
<p>${props.foot ?? wayOn(props)}</p><p class="wall-old" data-wall-old hidden>${t('voting.wall.service_cannot_reached_old')}</p>
</footer>
</main>
</body>
</html>`;
}

/** What stands on the wall; a meeting says its own state, and what stands beside the code. */
export type WallDocument = Shown & { state?: Child; foot?: Child; every?: number };

function stateOf({ election, paused, opens, closes, left }: Shown): Words {
  switch (election.status) {
    case 'scheduled':
      return paused
        ? t('voting.wall.voting_paused_resumes', { opens })
        : t('voting.wall.voting_opens', { opens });
    case 'open':
      return left === null
        ? t('voting.wall.voting_open_until', { closes })
        : t('voting.wall.voting_open_until_left', {
            closes,
            rest: (inside) => html`<span class="wall-left">${inside}</span>`,
            left,
          });
    case 'closed':
      return t('voting.wall.title_closed');
  }
}

function wayOn({ election, way, leadsTo, hidden: more = 0 }: Shown): Words {
  if (!way) return t('voting.wall.vote_open_link_mail');
  const what = codeFor(leadsTo);
  if (election.status === 'closed')
    return more > 0
      ? t('voting.wall.scan_square_more', { what, more })
      : t('voting.wall.scan_square', { what });
  return t('voting.wall.vote_open_link_mail_printed', {
    address: html`<strong class="wall-address">${way.address}</strong>`,
  });
}

/** The name of the last one in the texts is `other`. */
const codeFor = (leadsTo: Shown['leadsTo']) => (leadsTo === 'meeting' ? 'other' : leadsTo);

function turnoutOf({ election, turnout: { issued, used, of } }: Shown): Html | null {
  if (election.status === 'scheduled' || issued === 0) return null;
  if (of === 'unknown')
    return html`<p class="wall-turnout">${t('voting.wall.have_voted', { strong, used })}</p>`;
  return html`<p class="wall-turnout">${of === 'voters' ? t('voting.wall.votes_cast', { strong, used, issued }) : t('voting.wall.have_voted_of', { strong, used, issued })}</p>
  ${barDrawing(shareOf(used, issued), true)}`;
}

function resultOf(results: ResultsJson): Html {
  const drawn = wallBars(results);
  const doubt =
    results.results_mode === 'computed' &&
    (results.books?.balanced === false || results.result_matches === false);
  return html`${doubt && html`<p class="wall-doubt">${t('voting.wall.something_agree_see_whole_result')}</p>`}
${
  results.results_mode === 'manual' && results.display.contests.length > 1
    ? contests(results.display.contests)
    : html`<p class="wall-outcome ${sizeOf(outcomeSentence(results).for(clubReader()))}${
        isCarried(results) && ' wall-carried'
      }">${outcomeText(results)}</p>`
}
${results.status === 'closed' && html`<p class="wall-facts">${facts(results)}</p>`}
${drawn && barsOf(drawn)}`;
}

function facts(results: ResultsJson): Words | undefined {
  if (results.results_mode === 'void') return t('voting.wall.ballots_cast', { used: results.turnout.used });
  if (results.results_mode === 'manual') return t('voting.wall.certified_figures_counted_outside');
  const { quorum, quorum_met } = results.results;
  const cast = t('voting.wall.ballots_possible', {
    ballots: results.total_ballots,
    issued: results.turnout.issued,
  });
  const met =
    quorum !== null &&
    (quorum_met ? t('voting.wall.quorum_met', { quorum }) : t('voting.wall.quorum_not_met', { quorum }));
  return sentences([cast, met, ...outcomeNotes(results)]);
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
  const leadsTo = 'results' as const;
  return new Page((site) => documentOf({ ...props, said, hasResult: false, hidden, leadsTo }, site), 'club');
}

/** What there is to say of a question; the head of the page says the state of the paper. */
function stateOfQuestion(
  { status, results, isAwaited }: PaperWallProps['questions'][number],
  paper: PaperWallProps['election'],
): Words | null {
  if (isAwaited) return NOT_ANNOUNCED;
  if (status === 'closed') return results ? outcomeSentence(results) : t('voting.wall.voting_closed');
  const isLive = results?.results_mode === 'computed' && results.total_ballots > 0;
  if (status === 'open' && isLive) return outcomeSentence(results);
  if (status === paper.status) return null;
  return status === 'open' ? t('voting.wall.voting_open') : t('voting.wall.voting_begun');
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
