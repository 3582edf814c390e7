import { databaseFile, listOwnBackups } from '#kernel/backups.ts';
import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { listLostAnchors } from '#kernel/db/anchor-journal.ts';
import { NOT_THERE } from '#kernel/db/database.ts';
import { LOCK_LOST } from '#kernel/db/database-error.ts';
import { listLost } from '#kernel/db/facts/lost.ts';
import { findKeyChange, PUT_BACK } from '#kernel/db/key-check.ts';
import { momentInWords } from '#kernel/local-time.ts';
import { formatBytes, formatNumber } from '#kernel/locale.ts';
import { neededInWords } from '#kernel/mail/message.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import { listRetiring } from '#kernel/upstream.ts';
import type { Check } from './checks.ts';
import { freeBytes } from './storage.ts';

const GB = 1e9;
/** Below the first the check is `attention`; below the second `failing`: writes will soon be refused. */
const LITTLE_DISK = 1 * GB;
const TOO_LITTLE_DISK = 0.2 * GB;
/** The service makes one each night; it may be postponed while voting is open. */
const OLD_BACKUP = 3 * DAY;

const MANY_FAILURES = 3;

/** Checks the process, its database and key, the disk, backups, the clock, mail, and the fan-out engine if used. */
export async function listServiceChecks(ctx: Context): Promise<Check[]> {
  return [
    checkVersion(ctx),
    checkDatabase(ctx),
    checkKey(ctx),
    await checkDisk(ctx),
    checkBackup(ctx),
    ...checkSettled(ctx),
    ...checkLost(ctx),
    checkClock(ctx),
    checkMail(ctx),
    ...checkStreams(ctx),
    ...checkRetiring(ctx),
  ];
}

/** Names the sources that say that their address will be retired; none while there is none. */
function checkRetiring(ctx: Context): Check[] {
  const names = listRetiring(ctx);
  if (names.length === 0) return [];
  return [
    {
      name: 'retiring',
      title: 'Sources',
      state: 'attention',
      text: `${names.join(', ')}: the source says that this address will be retired (it answers 203).`,
      remedy: 'Look for its new address, or for a newer version of this service.',
    },
  ];
}

function checkVersion({ version }: Context): Check {
  const days = process.uptime() / 86_400;
  const since =
    days < 1 ? 'for less than a day' : `for ${formatNumber(Math.floor(days))} ${days < 2 ? 'day' : 'days'}`;
  return { name: 'version', title: 'Version', state: 'ok', text: `${version}, running ${since}.` };
}

function checkDatabase({ diskError }: Context): Check {
  const check = { name: 'database', title: 'Database' };
  const error = diskError();
  if (error === undefined) return { ...check, state: 'ok', text: 'The service can write to it.' };
  const [text, remedy] = wordsForDisk(error);
  return { ...check, state: 'failing', text, remedy };
}

function wordsForDisk(error: string): [text: string, remedy: string] {
  if (error === LOCK_LOST)
    return [
      'The lock of the database (its file .lock) was deleted, moved or replaced: this process saves ' +
        'nothing any more, ballots included.',
      'End every process that serves this database, and start one. Never delete the lock: it frees itself ' +
        'when its process ends.',
    ];
  if (error === NOT_THERE)
    return [
      'The file of the database was moved or deleted: what is written now is lost.',
      'Stop the service, put the file and its log (-wal) back or restore a backup, and start it again.',
    ];
  if (error.startsWith('SQLITE_READONLY'))
    return [
      'The file of the database is read-only: nothing can be saved, ballots included.',
      'Look whether its file system was mounted read-only after an error of the disk, and at the owner and ' +
        'mode of the file.',
    ];
  return [
    `The disk refused the last write (${error}).`,
    'Make room on the disk, or look at its health. The service keeps trying to write.',
  ];
}

function checkKey(ctx: Context): Check {
  const check = { name: 'key', title: 'Key' };
  const change = findKeyChange(ctx.db, ctx.now());
  if (!change) return { ...check, state: 'ok', text: 'It is the one of this database.' };
  const text = `Another one since ${moment(ctx, change.at)}. ${change.text}`;
  return { ...check, state: 'failing', text, remedy: PUT_BACK };
}

async function checkDisk(ctx: Context): Promise<Check> {
  const check = { name: 'disk', title: 'Disk' };
  const free = await freeBytes(ctx.config);
  if (free === undefined) return { ...check, state: 'off', text: 'The database is in memory.' };
  const text = `${formatNumber(free / GB, { maximumFractionDigits: 1 })} GB are free.`;
  if (free >= LITTLE_DISK) return { ...check, state: 'ok', text };
  const state = free < TOO_LITTLE_DISK ? 'failing' : 'attention';
  return {
    ...check,
    state,
    text,
    remedy: 'Make room: on a full disk nothing can be saved, ballots included.',
  };
}

