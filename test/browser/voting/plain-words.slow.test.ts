import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { type MailServer, type ReceivedMail, startMailServer } from '#test/stand-ins/mail-server.ts';
import { BASE, mailTo } from '#test/support/app.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { type ListeningService, listeningService, openTab } from '#test/support/browser/browser-service.ts';
import { addElection, addRanked } from '#test/support/factories.ts';
import * as steps from './election-steps.ts';

/** Words that a member may not know, or should not need. Collapsed passages for experts may contain them. */
const NEEDS_EXPLAINING = new RegExp(
  `\\b(${[
    ...[
      'tokens?',
      'fingerprints?',
      'hash(es|ed)?',
      'SHA',
      'UUID',
      'ids?',
      'JSON',
      'CSV',
      'URL',
      'API',
      'HTTP',
      'HTML',
    ],
    ...[
      'UTC',
      'GMT',
      'Schulze',
      'Condorcet',
      'pairwise',
      'matrix',
      'matrices',
      'variant',
      'plurality',
      'algorithm',
    ],
    ...['ballot set', 'batch', 'submission', 'electors?', 'the roll', 'receipts?', 'audit', 'metadata'],
    ...[
      'servers?',
      'browsers?',
      'JavaScript',
      'scripts?',
      'database',
      'cookies?',
      'cache',
      'encrypt\\w*',
      'the service',
    ],
    ...['null', 'undefined', 'NaN', 'Invalid Date', 'error \\d+'],
  ].join('|')})\\b`,
  'gi',
);
const [ANN, BO, CY] = ['ann@club.example', 'bo@club.example', 'cy@club.example'] as const;

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
afterEach(() => closePages(browser));

/** Returns all that a page shows or tells screen readers, in order: texts, names, titles; no collapsed passages. */
function heardOn(page: Page): Promise<string> {
  return page.evaluate(() => {
    const said = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    const isSeen = (element: Element | null) =>
      element?.checkVisibility({ visibilityProperty: true }) === true;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Element) {
        if (!isSeen(node)) continue;
        for (const name of ['aria-label', 'alt', 'title', 'placeholder'])
          if (node.hasAttribute(name)) said.push(`[${node.getAttribute(name)}]`);
      } else if (isSeen(node.parentElement) || node.parentElement?.localName === 'option') {
        said.push(node.textContent ?? '');
      }
    }
    return said
      .map((text) => text.replace(/\s+/g, ' ').trim())
      .filter(Boolean)
      .join('\n');
  });
}

/** Returns a mail as it is read: its subject and its text, without the addresses of links. */
const readOf = ({ headers, text }: ReceivedMail): string =>
  `Subject: ${headers.subject}\n${text.replaceAll(/https?:\S+/g, '(link)')}`;

/** Returns the newest mail to an address with this subject, and the link in it. */
function newestMail({ mails }: MailServer, { origin }: ListeningService, email: string, subject: RegExp) {
  const mail = mails.findLast(
    ({ headers, recipients }) => recipients.includes(email) && subject.test(String(headers.subject)),
  )!;
  const link = /https:\S+/.exec(mail.text)?.[0] ?? '';
  return { mail, link: link.replace(BASE, origin) };
}

