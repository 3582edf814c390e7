// Every public address of a meeting that is not public: what it tells to nobody in particular, and to its readers.
import fs from 'node:fs';
import { expect, it } from 'vitest';
import { DAY, isoTime } from '#kernel/clock.ts';
import { keyedWallPath, meetingKey } from '#meetings/keys.ts';
import { send } from '#test/support/factories.ts';
import { multipart } from '#test/support/pictures.ts';
import { listen, openStream } from '#test/support/stream-client.ts';
import { heldMeeting, session } from './held-meeting.ts';

/**
 * `closed`: how to get in, with 403 on a page and 401 elsewhere. `own`: an answer of its own, which tells nothing of the
 * meeting but its title and when it is. `linked`: what is mailed to whoever has the link.
 */
const TABLE: Record<string, 'closed' | 'own' | 'linked'> = {
  'GET /m/:id': 'own',
  'GET /m/:id/card': 'own',
  'GET /m/:id/calendar.ics': 'own',
  'GET /m/:id/documents/:document': 'closed',
  'GET /m/:id/door/:number': 'own',
  'GET /m/:id/minutes': 'closed',
  'GET /m/:id/motions': 'closed',
  'POST /m/:id/motions': 'closed',
  'GET /m/:id/motions/:token': 'linked',
  'POST /m/:id/motions/:token': 'linked',
  'GET /m/:id/nominate/:item': 'closed',
  'POST /m/:id/nominate/:item': 'closed',
  'GET /m/:id/nominations/:token': 'linked',
  'POST /m/:id/nominations/:token': 'linked',
  'GET /m/:id/stream': 'closed',
  'GET /m/:id/void': 'own',
  'POST /m/:id/void': 'own',
  'GET /m/:id/wall': 'closed',
  'POST /m/:id/card/here': 'closed',
  'POST /m/:id/speakers': 'closed',
  'GET /p/:id': 'closed',
  'GET /p/:id/check': 'closed',
  'POST /p/:id/check': 'closed',
  'GET /p/:id/vote': 'own',
  'POST /p/:id/vote': 'own',
  'GET /p/:id/vote/review': 'own',
  'POST /p/:id/vote/review': 'own',
  'GET /p/:id/wall': 'closed',
  'GET /e/:id': 'closed',
  'GET /e/:id/ballots.csv': 'closed',
  'GET /e/:id/ballots.json': 'closed',
  'GET /e/:id/certified/:sha256': 'closed',
  'GET /e/:id/check': 'closed',
  'POST /e/:id/check': 'closed',
  'GET /e/:id/recount': 'closed',
  'GET /e/:id/results': 'closed',
  'GET /e/:id/results/matrix': 'closed',
  'GET /e/:id/vote': 'closed',
  'POST /e/:id/vote': 'own',
  'GET /e/:id/vote/poll': 'closed',
  'POST /e/:id/vote/poll': 'own',
  'GET /e/:id/vote/review': 'closed',
  'POST /e/:id/vote/review': 'closed',
};

/** What of a meeting is for its readers. */
const SECRETS = [
  'The hall',
  'Fees',
  'The fee is',
  'Treasurer',
  'Ivy Cole',
  'Hugh Birch',
  'Accounts 2026',
  'Statutes',
  'Bring',
];
const HOST = { host: 'votes.club.example' };
type Held = Awaited<ReturnType<typeof heldMeeting>>;
type Headers = Record<string, string>;

const TITLE_AND_TIME = { title: 'AGM', held_at: '2026-12-05T00:00:00.000Z' };

