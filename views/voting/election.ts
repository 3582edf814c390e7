import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { formatNumber as count, sentences } from '#kernel/language/times.ts';
import type { Note, Words } from '#kernel/language/words.ts';
import { asWritten, WRITTEN } from '#views/components/language.ts';
import { nameText } from '#views/components/names.ts';
import { notice } from '#views/components/notices.ts';
import { statusBadge } from '#views/components/status.ts';
import { definitionList, disclosure, pageHeader, plainText, withSide } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { ballotPath } from '#voting/ballots/ballots.ts';
import type { ChangedCodes, CodeEnd } from '#voting/ballots/withdrawn-codes.ts';
import type { ResultsJson } from '#voting/counting/results.ts';
import { coversChoice } from '#voting/election-settings.ts';
import type { FollowUpKind, PublicElectionJson } from '#voting/elections/elections.ts';
import { isDocumentChange } from '#voting/elections/history.ts';
import type { ShownTurnout } from '#voting/elections/shown-turnout.ts';
import type { VoidJson } from '#voting/elections/void.ts';
import { shownName } from '#voting/option-names.ts';
import { numberedTitle, paperPath } from './ballot-papers/ballot.ts';
import { askedOf, ruleSentences } from './ballot-types.ts';
import { optionInRow, withdrawnNotice } from './ballots/about-options.ts';
import { about, documentLink, limits, secrecy } from './ballots/ballot-frame.ts';
import { documentChanges, historyNotices, historyView, type ShownEvent } from './ballots/history.ts';
import { matrixPath } from './results/matrix-page.ts';
import { recountPath } from './results/recount.ts';
import {
  checksOf,
  disagreement,
  moreSection,
  type ResultsContext,
  resultDetails,
  resultSection,
  resultTurnout,
  turnoutView,
  voidNotice,
} from './results/results.ts';
import { tokenAdvice, tokenHeading } from './token-state.ts';
import { codeForm } from './typed-code.ts';

/** The data of the public page of an election. Times are already formatted. */
export interface ElectionPageProps {
  election: PublicElectionJson;
  /** The ballot paper that it is a question of. */
  paper?: { id: string; title: string } | undefined;
  /** On the agenda of a meeting. */
  number?: string | undefined;
  opens: Words | string;
  closes: Words | string;
  /** The days of a closed one: `Nov 18 to Nov 28, 2026, closed early`. */
  days?: Words | string | undefined;
  /** Whether fewer than five voting codes were made. */
  few: boolean;
  /** When an officer closed it early. */
  closedEarly?: Words | string | null | undefined;
  /** Set when the address carried a token. */
  token?: { value: string; state: 'valid' | 'used' | 'invalid' | CodeEnd } | undefined;
  /** Null while hidden. */
  results: ResultsJson | null;
  /** Shown while results are hidden. */
  turnout?: ShownTurnout | null | undefined;
  /** Of a question whose hands were counted: the outcome once it is announced, and the rule. */
  hands?:
    | {
        outcome: Words | string | undefined;
        rule: Words | string | undefined;
        voided?: VoidJson | undefined;
        /** What was counted of one that is void. */
        counted?: Words | string | undefined;
      }
    | undefined;
  /** Says of a question of a meeting how many cards were made valid after its opening; undefined without any. */
  lateCards?: Words | string | undefined;
  /** A sentence on when results appear, while they are hidden. */
  resultsWhen: Words | string;
  certifiedAt?: Words | string | null | undefined;
  /** The ballots of an election whose opening was moved into the future after it had opened; else null. */
  paused?: number | null | undefined;
  /** The events of the election, oldest first. */
  history?: readonly ShownEvent[] | undefined;
  /** The number of codes created since it opened; null where that is not known. */
  madeSinceOpening?: number | null | undefined;
  /** Codes of single electors that were replaced or withdrawn. */
  changedCodes?: ChangedCodes | undefined;
  exportHref?: string | undefined;
  /** How many voting codes were mailed; the others are on paper. */
  mailed?: number | undefined;
  /** What differs from the audit log before the close; afterwards the results say it. */
  differences?: readonly Note[] | undefined;
  /** The election that it follows, and its own follow-ups, by id and title. */
  follows?: LinkedElection | undefined;
  followUps?: readonly LinkedElection[] | undefined;
  /** Whether the ballots are listed for everybody. */
  publishes?: boolean | undefined;
}

interface LinkedElection {
  id: string;
  title: string;
}

