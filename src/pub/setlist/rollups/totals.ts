import type { Insertable } from 'kysely';
import type { RollupTotalsTable, SubjectKind } from '#kernel/db/schema.ts';
import { build, prepare, prepareRows, type Tx } from '#kernel/db/writes.ts';
import type { Span } from './ranges.ts';

interface Count {
  subject: number;
  kind: SubjectKind;
  night: number;
  plays: number;
  dwell_ms: number;
  first_at: number;
  last_at: number;
}

type Total = Insertable<RollupTotalsTable>;

/** Sums up each of these subjects, in the order of their ids, anew over every span. */
export function sumSubjects(tx: Tx, subjects: readonly number[], spans: readonly Span[]): void {
  const [first, last] = [subjects[0], subjects.at(-1)];
  if (first === undefined || last === undefined) return;
  // Where most neighbours are meant too, one reading of all of them is faster.
  const dense = last - first < 2 * subjects.length;
  const counts = dense
    ? Map.groupBy(tx.all(countsBetween(first, last)), ({ subject }) => subject)
    : undefined;
  const totals: Total[] = [];
  for (const subject of subjects) {
    tx.run(dropTotals(subject));
    const own = counts ? (counts.get(subject) ?? []) : tx.all(countsBetween(subject, subject));
    totals.push(...totalsOf(subject, own, spans));
  }
  putTotals(tx, totals);
}

/** The subjects that were played on evenings which a span gained or lost since its totals were made. */
export function subjectsMoved(tx: Tx, spans: readonly Span[]): number[] {
  const known = new Map(tx.all(listSpans).map((span) => [span.span, span]));
  const moved = new Set<number>();
  for (const { name, from, to } of spans) {
    const { from_night, to_night } = known.get(name) ?? { from_night: from, to_night: from - 1 };
    const edges = [
      [Math.min(from, from_night), Math.max(from, from_night) - 1],
      [Math.min(to, to_night) + 1, Math.max(to, to_night)],
    ] as const;
    for (const [first, last] of edges) {
      if (first > last) continue;
      for (const { subject } of tx.all(subjectsBetween(first, last))) moved.add(subject);
    }
  }
  return [...moved];
}

/** Keeps what the totals are of now; those of a span that is no more go. */
export function keepSpans(tx: Tx, spans: readonly Span[]): void {
  const wanted = new Set(spans.map(({ name }) => name));
  for (const { span } of tx.all(listSpans)) {
    if (wanted.has(span)) continue;
    tx.run(build.deleteFrom('rollup_totals').where('span', '=', span));
    tx.run(build.deleteFrom('rollup_spans').where('span', '=', span));
  }
  const rows = spans.map(({ name, from, to }) => ({ span: name, from_night: from, to_night: to }));
  tx.run(build.replaceInto('rollup_spans').values(rows));
}

function* totalsOf(subject: number, counts: readonly Count[], spans: readonly Span[]): Iterable<Total> {
  for (const { name, kinds, from, to } of spans) {
    if (!kinds.includes(counts[0]?.kind ?? 'song')) continue;
    const inside = counts.filter(({ night }) => night >= from && night <= to);
    const [first, last] = [inside[0], inside.at(-1)];
    if (!first || !last) continue;
    const total = { plays: 0, dwell_ms: 0, streak: 0 };
    let row = 0;
    for (const [index, { night, plays, dwell_ms }] of inside.entries()) {
      total.plays += plays;
      total.dwell_ms += dwell_ms;
      row = inside[index - 1]?.night === night - 1 ? row + 1 : 1;
      total.streak = Math.max(total.streak, row);
    }
    const { plays, dwell_ms, streak } = total;
    const times = { first_at: first.first_at, last_at: last.last_at };
    const of = { span: name, subject, kind: first.kind };
    yield { ...of, plays, nights: inside.length, dwell_ms, ...times, streak };
  }
}

const countsBetween = prepare(
  build
    .selectFrom('rollup_counts')
    .select(['subject', 'kind', 'night', 'plays', 'dwell_ms', 'first_at', 'last_at'])
    .where('subject', '>=', 0)
    .where('subject', '<=', 0)
    .orderBy('subject')
    .orderBy('night'),
  (first: number, last: number) => [first, last],
);

const subjectsBetween = prepare(
  build
    .selectFrom('rollup_counts')
    .select('subject')
    .distinct()
    .where('night', '>=', 0)
    .where('night', '<=', 0),
  (first: number, last: number) => [first, last],
);

const listSpans = build.selectFrom('rollup_spans').selectAll().compile();

const putTotals = prepareRows(
  (rows) => {
    const row = { span: '', subject: 0, kind: 'song', plays: 1, nights: 0 } as const;
    const rest = { dwell_ms: 0, first_at: 0, last_at: 0, streak: 0 };
    return build
      .insertInto('rollup_totals')
      .values(Array.from({ length: rows }, () => ({ ...row, ...rest })));
  },
  ({ span, subject, kind, plays, nights, dwell_ms, first_at, last_at, streak }: Total) => {
    return [span, subject, kind, plays, nights, dwell_ms, first_at, last_at, streak];
  },
);

const dropTotals = prepare(build.deleteFrom('rollup_totals').where('subject', '=', 0), (subject: number) => [
  subject,
]);
