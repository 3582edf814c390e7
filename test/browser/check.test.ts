import type { Browser } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { closePages, sharedBrowser } from '#test/support/browser.ts';
import { listeningService, openTab, SCRIPT } from '#test/support/browser-service.ts';
import { addElection, addTokens } from '#test/support/factories.ts';
import { button, heading } from './election-steps.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
afterEach(() => closePages(browser));

describe.each(SCRIPT)('%s', (name, options) => {
  test('a voter keeps the code and finds the ballot with it after the close', async () => {
    await using service = await listeningService();
    const id = await addElection(service, { settings: { inclusion_codes: true } });
    const [token] = await addTokens(service, id, 1);
    const page = await openTab(browser, service.origin, options);
    await page.goto(`/e/${id}/vote?t=${token}`);
    await page.getByText('Yes', { exact: true }).click();
    await button(page, 'Review my choice').click();
    await button(page, 'Cast my vote').click();
    await heading(page, 'Your vote has been recorded.').waitFor();
    const code = await page.locator('#inclusion-code').innerText();
    expect(code).toMatch(/^[0-9a-f]{4}( [0-9a-f]{4}){7}$/);
    await service.post(`/admin/elections/${id}/close`);

    await page.getByRole('link', { name: 'check with it' }).click();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${request.postData() ?? ''}`));
    const result = page.getByRole('status');
    await page.getByLabel('Your code').fill(code.toUpperCase());
    await button(page, 'Look for my ballot').click();
    await result.getByText('Your ballot is in the box').waitFor();
    await page.getByLabel('Your code').fill(code.replaceAll(/[0-9]/g, '0').replaceAll(/[a-f]/g, '1'));
    await button(page, 'Look for my ballot').click();
    await result.getByText('There is no ballot with this code').waitFor();

    const posts = sent.filter((request) => request.startsWith('POST'));
    expect(posts).toHaveLength(name === 'with script' ? 0 : 2);
  });
});