/** The public page of an election: what is asked, how to vote, and the result once it is visible. */
export function electionPage(props: ElectionPageProps): Html {
  const { election, results, history = [] } = props;
  const { status } = election;
  const context = resultsContext(props);
  const log = historyView(election.id, history, props.madeSinceOpening ?? null);
  const details = [...(results ? resultDetails(results, context) : []), ...(log ? [log] : [])];
  const main = html`${closingLine(props)}
${disagreement(props.differences ?? [])}
${election.description && (status === 'closed' ? plainText : about)(election.description)}
${voteAction(props)}
${documentLink(election.attachment_url)}
${follows(props)}
${documentChanges(history.filter(isDocumentChange))}
${withdrawnNotice([...(election.candidates ?? []), ...(election.options ?? [])])}
${status !== 'closed' && optionList(election)}
${results && resultSection(results, context)}
${props.hands && handsSection(props.hands, props.resultsWhen)}`;
  const rest = html`${status !== 'closed' && rulesText(election)}
${props.lateCards !== undefined && html`<p>${props.lateCards}</p>`}
${followUps(props)}
${changedCodesText(props.changedCodes)}
${historyNotices(history)}
${results && checksOf(results, context)}
${moreSection(details)}`;
  const body = html`${pageHeader({
    title: asWritten(numberedTitle({ number: props.number, title: election.title })),
    eyebrow: statusBadge(status),
    lede: status === 'closed' ? props.days : askedOf(election),
    crumbs: [
      { href: '/', label: t('voting.election.all_elections') },
      ...(props.paper ? [{ href: paperPath(props.paper), label: props.paper.title }] : []),
    ],
  })}
${withSide({ main, side: html`${dates(props)}${turnoutOf(props, context)}`, rest })}`;
  return page({ title: election.title, body, wide: true });
}

const resultsContext = (props: ElectionPageProps): ResultsContext => ({
  certifiedAt: props.certifiedAt,
  exportHref: props.exportHref,
  codesCover: coversChoice(props.election.settings),
  onPaper: props.election.paper_id !== undefined,
  matrixPath: matrixPath(props.election.id),
  mailed: props.mailed,
  recountPath: props.publishes ? recountPath(props.election.id) : undefined,
  portraits: props.election.candidates ?? props.election.options,
});

/** When voting opened and closed, exactly; without what the first line of the page has said. */
function dates({ election: { status }, opens, closes, closedEarly, ...props }: ElectionPageProps): Html {
  const opening =
    status !== 'scheduled'
      ? t('voting.election.voting_opened')
      : isPaused(props)
        ? t('voting.election.voting_resumes')
        : t('voting.election.voting_opens');
  return definitionList([
    [opening, opens],
    ...(status === 'open'
      ? []
      : [
          closedEarly
            ? ([t('voting.election.closed_early'), closedEarly] as const)
            : ([
                status === 'closed' ? t('voting.election.voting_closed') : t('voting.election.voting_closes'),
                closes,
              ] as const),
        ]),
  ]);
}

function turnoutOf(
  { results, turnout, hands, ...props }: ElectionPageProps,
  context: ResultsContext,
): Html | null {
  if (results) return resultTurnout(results, context);
  if (!turnout || hands) return null;
  return html`<section class="panel results"><h2>${t('voting.election.result')}</h2><p>${props.resultsWhen}</p>
${turnoutView(turnout, props.mailed)}</section>`;
}

/** The result of hands. @param when a sentence on when it appears */
function handsSection(
  { voided, outcome, rule, counted: before }: NonNullable<ElectionPageProps['hands']>,
  when: Words | string,
): Html {
  return html`<section class="panel results"><h2>${t('voting.election.result')}</h2>${voided && voidNotice(voided)}${
    outcome === undefined
      ? html`<p>${when}</p>`
      : html`<p class="said">${outcome}</p>${rule && html`<p>${rule}</p>`}${
          before !== undefined &&
          disclosure(t('voting.election.what_counted_before_count'), html`<p>${before}</p>`)
        }`
  }</section>`;
}

const FOLLOWS: Record<FollowUpKind, (title: Html) => Words> = {
  two_best: (title) => t('voting.election.vote_between_two_best', { title }),
  unelected: (title) => t('voting.election.vote_open_seats', { title }),
  all: (title) => t('voting.election.vote_all_candidates', { title }),
  repeat: (title) => t('voting.election.repetition', { title }),
};

