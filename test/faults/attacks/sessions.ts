// An owner's session that was left open, files that take long to read, and keys where they open nothing.
import net, { type AddressInfo } from 'node:net';
import { type Attack, type Outcome, statuses, unless } from './attack.ts';
import { ask, each, freshAddress } from './request.ts';
import { BY_KEY } from './seed.ts';
import type { Target } from './target.ts';

/** What decides who comes in, and what sends mails to an address from a form. */
const GRAVE: [method: string, path: string, body: object][] = [
  ['PUT', '/api/admin/settings', { mail: { host: '127.0.0.1', port: 9 } }],
  ['PUT', '/api/admin/settings', { mail: { password: 'mine' } }],
  ['PUT', '/api/admin/settings', { base_url: 'https://evil.example' }],
  ['PUT', '/api/admin/settings', { oidc: { issuer: 'https://evil.example', trust_email: true } }],
  ['POST', '/api/admin/settings/mail/test', { to: 'evil@evil.example' }],
  ['PUT', '/api/admin/roles', { email: 'evil@evil.example', roles: ['owner'] }],
  ['POST', '/api/admin/people/import', { csv: 'name\nEvil\n', dry_run: true }],
];

async function useOldProof(target: Target): Promise<Outcome> {
  const changed = target.watch();
  const headers = target.seed.owner.stale;
  const seen = await target.ask('/api/admin/settings', { headers });
  const answers = await each(GRAVE, ([method, path, body]) => target.ask(path, { method, body, headers }), 1);
  const open = GRAVE.filter((_, at) => answers[at]!.status !== 403);
  return {
    saw: `the settings are read (${seen.status}); ${GRAVE.length} acts: ${statuses(answers)}`,
    wrong: [
      ...unless(seen.status === 200, `the session is none: ${seen.status}`),
      ...open.map(([method, path]) => `${method} ${path} needs no fresh proof`),
      ...changed().filter((what) => !what.includes('sessions')),
    ],
  };
}

/** Cells and texts on which a pattern with backtracking, or a reader that copies, takes minutes. */
const CELLS: Record<string, string> = {
  'a long cell': 'a'.repeat(3_000_000),
  'a long cell in two encodings': `${'a'.repeat(80_000)}\u00c3\u00a9${'b'.repeat(80_000)}`,
  'many marks of another encoding': '\u00c3'.repeat(80_000),
  'an open quote': `"${'a\n'.repeat(200_000)}`,
  'many quotes': '""'.repeat(200_000),
  'many separators': ','.repeat(400_000),
  'many spaces': ' '.repeat(400_000),
};

/** Far above the time to read a file, far below that of a quadratic pattern (minutes). */
const READ_MS = 20_000;
const HEALTH_MS = 2_000;

async function importCells(target: Target): Promise<Outcome> {
  const headers = target.seed.owner.fresh;
  const give = (csv: string) =>
    target.ask('/api/admin/people/import', { method: 'POST', headers, body: { csv, dry_run: true } });
  const wrong: string[] = [];
  const seen: number[] = [];
  for (const [what, cell] of Object.entries(CELLS)) {
    const started = performance.now();
    const reading = give(`name,email\n${cell},x@x.invalid\nAnn,ann@members.example\n`);
    const asked = performance.now();
    const health = await target.ask('/health');
    const waited = performance.now() - asked;
    const { status } = await reading;
    const took = performance.now() - started;
    seen.push(status);
    wrong.push(
      ...unless(status === 200 || status === 400, `${what}: ${status}`),
      ...unless(took < READ_MS, `${what} took ${Math.round(took / 1_000)} s`),
      ...unless(
        health.status === 200 && waited < HEALTH_MS,
        `${what}: /health took ${Math.round(waited)} ms`,
      ),
    );
  }
  const rows = Array.from({ length: 20_000 }, (_, at) => `Person ${at},p${at}@members.example`).join('\n');
  const two = await Promise.all([give(`name,email\n${rows}`), give(`name,email\n${rows}`)]);
  const after = await give('name\nAnn\n');
  return {
    saw: `${seen.length} files: ${[...new Set(seen)].join(', ')}; two at once ${statuses(two)}, then ${after.status}`,
    wrong: [
      ...wrong,
      ...unless(two.filter(({ status }) => status === 200).length === 1, 'two files are read at once'),
      ...unless(after.status === 200, `a file after them got ${after.status}`),
    ],
  };
}

/** A right key where it opens nothing: refused each time, and never counted as wrong. */
async function keyElsewhere(target: Target): Promise<Outcome> {
  const from = freshAddress();
  const refusals = () =>
    target.query<{ n: number }>("SELECT count(*) AS n FROM audit_log WHERE action = 'access.refused'")[0]!.n;
  const before = refusals();
  const tables = ['/api/admin/people', '/api/admin/settings', '/api/admin/backups', '/admin/health'];
  const answers = await each(
    Array.from({ length: 24 }, (_, at) => tables[at % tables.length]!),
    (path) => target.ask(path, { headers: BY_KEY, from }),
    1,
  );
  const right = await target.ask('/admin/elections', { headers: BY_KEY, from });
  const counted = refusals() - before;
  return {
    saw: `${answers.length} requests with the key of the officers: ${statuses(answers)}; where it opens ${right.status}; ${counted} recorded as wrong`,
    wrong: [
      ...unless(
        answers.every(({ status }) => status === 403),
        'it is let in, or counted as a wrong key',
      ),
      ...unless(right.status === 200 && counted === 0, 'the right key counts as a wrong one'),
    ],
  };
}