/** A meeting that is not public, with everything that one has. */
async function prepare() {
  const held = await heldMeeting({
    public: false,
    inclusion_codes: true,
    minutes_public: true,
    notes: 'Bring your card',
    members_ask: true,
    remote: true,
  });
  const { one, items } = held;
  const { service, base } = one;
  const period = {
    opens_at: isoTime(service.clock.now),
    closes_at: isoTime(service.clock.now + DAY),
    seconders: 0,
  };
  const next = await one.add({ kind: 'election', title: 'Auditors' });
  const call = { ...period, who: 'anybody' };
  await send(service, 'PUT', `${base}/items/${next.id}/nominations`, call);
  const file = { bytes: Buffer.from('%PDF-1.7\n'), name: 'a.pdf', type: 'application/pdf' };
  const form = await multipart({ title: 'Accounts 2026' }, { document: file });
  const added = await service.request({
    method: 'POST',
    url: `${base}/documents`,
    payload: form.payload,
    headers: { accept: 'application/json', ...form.headers },
  });
  const paper = await one.paper();
  const { election_id } = items.board;
  const at = (route: string) => {
    const [method = '', url = ''] = route.split(' ');
    const id = url.startsWith('/m/') ? one.id : url.startsWith('/p/') ? paper : election_id;
    const values = {
      id,
      document: added.json().id,
      number: '1234-5678',
      item: next.id,
      token: 'x',
      sha256: 'x',
    };
    return { method, url: url.replace(/:(\w+)/g, (_, name: keyof typeof values) => values[name]) };
  };
  return Object.assign(held, {
    at,
    paper,
    next,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  });
}

const ROUTES = fs
  .readFileSync(new URL('../routes.txt', import.meta.url), 'utf8')
  .split('\n')
  .map((line) => line.split(/\s+/, 2).join(' '))
  .filter((route) => /^\w+ \/[mpe]\/:id/.test(route));

const ACCEPTS = ['text/html', 'application/json'];

/** Asks as a browser does, whose forms are encoded, or as a script. */
function ask(one: Held['one'], { method, url }: { method: string; url: string }, headers: Headers) {
  if (method === 'GET') return one.service.request({ method, url, headers });
  const isForm = headers.accept === 'text/html';
  return one.service.request({
    method: 'POST',
    url,
    payload: isForm ? 'token=x' : { token: 'x' },
    headers: { ...headers, ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }) },
  });
}

/** Asks all addresses as nobody in particular. */
async function tellsNothing({ one, at }: Awaited<ReturnType<typeof prepare>>, more: Headers = {}) {
  for (const [route, kind] of Object.entries(TABLE))
    for (const accept of ACCEPTS) {
      const { statusCode, body, headers } = await ask(one, at(route), { accept, ...HOST, ...more });
      const told = SECRETS.filter((text) => body.includes(text));
      expect([route, accept, told]).toEqual([route, accept, []]);
      // Addresses without a page answer a browser as they do a script.
      if (kind === 'closed') {
        expect([route, [401, 403].includes(statusCode), headers['x-robots-tag']]).toEqual([
          route,
          true,
          'noindex',
        ]);
        expect([route, body.includes('for its members')]).toEqual([route, true]);
      }
    }
  for (const page of ['/', '/archive']) {
    const { body } = await one.service.get(page, { accept: 'text/html', ...HOST, ...more });
    expect([page, SECRETS.filter((text) => body.includes(text))]).toEqual([page, []]);
  }
}

/** Asks all addresses that are closed to others as a reader; none refuses. */
async function tellsReader({ one, at }: Awaited<ReturnType<typeof prepare>>, more: Headers) {
  for (const route of ROUTES.filter((one) => TABLE[one] === 'closed' && one !== 'GET /m/:id/stream'))
    for (const accept of ACCEPTS) {
      const { body } = await ask(one, at(route), { accept, ...HOST, ...more });
      expect([route, body.includes('for its members')]).toEqual([route, false]);
    }
  for (const [url, text] of [
    [`/m/${one.id}?agenda=1`, 'Treasurer'],
    ['/', 'AGM'],
  ] as const)
    expect((await one.service.get(url, { accept: 'text/html', ...HOST, ...more })).body).toContain(text);
}

it('each public address of a meeting and of its votes has its place here', () => {
  expect(ROUTES.filter((route) => !(route in TABLE))).toEqual([]);
  expect(Object.keys(TABLE).filter((route) => !ROUTES.includes(route))).toEqual([]);
});

