// One server for the feeds bench. `bare` only sends buffers with the two feeds of the service at the given port (the
// same bytes, so that the client has the same work). `service` is the service with the stored workspace content of a
// full evening, an hour old, so that the first request reads the workspace (at the given URL) again. Prints its port.
import Fastify from 'fastify';
import { type PubShift, SHIFTS } from '#content/shifts.ts';
import { DAY, HOUR, isoTime } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { openContext } from '#kernel/open-context.ts';
import { ANNOUNCEMENTS, type PubAnnouncement } from '#pub/display/announcements.ts';
import { EVENTS, type PubEvent } from '#pub/display/events.ts';
import { type PubTender, TENDERS } from '#pub/display/tenders.ts';
import { buildApp } from '../../../src/app.ts';

const [mode, from = ''] = process.argv.slice(2);
const id = (number: number) => number.toString(16).padStart(32, '0');

if (mode === 'bare') {
  const app = Fastify();
  for (const path of ['/api/events', '/api/tenders']) {
    const body = Buffer.from(await (await fetch(`http://127.0.0.1:${from}${path}`)).arrayBuffer());
    app.get(path, async (_request, reply) => reply.type('application/json; charset=utf-8').send(body));
  }
  await app.listen({ port: 0 });
  report(app.server.address());
} else {
  const databases = { events: id(1), announcements: id(2), shifts: id(3), tenders: id(4) };
  const env = {
    DATABASE_URL: 'file::memory:',
    LOG_LEVEL: 'error',
    WORKSPACE_API_KEY: 'bench',
    WORKSPACE_API_URL: from,
    WORKSPACE_EVENTS_DATABASE_ID: databases.events,
    WORKSPACE_ANNOUNCEMENTS_DATABASE_ID: databases.announcements,
    WORKSPACE_SHIFTS_DATABASE_ID: databases.shifts,
    WORKSPACE_PUB_TENDERS_DATABASE_ID: databases.tenders,
  };
  const ctx = await openContext(readConfig(env, ''));
  await keep(ctx, databases);
  const app = await buildApp(ctx);
  await app.listen({ port: 0 });
  report(app.server.address());
}

/** Stores workspace content as an earlier run of the service would have done. */
async function keep(ctx: Context, databases: Record<string, string>): Promise<void> {
  const now = ctx.now();
  const edited = isoTime(now - DAY);
  const many = <T>(count: number, one: (index: number) => T) =>
    Array.from({ length: count }, (_, at) => one(at));
  const events: PubEvent[] = many(18, (at) => ({
    title: `Evening ${at} of the club`,
    start: now + (at - 2) * 8 * HOUR,
    end: now + (at - 2) * 8 * HOUR + 2 * HOUR,
    allDay: false,
    rcTag: at % 3 === 0 ? 'rc-direct' : null,
  }));
  const announcements: PubAnnouncement[] = many(6, (at) => ({
    id: id(100 + at),
    title: `Announcement ${at}`,
    priority: 'normal',
    content: 'Doors open half an hour before. Bring a friend; members’ guests are welcome.',
    duration: 15,
    hasImage: true,
    edited,
    from: null,
    until: null,
  }));
  const shifts: PubShift[] = many(14, (at) => {
    const start = now + (at - 7) * DAY;
    const times = {
      start: start - HOUR,
      end: start + 6 * HOUR,
      opens: start - HOUR,
      closes: start + 5 * HOUR,
    };
    return { ...times, tenders: [id(200), id(201)] };
  });
  const tenders: PubTender[] = many(16, (at) => ({
    id: id(200 + at),
    fullName: `Tender ${at}`,
    active: true,
    meet: true,
    showProfile: true,
    bio: 'Pours slowly and listens well; knows the name of every dog that comes in.',
    paymentA: `tender${at}@club.example`,
    paymentB: `@tender${at}`,
    hasPhoto: true,
    hasQr: true,
    pageUrl: '',
    edited,
  }));
  const kept = { events, announcements, shifts, tenders };
  for (const source of [EVENTS, ANNOUNCEMENTS, SHIFTS, TENDERS]) {
    const name = source.name as keyof typeof kept;
    const content = JSON.stringify({ database: databases[name], content: kept[name] });
    const row = { source: name, content, read_at: now - HOUR };
    await ctx.write((tx) => tx.run(build.insertInto('workspace_content').values(row)));
  }
}

function report(address: unknown): void {
  console.log((address as { port: number }).port);
}
