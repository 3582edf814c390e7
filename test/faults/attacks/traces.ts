// Traces of the service for other users of the machine: files, log lines, predictable ids.
import fs from 'node:fs';
import path from 'node:path';
import { end, launch, tempFolder } from '#test/faults/service.ts';
import { type Alone, type Attack, type Outcome, statuses, unless } from './attack.ts';
import { ask, each } from './request.ts';
import { ADMIN_API_KEY, BY_KEY, BY_TOKEN, PUB_ADMIN_TOKEN } from './seed.ts';
import type { Target } from './target.ts';

/** Starts the service in an empty folder under the usual umask, and checks the modes of its files. */
async function readFiles(): Promise<Outcome> {
  const folder = tempFolder();
  const before = process.umask(0o022);
  const settings = { NODE_ENV: 'production', DATABASE_URL: `file:${folder}/data/publichouse.db` };
  const outbox = {
    MAILER_URL: `file:${folder}/data/outbox`,
    MAILER_API_KEY: 'any',
    FROM_EMAIL: 'a@club.example',
  };
  const service = await launch(folder, { ...settings, ...outbox, BASE_URL: 'https://club.example' });
  process.umask(before);
  const body = { name: 'A', email: 'a@mailbox.example' };
  await ask(service.url, '/api/subs/new?calendar_id=programs', { method: 'POST', body });
  const data = path.join(folder, 'data');
  const files = [
    data,
    ...fs.readdirSync(data, { recursive: true }).map((name) => path.join(data, String(name))),
  ];
  const modes = files.map((file) => [path.relative(folder, file), fs.statSync(file).mode & 0o777] as const);
  await end(service, 'SIGTERM');
  return {
    saw: modes.map(([file, mode]) => `${file} ${mode.toString(8)}`).join(', '),
    wrong: modes.flatMap(([file, mode]) => unless((mode & 0o077) === 0, `${file} is open to others`)),
  };
}

/** Spellings of query values and the like, which a log must not repeat. */
const SPELLINGS = `
  ?t=S ?token=S ?v=S ?u=S ?email=S@mailbox.example ?q=S@mailbox.example ?x=S ?S ?t[]=S ?T=S ?a=1&amp;token=S ?%74=S
  ?a=1;t=S %3Ft=S ;t=S ?t=%53&t=S ??t=S ?a?t=S ?t=S#t=S %23t=S &t=S ?%zz=S ?t=S%zz ?t%3DS ?next=/e/x/vote?t=S
  ?next=%2Fe%2Fx%2Fvote%3Ft%3DS /?t=S`
  .trim()
  .split(/\s+/);

/** Returns addresses with secrets in every spelling, each with a different secret. */
function spellSecrets({ seed: { election } }: Target): { secret: string; address: string }[] {
  const paths = [
    `/e/${election}`,
    `/e/${election}/vote`,
    '/cal/programs.ics',
    '/vote/my-elections',
    '/admin/elections',
    '/nowhere',
    '/e/%zz',
  ];
  return paths
    .flatMap((path) => SPELLINGS.map((spelling) => path + spelling))
    .map((spelling, at) => {
      const secret = `s3cr3t${String(at).padStart(4, '0')}`;
      return { secret, address: spelling.replaceAll('S', secret) };
    });
}

/** Requests each address, with its secret also as referrer and cookie. @returns those whose secret `log` repeats */
async function findLogged(target: Target, log: () => string): Promise<Outcome> {
  const secrets = spellSecrets(target);
  const answers = await each(secrets, ({ address, secret }) =>
    target.ask(address, {
      headers: { referer: `http://club.example/?t=${secret}`, cookie: `publichouse=${secret}` },
    }),
  );
  const posts = await each(secrets.slice(0, SPELLINGS.length), ({ address }) =>
    target.ask(address, {
      method: 'POST',
      body: '{',
      headers: { 'content-type': 'application/json', ...BY_KEY, ...BY_TOKEN },
    }),
  );
  const text = log();
  return {
    saw: `${secrets.length} addresses with secrets (${statuses([...answers, ...posts])}), ${text.length} characters of log`,
    wrong: [
      ...secrets.flatMap(({ secret, address }) =>
        unless(!text.includes(secret), `the log repeats ${address.replace(target.seed.election, ':id')}`),
      ),
      ...[ADMIN_API_KEY, PUB_ADMIN_TOKEN].flatMap((key) =>
        unless(!text.includes(key), 'the log holds a key'),
      ),
      ...unless(text.includes('/vote/my-elections'), 'the requests are not in the log'),
    ],
  };
}

const readLog = (target: Target) => findLogged(target, target.service.output);
const readProxyLog = (target: Target) => findLogged(target, () => target.proxy?.logged.join('\n') ?? '');

/** Checks that request ids are not predictable from earlier ones. */
async function guessIds(target: Target): Promise<Outcome> {
  const answers = await each(Array.from({ length: 20 }), () => target.ask('/health'), 1);
  const ids = answers.map(({ headers }) => String(headers['x-request-id'] ?? ''));
  const numbers = ids.map((id) => BigInt(`0x0${id.replace(/[^0-9a-f]/gi, '')}`));
  const near = numbers.filter((id, at) => at > 0 && distance(id, numbers[at - 1]!) < 2n ** 32n);
  return {
    saw: `${ids[0]}, ${ids[1]}`,
    wrong: unless(new Set(ids).size === ids.length && near.length === 0, 'one id gives away the next'),
  };
}

const distance = (a: bigint, b: bigint): bigint => (a > b ? a - b : b - a);

export const files: Alone[] = [['files that others may read', readFiles]];
export const log: Attack[] = [['secrets in the log', readLog]];
export const proxyLog: Attack[] = [['secrets in the log of the proxy', readProxyLog]];
export const ids: Attack[] = [['request ids', guessIds]];