it('nobody learns more than title and time: while it is held, once it is over with public minutes, and called off', async () => {
  await using held = await prepare();
  const { one, end, sign, patch } = held;
  await tellsNothing(held);
  const wrong = { cookie: `house_invited_${one.id}=${'x'.repeat(22)}; house_card=ABCD; house_room=1` };
  await tellsNothing(held, wrong);
  const { service } = one;
  expect((await service.get(`/m/${one.id}`, HOST)).json()).toEqual({
    meeting: { id: one.id, ...TITLE_AND_TIME, public: false },
  });
  const page = (await service.get(`/m/${one.id}`, { accept: 'text/html', ...HOST })).body;
  for (const text of [
    'AGM',
    'Fri, Dec 4, 2026',
    'Open the link in your invitation',
    '/sign-in?next=',
    'name="t"',
    'noindex',
  ])
    expect(page).toContain(text);
  expect((await service.get('/', { accept: 'text/html', ...HOST })).body).toContain('AGM');
  const file = (await service.get(`/m/${one.id}/calendar.ics`, HOST)).body;
  expect([file.includes('SUMMARY:AGM'), file.includes('DTSTART')]).toEqual([true, true]);
  const typed = await service.get(`/m/${one.id}?t=ABCD-EFGH-JKMN-PQRS`, { accept: 'text/html', ...HOST });
  expect(typed.body).toContain('This is no card of this meeting');

  await patch({ chair: one.ids.Ann, secretary: one.ids.Bob });
  await end();
  await sign('chair', await session(one, 'Ann'));
  await sign('secretary', await session(one, 'Bob'));
  await tellsNothing(held);
  const minutes = await service.get(`/m/${one.id}/minutes`, { accept: 'text/html' });
  expect([minutes.statusCode, minutes.body.includes('Ivy Cole')]).toEqual([200, true]);

  const { id } = (
    await service.post('/admin/meetings', {
      title: 'Dinner',
      held_at: '2026-12-14T19:00',
      public: false,
      place: 'The hall',
    })
  ).json();
  await service.post(`/admin/meetings/${id}/invite`, { emails: ['ann@club.example'] });
  await send(service, 'PATCH', `/admin/meetings/${id}`, { state: 'called_off', reason: 'Ann is ill' });
  for (const url of [`/m/${id}`, `/m/${id}/wall`, '/', `/m/${id}/calendar.ics`])
    for (const accept of ACCEPTS) {
      const { body } = await service.get(url, { accept, ...HOST });
      expect([url, /Ann is ill|The hall/.test(body)]).toEqual([url, false]);
    }
  expect((await service.get(`/m/${id}`, HOST)).statusCode).toBe(410);
  const key = meetingKey(service.ctx, 'invitation', { id });
  expect((await service.get(`/m/${id}?i=${key}`, HOST)).body).toContain('Ann is ill');
});

it('whoever came by an invitation or a card, is signed in, or works for the club reads all of it', async () => {
  await using held = await prepare();
  const { one } = held;
  const { service, id, codes } = one;
  const came = async (query: string) => {
    const answer = await service.get(`/m/${id}?${query}`, { accept: 'text/html', ...HOST });
    return [answer.headers['set-cookie']].flat().map((text) => String(text).split(';')[0]!);
  };
  const invited = await came(`i=${meetingKey(service.ctx, 'invitation', { id })}`);
  expect(invited).toHaveLength(1);
  await tellsReader(held, { cookie: invited.join('; ') });
  // The card itself is not sent along.
  const ofCard = (await came(`t=${codes[0]}`)).filter((text) => !text.startsWith('house_card'));
  expect(ofCard.toSorted()).toEqual([`house_room=1`, ...invited].toSorted());
  await tellsReader(held, { cookie: ofCard.join('; ') });
  await tellsReader(held, { ...(await session(one, 'Fay')), ...HOST });
  await tellsReader(held, { host: 'localhost' });
  // A script has its code in the address.
  const json = (await service.get(`/m/${id}?t=${codes[1]}`, HOST)).json();
  expect([json.items.length > 3, json.code.valid]).toEqual([true, true]);
  expect((await service.get(`/p/${held.paper}?t=${codes[1]}`, HOST)).json().questions.length).toBeGreaterThan(
    1,
  );
});

