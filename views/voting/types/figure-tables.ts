import { t } from '#kernel/language/message.ts';
import { allOf, formatNumber as count } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import type { SeatsResult } from '#voting/shared/seats.ts';
import type { StvResult } from '#voting/shared/stv-tally.ts';
import type { PollResult, RankedResult } from '#voting/shared/tally.ts';
import type { EachResult } from '#voting/shared/yes-no-each.ts';
import { votesText } from './stv-why.ts';

/** Figures as texts, for a record on paper. */
export interface FigureTable {
  caption: Words;
  columns: { label: Words | string; number?: true }[];
  rows: (Words | string)[][];
}

/** Columns that fit beside a name on A4. */
const STAGES_ACROSS = 8;
const PAIRS_ACROSS = 6;

const NAME = { label: t('voting.figure_tables.name') };
const number = (label: Words | string) => ({ label, number: true as const });

function inParts<Entry>(all: readonly Entry[], size: number): Entry[][] {
  const parts = Math.ceil(all.length / size);
  return Array.from({ length: parts }, (_, at) => all.slice(at * size, (at + 1) * size));
}

export const pollTable = ({ options }: PollResult): FigureTable[] => [
  {
    caption: t('voting.figure_tables.votes'),
    columns: [NAME, number(t('voting.figure_tables.votes'))],
    rows: options.map(({ name, count: votes }) => [name, count(votes)]),
  },
];

export const eachTable = ({ options }: EachResult): FigureTable[] => [
  {
    caption: t('voting.figure_tables.votes'),
    columns: [
      NAME,
      number(t('voting.figure_tables.yes')),
      number(t('voting.figure_tables.no')),
      number(t('voting.figure_tables.abstentions')),
    ],
    rows: options.map(({ name, yes, no, abstain }) => [name, count(yes), count(no), count(abstain)]),
  },
];

/** The order, and every pair. */
export function rankedTables({ candidates, ranking, first_choices, pairwise }: RankedResult): FigureTable[] {
  const ranks = new Map(ranking.flatMap(({ rank, candidates: ids }) => ids.map((id) => [id, rank] as const)));
  const order = candidates
    .map(({ id, name }, at) => ({ name, at, rank: ranks.get(id) ?? candidates.length }))
    .sort((one, other) => one.rank - other.rank);
  return [
    {
      caption: t('voting.figure_tables.order_schulze_method'),
      columns: [
        NAME,
        number(t('voting.figure_tables.rank')),
        number(t('voting.figure_tables.first_choices')),
      ],
      rows: order.map(({ name, at, rank }) => [name, count(rank), count(first_choices[at] ?? 0)]),
    },
    ...inParts(order, PAIRS_ACROSS).map((part) => ({
      caption: t('voting.figure_tables.ballots_prefer_name_row_column'),
      columns: [NAME, ...part.map(({ name }) => number(name))],
      rows: order.map((row) => [
        row.name,
        ...part.map(({ at }) => (at === row.at ? '' : count(pairwise[row.at]?.[at] ?? 0))),
      ]),
    })),
  ];
}

/** The votes of each candidate at the end of each stage, and what became of them. */
export function stageTables({ stages, candidates }: StvResult): FigureTable[] {
  const fate = (id: string): Words | '' => {
    const won = stages.findIndex(({ elected }) => elected.includes(id)) + 1;
    const lost = stages.findIndex(({ excluded }) => excluded.includes(id)) + 1;
    if (won > 0) return t('voting.figure_tables.elected_at_stage', { stage: won });
    return lost > 0 ? t('voting.figure_tables.excluded_at_stage', { stage: lost }) : '';
  };
  const numbered = stages.map((stage, index) => ({
    ...stage,
    label: t('voting.figure_tables.stage', { stage: index + 1 }),
  }));
  const votes = (text: string | undefined) => votesText(Number(text ?? 0));
  return inParts(numbered, STAGES_ACROSS).map((part) => ({
    caption: t('voting.figure_tables.votes_end_each_stage'),
    columns: [NAME, ...part.map(({ label }) => number(label)), { label: t('voting.figure_tables.fate') }],
    rows: [
      ...candidates.map(({ id, name }) => [name, ...part.map((stage) => votes(stage.votes[id])), fate(id)]),
      [
        t('voting.figure_tables.transferable'),
        ...part.map(({ non_transferable }) => votes(non_transferable)),
        '',
      ],
    ],
  }));
}

/** Who were equal for the last seats, and whom the lot took. @param how how they were equal */
export function lotsForSeats(
  { ties = [] }: Partial<SeatsResult>,
  options: readonly { id: string; name: string }[],
  how: 'same_votes' | 'tied' = 'same_votes',
): Words[] {
  const names = (ids: readonly string[]) =>
    allOf(ids.map((id) => options.find((one) => one.id === id)?.name ?? ''));
  return ties.map(({ candidates, taken }) =>
    how === 'tied'
      ? t('voting.figure_tables.lot_between_tied', { candidates: names(candidates), taken: names(taken) })
      : t('voting.figure_tables.lot', { candidates: names(candidates), taken: names(taken) }),
  );
}