test('a member gets from the mail to the result without a word that needs explaining', async () => {
  const server = await startMailServer();
  await using service = await listeningService(mailTo(server.url));
  const settings = { hide_results_until_close: true, publish_results_to_home: true };
  const about = { settings, close_at: '2026-11-22T01:00:00Z' };
  const budget = await addElection(service, {
    ...about,
    title: 'Shall the club adopt the budget for 2027?',
    description: 'The treasurer asks for 48,200 dollars.',
  });
  const { id: chair, ids } = await addRanked(service, ['Ada Thornbury', 'Bo Lindqvist', 'Cyrus Okafor'], {
    ...about,
    title: 'Chair of the wine committee',
    settings: { ...settings, receipts: 'included' },
  });
  for (const id of [budget, chair])
    await service.post(`/admin/elections/${id}/invite`, { emails: [ANN, BO, CY] });
  const page = await openTab(browser, service.origin);
  const heard: [where: string, words: string][] = [];
  const listen = async (where: string) => void heard.push([where, await heardOn(page)]);
  const read = (where: string, { mail }: ReturnType<typeof newestMail>) =>
    void heard.push([where, readOf(mail)]);

  // Yes or no.
  const first = newestMail(server, service, ANN, /budget/);
  read('mail: invitation', first);
  await page.goto(first.link);
  await listen('ballot');
  await steps.button(page, 'Review my choice').click();
  await page.getByRole('alert').waitFor();
  await listen('ballot, nothing chosen');
  await page.getByText('Yes', { exact: true }).click();
  await steps.button(page, 'Review my choice').click();
  await steps.heading(page, 'Is this your vote?').waitFor();
  await listen('review');
  await steps.button(page, 'Cast my vote').click();
  await page.locator('.thanks h1').waitFor();
  await listen('confirmation');
  await steps.link(page, 'To the election’s page').click();
  await page.waitForURL('**/e/*');
  await listen('the election while voting goes on');
  await page.goto(first.link);
  await listen('the link again');

  // An order of candidates.
  const second = newestMail(server, service, ANN, /wine/);
  await page.goto(second.link);
  await listen('ranked ballot');
  for (const name of ['Bo Lindqvist', 'Ada Thornbury', 'Cyrus Okafor'])
    await steps.button(page, `Add ${name} to your order`).click();
  await listen('ranked ballot, filled in');
  await steps.button(page, 'Review my choice').click();
  await steps.heading(page, 'Is this your vote?').waitFor();
  await listen('ranked review');
  await steps.button(page, 'Cast my vote').click();
  await page.locator('.thanks h1').waitFor();
  await listen('ranked confirmation');

  // Other mails, and links and codes that fail.
  await service.post('/admin/bulk-invites', { election_ids: [budget, chair], emails: ['di@club.example'] });
  const several = newestMail(server, service, 'di@club.example', /2 elections/);
  read('mail: several elections', several);
  await page.goto(several.link);
  await listen('my elections');
  await service.post(`/admin/elections/${budget}/reminders/send`, { force: true });
  read('mail: reminder', newestMail(server, service, BO, /^Reminder/));
  await page.goto(`/e/${budget}/vote?t=wrong`);
  await listen('a wrong code');
  await page.goto('/e/nowhere');
  await listen('an incomplete link');
  await page.goto('/vote/my-elections');
  await listen('the mail is lost');
  await page.goto('/vote');
  await listen('the code of a slip');

  // The result.
  for (const [email, subject, ballot] of [
    [BO, /^Your vote: .*budget/, { choice: 'no' }],
    [CY, /^Your vote: .*budget/, { choice: 'yes' }],
    [BO, /^Your vote: .*wine/, { ranking: Object.values(ids) }],
  ] as const) {
    const { pathname, searchParams } = new URL(newestMail(server, service, email, subject).link);
    const cast = await service.post(pathname, { token: searchParams.get('t'), ...ballot });
    expect(cast.statusCode, cast.body).toBe(200);
  }
  for (const [id, name] of [
    [budget, 'budget'],
    [chair, 'wine'],
  ] as const) {
    await service.post(`/admin/elections/${id}/close`);
    await page.goto('/');
    if (id === budget) await listen('home');
    await page.goto(`/e/${id}`);
    await listen(`result: ${name}`);
    await service.post(`/admin/elections/${id}/results-email`);
    await expect
      .poll(() =>
        server.mails.some(({ headers }) => new RegExp(`^Results: .*${name}`).test(String(headers.subject))),
      )
      .toBe(true);
    read(`mail: result, ${name}`, newestMail(server, service, ANN, new RegExp(`^Results: .*${name}`)));
  }
  await page.goto(`/e/${chair}/check`);
  await listen('looking for one’s ballot');
  await page.getByLabel('Your code').fill('0'.repeat(32));
  await steps.button(page, 'Look for my ballot').click();
  await page.getByRole('status').getByText('There is no ballot').waitFor();
  await listen('a code without a ballot');
  await page.goto(second.link);
  await listen('the link after the close');

  if (process.env.WALK)
    (await import('node:fs')).writeFileSync(
      process.env.WALK,
      heard.map(([where, words]) => `=== ${where}\n${words}\n`).join('\n'),
    );
  const found = heard.flatMap(([where, words]) =>
    [...new Set(words.match(NEEDS_EXPLAINING))].map((word) => `${where}: ${word}`),
  );
  expect(found).toEqual([]);
});
