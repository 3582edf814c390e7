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

test.each([
  // Many browsers in Dublin speak American English: the zone says where the club is.
  ['Dublin', 'en-US', 'Europe/Dublin', 'en-IE', ['English', 'Ireland', 'Europe/Dublin']],
  ['Tokyo', 'ja-JP', 'Asia/Tokyo', 'ja-JP', ['Japanese', 'Japan', 'Asia/Tokyo']],
  ['São Paulo', 'pt-BR', 'America/Sao_Paulo', 'pt-BR', ['Portuguese', 'Brazil', 'America/Sao Paulo']],
  ['Vienna', 'de', 'Europe/Vienna', 'de-AT', ['German', 'Austria', 'Europe/Vienna']],
  ['nowhere', 'en-GB', 'UTC', 'en-GB', ['English', 'United Kingdom', 'Europe/London']],
])('an owner in %s enters a name and an address', async (_, locale, timezoneId, stored, shown) => {
  const { ctx, code, origin } = await newService();
  const page = await openTab(await sharedBrowser(), origin, { locale, timezoneId });
  const troubles = watch(page.context(), origin);

  await page.goto(`/set-up#${code}`);

  expect(await page.getByLabel('Code').inputValue()).toBe(code);
  expect(page.url()).toBe(`${origin}/set-up`);
  for (const [index, label] of ['Language', 'Country', 'Time zone'].entries())
    expect(await page.getByLabel(label).locator('option:checked').textContent()).toBe(shown[index]);
  expect(await page.getByLabel('The address of this service').inputValue()).toBe(origin);
  await page.getByLabel('Your name').fill('Olga');
  await page.getByLabel('Your e-mail address').fill('olga@club.example');
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.waitForURL('**/first-steps');

  const zone = timezoneId === 'UTC' ? 'Europe/London' : timezoneId;
  expect(ctx.config).toMatchObject({ LOCALE: stored, TIME_ZONE: zone, BASE_URL: origin });
  expect(troubles).toEqual([]);
});

test('what a person chose stays when the form is refused, and a code can be typed', async () => {
  const { ctx, code, origin } = await newService();
  const page = await openTab(await sharedBrowser(), origin, { locale: 'de-AT', timezoneId: 'Europe/Vienna' });
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
  expect(ctx.config.LOCALE).toBe('de-JP');
});
