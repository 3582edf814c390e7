import type { ContentDisplay } from '#content/display.ts';
import { readAgainInNewZone } from '#content/ical/sources/new-zone.ts';
import { Importer } from '#content/import/importer.ts';
import { acceptPictures } from '#content/pictures/accept.ts';
import { getLogo } from '#content/pictures/logo.ts';
import { guardStaff } from '#kernel/access/permissions.ts';
import type { BackupRules } from '#kernel/backups.ts';
import type { ListChecks } from '#kernel/checks/checks.ts';
import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http/http.ts';
import type { OpenIdProvider } from '#people/oidc/provider.ts';
import { LOGO_SIZES } from '#views/logo.ts';
import { backups } from './backups.ts';
import { eventDates } from './event-dates.ts';
import { firstSteps } from './first-steps.ts';
import { healthRoutes } from './health.ts';
import { ical } from './ical.ts';
import { importRoutes } from './import.ts';
import { logo } from './logo.ts';
import { mails } from './mails.ts';
import { menuCsv } from './menu-csv.ts';
import { menuOrder } from './menu-order.ts';
import { menuPrices } from './menu-prices.ts';
import { overview } from './overview.ts';
import { pictures } from './pictures.ts';
import { records } from './records.ts';
import { roster } from './roster.ts';
import { securityTxt } from './security-txt.ts';
import { senderTokens } from './sender-tokens.ts';
import { settings } from './settings.ts';
import { settingsTests } from './settings-tests.ts';

/** Registers the routes for the content that the club edits itself: hours, tenders, slides, events. */
export async function content(
  app: App,
  {
    ctx,
    display,
    listChecks,
    backupRules,
    provider,
  }: {
    ctx: Context;
    display: ContentDisplay;
    listChecks: ListChecks;
    backupRules: BackupRules;
    provider: OpenIdProvider;
  },
): Promise<void> {
  const importer = new Importer(ctx);
  app.addHook('preClose', () => importer.stop());
  readAgainInNewZone(ctx);
  ctx.mailer.logo = async () => (await getLogo(ctx, ctx.config.settings.logo ?? '', LOGO_SIZES.mail)).body;
  logo(app, { ctx });
  securityTxt(app, { ctx });
  await app.register(async (staff: App) => {
    guardStaff(ctx, staff);
    await acceptPictures(staff, ctx);
    firstSteps(staff, { ctx });
    overview(staff, { ctx, display });
    menuPrices(staff, { ctx });
    menuOrder(staff, { ctx, display });
    records(staff, { ctx, display });
    eventDates(staff, { ctx });
    roster(staff, { ctx, display });
    pictures(staff, { ctx });
    ical(staff, { ctx });
    importRoutes(staff, { ctx, display, importer });
    settings(staff, { ctx });
    settingsTests(staff, { ctx, provider });
    senderTokens(staff, { ctx });
    healthRoutes(staff, { ctx, listChecks });
    mails(staff, { ctx });
    backups(staff, { ctx, rules: backupRules });
  });
  // On its own: its forms have text files, not pictures.
  await app.register(async (staff: App) => {
    guardStaff(ctx, staff);
    menuCsv(staff, { ctx });
  });
}
