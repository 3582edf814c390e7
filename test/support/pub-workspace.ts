import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createWorkspace } from '#kernel/workspace/client.ts';
import { refreshDisplay } from '#pub/display/feeds.ts';
import { type TestApp, testApp } from './app.ts';
import {
  dashed,
  type FakeColumn,
  type FakeDatabase,
  type FakePage,
  type FakeWorkspace,
  id,
  KEY,
  startWorkspace,
  title,
} from './workspace-server.ts';

type Value = FakePage['properties'][string];

export const text = (value: string): Value => ({ type: 'rich_text', rich_text: [{ plain_text: value }] });
export const select = (name: string): Value => ({ type: 'select', select: { id: name, name } });
export const tick = (checkbox = true): Value => ({ type: 'checkbox', checkbox });
export const number = (value: number): Value => ({ type: 'number', number: value });
export const url = (value: string): Value => ({ type: 'url', url: value });
export const when = (start: string, end: string | null = null): Value => ({
  type: 'date',
  date: { start, end, time_zone: null },
});
export const relation = (...pages: string[]): Value => ({
  type: 'relation',
  relation: pages.map((page) => ({ id: dashed(page) })),
});
/** One uploaded file. */
export const file = (address: string): Value => ({
  type: 'files',
  files: [
    { name: 'photo.jpg', type: 'file', file: { url: address, expiry_time: '2026-11-21T18:00:00.000Z' } },
  ],
});

export const [EVENTS_DB, ANNOUNCEMENTS_DB, SHIFTS_DB, ASSIGNMENTS_DB, TENDERS_DB] = [
  id(0xe0),
  id(0xa0),
  id(0x50),
  id(0xb0),
  id(0x70),
];

let last = 0x1000;

/** A page with a name and the properties given; `id` where it matters. */
export function record(name: string, properties: Record<string, Value>, own?: Partial<FakePage>): FakePage {
  last += 1;
  return { id: id(last), properties: { Name: title(name), ...properties }, ...own };
}

/** An event in the pub, shown on its TV. Times as the workspace spells them. */
export const event = (name: string, start: string, more: Record<string, Value> = {}, end?: string) =>
  record(name, { 'Event Start': when(start, end ?? null), Location: select('Pub'), ...onTv, ...more });
export const onTv = { 'Include on Pub TV': tick() };

const DATABASES: Record<keyof PubPages, [id: string, title: string, columns: Record<string, string>]> = {
  events: [
    EVENTS_DB,
    'Events',
    {
      'Event Start': 'date',
      'Event End': 'date',
      'Duration Hours': 'number',
      Location: 'select',
      'Include on Pub TV': 'checkbox',
      'RC Tag': 'select',
    },
  ],
  announcements: [
    ANNOUNCEMENTS_DB,
    'Announcements',
    {
      Content: 'rich_text',
      Priority: 'select',
      Duration: 'number',
      Image: 'files',
      'Include on Pub TV': 'checkbox',
      'Show From': 'date',
      'Show Until': 'date',
    },
  ],
  shifts: [SHIFTS_DB, 'Shifts', { Shift: 'date', 'Operating Hours': 'date', Assignments: 'relation' }],
  assignments: [ASSIGNMENTS_DB, 'Assignments', { Tender: 'relation' }],
  tenders: [
    TENDERS_DB,
    'Tenders',
    {
      Active: 'checkbox',
      'Meet your Tender': 'checkbox',
      'Show Profile': 'checkbox',
      Bio: 'rich_text',
      'Payment A': 'rich_text',
      'Payment B': 'rich_text',
      Photo: 'files',
      QR: 'files',
      'Profile URL': 'url',
    },
  ],
};

export interface PubPages {
  events?: FakePage[];
  announcements?: FakePage[];
  shifts?: FakePage[];
  assignments?: FakePage[];
  tenders?: FakePage[];
}

/** The variables that name the databases. */
export const PUB_DATABASES = {
  WORKSPACE_EVENTS_DATABASE_ID: EVENTS_DB,
  WORKSPACE_SHIFTS_DATABASE_ID: SHIFTS_DB,
  WORKSPACE_ANNOUNCEMENTS_DATABASE_ID: ANNOUNCEMENTS_DB,
  WORKSPACE_PUB_TENDERS_DATABASE_ID: TENDERS_DB,
};

export interface Pub {
  house: TestApp;
  workspace: FakeWorkspace;
  /** The pages of one of the databases, to be changed. */
  pages(database: keyof PubPages): FakePage[];
  /** Waits until everything is as fresh as the workspace. */
  refresh(): Promise<void>;
  /** The same service started again over the same database, beside the same workspace. */
  restart(env?: Record<string, string>): Promise<TestApp>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * The service beside a workspace with the pub's databases, which it has read unless it is `cold`. The pauses between
 * its calls take no time. Only a `durable` one, whose database is a file, can be started again.
 */
export async function startPub(
  pages: PubPages = {},
  env: Record<string, string> = {},
  { durable = false, cold = false } = {},
): Promise<Pub> {
  const workspace = await startWorkspace(pubDatabases(pages));
  const folder = durable ? fs.mkdtempSync(path.join(os.tmpdir(), 'pub-')) : undefined;
  const houses: TestApp[] = [];
  const open = async (more: Record<string, string> = {}) => {
    const house = await testApp({
      ...(folder && { DATABASE_URL: `file:${path.join(folder, 'pub.db')}` }),
      WORKSPACE_API_KEY: KEY,
      WORKSPACE_API_URL: workspace.url,
      ...PUB_DATABASES,
      ...env,
      ...more,
    });
    house.ctx.workspace = createWorkspace(house.ctx.config, house.ctx.log, { sleep: async () => {} });
    houses.push(house);
    return house;
  };
  const house = await open();
  if (!cold) {
    await house.app.ready();
    await refreshDisplay(house.ctx);
  }
  return {
    house,
    workspace,
    pages: (database) =>
      workspace.databases.find(({ id }) => id === DATABASES[database][0])!.sources[0]!.pages,
    async refresh() {
      const { ctx, get } = houses.at(-1)!;
      await Promise.all([get('/api/events'), get('/api/tenders')]);
      await refreshDisplay(ctx);
    },
    async restart(more) {
      await houses.pop()?.[Symbol.asyncDispose]();
      return open(more);
    },
    async [Symbol.asyncDispose]() {
      for (const house of houses) await house[Symbol.asyncDispose]();
      await workspace[Symbol.asyncDispose]();
      if (folder) fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The databases as a fake workspace holds them. */
export function pubDatabases(pages: PubPages): FakeDatabase[] {
  return Object.entries(DATABASES).map(([name, [database, databaseTitle, columns]]) => ({
    id: database,
    title: databaseTitle,
    sources: [
      {
        id: database.replace(/^0/, 'd'),
        columns: Object.fromEntries<FakeColumn>([
          ['Name', { type: 'title' }],
          ...Object.entries(columns).map(([column, type]): [string, FakeColumn] => [column, { type }]),
        ]),
        pages: structuredClone(pages[name as keyof PubPages] ?? []),
      },
    ],
  }));
}
