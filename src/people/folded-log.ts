import type { z } from 'zod';
import { actorWords } from '#kernel/access/actors.ts';
import { type AuditQuery, type AuditReader, listAudit } from '#kernel/access/audit-listing.ts';
import { MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { t } from '#kernel/language/message.ts';
import { formatShortNear, formatTime } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { localDate } from '#kernel/local-time.ts';
import { ownValue } from '#kernel/own-value.ts';
import { actorName } from './actor-names.ts';

/** Entries that one page reads at most; the next page continues after them. */
const MOST_ENTRIES = 5_000;
const SLICE = 1_000;

type Entry = ReturnType<typeof listAudit>['logs'][number];

/** Equal entries of the audit log, combined into one for display. */
export interface FoldedEntry extends Entry {
  /** The time; for several entries from the first to the last. */
  when: Words;
  /** The name of the actor. */
  who: Words | string;
  count: number;
}

export interface FoldedLog {
  entries: FoldedEntry[];
  /** All entries that match. */
  total: number;
  /** Entries on this page. */
  shown: number;
}

/**
 * Returns a page of the log for display: entries with the same action, person, election, day and details (apart from
 * ids) are folded into one. `limit` counts folded entries; `offset` counts entries of the log.
 * @param fold whether equal entries are folded
 * @param most entries that are read at most, in steps of a thousand
 */
export function listFoldedAudit(
  ctx: Context,
  query: z.output<typeof AuditQuery>,
  reader: AuditReader,
  fold: boolean,
  most = MOST_ENTRIES,
): FoldedLog {
  const groups = new Map<string, { newest: Entry; oldest: Entry; count: number }>();
  let [shown, total] = [0, 0];
  scan: while (shown < most) {
    const limit = fold ? SLICE : query.limit;
    const page = listAudit(ctx.db, { ...query, limit, offset: query.offset + shown }, reader);
    total = page.total;
    for (const entry of page.logs) {
      const key = fold ? keyOf(entry, ctx.config.TIME_ZONE) : entry.id;
      const group = groups.get(key);
      if (!group && groups.size === query.limit) break scan;
      if (group) Object.assign(group, { oldest: entry, count: group.count + 1 });
      else groups.set(key, { newest: entry, oldest: entry, count: 1 });
      shown += 1;
    }
    if (page.logs.length < limit || !fold) break;
  }
  const names = new Map<string, string | null>();
  const entries = [...groups.values()].map(({ newest, oldest, count }) => ({
    ...newest,
    count,
    when: whenOf(newest, oldest, ctx),
    who: whoOf(ctx, newest, names),
  }));
  return { entries, total, shown };
}

/** The key by which entries are folded: everything except ids. */
function keyOf({ action, election_id, timestamp, metadata }: Entry, zone: string): string {
  const said = Object.entries(JSON.parse(metadata) as object).filter(([name]) => !name.endsWith('_id'));
  return JSON.stringify([action, election_id, localDate(timestamp, zone), said]);
}

function whenOf(newest: Entry, oldest: Entry, { now, config: { TIME_ZONE: zone } }: Context): Words {
  const first = formatShortNear(oldest.timestamp, now(), zone);
  // What is read in one minute has one time.
  return Math.floor(oldest.timestamp / MINUTE) === Math.floor(newest.timestamp / MINUTE)
    ? first
    : t('audit.log.span', { first, last: formatTime(newest.timestamp, zone) });
}

const NOBODY: Readonly<Record<string, Words>> = {
  service: t('audit.log.by_service'),
  shell: t('audit.log.by_shell'),
};

function whoOf(
  ctx: Context,
  { metadata, ip_address, action }: Entry,
  names: Map<string, string | null>,
): Words | string {
  const { by } = JSON.parse(metadata) as { by?: unknown };
  if (by === 'clock') return t('audit.log.by_clock');
  if (typeof by !== 'string') {
    if (action === 'vote.submitted') return t('audit.log.by_voter');
    return ownValue(NOBODY, ip_address ?? '') ?? t('audit.log.by_unknown');
  }
  const program = ownValue(NOBODY, by);
  if (program !== undefined) return program;
  const known = names.has(by) ? names.get(by) : actorName(ctx.db, by);
  names.set(by, known ?? null);
  return known == null ? t('audit.log.by_erased') : actorWords(known);
}
