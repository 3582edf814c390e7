import { minutesInWords } from '#views/meetings/minutes/document.ts';
import { BACKUP_RULES } from './backup-rules.ts';
import type { CalendarContext } from './calendar/context.ts';
import { refreshFeed } from './calendar/feed/feed.ts';
import { remindOfExpiry } from './calendar/subscriptions/renewals.ts';
import { forgetOldSubscriptions } from './calendar/subscriptions/retention.ts';
import { readDueSources } from './content/ical/sources/reading.ts';
import { deleteUnusedPictures } from './content/pictures/retention.ts';
import { deleteOldContent } from './content/records/retention.ts';
import { makeDueBackup } from './kernel/backups.ts';
import { DAY, HOUR, MINUTE, SECOND } from './kernel/clock.ts';
import type { Context } from './kernel/context.ts';
import { listLost, lostText } from './kernel/db/facts/lost.ts';
import { retryDisk } from './kernel/http/health.ts';
import { forgetAnswers } from './kernel/http/once.ts';
import { beginDueMails, deleteOldMails } from './kernel/mail/sender.ts';
import type { Job } from './kernel/scheduler.ts';
import { askForSignatures } from './meetings/minutes/asking.ts';
import { deleteOldProposals } from './meetings/proposals/retention.ts';
import { listMeetingDifferences } from './meetings/recorded.ts';
import { closeTimers } from './meetings/room/timers.ts';
import { forgetOldApprovals } from './people/approvals/approvals.ts';
import { finishErasures } from './people/erase/finish.ts';
import { deleteOldPersonalData } from './people/retention.ts';
import { deleteExpiredSignIns } from './people/sign-in.ts';
import { deleteOldShown } from './pub/devices/shown.ts';
import { lookAtPages } from './pub/devices/web-pages.ts';
import { refreshDisplay } from './pub/display/feeds.ts';
import { deleteUnusedImages } from './pub/display/images.ts';
import { deleteSenderData } from './pub/feedback/feedback.ts';
import { genreLookup } from './pub/now-playing/genre.ts';
import { lyricsLookup } from './pub/now-playing/lyrics.ts';
import { scrobbleSender } from './pub/plays/scrobble-sender.ts';
import { closeRequestDay } from './pub/requests/moderation.ts';
import { fetchLogos } from './pub/screen/logos.ts';
import { updateNowShowing } from './pub/screen/now-showing.ts';
import { refreshScoreboard } from './pub/screen/scoreboard-refresh.ts';
import { refreshRollups } from './pub/setlist/rollups/job.ts';
import { weatherReader } from './pub/weather/weather.ts';
import { recheckRecentResults } from './voting/counting/recheck.ts';
import { settleClosedElections } from './voting/counting/results.ts';
import { sealElections } from './voting/counting/sealing.ts';
import { deleteOldTrials } from './voting/elections/trials.ts';
import { syncChangedElections } from './voting/elections/workspace-link.ts';
import { continueMailings } from './voting/invitations/invitation-runs.ts';
import { deleteClosedLinks } from './voting/invitations/invites.ts';
import { deleteOldMagicLinks } from './voting/invitations/magic-links.ts';

