// Sample data of a pub on a Saturday at noon: something in every list, and some names too long for a screen.

import { refreshFeed } from '#calendar/feed/feed.ts';
import { unsubscribeUrl } from '#calendar/subscriptions/unsubscribing.ts';
import { DAY, HOUR } from '#kernel/clock.ts';
import { refreshRollups } from '#pub/setlist/rollups/job.ts';
import { mintFeed } from '#test/calendar/fixtures.ts';
import { showFilm } from '#test/pub/screen/screen-service.ts';
import { addPlays, setlistOf } from '#test/stand-ins/plays.ts';
import {
  event,
  onTv,
  record,
  relation,
  select,
  text,
  tick,
  url,
  when,
} from '#test/stand-ins/pub-workspace.ts';
import type { TestApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { appoint, heard, phone } from '#test/support/people/patrons.ts';
import { type Pub, startPub } from '#test/support/pub-service.ts';

const LIMITS = ['GENERAL', 'ADMIN', 'VOTE', 'SIGN_IN'].map((name) => [`RATE_LIMIT_${name}`, '100000']);
const PARTS = ['SPORTS', 'NOW_SHOWING', 'SCREENINGS', 'SETLIST_REQUESTS', 'FEEDBACK'];

/** Variables that switch every part on, with limits that no test reaches. */
export const EVERYTHING: Record<string, string> = Object.fromEntries([
  ...LIMITS,
  ...PARTS.map((name) => [`${name}_ENABLED`, 'on']),
]);

const LONG = 'unbreakable'.repeat(6);
const at = (time: string, day = '21') => `2026-11-${day}T${time}:00.000-05:00`;

export interface OpenPub {
  pub: Pub;
  /** The address it listens on. */
  origin: string;
  /** The id of a tender. */
  tender: string;
}

export interface SamplePub extends OpenPub {
  /** Path and query of a member's page with the links to their feed, and of the one that ends it. */
  links: string;
  leaving: string;
  /** The headers of an owner, and of somebody with the roles `auditor` and `events`. */
  owner: Record<string, string>;
  viewer: Record<string, string>;
}

/** A pub with its programme, its hours and its tenders. */
export async function openPub(env: Record<string, string> = {}): Promise<OpenPub> {
  const ada = record('Ada Lovelace', {
    Active: tick(),
    Bio: text('Pours since 2019.\n\nOn Saturdays with the band.'),
    'Payment A': text('ada@club.example'),
    'Payment B': text(`https://pay.example/${'ada-'.repeat(20)}`),
    'Profile URL': url('https://ada.example/'),
  });
  const bo = record('Bo Diddley-Featherstonehaugh', {
    Active: tick(),
    'Payment A': text('+1 555 010 9999'),
    'Payment B': text('@bo'),
  });
  const pub = await startPub(
    {
      events: [
        event('Early chess', at('09:00')),
        event('Lunch', at('11:30'), { Description: text('Words. '.repeat(60)) }, at('14:00')),
        event('Knitting', at('12:45'), {
          URL: url('https://club.example/knitting'),
          'RC Tag': select('RC Direct'),
        }),
        event(`Film club: ${LONG}`, at('19:00', '22')),
      ],
      announcements: [
        record('The roof is done', { ...onTv, Content: text('Bowls again.'), Priority: select('High') }),
      ],
      tenders: [ada, bo],
      shifts: [record('Lunch', { Shift: when(at('11:00'), at('15:00')), Tenders: relation(ada.id, bo.id) })],
    },
    env,
  );
  const origin = await pub.service.app.listen({ port: 0, host: '127.0.0.1' });
  pub.service.ctx.config.BASE_URL = origin;
  return { pub, origin, tender: bo.id };
}

/** The same, with music, films, requests, messages and subscribers. */
export async function startSamplePub(env: Record<string, string>): Promise<SamplePub> {
  const open = await openPub(env);
  const { service } = open.pub;
  await rememberMusic(service);
  const owner = await appoint(service, 'olga@club.example', 'owner');
  const viewer = await appoint(service, 'a.very.long.address.of.somebody@club.example', 'auditor', 'events');
  await fillTheRoom(service, owner);
  await writeMenu(service, owner);
  await refreshFeed(service.calendarContext);
  const feed = await mintFeed(service, 'jane@club.example');
  await mintFeed(service, `${LONG}@club.example`);
  await mintFeed(service, 'stopped@club.example');
  await service.post('/api/admin/revoke', { calendar_id: 'programs', email: 'stopped@club.example' }, owner);
  const leaving = unsubscribeUrl(service.ctx, 'programs', 'jane@club.example');
  return {
    ...open,
    owner,
    viewer,
    links: feed.replace('/cal/programs.ics', '/subscribe-programs'),
    leaving: leaving.slice(leaving.indexOf('/api')),
  };
}

/** Publishes drinks and food: with all fields and with none, and more than are listed without a search. */
async function writeMenu(service: TestApp, staff: Record<string, string>): Promise<void> {
  const editor = await editorAt(service);
  const drinks = await editor.publish('menu_section', { title: 'Bottles', note: 'Cold ones.' });
  const food = await editor.publish('menu_section', { title: 'Kitchen', kind: 'food' });
  const sizes = [
    { label: 'Half pint', volume_ml: 284, price: 320, member_price: 300 },
    { label: 'A very large glass', volume_ml: 568, price: null },
  ];
  const allergens = [{ code: 'gluten', detail: 'barley' }, { code: 'sulphites' }];
  const pie = await editor.publish('menu_item', { section: food, name: LONG });
  await service.post(`/api/admin/menu/items/${pie}/stock`, { state: 'out' }, staff);
  const onTap = await editor.publish('menu_section', { title: 'On tap', on_tap: true });
  const draught = await editor.publish('menu_item', { section: onTap, name: `Draught ${LONG}` });
  for (const [index, input] of [
    { item_id: draught, state: 'last', next_item_id: draught },
    { label: 'Upstairs bar' },
  ].entries())
    await service.post(`/api/admin/taps/${index + 1}`, input, staff);
  await editor.publish('menu_item', {
    section: drinks,
    name: 'Stout',
    maker: LONG,
    style: 'Oatmeal',
    abv: 5.1,
    ibu: 30,
    sizes,
    description: 'Malty.',
    allergens_known: 'listed',
    allergens,
    marks: ['vegan'],
    url: 'https://ale.example/',
  });
  for (let index = 0; index < 12; index++)
    await editor.publish('menu_item', { section: drinks, name: `Ale ${index}`, sizes, order: index });
}

/** Stores 400 evenings, two films, and a current song. */
async function rememberMusic(service: TestApp): Promise<void> {
  const { clock, ctx } = service;
  const rows = setlistOf({ until: clock.now - 10 * HOUR, evenings: 400, rows: 1_200, songs: 60 });
  const long = { artist: `U${LONG}`, title: 'نسم علينا الهوى 🔥 '.repeat(6).trim() };
  await addPlays(
    ctx,
    [...rows].map((row) => (row.title === 'Song number 1' ? { ...row, ...long } : row)),
  );
  const now = clock.now;
  clock.now = now - 2 * DAY;
  await showFilm(service, LONG, ['One', 'Two', 'Three', 'Four', 'Five', LONG]);
  await showFilm(service, null, ['Theme']);
  clock.now = now;
  await heard(service, { artist: 'Dolly Parton', title: '9 to 5' });
  await refreshRollups(ctx);
}

/** Adds song requests, messages, and settings for the lights, the sound and the big screen. */
async function fillTheRoom(service: TestApp, staff: Record<string, string>): Promise<void> {
  for (const title of [undefined, 'One song alone'])
    await service.post('/api/admin/hidden-names', { artist: `Unheard ${LONG}`, title }, staff);
  const ids: string[] = [];
  for (const [index, title] of ['Africa', LONG, 'Dancing Queen', 'Jolene'].entries()) {
    service.clock.now += 1;
    const patron = phone(service, `203.0.113.${index}`);
    const asked = await patron.post('/api/setlist/request', {
      artist: `Artist ${title}`,
      title,
      note: 'For Bea',
    });
    ids.push(asked.json().request.id);
  }
  for (const [index, decision] of [
    { status: 'approved' },
    undefined,
    { status: 'declined', reason: 'Twice this week' },
    { status: 'played' },
  ].entries())
    if (decision) await service.post(`/api/admin/requests/${ids[index]}`, decision, staff);
  for (const message of [
    { message: `${LONG}${LONG}`, rating: 4, name: 'Ann', contact: `${LONG}@club.example`, page: 'tv' },
    { message: 'More dark beer' },
  ])
    await phone(service).post('/api/feedback', message);
  await service.post('/api/now-playing/ingest', { heartbeat: true }, staff);
  for (const wish of [{ action: 'scene', name: 'z'.repeat(64) }, { action: 'auto' }])
    await service.post('/api/admin/dmx/desired', wish, staff);
  await service.post('/api/admin/qsys/desired', { mode: 'bar' }, staff);
  await service.post('/api/admin/now-showing', { mode: 'movie', label: 'w'.repeat(80) }, staff);
}
