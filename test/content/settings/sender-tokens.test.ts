import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import { recorded } from '#test/support/audit.ts';
import { missingPermission, refusal } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { signedIn } from '#test/support/people/people.ts';
import { type TestApp, testApp } from '../../support/app.ts';

let service: TestApp;
let owner: Record<string, string>;

beforeEach(async () => {
  service = await testApp();
  owner = await appoint(service, 'olga@club.example', 'owner');
});
afterEach(() => service[Symbol.asyncDispose]());

const TOKENS = '/api/admin/settings/tokens';
const make = (sender: string, who = owner, on = service) => on.post(`${TOKENS}/${sender}`, {}, who);
const end = (sender: string, who = owner, on = service) =>
  on.request({
    method: 'DELETE',
    url: `${TOKENS}/${sender}`,
    headers: { accept: 'application/json', ...who },
  });
const LISTEN = {
  listen_type: 'playing_now',
  payload: [{ track_metadata: { artist_name: 'Toto', track_name: 'Africa' } }],
};
/** The status of a report with a token, or without one. */
const REPORT = {
  player: async (token?: string, on = service) =>
    (
      await on.post(
        '/api/listenbrainz/1/submit-listens',
        LISTEN,
        token === undefined ? {} : { authorization: `Token ${token}` },
      )
    ).statusCode,
  device: async (token?: string, on = service) =>
    (
      await on.post(
        '/api/now-playing/ingest',
        { heartbeat: true },
        token === undefined ? {} : { authorization: `Bearer ${token}` },
      )
    ).statusCode,
};
const SENDERS = ['player', 'device'] as const;

describe.each(SENDERS)('the token of the %s', (sender) => {
  const other = sender === 'player' ? 'device' : 'player';

  it('opens its routes alone, and closes both to requests without one', async () => {
    expect(await REPORT[sender]()).toBe(200);
    const answer = await make(sender);
    const { token } = answer.json();
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([200, ['token']]);
    expect(token).toMatch(/^[\w-]{32}$/);

    expect([await REPORT[sender](token), await REPORT[sender](), await REPORT[other]()]).toEqual([
      200, 401, 401,
    ]);
    expect(await REPORT[other](token)).toBe(403);
    const { tokens } = (await service.get('/api/admin/settings', owner)).json().settings;
    expect(tokens).toEqual({ player_set: sender === 'player', device_set: sender === 'device' });
  });

  it('ends when a new one is made, or by itself', async () => {
    const { token: first } = (await make(sender)).json();
    const { token: second } = (await make(sender)).json();
    expect([await REPORT[sender](first), await REPORT[sender](second)]).toEqual([401, 200]);
    expect((await end(sender)).json()).toEqual({ ended: true });
    expect(await REPORT[sender](second)).not.toBe(401);
    expect((await end(sender)).json()).toEqual({ ended: false });
    expect(recorded(service.ctx).filter(({ action }) => action.startsWith('sender_token.'))).toEqual([
      { action: 'sender_token.made', metadata: { sender, by: 'olga@club.example' } },
      { action: 'sender_token.made', metadata: { sender, by: 'olga@club.example' } },
      { action: 'sender_token.ended', metadata: { sender, by: 'olga@club.example' } },
    ]);
  });

  it('needs a fresh proof', async () => {
    const session = await signedIn(service, 'owner');
    expect((await make(sender, session)).statusCode).toBe(200);
    service.clock.now += 11 * MINUTE;
    for (const answer of [await make(sender, session), await end(sender, session)])
      expect([answer.statusCode, answer.json().sudo]).toEqual([403, true]);
  });

  it('is for those who may change the settings', async () => {
    const who = await appoint(service, 'mia@club.example', 'manager');
    const refused = [403, missingPermission('settings:write')];
    expect([refusal(await make(sender, who)), refusal(await end(sender, who))]).toEqual([refused, refused]);
  });

  it('is that of the environment while there is one', async () => {
    await using fixed = await testApp({ NOW_PLAYING_INGEST_TOKEN: 'the token of the environment' });
    const who = await appoint(fixed, 'olga@club.example', 'owner');
    for (const answer of [await make(sender, who, fixed), await end(sender, who, fixed)]) {
      expect(answer.statusCode).toBe(409);
      expect(answer.json().error).toContain('NOW_PLAYING_INGEST_TOKEN');
    }
    expect(await REPORT[sender]('the token of the environment', fixed)).toBe(200);
    const { body } = await fixed.get('/admin/settings/music', { accept: 'text/html', ...who });
    expect(body).not.toContain(`action="/admin/settings/tokens/${sender}"`);
    expect(body).not.toContain('the token of the environment');
  });

  it('is made by the page, which shows it once with a code to scan', async () => {
    const form = `action="/admin/settings/tokens/${sender}"`;
    const settings = async () =>
      (await service.get('/admin/settings/music', { accept: 'text/html', ...owner })).body;
    expect(await settings()).toContain(form);
    const page = await service.submit(`/admin/settings/tokens/${sender}`, {}, owner);
    const token = /id="token">([\w-]{32})</.exec(page.body)?.[1] ?? '';
    expect([page.statusCode, page.body.includes('QR code of the token')]).toEqual([200, true]);
    expect(page.headers['cache-control']).toContain('no-store');
    expect(await REPORT[sender](token)).toBe(200);
    expect(await settings()).not.toContain(token);

    const ended = await service.submit(`/admin/settings/tokens/${sender}/end`, {}, owner);
    expect(ended.headers.location).toBe('/admin/settings/music?done=token_ended');
    expect(await REPORT[sender]()).toBe(200);
  });
});

it('a player is given the address of the service', async () => {
  await service.request({
    method: 'PUT',
    url: '/api/admin/settings',
    payload: { base_url: 'https://club.example' },
    headers: { accept: 'application/json', ...owner },
  });
  const address = 'https://club.example/api/listenbrainz';
  const { body } = await service.get('/admin/settings/music', { accept: 'text/html', ...owner });
  expect(body).toContain(address);
  const page = await service.submit('/admin/settings/tokens/player', {}, owner);
  expect(page.body).toContain(address);
  expect(page.body).toContain('QR code of the address');
});
