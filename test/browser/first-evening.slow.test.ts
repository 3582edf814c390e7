// The first evening of a founder: from a service without an owner to hours, an event, a named TV that shows tonight, a
// list of members and a trial vote, counted; then mail, a member's welcome, sign-in, a player's token and a vote. Nothing is
// in the environment but how the service is reached.

import fs from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { readConfig } from '#kernel/config.ts';
import { startJobs } from '#kernel/scheduler.ts';
import { SetUpCode } from '#people/set-up.ts';
import { ownAuthority } from '#test/stand-ins/certificates.ts';
import { type MailServer, startMailServer } from '#test/stand-ins/mail-server.ts';
import { testApp } from '#test/support/app.ts';
import { loadAxe, violations } from '#test/support/browser/axe.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { DESK, openTab, PHONE } from '#test/support/browser/browser-service.ts';
import { parseNginx, playNginx } from '#test/support/process/nginx.ts';
import { tempFolder } from '#test/support/process/process.ts';
import { buildApp } from '../../src/app.ts';
import { jobs } from '../../src/jobs.ts';
import { openService } from '../../src/service.ts';

/** At most, in all. */
const PAGES = 12;
const FIELDS = 25;

const NGINX = parseNginx(fs.readFileSync(path.join(import.meta.dirname, '../../deploy/nginx.conf'), 'utf8'));

/** Browsers find every name below localhost on their own machine. */
const HOST_NAME = 'club.localhost';

/** `testApp` sets these for other tests. */
const UNSET = {
  LOCAL_BYPASS: undefined,
  EDGE_ACCESS_TRUST_HEADERS: undefined,
  TRUSTED_PROXIES: undefined,
  LYRICS_API_URL: undefined,
  GENRE_API_URL: undefined,
  SPORTS_API_URL: undefined,
};

const MEMBERS = `Name,E-mail,Membership
Ann Byrne,ann@home.example,Full
Bob Daly,bob@home.example,Full
Cat Egan,cat@home.example,Full`;

afterEach(async () => closePages(await sharedBrowser()));

interface Place {
  /** What is in the environment. */
  env: Record<string, string>;
  isBehindNginx: boolean;
}

const PLACES: [string, Place][] = [
  ['in development', { env: { NODE_ENV: 'development' }, isBehindNginx: false }],
  ['in production', { env: { NODE_ENV: 'production', HOST: '127.0.0.1' }, isBehindNginx: false }],
  [
    'in production behind deploy/nginx.conf',
    {
      env: { NODE_ENV: 'production', HOST: '127.0.0.1', TRUSTED_PROXIES: '127.0.0.1' },
      isBehindNginx: true,
    },
  ],
];

/** A new service as it is reached there: by itself, or by https through the proxy. */
async function newService({ env, isBehindNginx }: Place) {
  await using resources = new AsyncDisposableStack();
  const service = resources.use(await testApp({ ...UNSET, ...env }));
  const { ctx, calendarContext } = service;
  resources.use(startJobs(jobs(ctx, calendarContext), ctx.log));
  const code = new SetUpCode(ctx.now);
  const built = await buildApp(ctx, { calendarContext, setUpCode: code });
  const app = resources.adopt(built, () => built.close());
  const own = await app.listen({ port: 0, host: '127.0.0.1' });
  const upstream = (app.server.address() as AddressInfo).port;
  const certificate = ownAuthority().issue({ dns: HOST_NAME });
  const proxy = isBehindNginx ? resources.use(await playNginx(NGINX, upstream, certificate)) : undefined;
  const all = resources.move();
  return {
    code: code.shown,
    origin: proxy ? `https://${HOST_NAME}:${proxy.port}` : own,
    /** Every line that the service and its proxy wrote. */
    logged: () => [...service.logged, ...(proxy?.logged ?? [])].join('\n'),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

type Service = Awaited<ReturnType<typeof newService>>;

const tab = async ({ origin }: Service, options: object) =>
  openTab(await sharedBrowser(), origin, { ignoreHTTPSErrors: true, ...options });

/** A founder at a desk in Dublin, whose pages and fields are counted. */
async function founder(service: Service) {
  const page = await tab(service, { ...DESK, locale: 'en-IE', timezoneId: 'Europe/Dublin' });
  const counted = { pages: [] as string[], fields: [] as string[] };
  page.on('load', () => counted.pages.push(new URL(page.url()).pathname));
  return {
    page,
    counted,
    async fill(label: string, value: string) {
      counted.fields.push(label);
      await page.getByLabel(label, { exact: true }).fill(value);
    },
    press: (role: 'button' | 'link', name: string | RegExp) => press(page, role, name),
  };
}

/** Presses a button or follows a link, and waits for the page that it leads to. */
async function press(page: Page, role: 'button' | 'link', name: string | RegExp) {
  await Promise.all([page.waitForEvent('load'), page.getByRole(role, { name }).first().click()]);
}

/** What the browser of a page gets: only it knows the host name and the certificate. */
const fetched = (page: Page, url: string, headers: Record<string, string>): Promise<unknown> =>
  page.evaluate(async ([to, sent]) => (await fetch(to, { headers: sent })).json(), [url, headers] as const);

const stepOf = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: new RegExp(`\\. ${title}`) }) });

