import { type Html, html } from '#kernel/html.ts';
import { hashText } from '#views/components/codes.ts';
import { nameText, withNames } from '#views/components/names.ts';
import { notice } from '#views/components/notices.ts';
import { counted, listed } from '#views/components/numbers.ts';
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
  name: 'Ranked, several seats',
  how:
    'Voters rank the candidates. A ballot that its first choice does not need helps the next one: each group of ' +
    'voters gets seats by its size (single transferable vote, Scottish rules).',
  when: 'For a committee or a board, where minorities shall have their share of the seats.',
  fields: [seatsField],
  rules: ({ seats }) => [seatsRule(seats ?? 1)],
  ...rankedBallot({
    rankingOf: () => 'partial',
    hint: 'Your ballot helps those whom you rank, in your order. It never goes to anybody else.',
    unranked: 'Not ranked',
    about: (several) => `Your ballot never goes to ${several ? 'these' : 'this one'}.`,
  }),

  namesIn: ({ candidates }) => candidates.map(({ name }) => name),
  outcome(result, _ballots, final) {
    const { uncontested } = result;
    const names = listed(namesOf(result, seatedIn(result)));
    const lot = awaitedSentence(result);
    if (lot) return names ? `${final ? 'Elected so far' : 'Seats so far'}: ${names}. ${lot}` : lot;
    if (!names) return 'there is no candidate.';
    if (!final) return `the seats go to ${names}.`;
    return uncontested ? `Elected without a count: ${names}.` : `Elected: ${names}.`;
  },
  // The figures of a stage do not count ballots.
  counts: ({ unanimous }) => (unanimous ? [0] : [-1]),
  note(result) {
    const { quota, valid_papers, uncontested, ties } = result;
    if (uncontested) return 'There were not more candidates than seats.';
    if (quota === null) return null;
    const rule = `By the single transferable vote (Scottish rules): ${votesText(quota)} of ${counted(
      valid_papers,
      'vote',
    )} are needed for a seat.`;
    const lots = ties.filter(({ by }) => by === 'lot');
    if (lots.length === 0) return rule;
    const decided = lots
      .filter(({ same_elected }) => same_elected === false)
      .map(({ lot_among, candidates }) => listed(namesOf(result, lot_among ?? candidates)));
    // Whoever reads the result out says that it was not the votes alone.
    if (decided.length > 0)
      return `${rule} Level for a seat: ${decided.join('; ')}. A lot decided between them.`;
    const same = lots.every(({ same_elected }) => same_elected);
    return `${rule} ${lots.length === 1 ? 'A lot was' : `${lots.length} lots were`} drawn${
      same ? '; the other order gives the same persons' : ''
    }.`;
  },
  parts: stvParts,
  wallBars(result) {
    const bars = fates(result).map(({ id, votes, elected }) => ({
      label: nameOf(result, id),
      votes: Math.trunc(votes * 100) / 100,
      leads: elected,
    }));
    return {
      title: result.awaiting_lot ? 'Votes so far' : 'Votes at the end',
      bars,
      whole: Math.max(result.quota ?? 0, ...bars.map(({ votes }) => votes)),
    };
  },
  lotTakes: (result) =>
    awaitsSurplus(result)
      ? 'The surplus of the first one drawn is passed on first.'
      : 'The first one drawn is excluded.',
  figureTables: stageTables,
  tiesInWords: (result) => result.ties.map((tie) => `Stage ${tie.stage}: ${tieSentence(result, tie)}`),
  recounted: { winner: 'Elected', figures: 'Every stage' },
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
  const said = (sentence: string) => withNames(sentence, names);
  if (uncontested && seatedIn(result).length > 0) {
    const reason = `There are ${counted(candidates.length, 'candidate')} for ${counted(seats, 'seat')}, so nothing is counted.`;
    return { picture: html`<p>${reason}</p>`, details: [] };
  }
  if (stages.length === 0) return { picture: html``, details: [] };
  const awaited = awaitedSentence(result);
  const lots = result.ties.filter(({ by }) => by === 'lot');
  const picture = html`<p>${counted(papers, 'ballot')} for ${counted(seats, 'seat')}: whoever has ${counted(
    quota ?? 0,
    'vote',
  )} is elected. This
is the quota: no more candidates than there are seats can have it.</p>
${
  awaited &&
  notice(
    'attention',
    said(`${awaited} They had the same votes at every stage.`),
    shown.decided ? 'The count waits for a lot' : 'A lot would decide if voting ended now',
  )
}
${finalChart(result, shown)}
<h3>Stage by stage</h3>
${stageCharts(result)}
<ol class="count-stages" role="list">${stages.map(
    (stage, at) => html`<li class="keep-together"><h4><span class="small soft">Stage ${at + 1}</span> ${said(
      stageTitle(result, stage),
    )}</h4>
