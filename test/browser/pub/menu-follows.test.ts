// A guest's open list follows the bar.
import { afterEach, expect, test } from 'vitest';
import { SECOND } from '#kernel/clock.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { listeningService, openTab } from '#test/support/browser/browser-service.ts';
import { editorAt } from '#test/support/content.ts';
import { appoint } from '#test/support/people/patrons.ts';

afterEach(async () => closePages(await sharedBrowser()));

test('what is sold out and what it costs is on an open page within ten seconds, and open rows stay open', async () => {
  await using service = await listeningService();
  const editor = await editorAt(service);
  const barkeeper = await appoint(service, 'tom@club.example', 'tender');
  const section = await editor.publish('menu_section', { title: 'Bottles' });
  const sizes = [{ label: 'Glass', price: 520 }];
  const stout = await editor.publish('menu_item', { section, name: 'Stout', sizes });
  const cider = await editor.publish('menu_item', { section, name: 'Cider', sizes, description: 'Dry.' });
  const page = await openTab(await sharedBrowser(), service.origin);
  await page.clock.install({ time: service.clock.now });
  await page.goto('/menu');
  const row = (name: string) => page.locator('[data-menu-item]', { hasText: name });
  await row('Cider').locator('summary').click();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const pass = () => page.clock.runFor(10 * SECOND);

  await service.post(`/api/admin/menu/items/${stout}/stock`, { state: 'out', until: null }, barkeeper);
  await pass();
  await expect.poll(() => row('Stout').innerText()).toContain('Sold out');
  expect(await row('Cider').getByText('Dry.').isVisible()).toBe(true);
  expect(
    await row('Cider')
      .locator('summary')
      .evaluate((one) => one === document.activeElement),
  ).toBe(true);

  // Without a network the page stays as it is, and goes on afterwards.
  await page.context().setOffline(true);
  const body = { section, name: 'Cider', sizes: [{ label: 'Glass', price: 610 }], description: 'Dry.' };
  await editor.patch(`menu_item/${cider}`, { version: 1, body, publish: true });
  await pass();
  expect(await row('Cider').innerText()).toContain('$5.20');
  await page.context().setOffline(false);
  await expect
    .poll(async () => {
      await pass();
      return row('Cider').innerText();
    })
    .toContain('$6.10');

  // A tab that nobody sees asks for nothing.
  await page.evaluate(() => Object.defineProperty(document, 'hidden', { value: true, configurable: true }));
  asked.length = 0;
  await pass();
  await pass();
  expect(asked).toEqual([]);
});
