// Requests that another site can make the browser of an officer or a voter send.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { type Attack, type Outcome, statuses, unless } from './attack.ts';
import { each } from './request.ts';
import { fill } from './routes.ts';
import { BY_KEY, BY_TOKEN } from './seed.ts';
import type { Target } from './target.ts';

const EVIL = 'https://evil.example';
const SIGNED_IN = { ...BY_KEY, ...BY_TOKEN };

const SITES: Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site', origin: EVIL },
  { 'sec-fetch-site': 'same-site', origin: 'https://other.club.example' },
  { 'sec-fetch-site': 'cross-site', origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'cross-site', origin: 'https://club.example' },
  { origin: EVIL },
  { origin: 'https://club.example.evil.example' },
  { origin: 'https://club.example:8443' },
];
const BODIES: [type: string, body: string][] = [
  ['application/json', '{"title":"Forged"}'],
  ['application/x-www-form-urlencoded', 'title=Forged&confirm=A+piano'],
  ['text/plain', '{"title":"Forged"}'],
];

/** Requests every route that changes something, with all headers that mark another site. */
async function postFromElsewhere(target: Target): Promise<Outcome> {
  const { routes, election } = target.seed;
  const changed = target.watch();
  const requests = routes
    .filter(({ method }) => method !== 'GET')
    .flatMap((route) =>
      SITES.flatMap((site) => BODIES.map(([type, body]) => ({ ...route, site, type, body }))),
    );
  const answers = await each(requests, ({ method, path, site, type, body }) =>
    target.ask(fill(path, election), {
      method,
      body,
      headers: { ...SIGNED_IN, ...site, 'content-type': type },
    }),
  );
  return {
    saw: `${answers.length} requests: ${statuses(answers)}`,
    wrong: [
      ...requests.flatMap(({ method, path, site }, at) =>
        unless(
          answers[at]!.status === 403,
          `${method} ${path} with ${JSON.stringify(site)} answered ${answers[at]!.status}`,
        ),
      ),
      ...changed(),
    ],
  };
}

/** Tries `_method` in addresses: it works only for forms, and never bypasses the guards. */
async function overrideMethod(target: Target): Promise<Outcome> {
  const { election } = target.seed;
  const changed = target.watch();
  const path = `/admin/elections/${election}`;
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = 'confirm=A+piano';
  const ask = (address: string, method: string, headers: Record<string, string>, text = body) =>
    target.ask(address, { method, headers, body: text });
  const answers = [
    await ask(`${path}?_method=DELETE`, 'POST', form),
    await ask(`${path}?_method=DELETE`, 'POST', { ...form, ...SIGNED_IN, origin: EVIL }),
    await ask(`${path}?_method=DELETE`, 'POST', { ...form, ...SIGNED_IN, 'sec-fetch-site': 'cross-site' }),
    await ask(`${path}?_method=DELETE`, 'POST', { 'content-type': 'application/json', ...SIGNED_IN }, '{}'),
    await ask(`${path}?_method=DELETE`, 'POST', { 'content-type': 'text/plain', ...SIGNED_IN }),
    await ask(path, 'POST', { ...form, ...SIGNED_IN, 'x-http-method-override': 'DELETE' }),
    await target.ask(`${path}?_method=DELETE`, { method: 'HEAD', headers: SIGNED_IN }),
    await ask(`${path}?_method=GET`, 'POST', form),
    await ask(`${path}?_method=delete`, 'POST', { ...form, ...SIGNED_IN }),
  ];
  return { saw: statuses(answers), wrong: changed() };
}

/** Opens the controls socket from another site, and sends commands with the keys of the staff: it only sends. */
async function commandFromElsewhere(target: Target): Promise<Outcome> {
  const changed = target.watch();
  const sites = [EVIL, 'null', 'https://club.example.evil.example'];
  const open = await each(sites, async (origin) => {
    const address = `${target.url.replace('http', 'ws')}/api/now-playing/controls`;
    const headers = { ...SIGNED_IN, host: 'club.example' };
    const socket = new WebSocket(address, { origin, headers });
    const closed = new Promise((done) => socket.on('close', done));
    socket.on('error', () => undefined);
    const isOpen = await Promise.race([once(socket, 'open').then(() => true), closed.then(() => false)]);
    if (!isOpen) return false;
    for (const command of [{ barRightDisplay: false }, { mode: 'off' }, { action: 'blackout' }])
      socket.send(JSON.stringify(command));
    socket.close();
    await closed;
    return true;
  });
  return {
    saw: `${open.filter(Boolean).length} of ${sites.length} foreign origins listen; 9 commands changed nothing`,
    wrong: [...unless(open.every(Boolean), 'a page elsewhere cannot listen'), ...changed()],
  };
}

export const foreignSocket: Attack[] = [
  ['commands to the controls socket from another site', commandFromElsewhere],
];

export const crossSite: Attack[] = [
  ['changes that another site asks for', postFromElsewhere],
  ['methods in addresses', overrideMethod],
  ...foreignSocket,
];
