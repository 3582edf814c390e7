// Sends forged headers, Host names and keys to every route of officers and staff.
import { type Attack, count, type Outcome, statuses, unless } from './attack.ts';
import { type Answer, ask, each, freshAddress } from './request.ts';
import { fill, isGuarded } from './routes.ts';
import { BY_KEY, BY_TOKEN, OWNER } from './seed.ts';
import type { Target } from './target.ts';

type Headers = Record<string, string | string[]>;
type Forgery = [what: string, headers: Headers];

const JWT = 'edge-access-jwt-assertion';
const EMAIL = 'edge-access-authenticated-user-email';
const part = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url');
const UNSIGNED = `${part({ alg: 'none' })}.${part({ email: OWNER, exp: 9_999_999_999 })}.`;
const FROM_HERE = {
  'edge-connecting-ip': '127.0.0.1',
  'x-forwarded-for': '127.0.0.1',
  'x-real-ip': '127.0.0.1',
};

const EDGE_HEADERS: Forgery[] = [
  ['an edge token x', { [JWT]: 'x' }],
  ['an unsigned edge token of an owner', { [JWT]: UNSIGNED }],
  ['two edge tokens', { [JWT]: ['x', 'y'] }],
  ['the e-mail header of an owner', { [EMAIL]: OWNER }],
  ['both edge headers and the addresses of this machine', { [JWT]: 'x', [EMAIL]: OWNER, ...FROM_HERE }],
  ['an edge header under Host localhost', { [JWT]: 'x', [EMAIL]: OWNER, host: 'localhost' }],
];

const LOCAL_HOSTS: Forgery[] = ['localhost', 'localhost:3000', '127.0.0.1', '[::1]', 'evil.dev'].map(
  (host) => [`Host ${host}`, { host }],
);
const FOREIGN_HOSTS: Forgery[] = ['evil.dev', 'localhost.evil.dev'].map((host) => [`Host ${host}`, { host }]);

const FORWARDED: Forgery[] = [
  ['X-Forwarded-For', { host: 'localhost', 'x-forwarded-for': '127.0.0.1' }],
  ['Forwarded', { host: 'localhost', forwarded: 'for=127.0.0.1;host=localhost' }],
  ['X-Real-IP', { host: 'localhost', 'x-real-ip': '127.0.0.1' }],
  ['Via', { host: 'localhost', via: '1.1 localhost' }],
  ['X-Forwarded-Host', { 'x-forwarded-host': 'localhost', 'x-forwarded-server': 'localhost' }],
];

const NO_KEYS: Forgery[] = [
  ['a browser without anything', { accept: 'text/html' }],
  ['an empty key', { authorization: 'Bearer ', 'x-admin-token': '' }],
  ['the word undefined', { authorization: 'Bearer undefined', 'x-admin-token': 'undefined' }],
  [
    'a key cut short',
    { authorization: BY_KEY.authorization.slice(0, -1), 'x-admin-token': BY_TOKEN['x-admin-token'].slice(1) },
  ],
  ['a made-up session', { cookie: `publichouse=${'a'.repeat(43)}; __Host-publichouse=${'a'.repeat(43)}` }],
];

/** All fields that guarded routes accept, so that a request that passes the guard changes something. */
const BODY = {
  title: 'Forged',
  ballot_type: 'SIMPLE_TRIPLE',
  open_at: '2026-01-01T00:00:00Z',
  close_at: '2036-01-01T00:00:00Z',
  settings: { quorum: 1 },
  attachment_url: null,
  count: 3,
  batch_name: null,
  name: 'Forged',
  label: 'Forged',
  emails: ['evil@evil.example'],
  to: 'evil@evil.example',
  email: 'evil@evil.example',
  roles: ['owner'],
  calendar_id: 'programs',
  enabled: false,
  barRightDisplay: false,
  mode: 'off',
  action: 'blackout',
  artist: 'Evil',
  lrc: '[00:01]evil',
};

