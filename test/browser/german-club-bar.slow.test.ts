// A full evening at the bar of a German club: from the first list of drinks to the next morning, with its TVs, its phones
// and a guest from the Netherlands. Nobody finds a word in a language that they did not ask for.
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { DAY, HOUR, isoTime, MINUTE, SECOND } from '#kernel/clock.ts';
import { type FakeGame, startScoreboard } from '#test/stand-ins/scoreboard-server.ts';
import { NOON } from '#test/support/app.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { PHONE } from '#test/support/browser/browser-service.ts';

import { de, type GermanClub, openGermanClub, TV, textsOfCalendar } from './german-club.ts';

afterEach(async () => closePages(await sharedBrowser()));

const OWNER = { name: 'Kegelverein Blaue Ente', owner: 'Olga Brandt', email: 'olga@verein.example' };
const LYRICS =
  '[00:00.00]Der Mond ist aufgegangen\n[00:10.00]Die goldnen Sternlein prangen\n[00:20.00]Am Himmel hell und klar';
const SAID = [
  'Kegelverein Blaue Ente Olga Brandt Tom Varga Jan de Vries Über der Bar Quizabend Pokalabend Sommerfest im Hof',
  'Vom Fass Flaschen Küche Hefeweizen Kellerbier Grauburgunder Kartoffelsuppe mit Wurst Brezel Brauerei Südstern Helles',
  'Matthias Claudius Abendlieder Kein schöner Land Volkslied Die Gedanken sind frei Hoffmann von Fallersleben',
  'Geh aus mein Herz Paul Gerhardt Am Brunnen vor dem Tore Wilhelm Müller Stück Teller Der dritte Mann Frohe Stunde',
  'Das Dach ist dicht Erste Kugel am Samstag Wahl am Sonntag Zu laut an Tisch vier Heute leider nicht Bitte mitbringen',
  'Hafen Union Mühlenbeck Wiesental Abschnitt Größe viel',
  // The source of scores writes how a game stands.
  'Rain Delay',
  LYRICS,
];
const SONGS = {
  moon: { artist: 'Matthias Claudius', title: 'Der Mond ist aufgegangen', album: 'Abendlieder' },
  land: { artist: 'Volkslied', title: 'Kein schöner Land' },
  free: { artist: 'Hoffmann von Fallersleben', title: 'Die Gedanken sind frei' },
  heart: { artist: 'Paul Gerhardt', title: 'Geh aus mein Herz' },
  well: { artist: 'Wilhelm Müller', title: 'Am Brunnen vor dem Tore' },
};

const NL = { language: 'nl' } as const;
const HOLLAND = { ...PHONE, locale: 'nl-NL' };

const team = (id: string, name: string) => ({
  id,
  abbr: name.slice(0, 3).toUpperCase(),
  name,
  short: name,
  color: '8c2f2b',
});
const game = (id: string, home: string, away: string, more: Partial<FakeGame>): FakeGame => ({
  id,
  league: 'soccer/ger.1',
  startsAt: NOON - HOUR,
  home: team(`${id}1`, home),
  away: team(`${id}2`, away),
  status: 'playing',
  score: { home: 2, away: 1 },
  period: 2,
  secondsLeft: 1_200,
  channels: [],
  ...more,
});

test('an evening at the bar without a foreign word', { timeout: 400_000 }, async () => {
  await using scores = await startScoreboard([
    game('10', 'Hafen', 'Union', {}),
    game('20', 'Mühlenbeck', 'Wiesental', { status: 'scheduled', startsAt: NOON + 2 * HOUR }),
    game('30', 'Wiesental', 'Hafen', { status: 'over', startsAt: NOON - 4 * HOUR }),
    game('40', 'Wiesental', 'Union', { status: 'delayed' }),
    game('50', 'Union', 'Mühlenbeck', { status: 'postponed' }),
  ]);
  const parts = ['SETLIST_REQUESTS', 'FEEDBACK', 'NOW_SHOWING', 'SCREENINGS', 'SPORTS'];
  await using club = await openGermanClub(SAID, {
    ...Object.fromEntries(parts.map((part) => [`${part}_ENABLED`, 'on'])),
    SPORTS_API_URL: scores.url,
    LYRICS_API_URL: '',
    GENRE_API_URL: '',
    WEATHER_API_URL: '',
  });
  const olga = await club.setUp(OWNER);
  const tv = await takeFirstSteps(club, olga);
  await tryVote(club, olga);
  await writeList(club, olga);
  await playMusic(club, olga);
  const guest = await club.tab(HOLLAND);
  await visitFromHolland(club, guest);
  await visitAsGuest(club);
  await subscribe(club);
  await workBehindBar(club, olga);
  await watchScreens(club, olga, tv);
  await lookBack(club, olga);
  for (const mail of club.mails) club.readMail(mail);
  expect(club.findings()).toEqual([]);
});

