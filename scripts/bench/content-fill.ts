import { sql } from 'kysely';
import { EVENT } from '#content/events/kind.ts';
import { ANNOUNCEMENT } from '#content/kinds/announcement.ts';
import { HOURS } from '#content/kinds/hours.ts';
import { ROSTER } from '#content/kinds/roster.ts';
import { TENDER } from '#content/kinds/tender.ts';
import { type Body, type Kind, parseBody } from '#content/records/kind.ts';
import { insertRecord } from '#content/records/storing.ts';
import { readConfig } from '#kernel/config.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { newId } from '#kernel/ids.ts';
import { openContext } from '#kernel/open-context.ts';

const ZONE = 'America/New_York';
const evening = [{ opens: '17:00', closes: '23:00' }];
const today = Temporal.Now.plainDateISO(ZONE);
const day = (ahead: number) => today.add({ days: ahead }).toString();

type Written = [kind: Kind, body: Body];
const written = (kind: unknown, body: Body): Written => [kind as Kind, body];

/** The content shown at present, the same in both databases. */
const SHOWN: Written[] = [
  written(HOURS, {
    from: day(-30),
    week: Object.fromEntries(
      ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((name) => [name, evening]),
    ),
  }),
  ...Array.from({ length: 10 }, (_, at) =>
    written(EVENT, {
      title: `Evening ${at}`,
      place: 'Pub',
      date: day(at % 7),
      time: '20:00',
      rule: 'FREQ=WEEKLY',
    }),
  ),
  ...Array.from({ length: 10 }, (_, at) =>
    written(ANNOUNCEMENT, { title: `Slide ${at}`, text: 'Come all. '.repeat(20) }),
  ),
  ...Array.from({ length: 10 }, (_, at) => written(TENDER, { full_name: `Tender ${at}`, bio: 'Pours.' })),
];

/** Records of past years, none of which is shown any more. */
function gathered(count: number): Written[] {
  const description = 'Teams of six, at eight. '.repeat(60);
  return Array.from({ length: count }, (_, at) => {
    const date = day(-120 - at);
    const series = { rule: 'FREQ=WEEKLY', until: day(-100) };
    const common = { title: `Past ${at}`, place: 'Pub', description, date, time: '20:00' };
    if (at % 10 < 6) return written(EVENT, { ...common, ...(at % 10 < 2 && series) });
    if (at % 10 < 8) return written(ANNOUNCEMENT, { title: common.title, text: description, until: date });
    if (at % 10 < 9) return written(ROSTER, { date });
    return written(TENDER, { full_name: `Past ${at}`, bio: description, active: false });
  });
}

/**
 * Creates the database of a club.
 * @param past number of records in addition to those that are shown
 * @param revisions number of versions of each record
 */
export async function fill(file: string, past: number, revisions: number): Promise<void> {
  await using ctx = await openContext(readConfig({ DATABASE_URL: `file:${file}`, LOG_LEVEL: 'error' }, ''));
  const all = [...SHOWN, ...gathered(past)];
  const AT_ONCE = 200;
  for (let from = 0; from < all.length; from += AT_ONCE)
    await ctx.write((tx) => {
      for (const [kind, given] of all.slice(from, from + AT_ONCE)) {
        const actor = { ip: 'bench', at: ctx.now() };
        const id = newId(actor.at).replaceAll('-', '');
        const body = complete(ctx, kind, parseBody(kind, given));
        insertRecord(tx, kind, { id, body, publish: true, reason: 'created' }, actor);
      }
    });
  await ctx.write((tx) => {
    tx.run(
      sql`INSERT INTO content_revisions (record_id, version, body, at, by, reason, published_at)
        WITH RECURSIVE more(version) AS (SELECT 2 UNION ALL SELECT version + 1 FROM more WHERE version < ${revisions})
        SELECT record_id, more.version, body, at, by, 'changed', published_at FROM content_revisions, more
        WHERE more.version <= ${revisions}`.compile(build),
    );
    tx.run(build.updateTable('content_records').set({ version: revisions, published_version: revisions }));
  });
}

const complete = ({ config, now }: Context, kind: Kind, body: Body): Body =>
  kind.complete?.(body, { before: undefined, at: now(), config }) ?? body;
