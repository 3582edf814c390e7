import { describe, expect, it } from 'vitest';
import { listPeopleOf } from '#kernel/access/person-roles.ts';
import { SESSION_COOKIE } from '#kernel/access/sessions.ts';
import { HOUR, isoTime, MINUTE, SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { startScoreboard } from '#test/stand-ins/scoreboard-server.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { atField, message, onPage } from '#test/support/messages.ts';
import { appoint, heard, phone } from '#test/support/people/patrons.ts';
import { addSession } from '#test/support/people/people.ts';
import { shared } from '#test/support/shared-app.ts';

const TOKEN = 'a long token of the pub';
const STAFF = { 'x-admin-token': TOKEN };
const EVERYTHING = {
  PUB_ADMIN_TOKEN: TOKEN,
  SETLIST_REQUESTS_ENABLED: 'on',
  NOW_SHOWING_ENABLED: 'on',
  SCREENINGS_ENABLED: 'on',
};

const room = async (service: TestApp, headers: Record<string, string> = STAFF) =>
  (await service.get('/api/admin/pub', headers)).json();
/** The pages of the room, one after the other. */
const page = async (service: TestApp, headers: Record<string, string> = STAFF) => {
  const bodies = [];
  for (const path of ['/admin/pub', '/admin/pub/room', '/admin/pub/heard'])
    bodies.push((await service.get(path, { accept: 'text/html', ...headers })).body);
  return bodies.join('\n');
};
const press = (service: TestApp, path: string, fields: Record<string, string>, headers = STAFF) =>
  service.submit(`/admin/pub${path}`, fields, headers);
const beat = (service: TestApp, extras: object = {}) =>
  service.post('/api/now-playing/ingest', { heartbeat: true, ...extras });
/** Changes settings of the club. */
async function decide(service: TestApp, settings: object) {
  const headers = await appoint(service, 'olga@club.example', 'owner');
  await service.request({ method: 'PUT', url: '/api/admin/settings', payload: settings, headers });
}
const text = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([.,:])/g, '$1');

