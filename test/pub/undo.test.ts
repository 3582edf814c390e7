import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { showFilm } from '#test/pub/screen/screen-service.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { expectRefusal, onPage } from '#test/support/messages.ts';
import { appoint, heard, phone } from '#test/support/people/patrons.ts';

const PAGES = ['/admin/pub', '/admin/pub/room', '/admin/pub/heard'];
const ON = { SETLIST_REQUESTS_ENABLED: 'on', NOW_SHOWING_ENABLED: 'on', SCREENINGS_ENABLED: 'on' };

async function open() {
  const service = await testApp(ON);
  const olga = await appoint(service, 'olga@club.example', 'owner');
  const read = async (url: string) => (await service.get(url, olga)).json();
  const page = async (path: string, who: typeof olga) =>
    (await service.get(path, { accept: 'text/html', ...who })).body;
  /** The button with this id, on whichever page of the room it is. */
  const button = async (id: string, who = olga) => {
    const found = [];
    for (const path of PAGES)
      found.push(new RegExp(`<button[^>]* id="${id}"[^>]*>`).exec(await page(path, who))?.[0]);
    return found.find((one) => one !== undefined) ?? '';
  };
  const attribute = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
  /** Presses a button as a browser without script does. */
  async function press(id: string, hidden: Record<string, string> = {}) {
    const tag = await button(id);
    const own = attribute(tag, 'name') ? { [attribute(tag, 'name')]: attribute(tag, 'value') } : {};
    return service.submit(attribute(tag, 'formaction').replaceAll('&amp;', '&'), { ...hidden, ...own }, olga);
  }
  return { service, olga, read, button, press };
}

/** Reads JSON as the owner. */
type Read = Awaited<ReturnType<typeof open>>['read'];

type Case = [
  name: string,
  button: string | ((service: TestApp) => string | Promise<string>),
  look: (read: Read) => Promise<unknown>,
  hidden?: Record<string, string>,
];

async function ask(service: TestApp): Promise<string> {
  const asked = await phone(service).post('/api/setlist/request', { artist: 'Toto', title: 'Africa' });
  return asked.json().request.id;
}
const statuses = async (read: Read) =>
  (await read('/api/admin/requests')).requests.map(({ status }: { status: string }) => status);
const running = async (read: Read) => {
  const { takeover } = await read('/api/takeover');
  return takeover && [takeover, ...takeover.earlier].map(({ kind, expiresAt }) => [kind, expiresAt]);
};
const films = async (read: Read) =>
  (await read('/api/admin/screenings')).screenings.map(
    ({ state, revertedAt, taggedCount }: Record<string, unknown>) => [state, revertedAt, taggedCount],
  );
const plays = async (read: Read) =>
  (await read('/api/admin/plays')).items.map(({ id: _, ...play }: { id: number }) => play);

const CASES: Case[] = [
  ['yes', async (service) => `do-approved-${await ask(service)}`, statuses],
  ['played', async (service) => `do-played-${await ask(service)}`, statuses],
  ['no', async (service) => `do-declined-${await ask(service)}`, statuses],
  ['lights', 'do-action-blackout', async (read) => (await read('/api/admin/dmx/desired')).desired],
  [
    'lights after another command',
    async (service) => {
      const owner = { 'edge-access-authenticated-user-email': 'olga@club.example' };
      await service.post('/api/admin/dmx/desired', { action: 'scene', name: 'Quiz' }, owner);
      return 'do-action-hold';
    },
    async (read) => (await read('/api/admin/dmx/desired')).desired,
  ],
  ['sound', 'do-mode-mute', async (read) => (await read('/api/admin/qsys/desired')).desired],
  ['big screen', 'do-mode-off', async (read) => (await read('/api/admin/now-showing')).override.mode],
  ['displays', 'do-projectorLyrics', (read) => read('/api/admin/now-playing/controls')],
  ['a notice', 'do-kind-voting', running],
  [
    'a notice in place of another',
    async (service) => {
      const owner = { 'edge-access-authenticated-user-email': 'olga@club.example' };
      await service.post('/api/admin/takeover', { kind: 'voting', minutes: 7 }, owner);
      return 'do-kind-voting';
    },
    running,
  ],
  [
    'the end of a notice',
    async (service) => {
      const owner = { 'edge-access-authenticated-user-email': 'olga@club.example' };
      const started = await service.post('/api/admin/takeover', { kind: 'voting' }, owner);
      return `do-end-${started.json().id}`;
    },
    running,
  ],
  [
    'hiding a song',
    async (service) => {
      await heard(service, { artist: 'Dolly Parton', title: '9 to 5' });
      return 'do-hide-1';
    },
    plays,
  ],
  [
    'correcting a song',
    async (service) => {
      await heard(service, { artist: 'Dolly Partn', title: '9 to 5', isrc: 'USRC18000001' });
      return 'do-correct-1';
    },
    plays,
    { title: '9 to 5', artist: 'Dolly Parton' },
  ],
  [
    'the end of a film',
    async (service) => {
      const owner = { 'edge-access-authenticated-user-email': 'olga@club.example' };
      await service.post('/api/admin/now-showing', { mode: 'movie', label: 'Casablanca' }, owner);
      const { screenings } = (await service.get('/api/admin/screenings', owner)).json();
      return `do-close-${screenings[0].id}`;
    },
    films,
  ],
  [
    'that it was no film',
    async (service) => {
      await showFilm(service, 'Casablanca', ['As Time Goes By']);
      const owner = { 'edge-access-authenticated-user-email': 'olga@club.example' };
      const { screenings } = (await service.get('/api/admin/screenings', owner)).json();
      return `do-revert-${screenings[0].id}`;
    },
    films,
  ],
];

