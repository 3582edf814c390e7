// One server for the feed bench: `bare` only sends a buffer, `feed` is the service with its subscribers. Writes its
// port, some of the tokens and the time of a token check to a file in the folder of the database.
import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import Fastify from 'fastify';
import { type CalendarContext, openCalendar } from '#calendar/context.ts';
import { renderFeed } from '#calendar/feed/ics.ts';
import type { Program } from '#calendar/feed/programme.ts';
import { checkToken } from '#calendar/subscriptions/tokens.ts';
import { DAY, HOUR } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { cachedResponse } from '#kernel/http/cached-response.ts';
import { newId, newRandomId } from '#kernel/ids.ts';
import { openContext } from '#kernel/open-context.ts';
import { sha256 } from '#kernel/secrets.ts';
import { buildApp } from '../../../src/app.ts';

const [mode, folder = '.', subscribers = '100000'] = process.argv.slice(2);
const PROGRAMS = 150;
const tokenOf = (index: number) => hash('sha256', `token ${index}`, 'base64url');
const tokens = Array.from({ length: 1_000 }, (_, at) =>
  tokenOf(Math.floor((at * Number(subscribers)) / 1_000)),
);
const feed = renderFeed({
  accent: '#1f4d3a',
  title: 'Club programme',
  url: 'https://club.example/programme',
  zone: 'America/New_York',
  programs: Array.from({ length: PROGRAMS }, (_, at) => program(at)),
});

if (mode === 'bare') {
  const app = Fastify();
  const body = Buffer.from(feed);
  app.get('/cal/programs.ics', async (_request, reply) =>
    reply.type('text/calendar; charset=utf-8').send(body),
  );
  app.get('/unchanged', async (_request, reply) => reply.code(304).header('etag', '"bare"').send());
  await app.listen({ port: 0 });
  report(app.server.address(), {});
} else {
  const env = { DATABASE_URL: `file:${path.join(folder, 'feed.db')}`, LOG_LEVEL: 'error' };
  const ctx = await openContext(readConfig(env, ''));
  await fill(ctx);
  const calendarContext = openCalendar(ctx);
  const app = await buildApp(ctx, { calendarContext });
  await app.listen({ port: 0 });
  report(app.server.address(), await timeChecks(calendarContext));
}

/** Stores subscribers with a token each, and the feed as an earlier run of the service would have stored it. */
async function fill(ctx: Context): Promise<void> {
  const now = ctx.now();
  const { etag } = cachedResponse(Buffer.from(feed), '');
  const row = { calendar_id: 'programs', body: feed, etag, changed_at: now, made_of: '' };
  await ctx.write((tx) => tx.run(build.insertInto('feeds').values(row)));
  const A_WRITE = 1_000;
  for (let from = 0; from < Number(subscribers); from += A_WRITE) {
    await ctx.write((tx) => {
      for (let at = from; at < from + A_WRITE; at++) {
        const id = newId(now);
        const person = {
          id,
          calendar_id: 'programs',
          email: `member${at}@club.example`,
          name: `Member ${at}`,
          search: `member ${at}`,
        };
        tx.run(build.insertInto('subscribers').values({ ...person, created_at: now, verified_at: now }));
        const secret = { token_hash: sha256(tokenOf(at)), last_four: '0000' };
        const times = { created_at: now, expires_at: now + 365 * DAY };
        tx.run(
          build
            .insertInto('feed_tokens')
            .values({ id: newRandomId(), subscriber_id: id, ...secret, ...times }),
        );
      }
    });
  }
}

/** Milliseconds of one token check: the mean and the 99th percentile. */
async function timeChecks(ctx: CalendarContext): Promise<{ mean: number; slow: number }> {
  const times: number[] = [];
  for (let round = 0; round < 20_000; round++) {
    const token = tokenOf((round * 7919) % Number(subscribers));
    const started = performance.now();
    const { state } = checkToken(ctx, token);
    times.push(performance.now() - started);
    if (state !== 'live') throw new Error(`A token is ${state}`);
  }
  const counted = times.slice(1_000).sort((a, b) => a - b);
  const mean = counted.reduce((sum, one) => sum + one, 0) / counted.length;
  return { mean, slow: counted[Math.floor(counted.length * 0.99)]! };
}

function program(at: number): Program {
  const start = Date.UTC(2026, 10, 1, 23) + at * 2 * DAY;
  return {
    id: at.toString(16).padStart(32, '0'),
    title: `Evening ${at} of the club`,
    start,
    end: start + 3 * HOUR,
    allDay: false,
    location: 'The back room',
    description: 'Doors open half an hour before. Bring a friend; members’ guests are welcome.',
    url: 'https://club.example/evenings',
    cancelled: false,
    editedAt: Date.UTC(2026, 10, 20),
  };
}

function report(address: unknown, times: object): void {
  const { port } = address as { port: number };
  const { etag } = cachedResponse(Buffer.from(feed), '');
  const json = { port, tokens, etag, bytes: Buffer.byteLength(feed), ...times };
  fs.writeFileSync(path.join(folder, `${mode}.json`), JSON.stringify(json));
  console.log('ready');
}
