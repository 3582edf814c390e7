import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { allOf, sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { hashText } from '#views/components/codes.ts';
import { nameText, withNames } from '#views/components/names.ts';
import { notice } from '#views/components/notices.ts';
import { badge } from '#views/components/status.ts';
import { definitionList } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { barDrawing } from '#views/voting/bars.ts';
import { seatsField } from '#views/voting/seat-fields.ts';
import type { StvResult } from '#voting/shared/stv-tally.ts';
import type { BallotView, ResultParts, ShownResult } from './ballot-view.ts';
import { stageTables } from './figure-tables.ts';
import { rankedBallot } from './ranked-ballot.ts';
import { seatsRule } from './seats.ts';
import {
  awaitedSentence,
  awaitsSurplus,
  nameOf,
  namesOf,
  stageSentences,
  stageTitle,
  tieSentence,
  votesAt,
  votesText,
} from './stv-why.ts';

export const rankedStv: BallotView<'RANKED_STV'> = {
  name: t('voting-admin.ranked_stv.ranked_several_seats'),
  how: t('voting-admin.ranked_stv.voters_rank_candidates_ballot_first'),
  when: t('voting-admin.ranked_stv.committee_board_where_minorities_shall'),
  fields: [seatsField],
  rules: ({ seats }) => [seatsRule(seats ?? 1)],
  ...rankedBallot({
    rankingOf: () => 'partial',
    hint: t('voting.ranked_stv.ballot_helps_those_whom_rank'),
    unranked: t('voting.ranked_stv.ranked'),
    about: (several) =>
      several ? t('voting.ranked_stv.ballot_never_goes_these') : t('voting.ranked_stv.ballot_never_goes'),
  }),

  namesIn: ({ candidates }) => candidates.map(({ name }) => name),
  outcome(result, _ballots, final) {
    const { uncontested } = result;
    const seated = namesOf(result, seatedIn(result));
    const names = allOf(seated);
    const lot = awaitedSentence(result);
    if (lot && seated.length === 0) return lot;
    if (lot)
      return (
        sentences([
          final ? t('voting.ranked_stv.elected_far', { names }) : t('voting.ranked_stv.seats_far', { names }),
          lot,
        ]) ?? lot
      );
    if (seated.length === 0) return t('voting.ranked_stv.no_candidate');
    if (!final) return t('voting.ranked_stv.seats_go', { names });
    return uncontested
      ? t('voting.ranked_stv.elected_without_count', { names })
      : t('voting.ranked_stv.elected_names', { names });
  },
  // The figures of a stage do not count ballots.
  counts: ({ unanimous }) => (unanimous ? [0] : [-1]),
  note(result) {
    const { quota, valid_papers, uncontested, ties } = result;
    if (uncontested) return t('voting.ranked_stv.more_candidates_seats');
    if (quota === null) return null;
    const rule = t('voting.ranked_stv.single_transferable_vote_scottish_rules', {
      quota: votesText(quota),
      papers: valid_papers,
    });
    const lots = ties.filter(({ by }) => by === 'lot');
    if (lots.length === 0) return rule;
    const decided = lots
      .filter(({ same_elected }) => same_elected === false)
      .map(({ lot_among, candidates }) => allOf(namesOf(result, lot_among ?? candidates)));
    // Whoever reads the result out says that it was not the votes alone.
    const names = decided.reduce<Words | undefined>(
      (before, next) => (before ? t('voting.ranked_stv.names_and_names', { before, next }) : next),
      undefined,
    );
    if (names)
      return sentences([rule, t('voting.ranked_stv.level_seat_lot_decided_between', { names })]) ?? rule;
    const same = lots.every(({ same_elected }) => same_elected);
    const drawn = same
      ? t('voting.ranked_stv.lots_drawn_other_order_gives', { lots: lots.length })
      : t('voting.ranked_stv.lots_drawn', { lots: lots.length });
    return sentences([rule, drawn]) ?? rule;
  },
  parts: stvParts,
  wallBars(result) {
    const bars = fates(result).map(({ id, votes, elected }) => ({
      label: nameOf(result, id),
      votes: Math.trunc(votes * 100) / 100,
      leads: elected,
    }));
    return {
      title: result.awaiting_lot ? t('voting.ranked_stv.votes_far') : t('voting.ranked_stv.votes_end'),
      bars,
      whole: Math.max(result.quota ?? 0, ...bars.map(({ votes }) => votes)),
    };
  },
  lotTakes: (result) =>
    awaitsSurplus(result)
      ? t('voting.ranked_stv.surplus_first_drawn_passed_first')
      : t('voting.ranked_stv.first_drawn_excluded'),
  figureTables: stageTables,
  tiesInWords: (result) =>
    result.ties.map((tie) =>
      t('voting.ranked_stv.stage_result', { stage: tie.stage, result: tieSentence(result, tie) }),
    ),
  recounted: { winner: t('voting.ranked_stv.elected'), figures: t('voting.ranked_stv.every_stage') },
};

/** Those to whom the votes give the seats, in the order of their election: without its quorum a result elects nobody. */
const seatedIn = ({ candidates, stages, uncontested, valid_papers }: StvResult): string[] =>
  uncontested && valid_papers > 0 ? candidates.map(({ id }) => id) : stages.flatMap(({ elected }) => elected);

/** What became of a candidate: at which stage, and with how many votes. */
interface Fate {
  id: string;
  elected: boolean;
  /** The number of the stage of the election or exclusion; undefined if neither happened. */
  stage: number | undefined;
  votes: number;
}

/** The elected in their order, then the others: those who lasted longest first. */
function fates(result: StvResult): Fate[] {
  const { candidates, stages } = result;
  const all = candidates.map(({ id }): Fate => {
    const won = stages.findIndex(({ elected }) => elected.includes(id)) + 1;
    const lost = stages.findIndex(({ excluded }) => excluded.includes(id)) + 1;
    const decisive = won || (lost > 0 ? lost - 1 : stages.length);
    return { id, elected: won > 0, stage: won || lost || undefined, votes: votesAt(result, decisive, id) };
  });
  const seated = seatedIn(result);
  const place = ({ id }: Fate) => seated.indexOf(id);
  return all.sort((a, b) => {
    if (a.elected && b.elected) return place(a) - place(b);
    if (a.elected !== b.elected) return a.elected ? -1 : 1;
    return (b.stage ?? stages.length + 1) - (a.stage ?? stages.length + 1) || b.votes - a.votes;
  });
}

/** The chart of the stages, and why each came. */
function stvParts(result: StvResult, shown: ShownResult): ResultParts {
  const { candidates, uncontested, stages, seats, valid_papers: papers, quota } = result;
  const names = candidates.map(({ name }) => name);
  const said = (sentence: Words) => withNames(sentence, names);
  if (uncontested && seatedIn(result).length > 0) {
    const reason = t('voting.ranked_stv.candidates_seats_nothing_counted', {
      candidates: candidates.length,
      seats,
    });
    return { picture: html`<p>${reason}</p>`, details: [] };
  }
  if (stages.length === 0) return { picture: html``, details: [] };
  const awaited = awaitedSentence(result);
  const lots = result.ties.filter(({ by }) => by === 'lot');
  const picture = html`<p>${t('voting.ranked_stv.ballots_seats_whoever_votes_elected', { papers, seats, quota: quota ?? 0 })}</p>
${
  awaited &&
  notice(
    'attention',
    html`${said(awaited)} ${t('voting.ranked_stv.same_votes_every_stage')}`,
    shown.decided
      ? t('voting.ranked_stv.count_waits_lot')
      : t('voting.ranked_stv.lot_decide_voting_ended_now'),
  )
}
${finalChart(result, shown)}
<h3>${t('voting.ranked_stv.stage_stage')}</h3>
${stageCharts(result)}
<ol class="count-stages" role="list">${stages.map(
    (
      stage,
      at,
    ) => html`<li class="keep-together"><h4><span class="small soft">${t('voting.ranked_stv.stage', { stage: at + 1 })}</span> ${said(
      stageTitle(result, stage),
    )}</h4>
<p>${withNames(sentences(stageSentences(result, at + 1)) ?? '', names)}</p></li>\n`,
  )}</ol>`;
  return {
    picture,
    details: [
      [t('voting.ranked_stv.every_vote_every_stage'), stageTable(result)],
      ...(lots.length > 0
        ? [[t('voting.ranked_stv.how_lots_drawn', { lots: lots.length }), lotText(result, shown)] as const]
        : []),
      [t('voting.ranked_stv.how_counted'), METHOD],
    ],
  };
}

/** A row for each candidate with the votes at the end, and the quota as a line over all rows. */
function finalChart(result: StvResult, { decided }: ShownResult): Html {
  const { stages } = result;
  const quota = result.quota ?? 0;
  const all = fates(result);
  const most = Math.max(quota, ...all.map(({ votes }) => votes));
  const rows = all.map(({ id, elected, stage, votes }) => {
    const undecided = result.awaiting_lot
      ? t('voting.ranked_stv.still_in_count')
      : t('voting.ranked_stv.not_elected');
    const fate =
      stage === undefined
        ? undecided
        : elected
          ? t('voting.ranked_stv.at_stage', { stage })
          : t('voting.ranked_stv.excluded_at_stage', { stage });
    const mark = elected
      ? badge(
          decided ? t('voting.ranked_stv.elected') : t('voting.ranked_stv.ahead'),
          decided ? 'open' : undefined,
        )
      : null;
    const line = `${parts(quota / most)}%`;
    return html`<li class="bar-row"><span class="bar-label${elected && ' bar-label-strong'}">${nameText(
      nameOf(result, id),
    )} ${mark} <span class="small soft">${stages.length > 1 && fate}</span></span>
<span class="bar-value">${votesText(votes)}</span>
${barDrawing(votes / most, elected, html`<line class="stage-quota" x1="${line}" x2="${line}" y1="-8" y2="28"/>`)}</li>\n`;
  });
  return html`<h3>${t('voting.ranked_stv.votes_each_candidate')}</h3>
<p class="small soft">${sentences([
    stages.length > 1 && t('voting.ranked_stv.number_when_elected_or_excluded'),
    t('voting.ranked_stv.dashed_line_quota_votes', { quota }),
  ])}</p>
<ul class="bars" role="list" aria-label="${t('voting.ranked_stv.votes_each_candidate')}">${rows}</ul>`;
}

/** A small chart for each candidate with a bar for each stage: the table has the same in numbers. */
function stageCharts(result: StvResult): Html | null {
  const { stages } = result;
  if (stages.length === 1) return null;
  const quota = result.quota ?? 0;
  const most = Math.max(quota, ...stages.flatMap(({ votes }) => Object.values(votes).map(Number)));
  const charts = fates(result).map(
    ({ id, elected, stage }) => html`<li><span class="small">${nameText(nameOf(result, id))}</span>
${stageBars(
  stages.map(({ votes: all }) => Number(all[id]) / most),
  { quota: quota / most, solidFrom: elected ? (stage ?? 1) : stages.length + 1 },
)}</li>\n`,
  );
  return html`<ul class="stage-charts" role="list" aria-hidden="true">${charts}</ul>`;
}

/** A share as a percentage with one decimal. */
const parts = (share: number): number => Math.round(share * 1000) / 10;

/** @param heights of the bars, each 0 to 1 */
function stageBars(
  heights: readonly number[],
  { quota, solidFrom }: { quota: number; solidFrom: number },
): Html {
  const width = 100 / heights.length;
  const bars = heights.map((height, at) => {
    if (height === 0) return null;
    const strong = at + 1 >= solidFrom;
    return html`<rect class="bar-fill${strong && ' bar-fill-strong'}" x="${(at * width).toFixed(2)}%" width="${(
      width * 0.8
    ).toFixed(2)}%" y="${parts(1 - height)}%" height="${parts(height)}%"/>`;
  });
  const line = parts(1 - quota);
  return html`<svg class="bar stage-bars" focusable="false">${bars}<line class="stage-quota" x1="0" x2="100%" y1="${line}%" y2="${line}%"/></svg>`;
}

/** A row for each candidate, the elected first, and a column for each stage. */
function stageTable(result: StvResult): Html {
  const { stages } = result;
  const starts = stages.map((_, at) => at).filter((at) => at % STAGES_A_TABLE === 0);
  const captionOf = (from: number, to: number) =>
    t('voting.ranked_stv.votes_end_stages', { starts: starts.length, from, to });
  return html`<div class="stage-table">${starts.map((start) => {
    const part = stages.slice(start, start + STAGES_A_TABLE);
    return table({
      caption: captionOf(start + 1, start + part.length),
      quietCaption: starts.length === 1,
      scrolls: true,
      columns: [
        { label: t('voting.ranked_stv.candidate') },
        ...part.map((_, at) => ({
          label: t('voting.ranked_stv.stage', { stage: start + at + 1 }),
          number: true,
        })),
      ],
      rows: [
        ...fates(result).map(({ id }) => [
          nameText(nameOf(result, id)),
          ...part.map(({ votes }) => votes[id]),
        ]),
        [t('voting.ranked_stv.passed'), ...part.map(({ non_transferable }) => non_transferable)],
      ],
    });
  })}</div>`;
}

/** Stages in one table: as many as fit on a sheet of paper. */
const STAGES_A_TABLE = 8;

/** Who drew the lots, or how everybody can repeat them. */
function lotText(result: StvResult, { lots = [], ballotSetSha256 }: ShownResult): Html {
  const decided = result.ties.filter(({ by }) => by === 'lot');
  const names = result.candidates.map(({ name }) => name);
  const told = decided.map(
    (tie) =>
      html`<p>${t('voting.ranked_stv.stage_result', { stage: tie.stage, result: withNames(tieSentence(result, tie), names) })}</p>`,
  );
  // Who drew them is said beside every result.
  if (lots.length > 0) return html`${told}`;
  return html`${told}<p>${t('voting.ranked_stv.order_lot_comes_check_number')}</p>
${ballotSetSha256 && html`<p>${hashText(ballotSetSha256)}</p>`}
${definitionList(
  [...new Set(decided.flatMap(({ lot_among = [] }) => lot_among))].map(
    (id) => [nameOf(result, id), html`<code>${id}</code>`] as const,
  ),
)}`;
}

const METHOD = html`<p>${t('voting.ranked_stv.every_ballot_counts_vote_first')}</p>
<p>${t('voting.ranked_stv.whoever_quota_elected_votes_above')}</p>
<p>${t('voting.ranked_stv.when_surplus_candidate_fewest_votes')}</p>
<p>${t('voting.ranked_stv.equal_votes_decided_last_stage')}</p>`;