test.each(CASES)('%s is undone from the same button', async (_name, which, look, hidden) => {
  const { service, read, button, press } = await open();
  await using _ = service;
  await service.post('/api/now-playing/ingest', { heartbeat: true });
  const id = typeof which === 'string' ? which : await which(service);
  const before = await look(read);
  service.clock.now += SECOND;

  const sent = await press(id, hidden);
  expect([sent.statusCode, sent.headers.location]).toEqual([303, expect.stringContaining(`#${id}`)]);
  expect(await look(read)).not.toEqual(before);
  expect(await button(id)).toContain('name="undo"');
  service.clock.now += SECOND;

  const undone = await press(id);
  // On the page that it was done on.
  const [back = ''] = sent.headers.location?.split('?') ?? [];
  expect(PAGES).toContain(back);
  expect([undone.statusCode, undone.headers.location]).toEqual([303, `${back}?done=undone#${id}`]);
  expect(await look(read)).toEqual(before);
  expect(await button(id)).not.toContain('name="undo"');
});

test('undo is offered for ten seconds, to the person alone, and refused when something came in between', async () => {
  const { service, olga, read, button, press } = await open();
  await using _ = service;
  const tom = await appoint(service, 'tom@club.example', 'tender');
  await service.post('/api/now-playing/ingest', { heartbeat: true });
  const undoOf = async (id: string) => / value="([^"]*)"/.exec(await button(id))?.[1] ?? '';
  await press('do-action-blackout');
  const undo = await undoOf('do-action-blackout');
  expect(await button('do-action-blackout', tom)).not.toContain('name="undo"');
  const others = await service.submit('/admin/pub/undo', { undo }, tom);
  expect(others.statusCode).toBe(409);

  service.clock.now += 10 * SECOND;
  expect(await button('do-action-blackout')).not.toContain('name="undo"');
  await service.post('/api/admin/dmx/desired', { action: 'auto' }, tom);
  const after = await service.submit('/admin/pub/undo', { undo }, olga);
  expect([after.statusCode, after.body]).toEqual([
    409,
    expect.stringContaining(onPage('other_command_since')),
  ]);
  expect((await read('/api/admin/dmx/desired')).desired).toEqual({ action: 'auto' });

  await press('do-mode-mute');
  const late = await undoOf('do-mode-mute');
  service.clock.now += MINUTE;
  expect((await service.submit('/admin/pub/undo', { undo: late }, olga)).statusCode).toBe(409);
});

test('a song that was marked as played can be put back, but not one that was heard', async () => {
  const { service, olga } = await open();
  await using _ = service;
  const decide = (id: string, status: string) => service.post(`/api/admin/requests/${id}`, { status }, olga);
  const marked = await ask(service);
  await decide(marked, 'played');
  expect((await decide(marked, 'pending')).json().request.status).toBe('pending');
  service.clock.now += SECOND;
  await service.post('/api/now-playing/ingest', { artist: 'Toto', title: 'Africa' });
  expectRefusal(await decide(marked, 'pending'), 409, 'request_decided', { status: 'played' });
});

test('asking people to leave has a page of its own that asks first', async () => {
  const { service, olga } = await open();
  await using _ = service;
  const page = await service.get('/admin/pub/leave', { accept: 'text/html', ...olga });
  expect(page.body).toContain('for 15 minutes');
  const sent = await service.submit('/admin/pub/takeover?at=do-leave', { kind: 'leave' }, olga);
  expect(sent.headers.location).toBe('/admin/pub?done=takeover#do-leave');
  expect((await service.get('/api/takeover')).json().takeover.kind).toBe('leave');
});