function checkBackup(ctx: Context): Check {
  const check = { name: 'backup', title: 'Backup', link: { href: '/admin/backups', label: 'Backups' } };
  const { config, backups, now } = ctx;
  if (databaseFile(config) === undefined)
    return { ...check, state: 'off', text: 'The database is in memory.' };
  const newest = listOwnBackups(ctx).find(({ verified }) => verified);
  const text = newest
    ? `The newest beside the database: ${moment(ctx, newest.made)}, ${formatBytes(newest.bytes)}.`
    : 'There is none beside the database.';
  const { failure, waitsUntil } = backups;
  if (failure)
    return {
      ...check,
      state: 'failing',
      text: `It could not be made, ${moment(ctx, failure.at)}. ${failure.error} ${text}`,
      remedy: 'Look at the disk and at the folder of the backups. The service tries again each hour.',
    };
  if (newest && now() - newest.made < OLD_BACKUP) return { ...check, state: 'ok', text };
  if (waitsUntil !== undefined)
    return {
      ...check,
      state: 'ok',
      text: `${text} The next waits until voting closes: ${moment(ctx, waitsUntil)}.`,
    };
  const enabled = config.settings['backups.enabled'];
  return {
    ...check,
    // A new club has its first one after the first night.
    state: enabled && !newest ? 'ok' : 'attention',
    text: enabled && !newest ? 'The first is made tonight.' : text,
    ...(!enabled && {
      remedy: 'Let the service make one each night. Backups in another folder are not seen from here.',
    }),
  };
}

/** Only if the journal of settled elections has some that the database does not know. */
function checkSettled(ctx: Context): Check[] {
  const lost = listLostAnchors(ctx.db, ctx.config.DATABASE_URL.slice('file:'.length));
  if (lost.length === 0) return [];
  const names = lost.map(({ title, at }) => `“${title}” (${moment(ctx, Date.parse(at))})`);
  return [
    {
      name: 'settled_elections',
      title: 'Settled elections',
      state: 'failing',
      text: `This database does not know results that were settled: ${names.join(', ')}.`,
      remedy:
        'An older copy was put back. Restore a newer backup, or tell the members: the pages of these elections say it.',
    },
  ];
}

/** Only if the log knows elections or meetings that were not deleted and that the database does not have. */
function checkLost(ctx: Context): Check[] {
  const lost = listLost(ctx.db);
  if (lost.length === 0) return [];
  const names = lost.map(
    ({ kind, title, created_at }) => `the ${kind} “${title}” (${moment(ctx, Date.parse(created_at))})`,
  );
  return [
    {
      name: 'lost_from_the_log',
      title: 'Elections and meetings',
      state: 'failing',
      text: `The log has what this database has lost, and nobody deleted it: ${names.join(', ')}.`,
      remedy:
        'Somebody changed the file of the database. Restore a backup that has them: npm run audit:verify says what else differs.',
    },
  ];
}

function checkClock({ clockWatch }: Context): Check {
  const check = { name: 'clock', title: 'Clock' };
  if (!clockWatch.jumped) return { ...check, state: 'ok', text: 'It runs evenly.' };
  return {
    ...check,
    state: 'failing',
    text: 'The clock of the machine was set by more than a minute within the last ten.',
    remedy: 'Elections open and close by it: look at the open ones, and let the machine keep its time (NTP).',
  };
}

function checkMail(ctx: Context): Check {
  const check = { name: 'mail', title: 'Mail' };
  const missing = ctx.mailer.needed();
  if (missing.length > 0)
    return {
      ...check,
      state: 'failing',
      text: 'No mail can be sent.',
      remedy: `Enter ${neededInWords(missing).join(' and ')} in the settings.`,
      link: MAIL_SETTINGS,
    };
  if (ctx.mailer.isFolder)
    return {
      ...check,
      state: 'failing',
      text: 'Mails are written into a folder: nobody gets them.',
      remedy: 'Remove MAILER_URL from the environment, and enter the mail server in the settings.',
      link: MAIL_SETTINGS,
    };
  const { sentAt, failure } = ctx.mailer.outcomes();
  if (failure?.putOff)
    return {
      ...check,
      state: 'attention',
      text: `Put off by the mail server, ${moment(ctx, failure.at)}: ${failure.error}`,
      remedy: 'The service tries for a day. If it keeps failing, ask the administrator of the mail server.',
      link: SEE_MAILS,
    };
  if (failure)
    return {
      ...check,
      // A single failure may be caused by its address.
      state: failure.inARow < MANY_FAILURES ? 'attention' : 'failing',
      text: `Not sent, ${moment(ctx, failure.at)}: ${failure.error}`,
      remedy: 'Send a test in the settings of mail: it says in words what is wrong.',
      link: SEE_MAILS,
    };
  const text = sentAt === undefined ? 'None was sent since the start.' : `Last sent: ${moment(ctx, sentAt)}.`;
  return { ...check, state: 'ok', text, link: SEE_MAILS };
}

const MAIL_SETTINGS = { href: groupPath('mail'), label: 'The settings of mail' };
const SEE_MAILS = { href: '/admin/mails', label: 'See the mails' };

/** The check of the fan-out engine; none for clubs without one. */
function checkStreams(ctx: Context): Check[] {
  if (!ctx.publisher) return [];
  const check = { name: 'streams', title: 'Streams' };
  const { started, failure, streams } = ctx.publisher.state;
  if (!started)
    return [
      { ...check, state: 'off', text: 'Nothing is published: SETLIST_DB is off, and with it the stream.' },
    ];
  if (!failure) {
    const open = streams === undefined ? '' : ` Open streams there: ${formatNumber(streams)}.`;
    return [{ ...check, state: 'ok', text: `nginx accepts every event.${open}` }];
  }
  return [
    {
      ...check,
      state: 'failing',
      text: `nginx rejects events, ${moment(ctx, failure.since)}: ${failure.reason}`,
      remedy:
        'Check whether nginx runs, and STREAM_PUBLISH_URL. What is newest is published as soon as it ' +
        'answers; until then the screens show what they have.',
    },
  ];
}

const moment = ({ now, config }: Context, at: number) => momentInWords(at, now(), config.TIME_ZONE);
