import { describe, expect, test } from 'vitest';
import { listeningService, SCRIPT } from '#test/support/browser-service.ts';
import { addElection, addSlips } from '#test/support/factories.ts';
import { keptTabs } from '#test/support/kept-tabs.ts';
import { shared } from '#test/support/shared-app.ts';
import { button, heading, link } from './election-steps.ts';

const openTab = keptTabs();
const theService = shared(() => listeningService());

describe.each(SCRIPT)('%s', (_name, options) => {
  test('a voter with a slip goes from the home page to a cast ballot, after one wrong character', async () => {
    const service = await theService();
    const id = await addElection(service);
    const [code = ''] = await addSlips(service, id, 1);
    const page = await openTab(service.origin, {
      ...options,
      viewport: { width: 320, height: 568 },
    });
    await page.goto('/');
    await link(page, 'I have a voting code').click();
    await page.waitForURL('**/vote');
    const field = page.getByLabel('Voting code');

    const wrong = code.slice(0, -1) + (code.endsWith('A') ? 'B' : 'A');
    await field.fill(wrong);
    await button(page, 'Open my ballot').click();
    await page.getByText('One character was misread').waitFor();
    expect(await field.inputValue()).toBe(wrong);
    await field.fill(` ${code.toLowerCase().replaceAll('-', ' ')} `);
    await button(page, 'Open my ballot').click();
    await page.waitForURL(`**/e/${id}/vote**`);
    await page.getByText('Yes', { exact: true }).click();
    await button(page, 'Review my choice').click();
    await button(page, 'Cast my vote').click();
    await heading(page, 'Your vote has been recorded.').waitFor();
  });
});
