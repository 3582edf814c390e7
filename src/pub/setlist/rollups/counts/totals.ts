import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import type { SubjectKind } from '#kernel/db/schema.ts';
import type { Span } from './ranges.ts';

/** The figures of a song, artist, album or genre over a span. */
export interface Total {
  kind: SubjectKind;
  key: string;
  plays: number;
  nights: number;
  dwell_ms: number;
  first_at: number;
  last_at: number;
  last_night: number;
}

/** Lists the totals of a span, ranked: most plays first, then most evenings, then the latest. */
export type SumUp = (span: Span, kind: SubjectKind) => Total[];

/** Makes a function that sums up the evenings of a span; it sums up the same evenings once. @param all of them */
export function createSummer(db: Reader, all: Span): SumUp {
  const summed = new Map<string, Total[]>();
  return (span, kind) => {
    const from = Math.max(span.from, all.from);
    const to = Math.min(span.to, all.to);
    return summed.getOrInsertComputed(`${kind} ${from} ${to}`, () =>
      db.all(totalsOfNights({ kind, from, to })),
    );
  };
}

/** Finds the last evening before `from` of each song that was played from `from` to `to`, by its key. */
export function findLastNights(db: Reader, span: Span): Map<string, number> {
  return new Map(db.all(lastNights(span)).map(({ key, night }) => [key, night]));
}

const totalsOfNights = prepare((p: Span & { kind: SubjectKind }) =>
  build
    .selectFrom('rollup_counts')
    .select(({ fn }) => [
      'kind',
      'key',
      fn.sum<number>('plays').as('plays'),
      fn.countAll<number>().as('nights'),
      fn.sum<number>('dwell_ms').as('dwell_ms'),
      fn.min('first_at').as('first_at'),
      fn.max('last_at').as('last_at'),
      fn.max('night').as('last_night'),
    ])
    .where('night', '>=', p.from)
    .where('night', '<=', p.to)
    .where('kind', '=', p.kind)
    .groupBy('key')
    .orderBy('plays', 'desc')
    .orderBy('nights', 'desc')
    .orderBy('last_at', 'desc')
    .orderBy('key'),
);

const lastNights = prepare((p: Span) =>
  build
    .selectFrom('rollup_counts')
    .select(({ fn }) => ['key', fn.max('night').as('night')])
    .where('night', '<', p.from)
    .where('kind', '=', 'song')
    .where('key', 'in', (of) =>
      of
        .selectFrom('rollup_counts as now')
        .select('now.key')
        .where('now.night', '>=', p.from)
        .where('now.night', '<=', p.to)
        .where('now.kind', '=', 'song'),
    )
    .groupBy('key'),
);
