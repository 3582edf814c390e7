import type { Dialog, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { Html } from '#kernel/html.ts';
import { sharedBrowser } from '#test/support/browser/browser.ts';
import { timersByHand } from '#test/support/browser/page-timers.ts';
import { keptAnsweredTabs, openAnsweredTab } from '#test/views/answered-tab.ts';
import { closes, election, officer, opens } from '#test/views/samples.ts';
import { auditLogPage } from '#views/voting/admin/audit-log.ts';
import { dashboardPage } from '#views/voting/admin/dashboard.ts';
import { adminElectionPage } from '#views/voting/admin/election/election.ts';
import { electionFormPage } from '#views/voting/admin/election/election-form.ts';
import { tokensOncePage } from '#views/voting/admin/invitations/tokens-once.ts';
import { SUB_PAGES, subPagePath } from '#views/voting/words.ts';
import { electionProps } from './samples.ts';

const KEY = 'a-key';
const openTab = keptAnsweredTabs();

/** A service that answers only requests with the key, except for the first page. */
async function openByKey(path: string): Promise<{ tab: Page; asked: string[] }> {
  const asked: string[] = [];
  const viewer = officer(KEY);
  const row = { election: election(), opens, closes, turnout: { issued: 30, used: 12 }, needs: [] };
  const links = [{ token: 't1', url: 'https://club.example/e/e1/vote?t=t1' }];
  const tab = await openTab(({ method, path: at, query, headers }) => {
    asked.push(`${method} ${at}`);
    if (asked.length > 1 && headers.authorization !== `Bearer ${KEY}`) {
      const body = new Html('{"error":"Authentication required","message":"Sign in"}');
      return { status: 401, headers: { 'content-type': 'application/json' }, body };
    }
    if (at === '/admin') return dashboardPage({ rows: [row], zone: '', viewer });
    if (at === '/admin/elections/new') return electionFormPage({ entered: {}, errors: [], zone: '', viewer });
    if (at === '/admin/elections/e1/tokens')
      return tokensOncePage({ election: election(), batch_name: null, count: 1, links, viewer });
    if (at === '/admin/elections/e1/tokens/csv')
      return {
        status: 200,
        headers: { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="codes.csv"' },
      };
    if (at === '/admin/audit-logs') {
      const filter = { limit: 50, offset: 0, action: query.get('action') ?? undefined };
      return auditLogPage({ entries: [], total: 0, actions: ['vote.submitted'], query: filter, viewer });
    }
    if (at === '/admin/elections/e1/codes')
      return adminElectionPage(electionProps({ viewer, page: 'codes' }));
    return at === '/admin/elections/e1' ? adminElectionPage(electionProps({ viewer })) : undefined;
  });
  await tab.goto(path);
  return { tab, asked };
}

test('pages opened by key keep using it, also when going back', async () => {
  const { tab, asked } = await openByKey('/admin');

  await tab.getByRole('link', { name: 'Shall we?' }).click();
  await tab.getByRole('heading', { level: 1, name: 'Shall we?' }).waitFor();
  expect(new URL(tab.url()).pathname).toBe('/admin/elections/e1');
  expect(await tab.title()).toContain('Shall we?');
  await tab.goBack();
  await tab.getByRole('heading', { level: 1, name: 'Elections' }).waitFor();

  expect(asked).toEqual(['GET /admin', 'GET /admin/elections/e1', 'GET /admin']);
});

test('a page that is loaded by key runs its own script', async () => {
  const { tab } = await openByKey('/admin');

  await tab.getByRole('main').getByRole('link', { name: 'New election' }).click();
  await tab.getByLabel('Title').waitFor();
  await tab.getByRole('radio', { name: /^Poll/ }).check();

  await tab.getByLabel('Options or names').waitFor();
  await tab.getByLabel('Candidates of a ranked ballot').waitFor({ state: 'hidden' });
});

test('a form with a field named action is sent to its own address', async () => {
  const { tab } = await openByKey('/admin/audit-logs');

  await tab.getByLabel('Action').selectOption('vote.submitted');
  await tab.getByRole('button', { name: 'Show', exact: true }).click();
  await tab.waitForURL('**/admin/audit-logs?action=vote.submitted&**');
  await tab.getByRole('link', { name: 'Show all' }).waitFor();
});

test('leaving new tokens before they are saved asks first, and a POST does not change the address', async () => {
  const { tab } = await openByKey('/admin/elections/e1/codes');
  const asked: string[] = [];
  const dismiss = (dialog: Dialog) => {
    asked.push(dialog.message());
    void dialog.dismiss();
  };
  tab.on('dialog', dismiss);
  onTestFinished(() => void tab.off('dialog', dismiss));

  await tab.getByLabel('How many').fill('1');
  await tab.getByRole('button', { name: 'Make voting codes' }).click();
  await tab.getByRole('heading', { level: 1, name: '1 new voting code' }).waitFor();
  expect(new URL(tab.url()).pathname).toBe('/admin/elections/e1/codes');
  // The page that is opened by key may be shown before its script has run.
  await tab.evaluate(() =>
    Promise.all([...document.scripts].flatMap(({ src }) => (src ? [import(src)] : []))),
  );
  await tab.getByRole('link', { name: 'House', exact: true }).click();
  await expect
    .poll(() => asked)
    .toEqual(['These voting codes cannot be shown again. Leave without keeping them?']);

  const download = tab.waitForEvent('download');
  await tab.getByRole('button', { name: 'Download as CSV' }).click();
  expect((await download).suggestedFilename()).toBe('codes.csv');
  await tab.getByRole('link', { name: 'This election' }).click();
  await tab.getByRole('heading', { level: 1, name: 'Shall we?' }).waitFor();
  expect(asked).toHaveLength(1);
});

test('without script no part of the form is hidden', async () => {
  const page = electionFormPage({ entered: {}, errors: [], zone: '' });
  const tab = await openTab(() => page, { javaScriptEnabled: false });
  await tab.goto('/admin/elections/new');

  expect(await tab.getByLabel('Options or names').isVisible()).toBe(true);
  expect(await tab.getByLabel('Candidates of a ranked ballot').isVisible()).toBe(true);
});

test('the turnout of an open election is updated and announced, and survives a failing service', async () => {
  const answers = [
    { status: 503, used: 0 },
    { status: 200, used: 13 },
    { status: 200, used: 13, closed: true },
  ];
  const page = adminElectionPage(electionProps());
  const tab = await openAnsweredTab(await sharedBrowser(), ({ headers }) => {
    if (!headers.accept?.includes('application/json')) return page;
    const { status = 200, used, closed = false } = answers.shift() ?? { used: 99 };
    const answer = {
      election: { status: closed ? 'closed' : 'open' },
      turnout: { tokens: 30, used, invited: 2 },
    };
    return {
      status,
      headers: { 'content-type': 'application/json' },
      body: new Html(JSON.stringify(answer)),
    };
  });
  onTestFinished(() => tab.context().close());
  const timers = await timersByHand(tab, 15_000);
  await tab.goto('/admin/elections/e1');
  const used = tab.locator('[data-figure=used]');
  const news = tab.locator('[data-turnout-news]');
  const closed = tab.getByText('Voting has closed since this page was loaded.');

  await timers.fire();
  expect(answers).toHaveLength(2);
  expect(await used.textContent()).toBe('12');
  expect(await news.textContent()).toBe('');

  await timers.fire();
  expect(await used.textContent()).toBe('13');
  expect(await news.textContent()).toBe('13 of 30 voting codes used.');
  expect(await closed.isVisible()).toBe(false);

  await timers.fire();
  expect(await closed.isVisible()).toBe(true);
  expect(await used.textContent()).toBe('13');
  // It no longer polls.
  expect(await timers.armed()).toBe(0);
});

test('the address of a section leads to the page that it is on', async () => {
  const pages = new Map(
    SUB_PAGES.map((page) => [subPagePath({ id: 'e1' }, page), adminElectionPage(electionProps({ page }))]),
  );
  const tab = await openTab(({ path }) => pages.get(path));
  for (const [section, page] of [
    ['dates', '/rules'],
    ['tokens', '/codes'],
    ['ending', ''],
  ] as const) {
    await tab.goto('about:blank');
    await tab.goto(`/admin/elections/e1#${section}`);
    await tab.waitForURL(`**/admin/elections/e1${page}#${section}`);
    await tab.locator(`section#${section}`).waitFor();
  }
});

test('a number that the browser cannot read is not sent as none', async () => {
  const sent: string[] = [];
  const page = adminElectionPage(electionProps({ page: 'codes' }));
  const tab = await openTab(({ method, path }) => {
    if (method === 'POST') sent.push(path);
    return page;
  });
  await tab.goto('/admin/elections/e1/codes');
  const count = tab.locator('input[type="number"]:visible').first();
  const form = tab.locator('form').filter({ has: count });

  await count.focus();
  await tab.keyboard.type('1e');
  await form.locator('button:not([formnovalidate])').first().click();
  await tab.getByText('Nothing was sent: this is not a number.').waitFor();
  expect(sent).toEqual([]);
  expect(await count.evaluate((field) => field === document.activeElement)).toBe(true);

  await count.fill('3');
  await form.locator('button:not([formnovalidate])').first().click();
  await expect.poll(() => sent).toHaveLength(1);
  // What takes something back, or only shows it, does not read the fields.
  await count.focus();
  await tab.keyboard.type('e');
  await form.evaluate((one: HTMLFormElement) => {
    const button = document.createElement('button');
    button.formNoValidate = true;
    button.textContent = 'Undo';
    one.append(button);
  });
  await form.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => sent).toHaveLength(2);
});
