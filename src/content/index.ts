import { demandPermission, permissionGuard } from '#kernel/access/permissions.ts';
import { sudoGuard } from '#kernel/access/sudo.ts';
import type { ListChecks } from '#kernel/checks/checks.ts';
import type { Context } from '#kernel/context.ts';
import { type App, noStore } from '#kernel/http/http.ts';
import { LOGO_SIZES } from '#views/logo.ts';
import type { ContentDisplay } from './display.ts';
import { readAgainInNewZone } from './ical/sources/new-zone.ts';
import { Importer } from './import/importer.ts';
import { acceptPictures } from './pictures/accept.ts';
import { getLogo } from './pictures/logo.ts';
import { eventCheck } from './routes/event-check.ts';
import { eventDatePages } from './routes/event-date-pages.ts';
import { eventDates } from './routes/event-dates.ts';
import { ical } from './routes/ical.ts';
import { icalEvents } from './routes/ical-events.ts';
import { icalPages } from './routes/ical-pages.ts';
import { importRoutes } from './routes/import.ts';
import { listPages } from './routes/list-pages.ts';
import { overview } from './routes/overview.ts';
import { picturePages } from './routes/picture-pages.ts';
import { pictures } from './routes/pictures.ts';
import { preview } from './routes/preview.ts';
import { recordPages } from './routes/record-pages.ts';
import { records } from './routes/records.ts';
import { rosterPages } from './routes/roster-pages.ts';
import { healthRoutes } from './routes/settings/health.ts';
import { logo } from './routes/settings/logo.ts';
import { settingsPages } from './routes/settings/pages.ts';
import { settings } from './routes/settings/settings.ts';

/** Registers the routes for the content that the club edits itself: hours, tenders, slides, events. */
export async function content(
  app: App,
  { ctx, display, listChecks }: { ctx: Context; display: ContentDisplay; listChecks: ListChecks },
): Promise<void> {
  const importer = new Importer(ctx);
  app.addHook('preClose', () => importer.stop());
  readAgainInNewZone(ctx);
  ctx.mailer.logo = async () => (await getLogo(ctx, ctx.config.club.logo ?? '', LOGO_SIZES.mail)).body;
  logo(app, { ctx });
  await app.register(async (staff: App) => {
    staff.addHook('onRoute', demandPermission);
    staff.addHook('onRequest', permissionGuard(ctx));
    staff.addHook('preValidation', sudoGuard(ctx));
    staff.addHook('onRequest', noStore);
    await staff.register(eventDates, { ctx });
    await acceptPictures(staff, ctx);
    records(staff, { ctx });
    pictures(staff, { ctx });
    picturePages(staff, { ctx });
    overview(staff, { ctx, display });
    rosterPages(staff, { ctx, display });
    preview(staff, { ctx, display });
    eventCheck(staff, { ctx });
    eventDatePages(staff, { ctx });
    importRoutes(staff, { ctx, display, importer });
    listPages(staff, { ctx, display });
    recordPages(staff, { ctx, display });
    ical(staff, { ctx });
    icalPages(staff, { ctx });
    icalEvents(staff, { ctx });
    settings(staff, { ctx });
    settingsPages(staff, { ctx });
    healthRoutes(staff, { ctx, listChecks });
  });
}
