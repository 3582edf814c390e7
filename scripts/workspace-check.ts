// npm run workspace:check: prints for every workspace database which properties were found, under which names, and
// which are missing. Exit code 1: a required property is missing, a database cannot be read, or the check failed.
import { readConfig } from '#kernel/config.ts';
import { openContext } from '#kernel/open-context.ts';
import { ensureWorkspace } from '#kernel/workspace/client.ts';
import { checkWorkspace, describeCheck, isFaulty } from '#pub/display/workspace-check.ts';

try {
  // Uses a database in memory, because the service may be running with the real one.
  const config = { ...readConfig(), DATABASE_URL: 'file::memory:', LOG_LEVEL: 'silent' as const };
  await using ctx = await openContext(config);
  ensureWorkspace(ctx.workspace);
  const checks = await checkWorkspace(ctx);
  for (const check of checks) console.log(`${describeCheck(check).join('\n')}\n`);
  if (checks.some(isFaulty)) process.exitCode = 1;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
