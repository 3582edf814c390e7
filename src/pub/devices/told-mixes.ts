import type { Selectable } from 'kysely';
import { findPicture } from '#content/pictures/pictures.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { ScreensTable } from '#kernel/db/schema.ts';
import { imageUrl } from '#pub/page-ids.ts';
import { type Mix, mixWindows, type Preset, presetOf, readMix, readTimes, TOLD_AHEAD } from './mixes.ts';
import { offSpans } from './off-hours.ts';
import { openingsOf, readOffHours } from './screens.ts';
import { listPageFaults } from './web-pages.ts';

type Row = Selectable<ScreensTable>;

/** A mix as a screen gets it: with its name, and with the addresses of its pictures. */
export interface ToldMix extends Omit<Mix, 'pictures'> {
  preset: Preset | null;
  pictures: (Mix['pictures'][number] & { imageUrl: string; imageAlt: string; imageFocus: number })[];
}

export interface ToldOff {
  shows: Row['off_shows'];
  /** Whether it is off because the pub is closed, so that an event that goes on keeps it on. */
  whileClosed: boolean;
  /** Half-open ISO 8601 intervals of the next three days. */
  windows: [from: string, until: string][];
}

/** What a screen shows and when; absent where staff decided nothing. */
export interface Told {
  mix?: ToldMix;
  times?: { from: string; until: string; mix: ToldMix }[];
  off?: ToldOff;
}

/**
 * What a screen shows and when, for three days from `now` on, so that it goes on without a network. A screen that is not paired is told
 * only what staff decided about it.
 */
export function tellMixes(ctx: Context, row: Row, now: number = ctx.now()): Told {
  const zone = ctx.config.TIME_ZONE;
  const times = readTimes(row);
  const isPaired = row.paired_at !== null;
  if (!isPaired && row.mix === null && times.length === 0) return {};
  const windows = mixWindows(times, now, zone).map(({ from, until, mix }) => ({
    from: isoTime(from),
    until: isoTime(until),
    mix: tellMix(ctx, mix),
  }));
  const told = { mix: tellMix(ctx, readMix(row)), times: windows };
  if (!isPaired) return told;
  const offHours = readOffHours(row);
  const spans = offSpans(offHours, { openings: openingsOf(ctx), now, zone, ahead: TOLD_AHEAD });
  return {
    ...told,
    off: {
      shows: row.off_shows,
      whileClosed: offHours === 'outside_opening',
      windows: spans.map(([from, until]) => [isoTime(from), isoTime(until)]),
    },
  };
}

const NO_FAULTS: ReadonlyMap<string, unknown> = new Map();

function tellMix({ db }: Pick<Context, 'db'>, mix: Mix): ToldMix {
  const faults = mix.pages.length > 0 ? listPageFaults(db) : NO_FAULTS;
  const pictures = mix.pictures.flatMap((shown) => {
    const picture = findPicture(db, shown.id);
    if (!picture) return [];
    const { alt: imageAlt, focus: imageFocus } = picture;
    return { ...shown, imageUrl: imageUrl('screen', shown.id, ''), imageAlt, imageFocus };
  });
  const pages = mix.pages.filter(({ url }) => !faults.has(url));
  return { ...mix, preset: presetOf(mix), pictures, pages };
}