describe('the overview of the room', () => {
  it('shows what is playing, what is showing, and the state of the device and the screens', async () => {
    await using scores = await startScoreboard();
    await using service = await testApp({ ...EVERYTHING, SPORTS_API_URL: scores.url });
    await heard(service, { artist: 'Toto', title: 'Africa' });
    await beat(service, { device: { id: 'capture-1', version: '2.1', uptime_s: 60 }, quiet_active: true });
    await service.post('/api/screens/heartbeat', {
      screen: 'snug',
      page: 'tv',
      version: 'old',
      uptime_s: 10,
      viewport: '1920x1080',
    });
    expect(await room(service)).toMatchObject({
      now: isoTime(service.clock.now),
      track: { title: 'Africa', kind: 'music' },
      card: { showing: false },
      override: { mode: 'automatic' },
      device: { online: true, quietActive: true, id: 'capture-1', lastSeenAt: isoTime(service.clock.now) },
      screens: [{ screen: 'snug', online: true, current: false }],
      controls: { barRightDisplay: true },
      lighting: { desired: null, applied: null },
      requests: { open: true, items: [] },
      screenings: [],
    });
    const shown = text(await page(service));
    expect(shown).toContain('All is well: the capture device reports, one screen is on.');
    expect(shown).toContain('Africa Toto Playing since noon');
    expect(shown).toContain('Quiet hours limit the sound.');
  });

  it('begins with what is needed tonight, each line with a link to its section', async () => {
    await using service = await testApp({ ...EVERYTHING, FEEDBACK_ENABLED: 'on' });
    const eve = await editorAt(service);
    const ada = await eve.publish('tender', { full_name: 'Ada Lovelace' });
    const saturday = [{ opens: '11:00', closes: '00:00', tenders: [ada] }];
    await eve.publish('hours', { from: '2026-11-01', week: { sat: saturday } });
    await phone(service).post('/api/setlist/request', { artist: 'Toto', title: 'Africa' });
    await phone(service).post('/api/feedback', { message: 'More dark beer' });
    await press(service, '/showing', { mode: 'movie', label: 'The Third Man' });
    const tess = await appoint(service, 'tess@club.example', 'tender');
    await press(service, '/takeover', { kind: 'voting' }, tess as typeof STAFF);

    expect(await room(service, tess)).toMatchObject({
      bar: { opening: 'Open until midnight', open: true, tenders: 'Ada' },
      feedback: { new: 1 },
    });
    const html = await page(service, tess);
    expect(text(html)).toMatch(
      /Tonight Open until midnight Ada behind the bar Song requests 1 to decide Messages 1 new Screens show The Third Man Notice [^,]+, until /,
    );
    for (const href of ['#requests', '/admin/feedback', '/admin/pub/room#screen', '#takeover'])
      expect(html).toContain(`<li><a href="${href}"><span class="tonight-what">`);
    expect(html).toContain('id="requests"');
  });

  it('says in words what the screens show, what was chosen, and until when', async () => {
    await using service = await testApp(EVERYTHING);
    expect(text(await page(service))).toContain('The screens show no film or game.');
    await press(service, '/showing', { mode: 'movie', label: 'The Third Man' });
    const film = text(await page(service));
    expect(film).toContain('The screens show The Third Man.');
    expect(film).toContain(', until closing, 5:00 AM at the latest.');
    await press(service, '/showing', { mode: 'off' });
    expect(text(await page(service))).toContain('Off, chosen');
    await press(service, '/lights', { action: 'blackout' });
    const { lighting } = await room(service);
    await beat(service, { applied_intent: { set_at: lighting.desiredSetAt, ok: true } });
    expect(text(await page(service))).toContain('Lights: blackout.');
  });

  it('shows the name of the person who chose, also of a signed-in one, as does the page of roles', async () => {
    await using service = await testApp(EVERYTHING);
    await appoint(service, 'tess@club.example', 'tender');
    await appoint(service, 'olga@club.example', 'owner');
    const [tess, olga] = ['tess', 'olga'].map(
      (name) => listPeopleOf(service.ctx.db, `${name}@club.example`)[0]!.id,
    ) as [string, string];
    await service.ctx.write((tx) => {
      const rename = (id: string, name: string) =>
        tx.run(build.updateTable('persons').set({ name }).where('id', '=', id));
      rename(tess, 'Tess Tap');
      rename(olga, 'Olga Owner');
      tx.run(build.updateTable('person_roles').set({ granted_by: `person:${olga}` }));
    });
    const token = await addSession(service, tess);
    const session = { cookie: `${SESSION_COOKIE}=${token}`, 'sec-fetch-site': 'same-origin' };
    const chosen = await service.submit('/admin/pub/showing', { mode: 'off' }, session);
    expect(chosen.statusCode).toBe(303);

    expect(text(await page(service))).toContain('Off, by Tess Tap, until closing');
    expect(await page(service)).not.toContain('person:');
    const roles = (await service.get('/admin/pub/roles', { accept: 'text/html', ...STAFF })).body;
    expect(roles).toMatch(/Given [^<]* by Olga Owner/);
    expect(roles).not.toContain('person:');
  });

  it('lists what needs attention as time passes', async () => {
    await using service = await testApp(EVERYTHING);
    // Without a known device none is reported as missing.
    expect(text(await page(service))).not.toContain('The listener');
    await decide(service, { parts: { music: true } });
    expect(text(await page(service))).toContain('The capture device has never reported');
    await beat(service, { qsys_down: true });
    await service.post('/api/screens/heartbeat', {
      screen: 'tv',
      page: 'tv',
      version: 'x',
      uptime_s: 10,
      viewport: '1x1',
      offlineSince: isoTime(service.clock.now - MINUTE),
    });
    expect(text(await page(service))).toContain('The sound system does not answer.');
    expect(text(await page(service))).toContain('Main TV shows stored content');
    service.clock.now += 6 * MINUTE;
    const later = text(await page(service));
    expect(later).toContain('The capture device last reported 6 min ago');
    expect(later).toContain('Main TV was last seen 6 min ago');
    // A screen that was removed yesterday is not reported tonight.
    service.clock.now += 24 * HOUR;
    expect(text(await page(service))).not.toContain('Main TV was last seen');
  });

  it('says beside the film what covers it on the projector', async () => {
    await using service = await testApp(EVERYTHING);
    const note = 'Lyrics are on for the projector: it shows them in front while a song with lyrics plays.';
    expect(text(await page(service))).not.toContain('in front');

    await service.post('/api/admin/now-playing/controls', { projectorLyrics: true }, STAFF);
    expect(text(await page(service))).toContain(`${note} Turn them off under Displays. Show the film`);
    await press(service, '/showing', { mode: 'movie', label: 'Heat' });
    expect(text(await page(service)).split(note)).toHaveLength(4);

    await service.post('/api/admin/now-playing/controls', { projectorLyrics: false }, STAFF);
    const tender = await appoint(service, 'tender@club.example', 'tender');
    await service.post('/api/admin/takeover', { kind: 'last_orders', minutes: 10 }, tender);
    expect(text(await page(service, tender))).toContain(
      'A notice fills the projector until 12:10 PM. Show the film',
    );
  });

  it('shows the requested lighting beside the current one, then its success or its error', async () => {
    await using service = await testApp(EVERYTHING);
    await beat(service);
    expect(text(await page(service))).toContain('Nobody has asked for anything yet');
    expect((await press(service, '/lights', { action: 'scene', name: 'Quiz night' })).statusCode).toBe(303);
    service.clock.now += 3 * SECOND;
    const taken = text(await page(service));
    expect(taken).toContain(
      'Lights: as the device left them. Asked 3 s ago: Quiz night. Waiting for the device.',
    );

    const { lighting } = await room(service);
    await beat(service, { applied_intent: { set_at: lighting.desiredSetAt, ok: true } });
    service.clock.now += MINUTE;
    expect((await room(service)).lighting).toEqual({
      desired: null,
      desiredSetAt: null,
      error: null,
      applied: { action: 'scene', name: 'Quiz night' },
      appliedAt: isoTime(service.clock.now - MINUTE),
    });
    expect(text(await page(service))).toContain('Lights: Quiz night. Taken up 60 s ago.');
    // A scene that was asked for by name has a button from then on.
    expect(await page(service)).toMatch(
      /<button class="button button-quiet control control-on"[^>]*value="Quiz night"/,
    );

    await press(service, '/lights', { action: 'brightness', 'params.level': '50' });
    const asked = (await room(service)).lighting;
    expect(asked.desired).toEqual({ action: 'brightness', params: { level: 50 } });
    await beat(service, { applied_intent: { set_at: asked.desiredSetAt, ok: false, error: 'No dimmer' } });
    expect(text(await page(service))).toContain('brightness 50%. It could not be done: No dimmer');
    service.clock.now += 5 * MINUTE;
    expect(text(await page(service))).toContain('Lights, when last heard: Quiz night.');
    await press(service, '/lights', { action: 'stop' });
    expect(text(await page(service))).toContain('it is done if it comes back within ten minutes');
  });
});