it('cards that are renewed are cards, and those that ended are none; a ballot is cast all the same', async () => {
  await using held = await prepare();
  const { one } = held;
  const { service, id, base, codes } = one;
  const mayRead = async (code: string) => 'items' in (await service.get(`/m/${id}?t=${code}`, HOST)).json();
  const motion = await one.add({ kind: 'motion', title: 'Open doors' });
  await one.act(motion.id, 'open');
  const cast = { token: codes[0], answers: { [motion.election_id]: { choice: 'yes' } } };
  expect((await service.post(`/p/${held.paper}/vote`, cast, HOST)).statusCode).toBe(200);
  expect(
    (await service.post(`/e/${motion.election_id}/vote`, { token: 'x', choice: 'yes' }, HOST)).json().error,
  ).toBe('Invalid token');
  await one.act(motion.id, 'close');
  await service.post(`${base}/packs/renew`, { confirm: true });
  const { packs } = (await service.post(`${base}/packs`, { class: 'Members', packs: 1 })).json();
  await service.post(`${base}/packs/${packs[0].id}/open`);
  expect([await mayRead(codes[0]!), await mayRead(packs[0].cards[0].code)]).toEqual([false, true]);
});

it('the wall opens by the link of the chair’s page and on the screens that show it', async () => {
  await using held = await prepare();
  const { service, id, base } = held.one;
  const wall = `/m/${id}/wall`;
  const status = async (url: string) => (await service.get(url, { accept: 'text/html', ...HOST })).statusCode;
  const keyed = keyedWallPath(service.ctx, { id }, wall);
  expect((await service.get(`${base}/chair`, { accept: 'text/html' })).body).toContain(`href="${keyed}"`);
  expect([await status(wall), await status(`${wall}?k=x`), await status(keyed)]).toEqual([403, 403, 200]);
  // It opens nothing else.
  expect(await status(`/m/${id}/motions?k=${keyed.split('=')[1]}`)).toBe(403);
  await service.post(`${base}/screens`, { screens: [] });
  expect(await status(wall)).toBe(200);
  await service.post(`${base}/screens/end`);
  expect(await status(wall)).toBe(403);
});

it('a switch of the setting takes effect at once: on pages, for those who follow, and in the event of the calendar', async () => {
  await using held = await prepare();
  const { one } = held;
  const { service, id, base } = one;
  const { event_id } = (await service.post(`${base}/event`)).json();
  const event = async () =>
    (await service.get(`/events/${event_id}`, { accept: 'text/html' })).body.includes('Treasurer');
  const items = async () => (await service.get(`/m/${id}`, HOST)).json().items?.length ?? 0;
  expect([await items(), await event()]).toEqual([0, false]);
  await send(service, 'PATCH', base, { public: true });
  expect([(await items()) > 0, await event()]).toEqual([true, true]);
  const origin = await listen(service);
  const stream = await openStream(origin, HOST, '', `/m/${id}/stream`);
  await send(service, 'PATCH', base, { public: false });
  expect([await items(), await event()]).toEqual([0, false]);
  // Whoever follows has to ask again.
  await stream.ended;
  expect((await service.get(`/m/${id}/stream`, HOST)).statusCode).toBe(401);
  // Also once it is over, when nothing else of it can be changed.
  await held.end();
  expect((await send(service, 'PATCH', base, { public: true })).statusCode).toBe(200);
  expect(await items()).toBeGreaterThan(0);
});

it('the form for a new meeting proposes the members alone; a request that does not say so makes a public one', async () => {
  await using held = await prepare();
  const { service } = held.one;
  const form = (await service.get('/admin/meetings/new', { accept: 'text/html' })).body;
  expect(
    /<input[^>]*name="public"[^>]*type="checkbox"[^>]*>|<input[^>]*type="checkbox"[^>]*name="public"[^>]*>/.exec(
      form,
    )?.[0],
  ).not.toContain('checked');
  const { id } = (
    await service.post('/admin/meetings', { title: 'Open', held_at: '2026-12-05T19:00' })
  ).json();
  expect((await service.get(`/m/${id}`, HOST)).json().meeting.public).toBe(true);
});
