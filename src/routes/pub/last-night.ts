import { z } from 'zod';
import { isDate } from '#content/records/fields.ts';
import { may } from '#kernel/access/permissions.ts';
import type { Context } from '#kernel/context.ts';
import { type App, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { pubDayOf } from '#pub/pub-day.ts';
import { lastEvening, readLastNight } from '#pub/staff-room/last-night.ts';
import { LAST_NIGHT, lastNightPage } from '#views/pub/staff-room/last-night.ts';

/** A day of the pub; without one, or with one that has not come, the last evening that is over. */
const Query = z.object({ day: z.string().refine(isDate).optional().catch(undefined) });

/** What last night was like: for the next morning, and for any evening before. */
export function lastNight(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    LAST_NIGHT.path,
    {
      config: { permission: 'any' },
      schema: { summary: 'What last night was like', querystring: Query },
    },
    async (request, reply) => {
      const { TIME_ZONE: zone } = ctx.config;
      const latest = pubDayOf(ctx.now(), zone);
      const { day: asked } = request.query;
      const day = asked === undefined || asked > latest ? lastEvening(ctx.now(), zone) : asked;
      const seesFeedback = may(request, 'feedback:read');
      const night = readLastNight(ctx, day, seesFeedback);
      reply.header('vary', 'Accept');
      if (!wantsHtml(request)) return night;
      const { identity } = request;
      return sendHtml(reply, lastNightPage(night, { latest, zone, identity, seesFeedback }));
    },
  );
}