describe('each form of the page', () => {
  it('does what the API does, and redirects to its section', async () => {
    await using service = await testApp(EVERYTHING);
    const asked = await phone(service).post('/api/setlist/request', { artist: 'Toto', title: 'Africa' });
    const { id } = asked.json().request;
    const [play, other] = await heard(
      service,
      { artist: 'Rude', title: 'Word' },
      { artist: 'Totto', title: 'Afrika' },
    );
    const forms: [string, Record<string, string>, string, string][] = [
      ['/lights', { action: 'color', 'params.kelvin': '2700' }, '/room', 'lights'],
      ['/lights', { action: 'strobe', 'params.hz': '2', 'params.durationMs': '5000' }, '/room', 'lights'],
      ['/sound', { mode: 'dj' }, '/room', 'sound'],
      ['/displays', { projectorLyrics: 'on' }, '/room', 'displays'],
      ['/showing', { mode: 'movie', label: 'The Third Man' }, '/room', 'screen'],
      [`/requests/${id}`, { status: 'declined', reason: 'Too long' }, '', 'requests'],
      [`/plays/${play}`, { hidden: 'on' }, '/heard', 'setlist'],
      [`/plays/${other}`, { artist: 'Toto', title: 'Africa' }, '/heard', 'setlist'],
    ];
    for (const [path, fields, at, part] of forms) {
      const answer = await press(service, path, fields);
      expect([path, answer.statusCode, answer.headers.location]).toEqual([
        path,
        303,
        `/admin/pub${at}?done=${part}#${part}`,
      ]);
    }
    expect(await room(service)).toMatchObject({
      lighting: { desired: { action: 'strobe', params: { hz: 2, durationMs: 5_000 } } },
      sound: { desired: { mode: 'dj' } },
      controls: { projectorLyrics: true },
      override: { mode: 'movie', label: 'The Third Man' },
      card: { showing: true, title: 'The Third Man' },
      requests: { items: [{ status: 'declined', reason: 'Too long' }] },
      plays: [
        { title: 'Africa', hidden: false },
        { title: 'Word', hidden: true },
      ],
      screenings: [{ title: 'The Third Man', state: 'open' }],
    });
    expect(text(await page(service))).toContain('Word Rude, hidden');

    const [film] = (await room(service)).screenings;
    await press(service, `/films/${film.id}/close`, {});
    await press(service, `/films/${film.id}/revert`, {});
    expect((await room(service)).screenings).toMatchObject([
      { state: 'closed', revertedAt: expect.any(String) },
    ]);
    const { logs } = (await service.get('/api/admin/audit', STAFF)).json();
    expect(new Set(logs.map((entry: { action: string }) => entry.action))).toEqual(
      new Set([
        'lighting.requested',
        'sound.requested',
        'controls.changed',
        'now_showing.set',
        'request.moderated',
        'play.hidden',
        'play.corrected',
        'screening.closed',
        'screening.reverted',
      ]),
    );
  });

  it('shows on the page why it was refused', async () => {
    await using service = await testApp(EVERYTHING);
    const cases: [string, Record<string, string>, number, string][] = [
      [
        '/lights',
        { action: 'brightness', 'params.level': '400' },
        400,
        atField('number_out_of_range', { min: 0, max: 100 }),
      ],
      ['/lights', { action: 'explode' }, 400, message('not_lighting_action')],
      ['/lights', { action: 'scene' }, 400, 'name'],
      ['/sound', { mode: 'loud' }, 400, 'mode'],
      ['/showing', { mode: 'game', gameId: 'x' }, 400, 'The game:'],
      ['/requests/nothing', { status: 'played' }, 404, 'not there any more'],
      ['/plays/nothing', { hidden: 'on' }, 400, message('not_whole_number')],
      ['/films/nothing/close', {}, 404, 'not there any more'],
    ];
    for (const [path, fields, status, words] of cases) {
      const answer = await press(service, path, fields);
      expect([path, answer.statusCode]).toEqual([path, status]);
      expect(text(answer.body)).toContain('Nothing was changed');
      expect(text(answer.body).toLowerCase()).toContain(words.toLowerCase());
    }
  });
});