/** Each kind of body under types that it is not: nothing is changed, and nothing fails. */
async function wrongTypes(target: Target): Promise<Outcome> {
  const changed = target.watch();
  const { election, codes } = target.seed;
  const ballot = JSON.stringify({ token: codes[0], choice: 'yes' });
  const places: [path: string, body: string][] = [
    [`/e/${election}/vote`, ballot],
    ['/vote', JSON.stringify({ code: codes[0] })],
    ['/api/feedback', '{"message":"Hello"}'],
    ['/api/subs/new?calendar_id=programs', '{"name":"A","email":"a@b.example"}'],
    ['/sign-in', '{"email":"owner@club.example"}'],
    ['/api/screens/pairings', '{}'],
  ];
  const types = [
    ...['text/plain', 'application/xml', 'text/json', 'application/octet-stream', 'multipart/form-data'],
    ...['multipart/form-data; boundary=x', 'application/x-protobuf', 'application/jsonp', ';', 'a'],
  ];
  const requests = places.flatMap((place) => types.map((type) => [...place, type] as const));
  const answers = await each(requests, ([path, body, type]) =>
    target.ask(path, { method: 'POST', body, headers: { 'content-type': type } }),
  );
  const bad = requests.filter((_, at) => answers[at]!.status < 400 || answers[at]!.status >= 500);
  return {
    saw: `${requests.length} bodies of another type: ${statuses(answers)}`,
    wrong: [...bad.map(([path, , type]) => `${path} as ${type}`), ...changed()],
  };
}

/** The password of the mail server in the environment, and an address from the form. */
export const MAIL_SECRET = 'a secret of the environment 7Q';

async function sendSecret(target: Target): Promise<Outcome> {
  let heard = '';
  const server = net.createServer((socket) => {
    socket.write('220 mx\r\n');
    socket
      .on('error', () => undefined)
      .on('data', (chunk) => {
        heard += chunk.toString('latin1');
        const line = chunk.toString('latin1');
        if (/^EHLO/i.test(line)) socket.write('250-mx\r\n250 AUTH PLAIN LOGIN\r\n');
        else if (/^AUTH LOGIN/i.test(line)) socket.write('334 VXNlcm5hbWU6\r\n');
        else if (/^AUTH/i.test(line)) socket.write('235 ok\r\n');
        else socket.write('250 ok\r\n');
      });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const headers = target.seed.owner.fresh;
  const mail = { host: '127.0.0.1', port, encryption: 'none', user: 'u', from_email: 'club@club.example' };
  const set = await target.ask('/api/admin/settings', { method: 'PUT', body: { mail }, headers });
  const to = { to: 'owner@club.example' };
  const test = await target.ask('/api/admin/settings/mail/test', { method: 'POST', body: to, headers });
  server.close();
  const plain = Buffer.from(`\u0000u\u0000${MAIL_SECRET}`).toString('base64');
  const told = [MAIL_SECRET, plain, Buffer.from(MAIL_SECRET).toString('base64')];
  return {
    saw: `the server of the form (${set.status}), a test (${test.status}): it heard ${heard.length} characters`,
    wrong: [
      ...unless(set.status === 200, `the mail server is not taken: ${set.body}`),
      ...unless(
        !told.some((secret) => heard.includes(secret)),
        'the secret was sent to the address of the form',
      ),
    ],
  };
}

/** Headers with which a proxy or a tunnel names the client: such a request does not come from this machine. */
async function throughTunnel(target: Target): Promise<Outcome> {
  const { EDGE_CLIENT_HEADER = 'Edge-Connecting-IP' } = target.deployment.settings;
  const headers = [EDGE_CLIENT_HEADER, 'X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'Via'];
  const track = { artist: 'Evil', title: 'A stranger' };
  const send = (name: string) => {
    const named = {
      host: 'localhost',
      [name.toLowerCase()]: name === 'Forwarded' ? 'for=203.0.113.9' : '203.0.113.9',
    };
    return Promise.all([
      ask(target.service.url, '/api/now-playing/ingest', { method: 'POST', body: track, headers: named }),
      ask(target.service.url, '/admin/elections', { headers: named }),
    ]);
  };
  const answers = await each(headers, send, 1);
  const own = await ask(target.service.url, '/admin/elections', {
    headers: { host: 'localhost' },
    from: '127.0.0.1',
  });
  return {
    saw: `${headers.length} headers: ${statuses(answers.flat())}; without one ${own.status}`,
    wrong: [
      ...headers.flatMap((name, at) =>
        unless(
          answers[at]!.every(({ status }) => status === 401),
          `${name}: ${answers[at]!.map(({ status }) => status).join(' and ')}`,
        ),
      ),
      ...unless(own.status === 200, `this machine itself got ${own.status}`),
    ],
  };
}

export const leftOpen: Attack[] = [
  ['an owner’s session without a fresh proof', useOldProof],
  ['files of members that take long to read', importCells],
];
export const rightKey: Attack[] = [
  ['the key of the officers where it opens nothing', keyElsewhere],
  ['bodies under another content type', wrongTypes],
];
export const secretOfEnvironment: Attack[] = [['a mail server from the form', sendSecret]];
export const tunnel: Attack[] = [['headers of a proxy in front of this machine', throughTunnel]];
