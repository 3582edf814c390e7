import { databaseFile, listOwnBackups } from '#kernel/backups.ts';
import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { listLostAnchors } from '#kernel/db/anchor-journal.ts';
import { NOT_THERE } from '#kernel/db/database.ts';
import { LOCK_LOST } from '#kernel/db/database-error.ts';
import { listLost } from '#kernel/db/facts/lost.ts';
import { findKeyChange } from '#kernel/db/key-check.ts';
import { t } from '#kernel/language/message.ts';
import { allOf, commas, formatBytes, formatNumber, momentInWords } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { neededInWords } from '#kernel/mail/message.ts';
import { reasonWords } from '#kernel/mail/reasons.ts';
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
      title: t('settings.service.sources'),
      state: 'attention',
      text: t('settings.service.source_says_address_retired_answers', { names: commas(names) ?? '' }),
      remedy: t('settings.service.look_new_address_newer_version'),
    },
  ];
}

function checkVersion({ version }: Context): Check {
  const days = Math.floor(process.uptime() / 86_400);
  return {
    name: 'version',
    title: t('settings.service.version'),
    state: 'ok',
    text: t('settings.service.running', { version, days }),
  };
}

function checkDatabase({ diskError }: Context): Check {
  const check = { name: 'database', title: t('settings.service.database') };
  const error = diskError();
  if (error === undefined) return { ...check, state: 'ok', text: t('settings.service.service_write') };
  const [text, remedy] = wordsForDisk(error);
  return { ...check, state: 'failing', text, remedy };
}

function wordsForDisk(error: string): [text: Words, remedy: Words] {
  if (error === LOCK_LOST)
    return [
      t('settings.service.lock_database_file_lock_deleted'),
      t('settings.service.end_every_process_serves_database'),
    ];
  if (error === NOT_THERE)
    return [
      t('settings.service.file_database_moved_deleted_what'),
      t('settings.service.stop_service_put_file_log'),
    ];
  if (error.startsWith('SQLITE_READONLY'))
    return [
      t('settings.service.file_database_read_only_nothing'),
      t('settings.service.look_whether_file_system_mounted'),
    ];
  return [
    t('settings.service.disk_refused_last_write', { error }),
    t('settings.service.make_room_disk_look_health'),
  ];
}

function checkKey(ctx: Context): Check {
  const check = { name: 'key', title: t('settings.service.key') };
  const change = findKeyChange(ctx.db, ctx.now());
  if (!change) return { ...check, state: 'ok', text: t('settings.service.same_database') };
  const text = t('settings.service.another_since', { when: moment(ctx, change.at) });
  return { ...check, state: 'failing', text, remedy: t('settings.service.put_key_back') };
}

async function checkDisk(ctx: Context): Promise<Check> {
  const check = { name: 'disk', title: t('settings.service.disk') };
  const free = await freeBytes(ctx.config);
  if (free === undefined) return { ...check, state: 'off', text: t('settings.service.database_memory') };
  const text = t('settings.service.gb_free', {
    size: formatNumber(free / GB, { maximumFractionDigits: 1 }),
  });
  if (free >= LITTLE_DISK) return { ...check, state: 'ok', text };
  const state = free < TOO_LITTLE_DISK ? 'failing' : 'attention';
  return {
    ...check,
    state,
    text,
    remedy: t('settings.service.make_room_full_disk_nothing'),
  };
}

function checkBackup(ctx: Context): Check {
  const check = {
    name: 'backup',
    title: t('settings.service.backup'),
    link: { href: '/admin/backups', label: t('settings.service.backups') },
  };
  const { config, backups, now } = ctx;
  if (databaseFile(config) === undefined)
    return { ...check, state: 'off', text: t('settings.service.database_memory') };
  const newest = listOwnBackups(ctx).find(({ verified }) => verified);
  const text = newest
    ? t('settings.service.newest_beside_database', {
        when: moment(ctx, newest.made),
        bytes: formatBytes(newest.bytes),
      })
    : t('settings.service.none_beside_database');
  const { failure, waitsUntil } = backups;
  if (failure)
    return {
      ...check,
      state: 'failing',
      text: t('settings.service.made', { when: moment(ctx, failure.at), error: failure.error, text }),
      remedy: t('settings.service.look_disk_folder_backups_service'),
    };
  if (newest && now() - newest.made < OLD_BACKUP) return { ...check, state: 'ok', text };
  if (waitsUntil !== undefined)
    return {
      ...check,
      state: 'ok',
      text: t('settings.service.next_waits_until_voting_closes', { text, when: moment(ctx, waitsUntil) }),
    };
  const enabled = config.settings['backups.enabled'];
  return {
    ...check,
    // A new club has its first one after the first night.
    state: enabled && !newest ? 'ok' : 'attention',
    text: enabled && !newest ? t('settings.service.first_made_tonight') : text,
    ...(!enabled && {
      remedy: t('settings.service.let_service_make_each_night'),
    }),
  };
}

