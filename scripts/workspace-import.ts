// npm run workspace:import [-- --dry-run]: imports the content of the workspace into the service's own content, and
// prints what was imported, what was not, and why. It can be repeated. The service keeps content in memory, so it must
// be stopped; while it runs, the button on its import page does the same. Exit code 1: the import failed;
// 3: the database is of an earlier version, which only a start of the service migrates.
import { parseArgs } from 'node:util';
import { describeImport } from '#content/import/describe.ts';
import { importWorkspace } from '#content/import/import.ts';
import { ownAddress, readConfig } from '#kernel/config.ts';
import { ensureNotEarlier } from '#kernel/db/connection.ts';
import { DatabaseInUse, EarlierVersion } from '#kernel/db/database-error.ts';
import { openContext } from '#kernel/open-context.ts';
import { stopSignal } from '#kernel/stop-signal.ts';

process.umask(0o077);
const stop = stopSignal();
const config = readConfig();
try {
  const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
  ensureNotEarlier(config.DATABASE_URL.slice('file:'.length));
  await using ctx = await openContext({ ...config, LOG_LEVEL: 'silent' });
  const actor = { ip: 'shell', at: ctx.now(), by: 'shell' };
  const options = { dryRun: values['dry-run'], actor, signal: stop };
  const report = await importWorkspace(ctx, options);
  for (const line of describeImport(report)) console.log(line);
} catch (error) {
  const page = `${ownAddress(config)}/admin/content/import`;
  console.error(
    error instanceof DatabaseInUse
      ? `The service is running. Import at ${page}, or stop it first.`
      : (error as Error).message,
  );
  process.exitCode = error instanceof EarlierVersion ? EarlierVersion.exitCode : 1;
}
