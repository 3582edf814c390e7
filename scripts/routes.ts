// npm run routes [-- --write]: prints the table of all routes, or writes it to test/routes.txt, which a test checks.
import fs from 'node:fs';
import path from 'node:path';
import { readConfig } from '#kernel/config.ts';
import { collectRoutes } from '#kernel/http/route-table.ts';
import { createLog } from '#kernel/log.ts';
import { openContext } from '#kernel/open-context.ts';
import { buildApp } from '../src/app.ts';

const ROOT = path.join(import.meta.dirname, '..');

if (import.meta.main) {
  const table = await listRoutes();
  if (process.argv.includes('--write')) fs.writeFileSync(path.join(ROOT, 'test/routes.txt'), table);
  else process.stdout.write(table);
}

/** Builds the service with an empty database and lists its routes, see `collectRoutes`. */
export async function listRoutes(): Promise<string> {
  const config = readConfig(
    {
      DATABASE_URL: 'file::memory:',
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
    },
    '',
  );
  await using ctx = await openContext(config, { log: createLog(config) });
  let format = () => '';
  const app = await buildApp(ctx, {
    onMade: (made) => {
      format = collectRoutes(made, ROOT);
    },
  });
  await app.ready();
  await app.close();
  return format();
}