function follows({ election: { follow_up_kind }, follows: before }: ElectionPageProps): Html | null {
  if (!before || follow_up_kind === undefined) return null;
  return html`<p>${FOLLOWS[follow_up_kind](html`<a href="/e/${before.id}"${WRITTEN}>${before.title}</a>`)}</p>`;
}

function followUps({ followUps = [] }: ElectionPageProps): Html | null {
  if (followUps.length === 0) return null;
  return html`<section><h2>${t('voting.election.what_followed')}</h2>
<ul>${followUps.map(({ id, title }) => html`<li><a href="/e/${id}"${WRITTEN}>${title}</a></li>`)}</ul></section>`;
}

/** The public count of codes that an officer replaced or withdrew: `2 codes replaced, 1 withdrawn.` */
function changedCodesText(
  { replaced, withdrawn }: ChangedCodes = { replaced: 0, withdrawn: 0 },
): Html | null {
  const words =
    replaced > 0 && withdrawn > 0
      ? t('voting.election.codes_replaced_and_withdrawn', { replaced, withdrawn })
      : replaced > 0
        ? t('voting.election.codes_replaced', { replaced })
        : withdrawn > 0 && t('voting.election.codes_withdrawn', { withdrawn });
  return words ? html`<p class="small soft">${words}</p>` : null;
}

function rulesText(election: PublicElectionJson): Html | null {
  const rules = ruleSentences(election);
  return rules.length === 0 ? null : html`<p>${sentences(rules)}</p>`;
}

/** When voting ends, or begins: the first thing to know before a vote. */
function closingLine({ election, opens, closes, ...props }: ElectionPageProps): Html | null {
  if (election.status === 'closed') return null;
  if (election.status === 'open')
    return html`<p>${t('voting.election.voting_closes_at', { closes: html`<strong>${closes}</strong>` })}</p>`;
  return html`<p>${isPaused(props) ? t('voting.election.voting_resumes_at', { opens: html`<strong>${opens}</strong>` }) : t('voting.election.voting_opens_at', { opens: html`<strong>${opens}</strong>` })}</p>`;
}

const isPaused = ({ paused }: Pick<ElectionPageProps, 'paused'>): boolean =>
  paused !== null && paused !== undefined;

function voteAction(props: ElectionPageProps): Html | null {
  const { election, token } = props;
  const { status } = election;
  if (status === 'closed') return null;
  if (token?.state === 'used' || token?.state === 'withdrawn' || token?.state === 'replaced')
    return tokenAdvice(token.state, tokenHeading(token.state));
  if (status === 'scheduled' && isPaused(props))
    return notice(
      'attention',
      t('voting.election.ballots_stay_voting_resumes_unused', {
        paused: props.paused ?? 0,
        opens: props.opens,
      }),
      t('voting.election.voting_paused'),
    );
  if (status === 'scheduled')
    return token?.state === 'valid'
      ? tokenAdvice('not_open', tokenHeading('not_open'))
      : notice('info', t('voting.election.when_voting_opens_use_link'));
  if (token?.state === 'valid') {
    const href = ballotPath(election, token.value);
    return html`<div class="card vote-call"><h2>${t('voting.election.ballot_ready')}</h2>
<p><a class="button button-large" href="${href}">${t('voting.election.vote_now')}</a></p>
${limits(props)}${secrecy(props)}</div>`;
  }
  return html`${token?.state === 'invalid' && tokenAdvice('invalid', tokenHeading('invalid'))}
<section class="card vote-call" aria-labelledby="vote-heading"><h2 id="vote-heading">${t('voting.election.vote')}</h2>
<p>${t('voting.election.open_link_mail_scan_slip')}</p>
${codeForm({ text: token?.state === 'invalid' ? token.value : '' })}
<p>${t('voting.election.mail_link_mailed_again', { link: (inside) => html`<a href="/vote/my-elections">${inside}</a>` })}</p>
${limits(props)}${secrecy(props)}</section>`;
}

function optionList({ candidates = [], options = [] }: PublicElectionJson): Html | null {
  const standing = [...candidates, ...options].filter(({ withdrawn }) => !withdrawn);
  const names = standing.map(
    (option) => html`<li class="rank-row">${optionInRow(option, nameText(shownName(option)))}</li>`,
  );
  if (names.length === 0) return null;
  const list = html`<ul class="rank-list option-list" role="list">${names}</ul>`;
  const title = candidates.length > 0 ? t('voting.election.candidates') : t('voting.election.options');
  return names.length > 6
    ? disclosure(html`${title} (${count(names.length)})`, list)
    : html`<h2>${title}</h2>${list}`;
}