test.each(PLACES)('%s the first evening takes at most 12 pages and 25 fields', async (_, place) => {
  await using service = await newService(place);
  const { page, counted, fill, press } = await founder(service);

  await loadAxe(page);
  await page.goto(`/set-up#${service.code}`);
  await fill('The club’s name (optional)', 'The Copper Kettle');
  await fill('Your name', 'Olga');
  await fill('Your e-mail address', 'olga@club.example');
  await press('button', 'Set up');
  expect(await violations(page)).toEqual([]);

  await fill('The days that are ticked, opens', '12:00');
  await fill('The days that are ticked, closes', '23:30');
  await press('button', 'Publish these hours');
  await stepOf(page, 'Opening hours').getByText('Done').waitFor();

  await fill('What', 'Quiz night');
  await fill('Begins', '20:00');
  await press('button', 'Publish this event');

  const tv = await tab(service, { viewport: { width: 1920, height: 1080 } });
  await tv.goto('/s');
  await expect.poll(() => tv.locator('[data-part=code]').textContent()).toMatch(/\w{3}/);
  await fill('Code on the screen', (await tv.locator('[data-part=code]').textContent()) ?? '');
  await fill('What you call it', 'Above the bar');
  await press('button', 'Pair this screen');
  await stepOf(page, 'A screen').getByText('Done').waitFor();
  await expect.poll(() => new URL(tv.url()).pathname).toBe('/tv');
  await tv.getByText('Quiz night').first().waitFor();

  await press('link', 'Bring a list of members');
  await fill('Or paste the list (optional)', MEMBERS);
  await press('button', /compare/i);
  counted.fields.push('What is “Full”?');
  await page.getByLabel('Full').selectOption('Add it, with a vote');
  await press('button', 'Compare again');
  await press('button', /^Apply/);

  await page.goto('/admin/first-steps');
  await press('link', 'Try a vote');
  await press('button', 'Start the trial');

  const { steps } = (await fetched(page, '/admin/first-steps', { accept: 'application/json' })) as {
    steps: { name: string; state: string }[];
  };
  expect(steps.filter(({ state }) => state === 'done').map(({ name }) => name)).toEqual([
    'hours',
    'event',
    'screen',
    'members',
    'vote',
  ]);
  expect(counted.fields.length, counted.fields.join(', ')).toBeLessThanOrEqual(FIELDS);
  expect(counted.pages.length, counted.pages.join(' ')).toBeLessThanOrEqual(PAGES);

  if (place.isBehindNginx) await restOfEvening(service, page, tv);
});

/** What most clubs do next, at the address of the proxy. */
async function restOfEvening(service: Service, page: Page, tv: Page) {
  const { origin } = service;
  const cookies = await page.context().cookies();
  expect(cookies.map(({ name, secure }) => [name, secure])).toEqual([['__Host-publichouse', true]]);
  expect((await tv.context().cookies()).find(({ name }) => name === '__Host-screen')).toMatchObject({
    httpOnly: true,
    secure: true,
  });

  const [paperCode = ''] = (await page.locator('#codes').innerText()).split('\n');
  const phone = await tab(service, PHONE);
  await phone.goto('/vote');
  await phone.getByLabel('Voting code').fill(paperCode);
  await press(phone, 'button', 'Open my ballot');
  await phone.getByLabel('Yes', { exact: true }).check();
  await press(phone, 'button', 'Review');
  await phone.getByRole('button', { name: 'Cast my vote' }).click();
  await phone.getByRole('heading', { name: /recorded/ }).waitFor();

  const authority = ownAuthority();
  const password = 'a password of the mailbox';
  const tls = { ...authority.issue({ ip: '127.0.0.1' }), how: 'starttls' } as const;
  const server = await startMailServer({ password, tls });
  await page.goto('/admin/settings/mail');
  const mail: [string, string][] = [
    ['Address of the sender', 'votes@club.example'],
    ['Mail server', '127.0.0.1'],
    ['Port', String(server.port)],
    ['User name', 'votes'],
    ['Password', password],
    ['Own certificate authority', authority.ca],
  ];
  const form = page.locator('#mail');
  for (const [label, value] of mail) await form.getByLabel(label).fill(value);
  await form.getByLabel('Encryption').selectOption('STARTTLS');
  await Promise.all([page.waitForEvent('load'), form.getByRole('button', { name: 'Save' }).click()]);
  await press(page, 'button', 'Send a test to me');
  await page.getByText('The mail server took the mail', { exact: true }).waitFor();

  await page.goto('/admin/people/import');
  await press(page, 'button', 'Send a welcome to 3 people');
  await expect
    .poll(() => server.mails.map(({ recipients }) => recipients[0]).sort())
    .toEqual(['ann@home.example', 'bob@home.example', 'cat@home.example', 'olga@club.example']);
  for (const { text } of server.mails.slice(1)) expect(text).toContain(`${origin}/sign-in`);

  const link = await signIn(service, server);

  await page.goto('/admin/settings/music');
  await press(page, 'button', 'New token');
  const token = await page.locator('#token').innerText();
  const checked = await fetched(page, '/api/listenbrainz/1/validate-token', {
    authorization: `Token ${token}`,
  });
  expect(checked).toMatchObject({ valid: true });

  for (const secret of [service.code, paperCode, password, link, token]) {
    expect(secret).toMatch(/.{8}/);
    expect(service.logged()).not.toContain(secret);
  }
}

