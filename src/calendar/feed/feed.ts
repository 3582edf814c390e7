import { getCalendar } from '#calendar/calendars.ts';
import type { Check } from '#kernel/checks/checks.ts';
import { dateOf, isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { type CachedResponse, cachedResponse } from '#kernel/http/cached-response.ts';
import { t } from '#kernel/language/message.ts';
import { localDate } from '#kernel/local-time.ts';
import { clubReader } from '#kernel/locale.ts';
import { sha256 } from '#kernel/secrets.ts';
import { accentOf } from '#kernel/settings/colours.ts';
import { awaitFirstContent, readContent, refreshContent } from '#kernel/workspace/stored-source.ts';
import { renderFeed } from './ics.ts';
import { withMeetings } from './meeting-events.ts';
import { isConfigured, PROGRAMME, programsOn, readProgramme } from './programme.ts';
import { render } from './render.ts';

/** The feed as it is sent, and the time of its last change. */
export interface Feed extends CachedResponse {
  /** In milliseconds. */
  changedAt: number;
  /** The same as an HTTP date. */
  lastModified: string;
}

const CALENDAR_TYPE = 'text/calendar; charset=utf-8';
const ID = 'programs';

/** At the start, waits up to two seconds for a programme that was never read. */
export async function awaitFirstProgramme(ctx: Context): Promise<void> {
  await awaitFirstContent(ctx, [PROGRAMME]);
}

/** For a job: reads the programme again if that is due, and renders the feed again if it would change. */
export async function refreshFeed(ctx: Context & { programmeFeed: ProgrammeFeed }): Promise<void> {
  await refreshContent(ctx, [PROGRAMME]);
  await ctx.programmeFeed.refresh();
}

/**
 * The feed of the programme, which is the same for everybody. Not a value of `ctx.cache`: it is stored in the database,
 * with the time of its last change, and rendered when its content changes, never when it is asked for.
 */
export class ProgrammeFeed {
  /** Undefined only before the first `load` or `refresh`. */
  feed: Feed | undefined;
  /** The number of events that were left out because the feed would not have been valid with them. */
  leftOut = 0;
  readonly #ctx: Context;
  #madeOf = '';
  #loaded = false;
  #refreshing: Promise<void> = Promise.resolve();

  constructor(ctx: Context) {
    this.#ctx = ctx;
    ctx.hub.on(['content', 'settings'], () => {
      this.refresh().catch((err: unknown) => ctx.log.error({ err }, 'the feed could not be made'));
    });
  }

  /** Returns the feed; loads it from the database or renders it if it is not in memory yet. */
  async load(): Promise<Feed> {
    this.#loadStored();
    if (!this.feed) await this.refresh();
    return this.feed!;
  }

  /** Renders the feed again if it would change. */
  async refresh(): Promise<void> {
    this.#loadStored();
    // Runs are queued: a change during one run is handled by the next.
    const run = this.#refreshing.then(() => this.#render());
    this.#refreshing = run.catch(() => undefined);
    await run;
  }

  /** Loads the feed that an earlier process stored, once. */
  #loadStored(): void {
    if (this.#loaded) return;
    this.#loaded = true;
    const query = build.selectFrom('feeds').selectAll().where('calendar_id', '=', ID);
    const row = this.#ctx.db.first(query);
    if (!row) return;
    this.#madeOf = row.made_of;
    this.feed = feedOf(row.body, row.changed_at);
  }

  async #render(): Promise<void> {
    const ctx = this.#ctx;
    const { TIME_ZONE: zone, BASE_URL: base } = ctx.config;
    // Until the workspace is read, the feed of an earlier process is better than one without its events.
    if (readContent(ctx, PROGRAMME).content === undefined && this.feed && isConfigured(ctx)) return;
    const { content } = readProgramme(ctx);
    const { title } = await getCalendar(ctx, ID);
    const programs = withMeetings(ctx, programsOn(content ?? [], localDate(ctx.now(), zone), zone));
    const { accent } = accentOf(ctx.config.settings.accent);
    const whole = {
      title,
      url: base && `${base}/programme`,
      zone,
      accent,
      language: clubReader().language,
      programs,
    };
    const madeOf = sha256(JSON.stringify([ctx.version, whole]));
    if (madeOf === this.#madeOf) return;
    const { body, fault } = await render(whole);
    if (fault) ctx.log.error(fault, 'the feed has a fault');
    this.leftOut = fault?.left ?? 0;
    if (body === undefined && this.feed) return;
    // With a fault the next process renders it again, and so knows of the fault.
    await this.#store(body ?? renderFeed({ ...whole, programs: [] }), fault ? '' : madeOf);
    this.#madeOf = madeOf;
  }

  async #store(body: string, made_of: string): Promise<void> {
    const made = feedOf(body, this.#ctx.now());
    const feed = made.etag === this.feed?.etag ? this.feed : made;
    const row = { body, etag: feed.etag, changed_at: feed.changedAt, made_of };
    this.feed = feed;
    const insert = build.insertInto('feeds').values({ calendar_id: ID, ...row });
    const upsert = insert.onConflict((conflict) => conflict.column('calendar_id').doUpdateSet(row));
    await this.#ctx.write((tx) => tx.run(upsert));
    this.#ctx.log.debug({ bytes: feed.body.length, changed: isoTime(feed.changedAt) }, 'the feed was made');
  }
}

/** Reports whether all events are in the feed. */
export function checkFeed({ programmeFeed: { leftOut } }: { programmeFeed: ProgrammeFeed }): Check {
  const check = { name: 'feed', title: t('content-admin.calendar.feed_title') };
  if (leftOut === 0) return { ...check, state: 'ok', text: t('content-admin.calendar.feed_whole') };
  return {
    ...check,
    state: 'attention',
    text: t('content-admin.calendar.feed_left_out', { n: leftOut }),
    remedy: t('content-admin.calendar.feed_remedy'),
  };
}

function feedOf(body: string, changedAt: number): Feed {
  const lastModified = dateOf(changedAt).toUTCString();
  return { ...cachedResponse(Buffer.from(body), CALENDAR_TYPE), changedAt, lastModified };
}