/** Requests every guarded route with each of these headers: all must be refused, and nothing may change. */
async function sendEverywhere(target: Target, forgeries: Forgery[], origin = target.url): Promise<Outcome> {
  const { election, routes } = target.seed;
  const changed = target.watch();
  const requests = routes
    .filter(isGuarded)
    .flatMap((route) => forgeries.map((forgery) => ({ route, forgery })));
  const answers = await each(requests, ({ route: { method, path }, forgery: [, headers] }) =>
    ask(origin, fill(path, election), { method, headers, ...(method !== 'GET' && { body: BODY }) }),
  );
  const wrong = requests.flatMap(({ route, forgery: [what] }, at) =>
    unless(isRefusal(answers[at]!), `${what}: ${route.method} ${route.path} answered ${answers[at]!.status}`),
  );
  return {
    saw: `${forgeries.length} forgeries on ${routes.filter(isGuarded).length} routes: ${statuses(answers)}`,
    wrong: [...wrong, ...changed()],
  };
}

function isRefusal({ status, headers }: Answer): boolean {
  return [401, 403].includes(status) || (status === 303 && (headers.location ?? '').startsWith('/sign-in'));
}

const sending = (forgeries: Forgery[]) => (target: Target) => sendEverywhere(target, forgeries);

/** Requests guarded paths in other spellings. */
async function respellPaths(target: Target): Promise<Outcome> {
  const spellings = String.raw`
    //admin/elections /./admin/elections /x/../admin/elections /ADMIN/elections /admin/elections/ /%61dmin/elections
    /admin%2felections /admin/elections;x /admin/elections%00 /admin\elections /admin/elections?x=/public
    /e/../admin/elections http://localhost/admin/elections /metrics/ //metrics /api//admin/roles /api/admin/roles/
    /api/Admin/roles /api/%61dmin/roles /tv/../api/admin/roles`
    .trim()
    .split(/\s+/);
  const answers = await each(spellings, (path) => target.ask(path));
  const wrong = spellings.filter((_, at) => answers[at]!.status < 300 || answers[at]!.status >= 500);
  return { saw: statuses(answers), wrong: wrong.map((path) => `${path} was answered`) };
}

/** Sends requests directly to the port of the service, as somebody in its network can. */
const sendPastTheProxy = (target: Target) =>
  sendEverywhere(target, [...EDGE_HEADERS, ...FORWARDED], target.service.url);

/** Sends many wrong keys from one address, with forged client addresses: they must get 429 and be audited. */
async function guessKeys(target: Target): Promise<Outcome> {
  const guess = (at: number): Headers => ({
    authorization: `Bearer guess-${at}`,
    'x-admin-token': `guess-${at}`,
    'x-forwarded-for': freshAddress(),
    'edge-connecting-ip': freshAddress(),
  });
  const guesses = (path: string) => {
    const from = freshAddress();
    return each(Array.from({ length: 150 }), (_, at) => target.ask(path, { from, headers: guess(at) }), 8);
  };
  const officers = await guesses('/admin/elections');
  const staff = await guesses('/api/admin/roles');
  const right = await target.ask('/admin/elections', { headers: BY_KEY });
  const recorded = target.query<{ action: string; metadata: string }>(
    "SELECT action, metadata FROM audit_log WHERE action LIKE 'access.%'",
  );
  return {
    saw: `/admin/elections ${statuses(officers)}; /api/admin/roles ${statuses(staff)}; ${recorded.length} audit entries`,
    wrong: [
      ...unless(count(officers, 429) > 0, 'guesses at ADMIN_API_KEY are not limited'),
      ...unless(count(staff, 429) > 0, 'guesses at PUB_ADMIN_TOKEN are not limited'),
      ...unless(recorded.length > 0, 'the guesses are not in the audit log'),
      ...unless(!recorded.some(({ metadata }) => metadata.includes('guess-')), 'the audit log holds a key'),
      ...unless(right.status === 200, `the right key from elsewhere got ${right.status}`),
    ],
  };
}

