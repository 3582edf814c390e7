import { checkCalendars } from '#content/ical/sources/check.ts';
import { readSource } from '#content/ical/sources/reading.ts';
import { listSources } from '#content/ical/sources/sources.ts';
import type { Check } from '#kernel/checks/checks.ts';
import { MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { tooManyRequests } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import { commas, momentInWords } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { isOn } from '#kernel/settings/parts.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import { checkWorkspace } from '#kernel/workspace/check.ts';
import { forgetFailedGenres } from '#pub/now-playing/genre.ts';
import { forgetFailedLyrics } from '#pub/now-playing/lyrics.ts';
import { describeSending, sendAgain } from '#pub/plays/scrobble-queue.ts';
import { findScoreboard } from '#pub/screen/scoreboard.ts';
import { refreshScoreboard, retryScoreboard } from '#pub/screen/scoreboard-refresh.ts';
import { checkWeather } from '#pub/weather/check.ts';
import { retryWeather } from '#pub/weather/weather.ts';

/** Another machine that the service asks, or tells, by itself; its answers are on screens and pages. */
interface Source {
  /** How it is now; undefined while the club does not use it. */
  check: (ctx: Context) => Check | undefined;
  /** Lets it be asked again now, or as soon as there is something to ask; absent where its own page does that. */
  retry?: (ctx: Context) => Promise<unknown>;
}

/** Every source, by its name in the metrics. Health, the staff's pages and “Try now” read this table. */
export const SOURCES = {
  workspace: {
    check: checkWorkspace,
    retry: ({ sourceReaders }) => Promise.all([...sourceReaders.values()].map((reader) => reader.refresh())),
  },
  calendars: { check: checkCalendars, retry: readBrokenCalendars },
  weather: { check: (ctx) => checkWeather(ctx)[0], retry: retryWeather },
  sports: {
    check: checkSports,
    retry: async (ctx) => {
      await retryScoreboard(ctx);
      await refreshScoreboard(ctx);
    },
  },
  lyrics: {
    check: (ctx) =>
      checkLookup(
        ctx,
        'lyrics',
        t('settings.check.lyrics'),
        t('settings.check.screens_show_lyrics_new_songs'),
      ),
    retry: forgetFailedLyrics,
  },
  genres: {
    check: (ctx) =>
      checkLookup(ctx, 'genres', t('settings.check.genres'), t('settings.check.new_songs_style_figures')),
    retry: forgetFailedGenres,
  },
  scrobbles: { check: checkSending, retry: sendAgain },
} as const satisfies Record<string, Source>;

export type SourceName = keyof typeof SOURCES;
export const SOURCE_NAMES = Object.keys(SOURCES) as SourceName[];

/** The state of each source that is used or could be, for the operator. */
export const checkSources = (ctx: Context, names: readonly SourceName[] = SOURCE_NAMES): Check[] =>
  names.flatMap((name) => {
    const check = SOURCES[name].check(ctx);
    if (check === undefined) return [];
    const isWrong = check.state === 'attention' || check.state === 'failing';
    return [{ ...check, ...(isWrong && 'retry' in SOURCES[name] && { source: name }) }];
  });

/** A source that cannot be reached, for staff. */
export type SilentSource = Pick<Check, 'title' | 'text'> & { name: SourceName };

/** The sources that somebody has to look at; the staff's page says of songs that are sent on where they stand. */
export const listSilentSources = (ctx: Context): SilentSource[] =>
  checkSources(
    ctx,
    SOURCE_NAMES.filter((name) => name !== 'scrobbles'),
  ).flatMap(({ source, title, text }) =>
    source === undefined ? [] : [{ name: source as SourceName, title, text }],
  );

/** Asks a source again now. @throws 429 within a minute of the last time: sources that are down need no more */
export async function tryAgain(ctx: Context, name: SourceName): Promise<void> {
  const { allowed, resetAt } = ctx.limiter.hit('source tried by hand', name, 1, MINUTE);
  if (!allowed) throw tooManyRequests('source_just_tried', resetAt - ctx.now());
  const source: Source = SOURCES[name];
  await source.retry?.(ctx);
}

const moment = (ctx: Context, at: number) => momentInWords(at, ctx.now(), ctx.config.TIME_ZONE);

function checkSports(ctx: Context): Check | undefined {
  if (!isOn(ctx, 'sports') && !isOn(ctx, 'big_screen')) return undefined;
  const check = { name: 'sports', title: t('settings.check.sports') };
  const { SPORTS_LEAGUES: leagues } = ctx.config;
  if (leagues.length === 0) return { ...check, state: 'off', text: t('settings.check.leagues_ticked') };
  const { errors, fetchedAt } = findScoreboard(ctx);
  const heard = fetchedAt > 0 ? t('settings.check.last_answer', { when: moment(ctx, fetchedAt) }) : undefined;
  if (errors.length === 0) return { ...check, state: 'ok', text: heard ?? t('settings.check.about_read') };
  const failed = new Set(errors.map(({ league }) => league));
  const reason = errors[0]?.reason ?? '';
  const never = t('settings.check.never_answered');
  const isAll = failed.size === leagues.length;
  return {
    ...check,
    state: 'attention',
    text: isAll
      ? t('settings.check.scores_silent', { reason, heard: heard ?? never })
      : t('settings.check.scores_silent_for', {
          names: commas([...failed]) ?? '',
          reason,
          heard: heard ?? never,
        }),
    remedy: t('settings.check.games_before_stay_while_asked'),
    link: { href: groupPath('sports'), label: t('settings.check.settings') },
  };
}

function checkLookup(ctx: Context, name: 'lyrics' | 'genres', title: Words, lacks: Words): Check | undefined {
  if (!isOn(ctx, name)) return undefined;
  const check = { name, title };
  const last = ctx.lookups.get(name);
  if (last === undefined)
    return { ...check, state: 'ok', text: t('settings.check.nothing_looked_up_since_service') };
  const when = moment(ctx, last.at);
  if (last.error === null) return { ...check, state: 'ok', text: t('settings.check.last_answer', { when }) };
  return {
    ...check,
    state: 'attention',
    text: t('settings.check.source_answer', { when, error: last.error, lacks }),
    remedy: t('settings.check.asked_again_itself'),
    link: { href: groupPath('music'), label: t('settings.check.settings') },
  };
}

function checkSending(ctx: Context): Check | undefined {
  const sending = describeSending(ctx);
  if (sending === null) return undefined;
  const check = { name: 'scrobbles', title: t('settings.check.songs_sent') };
  const { error, stopped, waiting } = sending;
  if (error === null) return { ...check, state: 'ok', text: t('settings.check.wait', { waiting }) };
  return {
    ...check,
    state: 'attention',
    text: stopped
      ? t('settings.check.wait_token_refused', { waiting, error })
      : t('settings.check.wait_account_take', { waiting, error }),
    remedy: stopped ? t('settings.check.enter_another_token') : t('settings.check.tried_again_itself'),
    link: { href: groupPath('music'), label: t('settings.check.settings') },
  };
}

async function readBrokenCalendars(ctx: Context): Promise<void> {
  for (const { id, error } of listSources(ctx)) if (error !== null) await readSource(ctx, id);
}
