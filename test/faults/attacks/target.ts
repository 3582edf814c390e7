// A deployment under attack: the real process with its own settings, alone or behind the proxy of the repository.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { end, launch, type ServiceProcess, tempFolder } from '#test/faults/service.ts';
import { type LoopbackProxy, parseNginx, playNginx } from '#test/support/process/nginx.ts';
import { type Answer, ask, type Sent } from './request.ts';
import { type Seed, type SeedOptions, seed } from './seed.ts';

const ROOT = path.join(import.meta.dirname, '../../..');

export interface Deployment {
  name: string;
  settings: Record<string, string>;
  /** Behind the proxy of deploy/nginx.conf. */
  proxy?: boolean;
  seed?: SeedOptions;
}

export interface Target extends AsyncDisposable {
  deployment: Deployment;
  /** Where attackers reach it: the proxy if there is one. */
  url: string;
  service: ServiceProcess;
  proxy: LoopbackProxy | undefined;
  seed: Seed;
  /** Holds the database and everything else the service writes. */
  folder: string;
  ask(path: string, sent?: Sent): Promise<Answer>;
  /** Rows of the database as they are now. */
  query<Row>(statement: string, ...values: unknown[]): Row[];
  /** Takes a snapshot of the database. @returns a function that names the tables changed since */
  watch(): () => string[];
  /** The text of every mail so far. */
  mails(): string[];
}

/** Common settings: no requests to external hosts, and no overload refusals, as the machine may be busy. */
const COMMON = {
  LYRICS_API_URL: '',
  GENRE_API_URL: '',
  SPORTS_API_URL: 'http://127.0.0.1:9',
  OVERLOAD_DELAY_MS: '0',
};

export async function deploy(deployment: Deployment): Promise<Target> {
  const folder = path.join(tempFolder(), 'data');
  const file = path.join(folder, 'publichouse.db');
  const outbox = path.join(folder, 'outbox');
  const url = `file:${file}`;
  const seeded = await seed(url, deployment.seed);
  const settings = { ...COMMON, DATABASE_URL: url, MAILER_URL: `file:${outbox}`, ...deployment.settings };
  const service = await launch(path.dirname(folder), settings);
  const proxy = deployment.proxy ? await playNginx(NGINX, Number(new URL(service.url).port)) : undefined;
  const address = proxy ? `http://127.0.0.1:${proxy.port}` : service.url;
  const database = new Sqlite(file, { readonly: true });
  return {
    deployment,
    url: address,
    service,
    proxy,
    seed: seeded,
    folder,
    ask: (path, sent) => ask(address, path, sent),
    query: <Row>(statement: string, ...values: unknown[]) =>
      database.prepare(statement).all(...values) as Row[],
    watch() {
      const before = digestOf(database);
      return () => {
        const changed = Object.entries(digestOf(database)).filter(([table, hash]) => before[table] !== hash);
        return changed.map(([table]) => `the table ${table} was changed`);
      };
    },
    mails: () =>
      fs.existsSync(outbox)
        ? fs.readdirSync(outbox).map((name) => fs.readFileSync(path.join(outbox, name), 'utf8'))
        : [],
    async [Symbol.asyncDispose]() {
      database.close();
      await proxy?.[Symbol.asyncDispose]();
      await end(service, 'SIGKILL');
    },
  };
}

/** Tables that the service writes by itself. */
const OWN_TABLES = /^(feeds|rollup_\w+|scoreboards|setlist_rollups|team_logos|workspace_content)$/;

/** Hashes each table. Of the audit log, entries about refused permissions and keys are left out. */
function digestOf(database: Sqlite.Database): Record<string, string> {
  const tables = database
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE 'CREATE VIRTUAL%'",
    )
    .pluck()
    .all() as string[];
  const hashes = tables
    .filter((table) => !OWN_TABLES.test(table))
    .map((table) => {
      const hash = createHash('sha256');
      const rows =
        table === 'audit_log'
          ? "SELECT id, action, metadata FROM audit_log WHERE action NOT LIKE 'access.%'"
          : `SELECT * FROM "${table}"`;
      for (const row of database.prepare(rows).raw().iterate()) hash.update(`${JSON.stringify(row)}\n`);
      return [table, hash.digest('hex')];
    });
  return Object.fromEntries(hashes);
}

const NGINX = parseNginx(fs.readFileSync(path.join(ROOT, 'deploy/nginx.conf'), 'utf8'));