/** Hours, an event and a screen, each refused first. @returns the TV */
async function takeFirstSteps({ visit, send, look, tab }: GermanClub, olga: Page): Promise<Page> {
  const step = async (form: string, ...tries: Record<string, string>[]) => {
    for (const fields of tries) {
      await visit(olga, '/admin/first-steps');
      await send(olga, `form[action="${form}"]`, fields);
    }
  };
  await step('/admin/content/hours', {}, { 'same.opens': '16:00', 'same.closes': '23:30' });
  await step('/admin/content/event', {}, { title: 'Quizabend', time: '20:00' });
  const tv = await tab(TV);
  await tv.goto('/s');
  const code = tv.locator('[data-part=code]');
  await expect.poll(() => code.textContent()).toMatch(/\w{3}/);
  await look(tv, 'a new TV:');
  const name = 'Über der Bar';
  await step(
    '/admin/pub/screens',
    { code: 'AAAAAA', name },
    { code: (await code.textContent()) ?? '', name },
  );
  await expect.poll(() => new URL(tv.url()).pathname).toBe('/tv');
  await tv.getByText('Quizabend').first().waitFor();
  await look(tv);
  return tv;
}

/** The last of the first steps: a trial, whose codes are printed on slips, and a vote with one of them. */
async function tryVote({ visit, send, press, look, tab }: GermanClub, olga: Page): Promise<void> {
  await visit(olga, '/admin/first-steps');
  await olga.locator('a[href*="trial"]').first().click();
  await olga.waitForLoadState();
  await send(olga, 'form[action="/admin/elections/trial"]', { hand_out: 'paper' });
  const [code = ''] = (await olga.locator('#codes').innerText()).split('\n');
  const opened = olga.context().waitForEvent('page');
  await olga.locator('form[action$="/tokens/print"] button').first().click();
  const slips = await opened;
  await slips.waitForLoadState();
  const phone = await tab(PHONE);
  for (const typed of ['AAAA-BBBB', code]) {
    await visit(phone, '/vote');
    await send(phone, 'form[action="/vote"]', { code: typed });
  }
  await phone.getByRole('radio').first().check();
  await press(phone, de('voting.ballot.review'));
  await phone.getByRole('button', { name: de('voting.review.cast_my_vote') }).click();
  await phone.getByRole('heading', { name: de('voting.confirmation.document_title') }).waitFor();
  await look(phone, 'recorded:');
  await look(slips, 'slips:');
  await visit(phone, '/vote');
  await send(phone, 'form[action="/vote"]', { code });
  await slips.close();
  await phone.context().close();
}