/** All background jobs of the service. */
export function jobs(ctx: Context, calendarContext: CalendarContext): Job[] {
  return [
    { name: 'send mails', every: SECOND, run: () => beginDueMails(ctx).then(() => undefined) },
    { name: 'delete old mails', every: DAY, run: () => deleteOldMails(ctx) },
    { name: 'continue mailings', every: 10 * SECOND, run: () => continueMailings(ctx) },
    { name: 'look at the network of the house', every: 15 * SECOND, run: () => ctx.house.follow() },
    { name: 'watch the clock', every: 2 * SECOND, run: async () => watchClock(ctx) },
    { name: 'close votes of meetings', every: SECOND, run: () => closeTimers(ctx) },
    { name: 'open, close and settle elections', every: 2 * SECOND, run: () => settleClosedElections(ctx) },
    { name: 'seal closed elections', every: 10 * SECOND, run: () => sealElections(ctx) },
    {
      name: 'ask for signatures of minutes',
      every: MINUTE,
      run: () => askForSignatures(ctx, minutesInWords(ctx)),
    },
    { name: 'delete old nominations and motions', every: HOUR, run: () => deleteOldProposals(ctx) },
    { name: 'delete old trials', every: MINUTE, run: () => deleteOldTrials(ctx) },
    { name: 'count closed elections again', every: DAY, run: () => recheckStored(ctx) },
    { name: 'delete links of closed elections', every: 5 * SECOND, run: () => deleteClosedLinks(ctx) },
    { name: 'sync changed elections', every: 10 * SECOND, run: () => syncChangedElections(ctx) },
    { name: 'refresh the display', every: 5 * SECOND, run: () => refreshDisplay(ctx) },
    { name: 'retry writes after a disk error', every: 10 * SECOND, run: () => retryDisk(ctx) },
    { name: 'look at pages for screens', every: HOUR, run: () => lookAtPages(ctx) },
    { name: 'delete old counts of slides', every: DAY, run: () => deleteOldShown(ctx) },
    { name: 'delete unused images', every: DAY, run: () => deleteUnusedImages(ctx) },
    {
      name: 'count the setlist',
      every: ctx.config.ROLLUP_INTERVAL_SECONDS * SECOND,
      run: () => refreshRollups(ctx),
    },
    { name: 'close the evening of song requests', every: 5 * MINUTE, run: () => closeRequestDay(ctx) },
    { name: 'delete senders of feedback', every: HOUR, run: () => deleteSenderData(ctx) },
    { name: 'forget what forms were answered', every: MINUTE, run: () => forgetAnswers(ctx) },
    { name: 'expire approvals', every: HOUR, run: () => forgetOldApprovals(ctx) },
    { name: 'delete expired sign-ins', every: HOUR, run: () => deleteExpiredSignIns(ctx) },
    { name: 'make the nightly backup', every: 30 * SECOND, run: () => makeDueBackup(ctx, BACKUP_RULES) },
    { name: 'finish erasures', every: MINUTE, run: () => finishErasures(ctx) },
    { name: 'delete old personal data', every: DAY, run: () => deleteOldPersonalData(ctx) },
    { name: 'read calendars', every: 30 * SECOND, run: (stopping) => readDueSources(ctx, stopping) },
    { name: 'delete old content', every: DAY, run: () => deleteOldContent(ctx) },
    { name: 'delete unused pictures', every: DAY, run: () => deleteUnusedPictures(ctx) },
    { name: 'delete old magic links', every: HOUR, run: () => deleteOldMagicLinks(ctx) },
    { name: 'refresh the scoreboard', every: 5 * SECOND, run: () => refreshScoreboard(ctx) },
    { name: 'fetch team logos', every: 30 * SECOND, run: () => fetchLogos(ctx) },
    { name: 'update what is showing', every: 5 * SECOND, run: () => updateNowShowing(ctx) },
    { name: 'look up lyrics', every: SECOND, run: lyricsLookup(ctx) },
    { name: 'forward scrobbles', every: SECOND, run: scrobbleSender(ctx) },
    { name: 'look up genres', every: SECOND, run: genreLookup(ctx) },
    { name: 'read the weather', every: 10 * SECOND, run: weatherReader(ctx) },
    { name: 'refresh the calendar feed', every: 2 * MINUTE, run: () => refreshFeed(calendarContext) },
    { name: 'remind of expiring calendar links', every: HOUR, run: () => remindOfExpiry(ctx) },
    { name: 'delete old subscriptions', every: HOUR, run: () => forgetOldSubscriptions(calendarContext) },
  ];
}

/** Logs a jump of the system clock: elections that closed because of it stay closed. */
export function watchClock(ctx: Context): void {
  const jump = ctx.clockWatch.look();
  if (jump !== 0) ctx.log.error({ seconds: Math.round(jump / SECOND) }, 'the clock of this machine jumped');
}

/** Compares everything that is stored of elections and meetings with the log, and logs what differs. */
async function recheckStored(ctx: Context): Promise<void> {
  await recheckRecentResults(ctx);
  for (const { id, differences } of listMeetingDifferences(ctx.db)) ctx.log.error({ id }, differences);
  for (const lost of listLost(ctx.db)) ctx.log.error({ id: lost.id }, lostText(lost));
}