/** A member follows the welcome, signs in with the mailed code, and reads their page. @returns the secret of the link */
async function signIn(service: Service, server: MailServer): Promise<string> {
  const phone = await tab(service, PHONE);
  await phone.goto('/sign-in');
  await phone.getByLabel('E-mail address').fill('ann@home.example');
  await press(phone, 'button', 'Send me a code');
  const last = () => server.mails.findLast(({ recipients }) => recipients[0] === 'ann@home.example');
  await expect.poll(() => last()?.text).toContain('/sign-in/link?t=');
  const text = last()?.text ?? '';
  const [code = ''] = (last()?.headers.subject ?? '').split(' ');
  await phone.getByLabel('Code').fill(code);
  await press(phone, 'button', 'Sign in');
  await phone.getByRole('heading', { name: /Ann/ }).waitFor();
  return /link\?t=([\w-]+)/.exec(text)?.[1] ?? '';
}

/** To the TV in the bar: pages with different addresses, and fields. */
const TO_THE_TV = { pages: 3, fields: 9 };

test('a TV in another room is reached after one press: 127.0.0.2 stands for the network of the house', async () => {
  const variables = {
    DATABASE_URL: `file:${path.join(tempFolder(), 'house.db')}`,
    LOG_LEVEL: 'silent',
    LYRICS_API_URL: '',
    GENRE_API_URL: '',
    WEATHER_API_URL: '',
  };
  const config = readConfig(variables, '', () => {});
  const wlan0 = [{ address: '127.0.0.2', internal: false }] as NetworkInterfaceInfo[];
  const opened = await openService(config, { host: config.HOST, port: 0 }, new AbortController().signal, {
    interfaces: () => ({ wlan0 }),
  });
  await using service = opened!;
  const own = { origin: service.address };
  const { page, counted, fill, press } = await founder(own as Service);
  const house = service.address.replace('127.0.0.1', '127.0.0.2');

  await page.goto(`/set-up#${service.setUpCode}`);
  await page.getByText('This works on this computer only').waitFor();
  await fill('The club’s name (optional)', 'The Copper Kettle');
  await fill('Your name', 'Olga');
  await fill('Your e-mail address', 'olga@club.example');
  await press('button', 'Set up');
  await press('button', 'Let devices in this house reach it');
  await page.getByText(`${house}/s`).waitFor();
  await fill('The days that are ticked, opens', '12:00');
  await fill('The days that are ticked, closes', '23:30');
  await press('button', 'Publish these hours');
  await fill('What', 'Quiz night');
  await fill('Begins', '20:00');
  await press('button', 'Publish this event');

  const tv = await tab({ origin: house } as Service, { viewport: { width: 1920, height: 1080 } });
  await tv.goto('/s');
  await expect.poll(() => tv.locator('[data-part=code]').textContent()).toMatch(/\w{3}/);
  expect(await tv.locator('main').innerText()).toContain(`${new URL(house).host}/admin/pub/screens`);
  await fill('Code on the screen', (await tv.locator('[data-part=code]').textContent()) ?? '');
  await fill('What you call it', 'In the bar');
  await press('button', 'Pair this screen');
  await expect.poll(() => new URL(tv.url()).pathname).toBe('/tv');
  await tv.getByText('Quiz night').first().waitFor();

  expect(counted.fields.length, counted.fields.join(', ')).toBeLessThanOrEqual(TO_THE_TV.fields);
  expect(new Set(counted.pages).size, counted.pages.join(' ')).toBeLessThanOrEqual(TO_THE_TV.pages);
});
