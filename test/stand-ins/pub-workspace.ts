import { dashed, type FakeColumn, type FakeDatabase, type FakePage, id, title } from './workspace-server.ts';

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

export const [EVENTS_DB, ANNOUNCEMENTS_DB, SHIFTS_DB, ASSIGNMENTS_DB, TENDERS_DB, PROGRAMME_DB] = [
  id(0xe0),
  id(0xa0),
  id(0x50),
  id(0xb0),
  id(0x70),
  id(0x90),
];

let last = 0x1000;

/** A page with this name and these properties; `own` sets its id where that matters. */
export function record(name: string, properties: Record<string, Value>, own?: Partial<FakePage>): FakePage {
  last += 1;
  return { id: id(last), properties: { Name: title(name), ...properties }, ...own };
}

/** An event in the pub, shown on its TV. Times in the format of the workspace. */
export const event = (name: string, start: string, more: Record<string, Value> = {}, end?: string) =>
  record(name, { 'Event Start': when(start, end ?? null), Location: select('Pub'), ...onTv, ...more });
export const onTv = { 'Include on Pub TV': tick() };

export const DATABASES: Record<keyof PubPages, [id: string, title: string, columns: Record<string, string>]> =
  {
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
    programme: [
      PROGRAMME_DB,
      'Programme',
      { 'Event Start': 'date', Location: 'select', Description: 'rich_text', URL: 'url', Status: 'status' },
    ],
  };

export interface PubPages {
  events?: FakePage[];
  announcements?: FakePage[];
  shifts?: FakePage[];
  assignments?: FakePage[];
  tenders?: FakePage[];
  /** Read only if WORKSPACE_PROGRAMS_DATABASE_ID names it. */
  programme?: FakePage[];
}

/** The variables that name the databases. */
export const PUB_DATABASES = {
  WORKSPACE_EVENTS_DATABASE_ID: EVENTS_DB,
  WORKSPACE_SHIFTS_DATABASE_ID: SHIFTS_DB,
  WORKSPACE_ANNOUNCEMENTS_DATABASE_ID: ANNOUNCEMENTS_DB,
  WORKSPACE_PUB_TENDERS_DATABASE_ID: TENDERS_DB,
};

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
