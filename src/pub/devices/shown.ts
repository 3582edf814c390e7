import { z } from 'zod';
import { isDate } from '#content/records/fields.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { addDays, localDate } from '#kernel/local-time.ts';
import { announcementSlideId } from '#pub/display/slides.ts';

const KEPT_DAYS = 90;
/** How many days back a screen may report: it counts while it has no network. */
const REPORTED_DAYS = 14;
/** How many announcements of a screen are counted on a day. */
const SLIDES_A_DAY = 200;

/** How often slides were shown, by local day and slide; what cannot be read counts as nothing. */
export const ShownInput = z
  .record(
    z.string().refine(isDate),
    z.record(z.string().regex(/^announcement-\d{1,15}$/), z.int().min(1).max(20_000)),
  )
  .nullish()
  .catch(null);

/** Adds what a paired screen has shown since its last report. */
export function countShown(
  tx: Tx,
  screen: { id: string; name: string },
  shown: NonNullable<z.output<typeof ShownInput>>,
  { now, zone }: { now: number; zone: string },
): void {
  const [first, last] = [localDate(addDays(now, -REPORTED_DAYS, zone), zone), localDate(now, zone)];
  for (const [day, slides] of Object.entries(shown)) {
    if (day < first || day > last) continue;
    const known = tx.all(
      build
        .selectFrom('shown_announcements')
        .select('slide')
        .where('screen_id', '=', screen.id)
        .where('day', '=', day),
    );
    const counted = new Set(known.map(({ slide }) => slide));
    for (const [slide, times] of Object.entries(slides)) {
      if (!counted.has(slide) && counted.size >= SLIDES_A_DAY) continue;
      counted.add(slide);
      const row = { slide, day, screen_id: screen.id, screen: screen.name, times };
      tx.run(
        build
          .insertInto('shown_announcements')
          .values(row)
          .onConflict((on) =>
            on.columns(['slide', 'day', 'screen_id']).doUpdateSet((of) => ({
              screen: screen.name,
              times: of('shown_announcements.times', '+', times),
            })),
          ),
      );
    }
  }
}

/** How often an announcement was shown, by local day and screen, the oldest day first. */
export const listShown = (
  reader: Reader,
  announcement: string,
): { day: string; screen: string; times: number }[] =>
  reader.all(
    build
      .selectFrom('shown_announcements')
      .select(['day', 'screen', 'times'])
      .where('slide', '=', announcementSlideId(announcement))
      .orderBy('day')
      .orderBy('screen'),
  );

/** Deletes counts that are older than 90 days; for a job. */
export async function deleteOldShown(ctx: Context): Promise<void> {
  const { TIME_ZONE: zone } = ctx.config;
  const first = localDate(addDays(ctx.now(), -KEPT_DAYS, zone), zone);
  await ctx.write((tx) => tx.run(build.deleteFrom('shown_announcements').where('day', '<', first)));
}
