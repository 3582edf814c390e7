// The first evening of a founder, counted: from a service without an owner to hours, an event, a named TV that shows
// tonight, a list of members and a trial vote.
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { SetUpCode } from '#people/set-up.ts';
import { testApp } from '#test/support/app.ts';
import { loadAxe, violations } from '#test/support/browser/axe.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { DESK, openTab } from '#test/support/browser/browser-service.ts';
import { buildApp } from '../../src/app.ts';

/** At most, in all. */
const PAGES = 12;
const FIELDS = 25;

const MEMBERS = `Name,E-mail,Membership
Ann Byrne,ann@home.example,Full
Bob Daly,bob@home.example,Full
Cat Egan,cat@home.example,Full`;

afterEach(async () => closePages(await sharedBrowser()));

/** A founder at a desk in Dublin, whose pages and fields are counted. */
async function founder(origin: string) {
  const page = await openTab(await sharedBrowser(), origin, {
    ...DESK,
    locale: 'en-IE',
    timezoneId: 'Europe/Dublin',
  });
  const counted = { pages: [] as string[], fields: [] as string[] };
  page.on('load', () => counted.pages.push(new URL(page.url()).pathname));
  return {
    page,
    counted,
    async fill(label: string, value: string) {
      counted.fields.push(label);
      await page.getByLabel(label, { exact: true }).fill(value);
    },
    /** Presses a button or follows a link, and waits for the page that it leads to. */
    async press(role: 'button' | 'link', name: string | RegExp) {
      await Promise.all([page.waitForEvent('load'), page.getByRole(role, { name }).first().click()]);
    },
  };
}

const stepOf = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: new RegExp(`\\. ${title}`) }) });

test.each(['development', 'production'])(
  'in %s the first evening takes at most 12 pages and 25 fields',
  async (NODE_ENV) => {
    await using service = await testApp({
      NODE_ENV,
      LOCAL_BYPASS: '',
      EDGE_ACCESS_TRUST_HEADERS: '',
      TRUSTED_PROXIES: '',
      RATE_LIMIT_GENERAL: '10000',
    });
    const code = new SetUpCode(service.ctx.now);
    const app = await buildApp(service.ctx, { setUpCode: code });
    const origin = await app.listen({ port: 0, host: '127.0.0.1' });
    try {
      const { page, counted, fill, press } = await founder(origin);

      await loadAxe(page);
      await page.goto(`/set-up#${code.shown}`);
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

      const tv = await openTab(await sharedBrowser(), origin, { viewport: { width: 1920, height: 1080 } });
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

      const { steps } = (await (
        await page.request.get('/admin/first-steps', {
          headers: { accept: 'application/json' },
        })
      ).json()) as { steps: { name: string; state: string }[] };
      expect(steps.filter(({ state }) => state === 'done').map(({ name }) => name)).toEqual([
        'hours',
        'event',
        'screen',
        'members',
        'vote',
      ]);
      expect(counted.fields.length, counted.fields.join(', ')).toBeLessThanOrEqual(FIELDS);
      expect(counted.pages.length, counted.pages.join(' ')).toBeLessThanOrEqual(PAGES);
    } finally {
      await app.close();
    }
  },
);
