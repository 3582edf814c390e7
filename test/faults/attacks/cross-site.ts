// Requests that another site can make the browser of an officer or a voter send.
import { type Attack, count, type Outcome, statuses, unless } from './attack.ts';
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

/** Opens the controls socket from another site, which must be refused. */
async function listenFromElsewhere(target: Target): Promise<Outcome> {
  const upgrade = {
    ...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
    'sec-websocket-key': Buffer.alloc(16, 1).toString('base64'),
  };
  const open = (headers: Record<string, string>) =>
    target.ask('/api/now-playing/controls', { headers: { ...upgrade, ...headers } });
  const foreign = await each(
    [EVIL, 'null', 'https://club.example.evil.example'],
    (origin) => open({ origin }),
    1,
  );
  const own = [await open({ origin: 'https://club.example' }), await open({})];
  return {
    saw: `foreign origins ${statuses(foreign)}; own and none ${statuses(own)}`,
    wrong: [
      ...unless(count(foreign, 101) === 0, 'a foreign origin got a socket'),
      ...unless(count(own, 101) === 2, 'the own pages get no socket'),
    ],
  };
}

export const foreignSocket: Attack[] = [['the controls socket from another site', listenFromElsewhere]];

export const crossSite: Attack[] = [
  ['changes that another site asks for', postFromElsewhere],
  ['methods in addresses', overrideMethod],
  ...foreignSocket,
];
