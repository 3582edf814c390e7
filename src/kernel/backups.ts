import fs from 'node:fs';
import path from 'node:path';
import { t } from '#kernel/language/message.ts';
import { formatted, type Words } from '#kernel/language/words.ts';
import { backoff } from './backoff.ts';
import { HOUR, MINUTE } from './clock.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { type BackupState, backUp, backupTime, isWhole, listBackups } from './db/backup.ts';
import { build } from './db/queries.ts';
import type { ThreadDatabase } from './in-thread.ts';

/** What the domains say about backups. */
export interface BackupRules {
  /** The latest end of the elections in which voting is open; undefined while none is. */
  votingUntil(ctx: Context): number | undefined;
  /** Copies the journals beside a database into the folder of its backups. */
  copyJournals(database: string, folder: string): void;
}

/** A backup in the folder of the service. */
export interface Backup {
  name: string;
  made: number;
  bytes: number;
  /** Whether it was checked when it was made, and is as long as it was then. */
  verified: boolean;
}

/** The file of the database; undefined for a database in memory. */
export function databaseFile({ DATABASE_URL }: Config): string | undefined {
  const file = DATABASE_URL.slice('file:'.length);
  return file === ':memory:' ? undefined : path.resolve(file);
}

/** Where the backups of the service are, as those of `npm run backup`; undefined for a database in memory. */
export function backupFolder(config: Config): string | undefined {
  const file = databaseFile(config);
  return file && path.join(path.dirname(file), 'backups');
}

/** The backups of the service, the newest first. */
export function listOwnBackups({ config }: Pick<Context, 'config'>): Backup[] {
  return filesOf(backupFolder(config)).flatMap((file) => {
    // It may have been deleted since.
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    const made = backupTime(file);
    if (!stat || made === undefined) return [];
    return [{ name: path.basename(file), made, bytes: stat.size, verified: isWhole(file) }];
  });
}

/** None of a folder that cannot be read: the next backup fails there, and that is told. */
function filesOf(folder: string | undefined): string[] {
  try {
    return folder === undefined ? [] : listBackups(folder);
  } catch {
    return [];
  }
}

/**
 * Makes a backup in a thread of its own. One that is being made already counts.
 * @throws when it cannot be made; then nothing was changed
 */
export async function makeBackup(ctx: Context, rules: BackupRules): Promise<void> {
  const { backups } = ctx;
  backups.running ??= make(ctx, rules).finally(() => {
    backups.running = undefined;
  });
  await backups.running;
}

/** Copies the database, in a thread: it reads and checks the whole file. */
const COPY = { url: import.meta.url, name: 'copyDatabase', limit: HOUR, work: copyDatabase };

/** @see COPY */
export async function copyDatabase(
  _database: ThreadDatabase,
  { file, ...to }: { file: string; folder: string; keep: number; at: number },
): Promise<void> {
  await backUp(file, to);
}

async function make(ctx: Context, { copyJournals }: BackupRules): Promise<void> {
  const { config, backups, now } = ctx;
  const [file, folder] = [databaseFile(config), backupFolder(config)];
  if (file === undefined || folder === undefined) return;
  const inARow = (backups.failure?.inARow ?? 0) + 1;
  try {
    await ctx.inThread(COPY, { file, folder, keep: config.settings['backups.keep'], at: now() });
    copyJournals(file, folder);
    backups.failure = undefined;
  } catch (error) {
    backups.failure = { at: now(), error: reasonOf(error), inARow };
    throw error;
  }
}

/** Makes the nightly backup if it is due. While voting is open it waits; after a failure it is tried again. */
export async function makeDueBackup(ctx: Context, rules: BackupRules): Promise<void> {
  const { backups, now } = ctx;
  const due = isDue(ctx);
  backups.waitsUntil = due ? rules.votingUntil(ctx) : undefined;
  if (due && backups.waitsUntil === undefined && now() >= retryTime(backups)) await makeBackup(ctx, rules);
}

/** When the service makes its next scheduled backup; null if it makes none. */
export function nextBackup(ctx: Context, rules: BackupRules): number | null {
  const { backups, config, now } = ctx;
  if (!makesBackups(config)) return null;
  if (!isDue(ctx)) return nightlyTime(config, now(), 1);
  return Math.max(now(), rules.votingUntil(ctx) ?? 0, retryTime(backups));
}

const retryTime = ({ failure }: BackupState): number =>
  failure ? failure.at + backoff(failure.inARow, 5 * MINUTE, HOUR) : 0;

const makesBackups = (config: Config): boolean =>
  config.settings['backups.enabled'] && databaseFile(config) !== undefined;

/** Whether the last nightly time has passed without a backup since. A database that was empty then needs none. */
function isDue(ctx: Context): boolean {
  const { config, now, db } = ctx;
  if (!makesBackups(config)) return false;
  const last = nightlyTime(config, now(), 0);
  const first = db.first(build.selectFrom('audit_log').select('timestamp').orderBy('seq').limit(1));
  if (!first || first.timestamp >= last) return false;
  // One with a time in the future was made while the clock was wrong.
  return !listOwnBackups(ctx).some(({ made }) => made >= last && made <= now());
}

/** The last time of the nightly backup up to now (0), or the next one (1). */
function nightlyTime({ settings, TIME_ZONE: timeZone }: Config, now: number, which: 0 | 1): number {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
  const plainTime = Temporal.PlainTime.from(settings['backups.at']);
  const times = [-1, 0, 1, 2].map(
    (days) => today.add({ days }).toZonedDateTime({ timeZone, plainTime }).epochMilliseconds,
  );
  const next = times.findIndex((at) => at > now);
  return times[next - 1 + which]!;
}

/** Why a backup could not be made, for the pages. */
export function reasonOf(error: unknown): Words {
  const { code = '', message } = error as Error & { code?: string };
  if (/^(ENOSPC|EDQUOT|SQLITE_FULL)$/.test(code)) return t('settings.backups.disk_full');
  if (/^(EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_CANTOPEN)/.test(code))
    return t('settings.backups.folder_backups_cannot_written');
  if (/^(ENOTDIR|EEXIST)$/.test(code)) return t('settings.backups.something_else_place_folder_backups');
  if (code === 'ENOENT') return t('settings.backups.folder_backups_missing_another_disk');
  return formatted(() => `${message.replace(/\.$/, '')}.`);
}
