// Attacks the real process in the deployments that the README describes. Prints one line per attack: what was tried,
// what was observed, and whether the service held. Exit code 1 when any attack was not held off.
// Words after the script's name select the attacks whose deployment or name contains them.
import { device, edgeHeaders, foreignNames, forgedHeaders, guesses, pastTheProxy } from './attacks/access.ts';
import { forgedAddresses, STREAMS_PER_CLIENT } from './attacks/addresses.ts';
import type { Alone, Attack, Outcome } from './attacks/attack.ts';
import { crossSite, foreignSocket } from './attacks/cross-site.ts';
import { knownAddress, unknownAddress } from './attacks/host.ts';
import { load, parsing } from './attacks/load.ts';
import { unwantedMail } from './attacks/mail.ts';
import { networks } from './attacks/networks.ts';
import { outgoing } from './attacks/outgoing.ts';
import { foreignLinks, hostileText } from './attacks/pages.ts';
import { ADMIN_API_KEY, DEVICE_TOKEN, PUB_ADMIN_TOKEN } from './attacks/seed.ts';
import { leftOpen, MAIL_SECRET, rightKey, secretOfEnvironment, tunnel } from './attacks/sessions.ts';
import { start } from './attacks/settings.ts';
import { strangers } from './attacks/strangers.ts';
import { type Deployment, deploy } from './attacks/target.ts';
import { verifiedEdge } from './attacks/tokens.ts';
import { files, ids, log, proxyLog } from './attacks/traces.ts';

/** The settings of the Dockerfile. */
const CONTAINER = { NODE_ENV: 'production', HOST: '0.0.0.0' };
const KEYS = { ADMIN_API_KEY, PUB_ADMIN_TOKEN, NOW_PLAYING_INGEST_TOKEN: DEVICE_TOKEN };
const MAIL = { MAILER_API_KEY: 'any', FROM_EMAIL: 'The Club <club@club.example>' };
const BASE_URL = 'https://club.example';
const FEATURES = {
  FEEDBACK_ENABLED: 'on',
  SETLIST_REQUESTS_ENABLED: 'on',
  SCREENINGS_ENABLED: 'on',
  NOW_SHOWING_ENABLED: 'on',
  STREAMS_PER_CLIENT: String(STREAMS_PER_CLIENT),
};
const EDGE_ON = { EDGE_ACCESS_TRUST_HEADERS: 'on' };
const PROXIED = { TRUSTED_PROXIES: '127.0.0.1' };
const FULL = { ...CONTAINER, ...KEYS, ...MAIL, ...FEATURES, BASE_URL };

await using edge = await verifiedEdge();

const PLAN: [Deployment, Attack[]][] = [
  [
    { name: 'container', settings: { ...CONTAINER, ...MAIL } },
    [...forgedHeaders, ...device, ...foreignLinks, ...unknownAddress, ...ids],
  ],
  [
    {
      name: 'container that trusts edge headers of nobody in particular',
      settings: { ...CONTAINER, ...EDGE_ON },
    },
    edgeHeaders,
  ],
  [
    {
      name: 'container that trusts edge headers of another host',
      settings: { ...CONTAINER, ...EDGE_ON, TRUSTED_PROXIES: '192.0.2.1' },
    },
    edgeHeaders,
  ],
  [
    { name: 'production', settings: FULL },
    [
      ...hostileText,
      ...crossSite,
      ...knownAddress,
      ...outgoing,
      ...log,
      ...forgedAddresses,
      ...rightKey,
      ...leftOpen,
      ...strangers,
      ...unwantedMail,
      ...guesses,
    ],
  ],
  [
    {
      name: 'production with a mail password in its environment',
      settings: { ...CONTAINER, ...KEYS, BASE_URL, MAILER_URL: '', MAILER_API_KEY: MAIL_SECRET },
    },
    secretOfEnvironment,
  ],
  [
    { name: 'production behind the proxy', settings: { ...FULL, ...PROXIED }, proxy: true },
    [
      ...forgedHeaders,
      ...pastTheProxy,
      ...foreignSocket,
      ...knownAddress,
      ...networks,
      ...forgedAddresses,
      ...unwantedMail,
      ...guesses,
      ...proxyLog,
    ],
  ],
  [
    {
      name: 'production with a large election',
      settings: { ...FULL, OVERLOAD_DELAY_MS: '' },
      seed: { ballots: 100_000 },
    },
    load,
  ],
  [{ name: 'production with a verified edge', settings: { ...FULL, ...edge.settings } }, edge.attacks],
  [
    {
      name: 'development behind a tunnel',
      settings: { EDGE_CLIENT_HEADER: 'CF-Connecting-IP' },
      seed: { owner: false },
    },
    tunnel,
  ],
  [{ name: 'development', settings: {}, seed: { owner: false } }, [...foreignNames, ...tunnel]],
  [
    { name: 'development behind the proxy', settings: {}, proxy: true, seed: { owner: false } },
    [...forgedHeaders, ...device],
  ],
  [{ name: 'development with an owner behind the proxy', settings: {}, proxy: true }, edgeHeaders],
];

/** Attacks that start the service themselves, or need none. */
const ALONE: Alone[] = [...start, ...files, ...parsing];

const words = process.argv.slice(2);
const isChosen = (deployment: string, name: string) =>
  words.every((word) => deployment.includes(word) || name.includes(word));
let broken = 0;

for (const [name, run] of ALONE) {
  if (isChosen('alone', name)) print('alone', name, await outcomeOf(run));
}
for (const [deployment, attacks] of PLAN) {
  const some = attacks.filter(([name]) => isChosen(deployment.name, name));
  if (some.length === 0) continue;
  await using target = await deploy(deployment);
  for (const [name, run] of some) print(deployment.name, name, await outcomeOf(() => run(target)));
}
console.log(broken === 0 ? 'Everything held.' : `${broken} attacks were not held off.`);
if (broken > 0) process.exitCode = 1;

/** An attack that fails with an error has shown nothing, so it counts as broken too. */
function outcomeOf(run: () => Promise<Outcome>): Promise<Outcome> {
  return run().catch((error: Error) => ({ saw: 'the attack itself failed', wrong: [error.message] }));
}

function print(deployment: string, name: string, { saw, wrong }: Outcome): void {
  const more = wrong.length > 3 ? ` and ${wrong.length - 3} more` : '';
  const complaint = wrong.length > 0 ? ` -- ${wrong.slice(0, 3).join('; ')}${more}` : '';
  console.log(`${wrong.length === 0 ? 'held  ' : 'BROKEN'} ${deployment}: ${name}: ${saw}${complaint}`);
  if (wrong.length > 0) broken += 1;
}