/** The list of drinks and food, and what is on. */
async function writeList({ visit, send, ask, clock }: GermanClub, olga: Page): Promise<void> {
  const day = (days = 0) => isoTime(clock.now + days * DAY).slice(0, 10);
  const publish = async (kind: string, body: object): Promise<string> =>
    (await ask(olga, 'POST', `/api/admin/content/${kind}`, { body, publish: true })).id;
  await ask(olga, 'PUT', '/api/admin/settings', { offers_allowed: true });
  const tap = await publish('menu_section', { title: 'Vom Fass', on_tap: true });
  const bottles = await publish('menu_section', { title: 'Flaschen' });
  const food = await publish('menu_section', { title: 'Küche', kind: 'food' });
  const half = [{ label: '', volume_ml: 500, price: 480 }];
  const beer = { section: tap, maker: 'Brauerei Südstern', style: 'Helles', abv: 4.9, ibu: 21, sizes: half };
  const helles = await publish('menu_item', { ...beer, name: 'Kellerbier' });
  const weizen = await publish('menu_item', { ...beer, name: 'Hefeweizen', allergens_known: 'none' });
  const glass = [{ label: '', volume_ml: 200, price: 650, member_price: 600 }];
  const listed = { allergens_known: 'listed', marks: ['vegan'] };
  await publish('menu_item', {
    section: bottles,
    name: 'Grauburgunder',
    sizes: glass,
    ...listed,
    allergens: [{ code: 'sulphites' }],
  });
  const allergens = [{ code: 'gluten' }, { code: 'celery' }];
  const plate = { section: food, allergens_known: 'listed', allergens, description: 'mit Wurst' };
  const soup = await publish('menu_item', {
    ...plate,
    name: 'Kartoffelsuppe',
    sizes: [{ label: 'Teller', price: null }],
  });
  await publish('offer', {
    title: 'Frohe Stunde',
    between: { from: '17:00', to: '19:00' },
    sections: [tap],
    percent: 20,
  });
  await ask(olga, 'POST', '/api/admin/taps/1', { item_id: helles, next_item_id: weizen });
  await ask(olga, 'POST', '/api/admin/taps/2', { item_id: weizen, state: 'last' });
  await ask(olga, 'POST', `/api/admin/menu/items/${soup}/stock`, { state: 'out' });
  const tom = await publish('tender', {
    full_name: 'Tom Varga',
    meet: true,
    active: true,
    show_profile: true,
    payment_a: 'tom@verein.example',
  });
  await publish('roster', { date: day(), tenders: [tom] });
  await publish('announcement', {
    title: 'Das Dach ist dicht',
    text: 'Erste Kugel am Samstag',
    priority: 'high',
    seconds: 5,
  });
  await publish('announcement', { title: 'Wahl am Sonntag', priority: 'urgent', seconds: 5 });
  await publish('event', { title: 'Sommerfest im Hof', date: day(8) });
  await publish('event', {
    title: 'Pokalabend',
    date: day(-4),
    time: '19:00',
    end_time: '22:00',
    rule: 'FREQ=WEEKLY;BYDAY=TU',
    description: 'Bitte mitbringen',
  });
  await publish('special', { from: day(5), closed: true, reason: 'Sommerfest im Hof' });

  const kinds = ['event', 'hours', 'special', 'menu_item', 'menu_section', 'announcement', 'tender', 'offer'];
  for (const kind of kinds) await visit(olga, `/admin/content/${kind}`);
  for (const kind of ['event', 'menu_item', 'announcement', 'offer']) {
    await visit(olga, `/admin/content/${kind}/new`);
    await send(olga, `form[action="/admin/content/${kind}"]`);
  }
  for (const page of ['', '/roster', '/prices', '/pictures', '/ical', '/import'])
    await visit(olga, `/admin/content${page}`);
  for (const page of ['', '/history']) await visit(olga, `/admin/content/menu_item/${soup}${page}`);
  const list = 'Abschnitt;Name;Größe;Preis\nKüche;Brezel;Stück;2,50\nKüche;Brezel;Stück;viel\nKüche;;;';
  await visit(olga, '/admin/content/menu-import');
  await send(olga, 'form[action="/admin/content/menu-import"]', { text: list });
}

/** The device reports what is heard, and somebody has written the lyrics. */
async function playMusic({ ask, clock, visit }: GermanClub, olga: Page): Promise<void> {
  const { token } = await ask(olga, 'POST', '/api/admin/settings/tokens/device', {});
  const report = (body: object) =>
    ask(olga, 'POST', '/api/now-playing/ingest', body, { authorization: `Bearer ${token}` });
  await report({ heartbeat: true });
  for (const [minutes, song] of [
    [12, SONGS.free],
    [6, SONGS.land],
    [0, SONGS.moon],
  ] as const)
    await report({ ...song, duration_ms: 200_000, started_at: isoTime(clock.now - minutes * MINUTE) });
  await ask(olga, 'PUT', '/api/admin/now-playing/lyrics', { ...SONGS.moon, lrc: LYRICS });
  await ask(olga, 'POST', '/api/admin/now-playing/controls', { projectorLyrics: true });
  await visit(olga, '/admin/settings/music');
}

