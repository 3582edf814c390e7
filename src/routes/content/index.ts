import type { ContentDisplay } from '#content/display.ts';
import { readAgainInNewZone } from '#content/ical/sources/new-zone.ts';
import { Importer } from '#content/import/importer.ts';
import { acceptPictures } from '#content/pictures/accept.ts';
import { getLogo } from '#content/pictures/logo.ts';
import { demandPermission, permissionGuard } from '#kernel/access/permissions.ts';
import { sudoGuard } from '#kernel/access/sudo.ts';
import type { ListChecks } from '#kernel/checks/checks.ts';
import type { Context } from '#kernel/context.ts';
import { type App, noStore } from '#kernel/http/http.ts';
import { LOGO_SIZES } from '#views/logo.ts';
import { eventCheck } from './event-check.ts';
import { eventDatePages } from './event-date-pages.ts';
import { eventDates } from './event-dates.ts';
import { healthRoutes } from './health.ts';
import { ical } from './ical.ts';
import { importRoutes } from './import.ts';
import { listPages } from './list-pages.ts';
import { logo } from './logo.ts';
import { overview } from './overview.ts';
import { picturePages } from './picture-pages.ts';
import { pictures } from './pictures.ts';
import { preview } from './preview.ts';
import { recordPages } from './record-pages.ts';
import { records } from './records.ts';
import { rosterPages } from './roster-pages.ts';
import { settings } from './settings.ts';
import { settingsPages } from './settings-pages.ts';

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
    settings(staff, { ctx });
    settingsPages(staff, { ctx });
    healthRoutes(staff, { ctx, listChecks });
  });
}
