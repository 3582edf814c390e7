// The set-up in browsers of three countries: by the printed link, with what the browser knows about the place.
import { afterEach, expect, test } from 'vitest';
import { SetUpCode } from '#people/set-up.ts';
import { testApp } from '#test/support/app.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { openTab, watch } from '#test/support/browser/browser-service.ts';
import { afterLast } from '#test/support/shared-app.ts';
import { buildApp } from '../../../src/app.ts';

const atEnd = afterLast();

afterEach(async () => closePages(await sharedBrowser()));

/** A listening service without an owner, and the code of its set-up. */
async function newService() {
  const service = await testApp({ LOCAL_BYPASS: 'off', RATE_LIMIT_GENERAL: '10000' });
  const code = new SetUpCode(service.ctx.now);
  const app = await buildApp(service.ctx, { setUpCode: code });
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  atEnd(async () => {
    await app.close();
    await service[Symbol.asyncDispose]();
  });
  return { ctx: service.ctx, code: code.shown, origin };
}

let opened: ReturnType<typeof newService> | undefined;
/** The service of the tests that do not set it up. */
const theService = () => (opened ??= newService());

test.each([
  // Many browsers in Dublin speak American English: the zone says where the club is.
  ['Dublin', 'en-US', 'Europe/Dublin', ['en', 'IE', 'Europe/Dublin'], ['English', 'Ireland']],
  ['Tokyo', 'ja-JP', 'Asia/Tokyo', ['ja', 'JP', 'Asia/Tokyo'], ['Japanese', 'Japan']],
  ['São Paulo', 'pt-BR', 'America/Sao_Paulo', ['pt', 'BR', 'America/Sao_Paulo'], ['Portuguese', 'Brazil']],
  ['nowhere', 'en-GB', 'UTC', ['en', 'GB', 'Europe/London'], ['English', 'United Kingdom']],
])(
  'a browser in %s proposes its language, country and time zone',
  async (_, locale, timezoneId, values, shown) => {
    const { origin } = await theService();
    const page = await openTab(await sharedBrowser(), origin, { locale, timezoneId });

    await page.goto('/set-up');

    const fields = ['Language', 'Country', 'Time zone'].map((name) => page.getByRole('combobox', { name }));
    expect(await Promise.all(fields.map((field) => field.inputValue()))).toEqual(values);
    const chosen = fields.slice(0, 2).map((field) => field.locator('option:checked').textContent());
    expect(await Promise.all(chosen)).toEqual(shown);
  },
);

test('a browser that does not know where it is proposes no time zone', async () => {
  const { origin } = await theService();
  const page = await openTab(await sharedBrowser(), origin, { locale: 'en-GB' });
  await page.addInitScript(() => {
    const { resolvedOptions } = Intl.DateTimeFormat.prototype;
    Intl.DateTimeFormat.prototype.resolvedOptions = function (this: Intl.DateTimeFormat) {
      return { ...resolvedOptions.call(this), timeZone: 'Etc/Unknown' };
    };
  });
  await page.goto('/set-up');
  const zone = page.getByLabel('Time zone');
  expect(await zone.inputValue()).toBe('');
  expect(await zone.evaluate((field: HTMLSelectElement) => field.validity.valueMissing)).toBe(true);
  expect(await page.getByLabel('Country').inputValue()).toBe('GB');
});

test('an owner in Vienna enters a name and an address', async () => {
  const { ctx, code, origin } = await newService();
  const page = await openTab(await sharedBrowser(), origin, { locale: 'de', timezoneId: 'Europe/Vienna' });
  const troubles = watch(page.context(), origin);

  await page.goto(`/set-up#${code}`);

  expect(await page.getByLabel('Code').inputValue()).toBe(code);
  expect(page.url()).toBe(`${origin}/set-up`);
  for (const [name, shown] of [
    ['Sprache', 'Deutsch'],
    ['Land', 'Österreich'],
    ['Zeitzone', 'Europe/Vienna'],
  ] as const)
    expect(await page.getByRole('combobox', { name }).locator('option:checked').textContent()).toBe(shown);
  expect(await page.getByLabel('Die Adresse dieses Dienstes').inputValue()).toBe(origin);
  await page.getByLabel('Ihr Name').fill('Olga');
  await page.getByLabel('Ihre E-Mail-Adresse').fill('olga@club.example');
  await page.getByRole('button', { name: 'Einrichten' }).click();
  await page.waitForURL('**/first-steps');

  expect(ctx.config).toMatchObject({ LOCALE: 'de-AT', TIME_ZONE: 'Europe/Vienna', BASE_URL: origin });
  expect(troubles).toEqual([]);
});

test('what a person chose stays when the form is refused, and a code can be typed', async () => {
  const { ctx, code, origin } = await newService();
  const page = await openTab(await sharedBrowser(), origin, { locale: 'en-AT', timezoneId: 'Europe/Vienna' });
  // The country is chosen before the script has arrived that proposes one.
  const script = Promise.withResolvers<void>();
  await page.route('**/set-up.js*', async (route) => {
    await script.promise;
    await route.continue();
  });
  await page.goto('/');
  await page.getByRole('link', { name: 'Set it up' }).click();
  await page.getByLabel('Country').selectOption('Japan');
  script.resolve();
  await page.waitForLoadState();
  expect(await page.getByLabel('Country').inputValue()).toBe('JP');
  await page.getByLabel('Code').fill('AAAA-AAAA-AAAA');
  await page.getByLabel('Your name').fill('Olga');
  await page.getByLabel('Your e-mail address').fill('olga@club.example');
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('alert').getByText('Code: is not the one').waitFor();

  expect(await page.getByLabel('Country').inputValue()).toBe('JP');
  await page.getByLabel('Code').fill(code.toLowerCase());
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.waitForURL('**/first-steps');
  expect(ctx.config.LOCALE).toBe('en-JP');
});