/** A guest whose phone speaks Dutch asks for songs, and is refused; and says what they think. */
async function visitFromHolland({ visit, send, tab }: GermanClub, guest: Page): Promise<void> {
  for (const page of ['/', '/menu', '/now']) await visit(guest, page, NL);
  const form = 'form[action="/requests"]';
  const { heart, moon, well } = SONGS;
  const ask = (page: Page, { title, artist }: { title: string; artist: string }) =>
    send(page, form, { title, artist }, NL);
  await visit(guest, '/requests', NL);
  const other = await guest.context().newPage();
  await visit(other, '/requests', NL);
  await ask(guest, { title: heart.title, artist: ' ' });
  await visit(guest, '/requests', NL);
  await ask(guest, moon);
  await visit(guest, '/requests', NL);
  await ask(guest, heart);
  // The form that was open before.
  await ask(other, well);
  const friend = await tab(HOLLAND);
  await visit(friend, '/requests', NL);
  await ask(friend, heart);
  await visit(friend, '/requests', NL);
  await visit(guest, '/feedback', NL);
  await send(guest, 'form[action="/feedback"]', { message: ' ' }, NL);
  await visit(guest, '/feedback', NL);
  await send(guest, 'form[action="/feedback"]', { message: 'Zu laut an Tisch vier' }, NL);
  for (const page of [
    '/events',
    '/hours',
    '/programme',
    '/subscribe-programs',
    '/setlist',
    '/screen',
    '/tenders/',
    '/archive',
    '/sign-in',
  ])
    await visit(guest, page, NL);
  await visit(guest, '/nergens', { ...NL, status: 404 });
  await other.close();
  await friend.context().close();
}

/** The same pages in German, with addresses that lead nowhere. */
async function visitAsGuest({ visit, send, tab, ask, note }: GermanClub): Promise<void> {
  const phone = await tab(PHONE);
  const pages = [
    '/',
    '/menu',
    '/menu/print',
    '/now',
    '/requests',
    '/events',
    '/hours',
    '/programme',
    '/screen',
    '/tenders/',
    '/feedback',
  ];
  for (const page of [...pages, '/setlist', '/archive', '/vote', '/sign-in', '/sign-in/recovery'])
    await visit(phone, page);
  await visit(phone, '/nirgendwo', { status: 404 });
  await visit(phone, '/sign-in/link?t=falsch', { status: 401 });
  await visit(phone, '/subscribe-programs/confirm?v=falsch');
  await visit(phone, '/subscribe-programs?token=falsch', { status: 404 });
  await visit(phone, '/now?before=gestern', { status: 400 });
  await visit(phone, '/setlist/geruch', { status: 404 });
  await visit(phone, '/vote');
  await send(phone, 'form[action="/vote"]', { code: 'AAAA-BBBB' });
  await visit(phone, '/sign-in/recovery');
  await send(phone, 'form[action="/sign-in/recovery"]', { email: 'niemand@verein.example', code: 'aaaa' });
  await visit(phone, '/events');
  const link = (await phone.getByRole('link', { name: 'Quizabend' }).first().getAttribute('href'))!;
  await visit(phone, link);
  note('an event as iCal', textsOfCalendar(await ask(phone, 'GET', `${link}/calendar.ics`)));
  await phone.context().close();
}

/** Jan subscribes to the programme, reads it, and ends it. */
async function subscribe({ visit, send, tab, ask, note, mailTo }: GermanClub): Promise<void> {
  const phone = await tab(PHONE);
  const form = 'main form:has([name=email])';
  await visit(phone, '/subscribe-programs');
  await send(phone, form, { name: '', email: 'x' });
  await visit(phone, '/subscribe-programs');
  await send(phone, form, { name: 'Jan de Vries', email: 'jan@verein.example' });
  const { text } = await mailTo('jan@verein.example', { holds: '/subscribe-programs/confirm' });
  const [confirm, leave] = [...text.matchAll(/http\S+/g)].map(([address]) => new URL(address)) as [URL, URL];
  await visit(phone, confirm.pathname + confirm.search);
  await send(phone, 'main form');
  const own = new URL(phone.url());
  const feed = (await phone.locator('a[href*=".ics"]').first().getAttribute('href'))!;
  const { pathname, search } = new URL(feed.replace('webcal:', 'http:'));
  note('the programme as iCal', textsOfCalendar(await ask(phone, 'GET', pathname + search)));
  await visit(phone, leave.pathname + leave.search);
  await send(phone, 'main form');
  await visit(phone, own.pathname + own.search, { status: 404 });
  await phone.context().close();
}