/** Has the holder of PUB_ADMIN_TOKEN, which grants roles of the pub alone, make owners and officers. */
async function promoteByToken(target: Target): Promise<Outcome> {
  const changed = target.watch();
  const put = (email: string, ...roles: unknown[]) =>
    target.ask('/api/admin/roles', { method: 'PUT', headers: BY_TOKEN, body: { email, roles } });
  const evil = 'evil@evil.example';
  const answers = [
    ...(await each(['owner', 'officer', 'auditor', 'admin', 'Owner', ' owner '], (role) => put(evil, role))),
    await put(evil, 'viewer', 'owner'),
    await put(evil, ['owner']),
    // Takes away what the token cannot give.
    await put(OWNER),
    await put(OWNER, 'viewer'),
    await target.ask(`/api/admin/roles/${encodeURIComponent(OWNER)}`, {
      method: 'DELETE',
      headers: BY_TOKEN,
    }),
  ];
  const holders = target.query<{ email: string; role: string }>(
    `SELECT email, role FROM person_roles JOIN addresses USING (person_id) WHERE role IN ('owner', 'officer')`,
  );
  const found = holders.map(({ email, role }) => `${email} is ${role}`).join(', ');
  return {
    saw: `${answers.length} requests (${statuses(answers)}); ${found}`,
    wrong: [...unless(found === `${OWNER} is owner`, found), ...changed()],
  };
}

/** Acts as the capture device without a token: tracks must not be shown, and commands not be returned. */
async function actAsDevice(target: Target): Promise<Outcome> {
  const track = { artist: 'Evil', title: 'A stranger’s text' };
  const answers = [
    await target.ask('/api/now-playing/ingest', { method: 'POST', body: track }),
    await target.ask('/api/now-playing/ingest', {
      method: 'POST',
      body: track,
      headers: { host: 'localhost', ...FROM_HERE },
    }),
    await target.ask('/api/now-playing/ingest', { method: 'POST', body: { heartbeat: true } }),
    await target.ask('/api/now-playing/offset', { method: 'POST', body: { trackId: 1, offsetMs: 0 } }),
    await target.ask('/api/dmx/desired'),
    await target.ask('/api/qsys/desired', { headers: { authorization: 'Bearer undefined' } }),
  ];
  const shown = await each(['/api/now-playing/snapshot', '/api/now-playing/setlist', '/now'], (path) =>
    target.ask(path),
  );
  return {
    saw: statuses(answers),
    wrong: [
      ...unless(count(answers, 401) === answers.length, 'a device route is open without a token'),
      ...unless(!shown.some(({ body }) => body.includes('stranger’s text')), 'the stranger’s text is shown'),
    ],
  };
}

/** For every deployment: a forged address or another spelling of a path gives no access. */
const always: Attack[] = [
  ['forged addresses under a local Host', sending(FORWARDED)],
  ['other spellings of guarded paths', respellPaths],
];

export const edgeHeaders: Attack[] = [['forged edge headers', sending(EDGE_HEADERS)]];

/** For production and everything behind a proxy: no header of a client gives access. */
export const forgedHeaders: Attack[] = [...always, ...edgeHeaders, ['forged Host', sending(LOCAL_HOSTS)]];

/** Only for development, where the local bypass makes this machine an officer under its local names. */
export const foreignNames: Attack[] = [
  ...always,
  ['Host of another name for this machine', sending(FOREIGN_HOSTS)],
];

export const guesses: Attack[] = [
  ['keys and sessions that are none', sending(NO_KEYS)],
  ['owners made with PUB_ADMIN_TOKEN', promoteByToken],
  ['wrong keys', guessKeys],
];
export const device: Attack[] = [['a capture device without a token', actAsDevice]];
export const pastTheProxy: Attack[] = [['forged headers past the proxy', sendPastTheProxy]];
