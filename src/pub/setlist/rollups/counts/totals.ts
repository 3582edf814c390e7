import type { Insertable } from 'kysely';
import { build, prepare, prepareInsert, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { RollupTotalsTable, SubjectKind } from '#kernel/db/schema.ts';
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

/** Computes the totals of these subjects for every span again. @param subjects ascending ids */
export function sumSubjects(tx: Tx, subjects: readonly number[], spans: readonly Span[]): void {
  const [first, last] = [subjects[0], subjects.at(-1)];
  if (first === undefined || last === undefined) return;
  // If the ids are close together, one query for their whole range is faster.
  const dense = last - first < 2 * subjects.length;
  const counts = dense
    ? Map.groupBy(tx.all(countsOfSubjects({ first, last })), ({ subject }) => subject)
    : undefined;
  const totals: Total[] = [];
  for (const subject of subjects) {
    tx.run(deleteTotals({ subject }));
    const own = counts
      ? (counts.get(subject) ?? [])
      : tx.all(countsOfSubjects({ first: subject, last: subject }));
    totals.push(...sumSpans(subject, own, spans));
  }
  insertTotals(tx, totals);
}

/** Lists the subjects played on evenings that a span gained or lost since its totals were computed. */
export function listMovedSubjects(db: Reader, spans: readonly Span[]): number[] {
  const stored = new Map(db.all(storedSpans).map((span) => [span.span, span]));
  const moved = new Set<number>();
  for (const { name, from, to } of spans) {
    const { from_night, to_night } = stored.get(name) ?? { from_night: from, to_night: from - 1 };
    const edges = [
      [Math.min(from, from_night), Math.max(from, from_night) - 1],
      [Math.min(to, to_night) + 1, Math.max(to, to_night)],
    ] as const;
    for (const [first, last] of edges) {
      if (first > last) continue;
      for (const { subject } of db.all(subjectsOfNights({ first, last }))) moved.add(subject);
    }
  }
  return [...moved];
}

/** Stores the spans of the totals, and deletes the totals of all other spans. */
export function storeSpans(tx: Tx, spans: readonly Span[]): void {
  const wanted = new Set(spans.map(({ name }) => name));
  for (const { span } of tx.all(storedSpans)) {
    if (wanted.has(span)) continue;
    tx.run(build.deleteFrom('rollup_totals').where('span', '=', span));
    tx.run(build.deleteFrom('rollup_spans').where('span', '=', span));
  }
  const rows = spans.map(({ name, from, to }) => ({ span: name, from_night: from, to_night: to }));
  tx.run(build.replaceInto('rollup_spans').values(rows));
}

function* sumSpans(subject: number, counts: readonly Count[], spans: readonly Span[]): Iterable<Total> {
  for (const { name, kinds, from, to } of spans) {
    if (!kinds.includes(counts[0]?.kind ?? 'song')) continue;
    const inside = counts.filter(({ night }) => night >= from && night <= to);
    const [first, last] = [inside[0], inside.at(-1)];
    if (!first || !last) continue;
    const total = { plays: 0, dwell_ms: 0, streak: 0 };
    let run = 0;
    for (const [index, { night, plays, dwell_ms }] of inside.entries()) {
      total.plays += plays;
      total.dwell_ms += dwell_ms;
      run = inside[index - 1]?.night === night - 1 ? run + 1 : 1;
      total.streak = Math.max(total.streak, run);
    }
    const { plays, dwell_ms, streak } = total;
    const times = { first_at: first.first_at, last_at: last.last_at };
    const of = { span: name, subject, kind: first.kind };
    yield { ...of, plays, nights: inside.length, dwell_ms, ...times, streak };
  }
}

const countsOfSubjects = prepare((p: { first: number; last: number }) =>
  build
    .selectFrom('rollup_counts')
    .select(['subject', 'kind', 'night', 'plays', 'dwell_ms', 'first_at', 'last_at'])
    .where('subject', '>=', p.first)
    .where('subject', '<=', p.last)
    .orderBy('subject')
    .orderBy('night'),
);

const subjectsOfNights = prepare((p: { first: number; last: number }) =>
  build
    .selectFrom('rollup_counts')
    .select('subject')
    .distinct()
    .where('night', '>=', p.first)
    .where('night', '<=', p.last),
);

const storedSpans = build.selectFrom('rollup_spans').selectAll().compile();

const insertTotals = prepareInsert((rows: Total[]) =>
  build.insertInto('rollup_totals').values(
    rows.map((row) => ({
      span: row.span,
      subject: row.subject,
      kind: row.kind,
      plays: row.plays,
      nights: row.nights,
      dwell_ms: row.dwell_ms,
      first_at: row.first_at,
      last_at: row.last_at,
      streak: row.streak,
    })),
  ),
);

const deleteTotals = prepare((p: { subject: number }) =>
  build.deleteFrom('rollup_totals').where('subject', '=', p.subject),
);