/** Tom works behind the bar, and signs in for that. */
async function workBehindBar(club: GermanClub, olga: Page): Promise<void> {
  const { visit, send, ask, mailTo } = club;
  await visit(olga, '/admin/pub/roles');
  await send(olga, 'form[action="/admin/pub/roles"]:has([name=email]:not([type=hidden]))', {
    email: 'niemand',
  });
  await ask(olga, 'PUT', '/api/admin/roles', { email: 'tom@verein.example', roles: ['tender', 'dj'] });
  await visit(olga, '/admin/pub/roles');
  await mailTo('tom@verein.example');
  const tom = await club.tab(PHONE);
  await club.signIn(tom, 'tom@verein.example');
  const { requests } = await ask(tom, 'GET', '/api/admin/requests');
  await visit(tom, '/admin/pub');
  await ask(tom, 'POST', `/api/admin/requests/${requests[0].id}`, {
    status: 'declined',
    reason: 'Heute leider nicht',
  });
  await ask(tom, 'POST', '/api/admin/now-showing', { mode: 'movie', label: 'Der dritte Mann' });
  await ask(tom, 'POST', '/api/admin/taps/1/swap', {});
  for (const page of ['', '/room', '/heard', '/last-night', '/screens'])
    await visit(tom, `/admin/pub${page}`);
  await visit(tom, '/admin/pub/taps/1');
  await visit(tom, '/admin/settings', { status: 403 });
  await visit(tom, '/me');
  await visit(tom, '/me/devices');
  await visit(olga, '/admin/feedback');
  await send(olga, 'main form[action^="/admin/feedback/"]');
  for (const page of [
    '/admin/pub',
    '/admin/pub/room',
    '/admin/pub/audit',
    '/admin/pub/screens',
    '/admin/pub/screens/print',
    '/admin/pub/wifi',
  ])
    await visit(olga, page);
  for (const page of [
    '/admin/feedback',
    '/admin/calendar',
    '/admin',
    '/admin/people',
    '/admin/people/new',
    '/admin/people/kinds',
  ])
    await visit(olga, page);
  await tom.context().close();
}

/** Every slide of a round on each screen, what fills the screens, the list of the bar, and a screen without network. */
async function watchScreens(
  { ask, look, tab, clock, visit }: GermanClub,
  olga: Page,
  tv: Page,
): Promise<void> {
  const [right, projector, board] = [await tab(TV), await tab(TV), await tab(TV)];
  await right.goto('/tv/bar-right');
  await projector.goto('/tv/projector');
  await board.goto('/tv?layout=menu');
  const screens = { tv, right, projector, board };
  const all = async (what: string) => {
    for (const [name, screen] of Object.entries(screens)) await look(screen, `${what}, ${name}:`);
  };
  for (let slide = 0; slide < 12; slide++) {
    await all('a slide');
    clock.now += 6 * SECOND;
    for (const screen of Object.values(screens)) await screen.clock.fastForward(6 * SECOND);
  }
  for (const kind of ['voting', 'leave', 'last_orders']) {
    const { id } = await ask(olga, 'POST', '/api/admin/takeover', { kind });
    await tv.locator('[data-takeover]').waitFor();
    await all(kind);
    await visit(olga, '/admin/pub/room');
    await ask(olga, 'POST', `/api/admin/takeover/${id}/end`, {});
  }
  for (const screen of Object.values(screens)) await screen.context().setOffline(true);
  for (let minute = 0; minute < 4; minute++) {
    for (const screen of Object.values(screens)) await screen.clock.fastForward(3 * MINUTE);
    await all('offline');
  }
  for (const screen of Object.values(screens)) await screen.context().close();
}

/** The next morning. */
async function lookBack({ visit, clock }: GermanClub, olga: Page): Promise<void> {
  clock.now += 16 * HOUR;
  await visit(olga, '/admin/pub/last-night');
  await visit(olga, '/admin/pub/heard');
  await visit(olga, '/now');
  for (const page of [
    '/admin/audit-logs?limit=200',
    '/admin/health',
    '/admin/mails',
    '/admin/backups',
    '/admin/approvals',
    '/admin/search?q=Bier',
  ])
    await visit(olga, page);
  for (const group of [
    'club',
    'address',
    'look',
    'formats',
    'mail',
    'music',
    'sports',
    'weather',
    'calendar',
    'parts',
    'backups',
  ])
    await visit(olga, `/admin/settings/${group}`);
}
