import { onTestFinished } from 'vitest';
import { refreshFeed } from '#calendar/feed/feed.ts';
import { MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { mintFeed } from '#test/calendar/fixtures.ts';
import { type PictureHost, startPictureHost } from '#test/stand-ins/picture-host.ts';
import { PROGRAMME_DB, type PubPages } from '#test/stand-ins/pub-workspace.ts';
import type { TestApp } from '#test/support/app.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { type Pub, startPub } from '#test/support/pub-service.ts';

/** Two databases for events and programme. */
export const TWO = { WORKSPACE_PROGRAMS_DATABASE_ID: PROGRAMME_DB };

export interface Club {
  pub: Pub;
  service: TestApp;
  /** Headers of an owner. */
  owner: Record<string, string>;
  pictures: PictureHost;
  /** Runs the import as an owner. */
  run(dryRun?: boolean): ReturnType<TestApp['post']>;
  /** Everything that readers see. */
  seen(): Promise<Seen>;
  /** The records, by id. */
  records(): {
    id: string;
    kind: string;
    origin: string | null;
    version: number;
    published_version: number | null;
  }[];
  /** Advances the clock and reads the workspace again. */
  later(): Promise<void>;
  /** Restarts the service with other settings. */
  restart(env?: Record<string, string>): Promise<void>;
}

export interface Seen {
  events: Record<string, unknown>;
  tenders: Record<string, unknown>;
  calendar: { body: string; etag: string };
}

/** Starts the service with a workspace that it has read. @param pagesOf the workspace's pages */
export async function startClub(
  pagesOf: PubPages | ((pictures: PictureHost) => PubPages),
  env: Record<string, string> = {},
): Promise<Club> {
  const pictures = await startPictureHost();
  const pages = typeof pagesOf === 'function' ? pagesOf(pictures) : pagesOf;
  const pub = await startPub(pages, { BASE_URL: 'https://club.example', ...env }, { durable: true });
  onTestFinished(async () => {
    await pub[Symbol.asyncDispose]();
    await pictures[Symbol.asyncDispose]();
  });
  const owner = await appoint(pub.service, 'olga@club.example', 'owner');
  const feed = await mintFeed(pub.service);
  const club: Club = {
    pub,
    pictures,
    owner,
    service: pub.service,
    run: (dry_run = false) => club.service.post('/api/admin/content/import', { dry_run }, owner),
    async seen() {
      const { get, calendarContext } = club.service;
      await refreshFeed(calendarContext);
      const [events, tenders, calendar] = [
        (await get('/api/events?window=30')).body,
        (await get('/api/tenders')).body,
        await get(feed),
      ];
      return {
        events: plain(events),
        tenders: plain(tenders),
        calendar: { body: calendar.body, etag: String(calendar.headers.etag) },
      };
    },
    records: () =>
      club.service.ctx.db.all(
        build
          .selectFrom('content_records')
          .select(['id', 'kind', 'origin', 'version', 'published_version'])
          .orderBy('id'),
      ),
    async later() {
      club.service.clock.now += 2 * MINUTE;
      await pub.refresh();
      await refreshFeed(club.service.calendarContext);
    },
    async restart(more = {}) {
      const { now } = club.service.clock;
      club.service = await pub.restart(more);
      club.service.clock.now = now;
      await club.service.app.ready();
    },
  };
  await refreshFeed(pub.service.calendarContext);
  return club;
}

/** Returns a feed without the fields that an import may change. */
function plain(body: string): Record<string, unknown> {
  const { contentFrom, lastUpdated, ...rest } = JSON.parse(
    body.replace(/(\/api\/image\/[\w-]+\/\w+)\?v=\w+/g, '$1'),
  );
  return rest;
}
