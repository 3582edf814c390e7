import { describe, expect, test } from 'vitest';
import { fitChecks, runChecks } from '#test/support/browser/accessible.ts';
import { loadAxe, violations } from '#test/support/browser/axe.ts';
import { listeningService, SCRIPT } from '#test/support/browser/browser-service.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { focused, pressOn, tabTo } from '#test/support/browser/keyboard.ts';
import { addPoll, addTokens, castAll } from '#test/support/factories.ts';
import { shared } from '#test/support/shared-app.ts';
import { button, heading } from './election-steps.ts';

const openTab = keptTabs();
const theService = shared(() => listeningService());
const NAMES = ['Ivy Cole', 'Dorothea van Rensselaer-Whitcombe', 'Lee Ford'];

describe.each(SCRIPT)('%s', (name, options) => {
  test('a voter answers each name by keyboard on the narrowest phone, and the ballots can be counted', async () => {
    const service = await theService();
    const settings = { allow_blank: true, max_yes: 2 };
    const { id, ids } = await addPoll(service, NAMES, { ballot_type: 'YES_NO_EACH', settings });
    const [token] = await addTokens(service, id, 1);
    const page = await openTab(service.origin, { ...options, viewport: { width: 320, height: 640 } });
    if (name === 'with script') await loadAxe(page);
    await page.goto(`/e/${id}/vote?t=${token}`);
    if (name === 'with script') {
      expect(await violations(page)).toEqual([]);
      expect(await runChecks(page, fitChecks(page))).toEqual([]);
      await page.setViewportSize({ width: 320, height: 640 });
      await page.reload();
    }

    // Each name is one stop; the arrows choose.
    await tabTo(page, 'Yes');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toBe('No');
    await pressOn(page, 'Review my choice');
    await heading(page, 'Is this your vote?').waitFor();
    const answers = await page.locator('.said-each li').allInnerTexts();
    expect(answers.map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
      `${NAMES[0]} Yes`,
      `${NAMES[1]} No`,
      `${NAMES[2]} Abstain`,
    ]);
    await button(page, 'Change my answer').click();
    expect(await page.getByRole('radio', { name: 'Yes' }).first().isChecked()).toBe(true);
    await button(page, 'Review my choice').click();
    await button(page, 'Cast my vote').click();
    await page.locator('.thanks h1').waitFor();

    await castAll(
      service,
      id,
      Array.from({ length: 9 }, () => ({ answers: { [ids[NAMES[0]!]!]: 'yes' } })),
    );
    await service.post(`/admin/elections/${id}/close`);
    if (name !== 'with script') return;
    await page.goto(`/e/${id}/recount`);
    await page.getByRole('status').getByText('Everything agrees').waitFor();
    expect(await page.locator('[data-counted=winner]').innerText()).toContain('Ivy Cole');
    await page.getByText('Read them').click();
    await page.getByText(`${NAMES[0]}: yes, ${NAMES[1]}: no, ${NAMES[2]}: abstain`).waitFor();
  });
});
