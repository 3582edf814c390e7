// What the service leaves behind for others on the machine: files, log lines, ids that can be guessed.
import fs from 'node:fs';
import path from 'node:path';
import { end, launch, tempFolder } from '../house.ts';
import { type Alone, type Attack, type Outcome, statuses, unless } from './attack.ts';
import { readNginx } from './proxy.ts';
import { ask, each } from './request.ts';
import { BY_KEY, BY_TOKEN } from './seed.ts';
import { NGINX, type Target } from './target.ts';

/** A first start in an empty folder under the usual umask. */
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

/** Every way to spell a query value, or something like one, that a log must not repeat. */
const SPELLINGS = `
  ?t=S ?token=S ?v=S ?u=S ?email=S@mailbox.example ?q=S@mailbox.example ?x=S ?S ?t[]=S ?T=S ?a=1&amp;token=S ?%74=S
  ?a=1;t=S %3Ft=S ;t=S ?t=%53&t=S ??t=S ?a?t=S ?t=S#t=S %23t=S &t=S ?%zz=S ?t=S%zz ?t%3DS ?next=/e/x/vote?t=S
  ?next=%2Fe%2Fx%2Fvote%3Ft%3DS /?t=S`
  .trim()
  .split(/\s+/);

async function readLog(target: Target): Promise<Outcome> {
  const paths = [
    `/e/${target.seed.election}`,
    `/e/${target.seed.election}/vote`,
    '/cal/programs.ics',
    '/vote/my-elections',
    '/admin/elections',
    '/nowhere',
    '/e/%zz',
  ];
  const secrets: string[] = [];
  const addresses = paths.flatMap((at) => SPELLINGS.map((spelling) => at + spelling));
  const requests = addresses.map((address, index) => {
    const secret = `s3cr3t${String(index).padStart(4, '0')}`;
    secrets.push(secret);
    return address.replaceAll('S', secret);
  });
  const answers = await each(requests, (address, at) =>
    target.ask(address, {
      headers: { referer: `http://club.example/?t=${secrets[at]}`, cookie: `publichouse=${secrets[at]}` },
    }),
  );
  const posts = await each(requests.slice(0, SPELLINGS.length), (address) =>
    target.ask(address, {
      method: 'POST',
      body: '{',
      headers: { 'content-type': 'application/json', ...BY_KEY, ...BY_TOKEN },
    }),
  );
  const log = target.service.output();
  const told = requests.filter((_, at) => log.includes(secrets[at]!));
  return {
    saw: `${requests.length} addresses with secrets (${statuses([...answers, ...posts])}), ${log.length} characters of log`,
    wrong: [
      ...told.map((address) => `the log repeats ${address.replace(target.seed.election, ':id')}`),
      ...unless(
        !log.includes(BY_KEY.authorization.slice(7)) && !log.includes(BY_TOKEN['x-admin-token']),
        'the log holds a key',
      ),
      ...unless(log.includes('"url"'), 'the requests are not in the log'),
    ],
  };
}

/** The proxy's access log, by its configuration. `$uri` is decoded, so a code behind `%3F` would stand in it. */
async function readProxyLog(): Promise<Outcome> {
  if (!fs.existsSync(NGINX))
    return { saw: 'deploy/nginx.conf is not there', wrong: ['the proxy logs every query'] };
  const lines: string[][] = [];
  const walk = (block: ReturnType<typeof readNginx>) => {
    for (const { name, args, block: inner } of block) {
      lines.push([name, ...args]);
      walk(inner);
    }
  };
  walk(readNginx(fs.readFileSync(NGINX, 'utf8')));
  const formats = new Map(
    lines.flatMap(([name, format = '', ...parts]) =>
      name === 'log_format' ? [[format, parts.join('')]] : [],
    ),
  );
  const logs = lines.filter(([name]) => name === 'access_log');
  const secret =
    /\$(request|request_uri|uri|document_uri|args|query_string|is_args|http_referer|http_cookie|http_authorization|arg_\w+|cookie_\w+)\b/;
  return {
    saw: logs.map((line) => line.join(' ')).join(', ') || 'no access_log',
    wrong: [
      ...unless(logs.length > 0, 'the default log format has the query'),
      ...logs.flatMap(([, file, format = 'combined']) =>
        unless(
          file === 'off' || (formats.has(format) && !secret.test(formats.get(format) ?? '')),
          `the format ${format} has the query`,
        ),
      ),
    ],
  };
}

/** Whoever sees one id of a request must not know the next one. */
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