<p>${said(stageSentences(result, at + 1).join(' '))}</p></li>\n`,
  )}</ol>`;
  return {
    picture,
    details: [
      ['Every vote of every stage', stageTable(result)],
      ...(lots.length > 0
        ? [
            [
              lots.length === 1 ? 'How the lot was drawn' : 'How the lots were drawn',
              lotText(result, shown),
            ] as const,
          ]
        : []),
      ['How it was counted', METHOD],
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
    const undecided = result.awaiting_lot ? 'still in the count' : 'not elected';
    const fate = stage === undefined ? undecided : `${elected ? '' : 'excluded '}at stage ${stage}`;
    const mark = elected ? badge(decided ? 'Elected' : 'Ahead', decided ? 'open' : undefined) : null;
    const line = `${parts(quota / most)}%`;
    return html`<li class="bar-row"><span class="bar-label${elected && ' bar-label-strong'}">${nameText(
      nameOf(result, id),
    )} ${mark} <span class="small soft">${stages.length > 1 && fate}</span></span>
<span class="bar-value">${votesText(votes)}</span>
${barDrawing(votes / most, elected, html`<line class="stage-quota" x1="${line}" x2="${line}" y1="-8" y2="28"/>`)}</li>\n`;
  });
  return html`<h3>The votes of each candidate</h3>
<p class="small soft">${
    stages.length > 1 && 'The number is what the candidate had when elected or excluded. '
  }The dashed line is the quota, ${counted(quota, 'vote')}.</p>
<ul class="bars" role="list" aria-label="The votes of each candidate">${rows}</ul>`;
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
    starts.length === 1
      ? 'The votes at the end of each stage'
      : `The votes at the end of stages ${from} to ${to}`;
  return html`<div class="stage-table">${starts.map((start) => {
    const part = stages.slice(start, start + STAGES_A_TABLE);
    return table({
      caption: captionOf(start + 1, start + part.length),
      quietCaption: starts.length === 1,
      scrolls: true,
      columns: [
        { label: 'Candidate' },
        ...part.map((_, at) => ({ label: `Stage ${start + at + 1}`, number: true })),
      ],
      rows: [
        ...fates(result).map(({ id }) => [
          nameText(nameOf(result, id)),
          ...part.map(({ votes }) => votes[id]),
        ]),
        ['Not passed on', ...part.map(({ non_transferable }) => non_transferable)],
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
    (tie) => html`<p>Stage ${tie.stage}: ${withNames(tieSentence(result, tie), names)}</p>`,
  );
  // Who drew them is said beside every result.
  if (lots.length > 0) return html`${told}`;
  return html`${told}<p>The order of the lot comes from the check number of the ballots, which nobody knows before the last
ballot is in. For each candidate take the SHA-256 of the check number, a colon and the candidate’s number below:
whoever has the smallest comes first.</p>
${ballotSetSha256 && html`<p>${hashText(ballotSetSha256)}</p>`}
${definitionList(
  [...new Set(decided.flatMap(({ lot_among = [] }) => lot_among))].map(
    (id) => [nameOf(result, id), html`<code>${id}</code>`] as const,
  ),
)}`;
}

const METHOD = html`<p>Every ballot counts as one vote for its first choice. The quota is the number of ballots divided by
one more than the seats, without the fraction, plus one.</p>
<p>Whoever has the quota is elected. Votes above the quota are a surplus: all ballots of the candidate go to their next
candidate who is neither elected nor excluded, each with the same part of its value, cut off after five decimals. The
largest surplus goes first.</p>
<p>When there is no surplus, the candidate with the fewest votes is excluded, and each of their ballots goes to its next
candidate at the value it had. When as many candidates are left as seats, they are elected.</p>
<p>Equal votes are decided by the last stage at which they differed, else by lot. These are the rules of the Scottish
Local Government Elections Order 2011 (rules 46 to 53). The order in which people are elected has no meaning.</p>`;