describe('each person', () => {
  const CONTROLS: Record<string, RegExp> = {
    lights: /action="\/admin\/pub\/lights"/,
    strobe: /id="strobe"/,
    sound: /action="\/admin\/pub\/sound"/,
    displays: /action="\/admin\/pub\/displays"/,
    showing: /action="\/admin\/pub\/showing"/,
    requests: /action="\/admin\/pub\/requests\//,
    setlist: /action="\/admin\/pub\/plays\//,
    films: /action="\/admin\/pub\/films\//,
    feedback: /href="\/admin\/feedback"/,
  };
  const SHOWN: [role: string, shown: string[]][] = [
    ['owner', Object.keys(CONTROLS)],
    ['manager', Object.keys(CONTROLS)],
    ['dj', ['lights', 'strobe', 'sound', 'displays', 'requests', 'setlist']],
    ['tender', ['lights', 'strobe', 'sound', 'displays', 'showing', 'requests', 'setlist', 'feedback']],
    ['events', ['showing', 'films']],
    ['viewer', ['feedback']],
  ];
  const serviceOf = shared(async () => {
    const service = await testApp(EVERYTHING);
    await beat(service);
    await phone(service).post('/api/setlist/request', { artist: 'Toto', title: 'Africa', note: 'for Bea' });
    await press(service, '/showing', { mode: 'movie' });
    await heard(service, { artist: 'Queen', title: 'SOS' });
    return service;
  });
  it.each(SHOWN)('with the role %s is shown only what that role may do', async (role, shown) => {
    const service = await serviceOf();
    const who = await appoint(service, `${role}@club.example`, role);
    const html = await page(service, who);
    expect(Object.keys(CONTROLS).filter((name) => CONTROLS[name]?.test(html))).toEqual(shown);
    expect(html.includes('for Bea')).toBe(shown.includes('requests'));
    expect((await room(service, who)).requests === null).toBe(!shown.includes('requests'));

    const forms = { '/lights': 'lights', '/sound': 'sound', '/displays': 'displays', '/showing': 'showing' };
    for (const [path, name] of Object.entries(forms)) {
      const { statusCode, body } = await press(service, path, {}, who as typeof STAFF);
      // An empty form is refused for its missing fields, after the permission check.
      expect([path, statusCode === 403]).toEqual([path, !shown.includes(name)]);
      // Without the permission the page is not shown.
      if (statusCode === 403) expect(body).not.toContain('Nothing was changed');
    }
  });

  it('without a role is told why the page is refused', async () => {
    await using service = await testApp(EVERYTHING);
    const eve = { 'edge-access-authenticated-user-email': 'eve@club.example' };
    const answer = await service.get('/admin/pub', { accept: 'text/html', ...eve });
    expect(answer.statusCode).toBe(403);
    expect(text(answer.body)).toContain(onPage('role_required'));
    expect(answer.body).not.toContain('/admin/elections');
  });
});

