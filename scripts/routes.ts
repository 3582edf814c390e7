// npm run routes [-- --write]: prints the table of all routes, or writes it to test/routes.txt, which a test compares.
import fs from 'node:fs';
import path from 'node:path';
import { readConfig } from '#kernel/config.ts';
import { openContext } from '#kernel/context.ts';
import { createLog } from '#kernel/log.ts';
import { buildApp } from '../src/app.ts';

const ROOT = path.join(import.meta.dirname, '..');

const config = readConfig({ DATABASE_URL: 'file::memory:', NODE_ENV: 'test', LOG_LEVEL: 'silent' }, '');
await using ctx = await openContext(config, { log: createLog(config) });
const app = await buildApp(ctx);
await app.ready();
const table = app.routeTable();
await app.close();
if (process.argv.includes('--write')) fs.writeFileSync(path.join(ROOT, 'test/routes.txt'), table);
else process.stdout.write(table);
