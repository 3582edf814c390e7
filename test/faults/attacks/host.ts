// Names of other hosts: in Host, from which no link may be made, and in return addresses, to which nobody may be sent.
import { type Attack, type Outcome, statuses, unless } from './attack.ts';
import { type Answer, each } from './request.ts';
import { OWNER } from './seed.ts';
import type { Target } from './target.ts';

const EVIL = 'evil.example';
const BASE_URL = 'https://club.example';
const FORGED: Record<string, string>[] = [
  { host: EVIL },
  { host: `club.example.${EVIL}` },
  { host: `club.example@${EVIL}` },
  { host: 'club.example', 'x-forwarded-host': EVIL, forwarded: `host=${EVIL}`, 'x-forwarded-proto': 'http' },
];

/** Asks for a code of the owner, once under each forged name. */
const askForCodes = (target: Target) =>
  each(FORGED, (headers) =>
    target.ask('/sign-in', { method: 'POST', body: { email: OWNER }, headers: { ...headers } }),
  );

/** Mails in quoted-printable: a long line continues after `=`. */
const mailsTo = (target: Target, address: string) =>
  target
    .mails()
    .filter((mail) => mail.includes(address))
    .map((mail) => mail.replace(/=\r\n/g, '').replaceAll('=3D', '='));

/** Without BASE_URL: no mail, and an answer that says what is missing. */
async function askWithoutAddress(target: Target): Promise<Outcome> {
  const before = target.mails().length;
  const answers = await askForCodes(target);
  // A request that the service has answered has sent its mail, if any, before the next one is answered.
  await target.ask('/health');
  const mails = target.mails().length - before;
  return {
    saw: `${answers.length} requests for a code: ${statuses(answers)}; ${mails} mails`,
    wrong: [
      ...unless(mails === 0, `${mails} mails were sent`),
      ...answers
        .filter(({ status, body }) => status < 400 || !body.includes('BASE_URL'))
        .map(({ status, body }) => `answered ${status} ${body.slice(0, 80)}`),
    ],
  };
}

/** With BASE_URL: the links of the mails lead there. */
async function askWithAddress(target: Target): Promise<Outcome> {
  const answers = await askForCodes(target);
  const wanted = answers.filter(({ status }) => status === 200).length;
  const mails = await until(
    () => mailsTo(target, OWNER),
    (found) => found.length >= wanted,
  );
  const links = mails.flatMap((mail) => mail.match(/https?:\/\/[^\s"<>]+/g) ?? []);
  return {
    saw: `${answers.length} requests for a code: ${statuses(answers)}; ${mails.length} mails, ${links.length} links`,
    wrong: [
      ...unless(wanted > 0 && mails.length > 0 && links.length > 0, 'no link was mailed'),
      ...links
        .filter((link) => new URL(link).origin !== BASE_URL)
        .map((link) => `a link leads to ${link.slice(0, 80)}`),
      ...unless(!mails.join().includes(EVIL), 'a mail has the forged name'),
    ],
  };
}

/** Pages and feeds with links. */
const LINKED = [
  '/feeds.json',
  '/cal/programs.ics',
  '/',
  '/now',
  '/tv',
  '/setlist',
  '/subscribe-programs',
  '/events',
];

/** Asks for pages and feeds under forged names. */
async function followHost(target: Target): Promise<Outcome> {
  const look = (path: string, headers: Record<string, string>) => target.ask(path, { headers });
  const found = await each(LINKED, async (path) => {
    const own = await look(path, {});
    const forged = await each(FORGED, (headers) => look(path, headers), 1);
    const again = await look(path, {});
    // A file that changes by itself is judged by its text.
    const isSame = own.body === again.body;
    return { path, own, follows: forged.some((one) => tellsHost(one) || (isSame && differs(own, one))) };
  });
  const answered = found.filter(({ own }) => own.status === 200);
  return {
    saw: `${answered.length} pages and feeds under ${FORGED.length} forged names`,
    wrong: [
      ...unless(answered.length >= 5, 'hardly anything was answered'),
      ...found.filter(({ follows }) => follows).map(({ path }) => `${path} follows Host`),
    ],
  };
}

const tellsHost = ({ body, headers }: Answer) =>
  body.includes(EVIL) || String(headers.location ?? '').includes(EVIL);
const differs = (own: Answer, forged: Answer) => forged.status === own.status && forged.body !== own.body;

/** Return addresses that begin like a path, and lead elsewhere once a browser has resolved them. */
const RETURNS = String.raw`
  /..//evil.example /.//evil.example /%2e%2e//evil.example /%2E%2E/%2fevil.example /x/..//evil.example //evil.example
  ///evil.example /\evil.example \/evil.example /%5cevil.example /%2f/evil.example https:evil.example
  https://evil.example/ http:/evil.example //evil.example/%2f.. /./..//evil.example javascript:alert(1)
  /me/..//evil.example /;@evil.example//..//evil.example`
  .trim()
  .split(/\s+/)
  .concat('/\t/evil.example', '\t//evil.example', ' //evil.example', '/.\n/evil.example');

/** Reads where the sign-in page leads with each of them; the browser resolves it against the own origin. */
async function returnElsewhere(target: Target): Promise<Outcome> {
  const answers = await each(RETURNS, (next) =>
    target.ask(`/sign-in?next=${encodeURIComponent(next)}`, { headers: { accept: 'text/html' } }),
  );
  const onward = answers.map(({ body }) => {
    const [, value = ''] = /name="next"[^>]*value="([^"]*)"/.exec(body) ?? [];
    return value.replaceAll('&amp;', '&');
  });
  const leaves = (next: string) => {
    const hosts = [next, decodeURIComponent(next)].map((one) => URL.parse(one, BASE_URL)?.origin);
    return (
      hosts.some((origin) => origin !== BASE_URL) || URL.parse(next, BASE_URL)!.pathname.startsWith('//')
    );
  };
  const missing = onward.filter((next) => next === '').length;
  return {
    saw: `${RETURNS.length} return addresses lead to ${[...new Set(onward)].join(', ')}`,
    wrong: [
      ...unless(missing === 0, `${missing} pages have no return address`),
      ...RETURNS.flatMap((next, at) => unless(!leaves(onward[at]!), `${next} leads to ${onward[at]}`)),
    ],
  };
}

/** Looks until what is found is enough, for three seconds at most. */
async function until<T>(look: () => T, isEnough: (found: T) => boolean): Promise<T> {
  const end = performance.now() + 3_000;
  for (;;) {
    const found = look();
    if (isEnough(found) || performance.now() > end) return found;
    await new Promise((again) => setTimeout(again, 20));
  }
}

const returns: Attack[] = [['return addresses that leave', returnElsewhere]];

export const unknownAddress: Attack[] = [
  ['codes asked for under a forged Host, without BASE_URL', askWithoutAddress],
  ...returns,
];
export const knownAddress: Attack[] = [
  ['codes asked for under a forged Host', askWithAddress],
  ['pages and feeds under a forged Host', followHost],
  ...returns,
];