describe('notices that fill the screens', () => {
  it('are started in a disclosure and ended beside their text, without script', async () => {
    await using service = await testApp(EVERYTHING);
    await service.post('/api/screens/heartbeat', {
      screen: 'snug',
      page: 'tv',
      version: 'old',
      uptime_s: 10,
      viewport: '1920x1080',
    });
    const tess = await appoint(service, 'tess@club.example', 'tender');
    const asTess = tess as typeof STAFF;
    expect((await room(service, tess)).takeovers).toEqual([]);
    const before = text(await page(service, tess));
    expect(before).toContain('The screens show no notice. It does not replace an alarm.');

    const done = await press(service, '/takeover', { kind: 'last_orders' }, asTess);
    expect([done.statusCode, done.headers.location]).toEqual([303, '/admin/pub?done=takeover#takeover']);
    const own = { kind: 'own', title: 'Cake', text: '', minutes: '5', screens: 'snug' };
    await press(service, '/takeover', own, asTess);
    expect((await room(service, tess)).takeovers).toMatchObject([
      { title: 'Cake', text: '', screens: ['snug'], expiresAt: isoTime(service.clock.now + 5 * MINUTE) },
      { title: 'Last orders', screens: [] },
    ]);
    const shown = text(await page(service, tess));
    expect(shown).toContain('Cake On snug, until 12:05 PM End: Cake');
    expect(shown).toContain('Last orders On all screens, until 12:20 PM End: Last orders');

    const [{ id }] = (await room(service, tess)).takeovers;
    expect((await press(service, `/takeover/${id}/end`, {}, asTess)).statusCode).toBe(303);
    await press(service, '/takeover', { ...own, screens: '', minutes: '' }, asTess);
    expect((await room(service, tess)).takeovers).toMatchObject([
      { title: 'Cake', screens: [], expiresAt: isoTime(service.clock.now + 15 * MINUTE) },
      { title: 'Last orders' },
    ]);
    const refused = await press(service, '/takeover', { ...own, minutes: '1441' }, asTess);
    expect([refused.statusCode, text(refused.body)]).toEqual([
      400,
      expect.stringContaining(`The minutes: ${message('out_of_range', { min: 1, max: 1_440 })}`),
    ]);
  });

  it('are not shown to users who may not start one', async () => {
    await using service = await testApp(EVERYTHING);
    const vera = await appoint(service, 'vera@club.example', 'viewer');
    expect((await room(service, vera)).takeovers).toBeNull();
    expect(await page(service, vera)).not.toContain('takeover');
    expect((await press(service, '/takeover', { kind: 'leave' }, vera as typeof STAFF)).statusCode).toBe(403);
  });
});

describe('a feature that is switched off', () => {
  it('has no section on the page', async () => {
    await using service = await testApp({ PUB_ADMIN_TOKEN: TOKEN });
    const html = await page(service);
    for (const id of ['requests', 'screen', 'films']) expect(html).not.toContain(`id="${id}"`);
    expect(await room(service)).toMatchObject({ card: null, override: null, games: null, requests: null });
  });
});