/** Only if the journal of settled elections has some that the database does not know. */
function checkSettled(ctx: Context): Check[] {
  const lost = listLostAnchors(ctx.db, ctx.config.DATABASE_URL.slice('file:'.length));
  if (lost.length === 0) return [];
  const names = lost.map(({ title, at }) =>
    t('settings.service.title_and_time', { title, when: moment(ctx, Date.parse(at)) }),
  );
  return [
    {
      name: 'settled_elections',
      title: t('settings.service.settled_elections'),
      state: 'failing',
      text: t('settings.service.database_know_results_settled', { names: commas(names) ?? '' }),
      remedy: t('settings.service.older_copy_put_back_restore'),
    },
  ];
}

/** Only if the log knows elections or meetings that were not deleted and that the database does not have. */
function checkLost(ctx: Context): Check[] {
  const lost = listLost(ctx.db);
  if (lost.length === 0) return [];
  const names = lost.map(({ kind, title, created_at }) =>
    t('settings.service.lost', { kind, title, when: moment(ctx, Date.parse(created_at)) }),
  );
  return [
    {
      name: 'lost_from_the_log',
      title: t('settings.service.elections_meetings'),
      state: 'failing',
      text: t('settings.service.log_what_database_lost_deleted', { names: commas(names) ?? '' }),
      remedy: t('settings.service.somebody_changed_file_database_restore'),
    },
  ];
}

function checkClock({ clockWatch }: Context): Check {
  const check = { name: 'clock', title: t('settings.service.clock') };
  if (!clockWatch.jumped) return { ...check, state: 'ok', text: t('settings.service.runs_evenly') };
  return {
    ...check,
    state: 'failing',
    text: t('settings.service.clock_machine_set_more_minute'),
    remedy: t('settings.service.elections_open_close_look_open'),
  };
}

function checkMail(ctx: Context): Check {
  const check = { name: 'mail', title: t('settings.service.mail') };
  const missing = ctx.mailer.needed();
  if (missing.length > 0)
    return {
      ...check,
      state: 'failing',
      text: t('settings.service.mail_sent'),
      remedy: t('settings.service.enter', { missing: allOf(neededInWords(missing)) }),
      link: MAIL_SETTINGS,
    };
  if (ctx.mailer.isFolder)
    return {
      ...check,
      state: 'failing',
      text: t('settings.service.mails_written_into_folder_gets'),
      remedy: t('settings.service.remove_mailer_url_environment_enter'),
      link: MAIL_SETTINGS,
    };
  const { sentAt, failure } = ctx.mailer.outcomes();
  if (failure?.putOff)
    return {
      ...check,
      state: 'attention',
      text: t('settings.service.put_off_mail_server', {
        when: moment(ctx, failure.at),
        error: reasonWords(failure.error),
      }),
      remedy: t('settings.service.service_tries_day_keeps_failing'),
      link: SEE_MAILS,
    };
  if (failure)
    return {
      ...check,
      // A single failure may be caused by its address.
      state: failure.inARow < MANY_FAILURES ? 'attention' : 'failing',
      text: t('settings.service.sent', { when: moment(ctx, failure.at), error: reasonWords(failure.error) }),
      remedy: t('settings.service.send_test_settings_mail_says'),
      link: SEE_MAILS,
    };
  const text =
    sentAt === undefined
      ? t('settings.service.none_sent_since_start')
      : t('settings.service.last_sent', { when: moment(ctx, sentAt) });
  return { ...check, state: 'ok', text, link: SEE_MAILS };
}

const MAIL_SETTINGS = { href: groupPath('mail'), label: t('settings.service.settings_mail') };
const SEE_MAILS = { href: '/admin/mails', label: t('settings.service.see_mails') };

/** The check of the fan-out engine; none for clubs without one. */
function checkStreams(ctx: Context): Check[] {
  if (!ctx.publisher) return [];
  const check = { name: 'streams', title: t('settings.service.streams_title') };
  const { started, failure, streams } = ctx.publisher.state;
  if (!started)
    return [{ ...check, state: 'off', text: t('settings.service.nothing_published_setlist_db_off') }];
  if (!failure) {
    const text =
      streams === undefined
        ? t('settings.service.nginx_accepts_every_event')
        : t('settings.service.nginx_accepts_and_streams', { streams });
    return [{ ...check, state: 'ok', text }];
  }
  return [
    {
      ...check,
      state: 'failing',
      text: t('settings.service.nginx_rejects_events', {
        when: moment(ctx, failure.since),
        reason: failure.reason,
      }),
      remedy: t('settings.service.check_whether_nginx_runs_stream'),
    },
  ];
}

const moment = ({ now, config }: Context, at: number) => momentInWords(at, now(), config.TIME_ZONE);
