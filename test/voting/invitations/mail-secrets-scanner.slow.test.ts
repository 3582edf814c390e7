import type { Browser } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { BASE, mailTo } from '#test/support/app.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { type ListeningService, listeningService, openTab } from '#test/support/browser/browser-service.ts';
import { addElection, addPoll, addRanked, cast } from '#test/support/factories.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await sharedBrowser();
});
afterEach(() => closePages(browser));

/** All data that a mail scanner could change. */
async function stored(service: ListeningService): Promise<string> {
  const tables = ['tokens', 'ballots', 'invites', 'magic_links', 'elections', 'audit_log'] as const;
  return JSON.stringify(
    await Promise.all(tables.map((table) => service.ctx.db.all(build.selectFrom(table).selectAll()))),
  );
}

const linksIn = (text: string) =>
  [...new Set(text.match(/https?:\/\/[^\s"'<>]+/g))].map((link) => link.replaceAll('&amp;', '&'));

test('a mail scanner that opens every link with script enabled changes nothing; voting still works', async () => {
  const server = await startMailServer();
  await using service = await listeningService(mailTo(server.url));
  const piano = await addElection(service, { title: 'The piano' });
  const { id: dinner } = await addPoll(service, ['Goose', 'Nuts'], { title: 'The dinner' });
  const { id: chair } = await addRanked(service, ['Ann', 'Bob', 'Cid'], { title: 'The chair' });
  const later = await addElection(service, { open_at: isoTime(service.clock.now + HOUR) });
  const election_ids = [piano, dinner, chair, later];
  await service.post('/admin/bulk-invites', {
    election_ids,
    invite_mode: 'individual',
    emails: ['ann@club.example'],
  });
  await service.post('/admin/bulk-invites', { election_ids, emails: ['bob@club.example'] });
  await service.post(`/admin/elections/${piano}/reminders/send`, { force: true });
  const before = await stored(service);

  const tab = await openTab(browser, service.origin);
  const visited = new Set<string>();
  const waiting = server.mails.flatMap(({ text, html }) => [...linksIn(text), ...linksIn(html)]);
  for (let link = waiting.pop(); link !== undefined; link = waiting.pop()) {
    const here = link.replace(BASE, service.origin);
    if (visited.has(here)) continue;
    visited.add(here);
    for (const method of ['HEAD', 'GET', 'OPTIONS'])
      await fetch(here, { method }).then((answer) => answer.text());
    await tab.goto(here, { waitUntil: 'networkidle' });
    // Also follows the links on “My elections”, which a mail leads to.
    if (here.includes('/vote/my-elections'))
      waiting.push(
        ...(await tab.locator('main a').evaluateAll((all) => all.map((a) => (a as HTMLAnchorElement).href))),
      );
  }

  // A code may stand in two links: alone, and with the list that leads to it.
  const links = [...visited].filter((link) => link.includes('?t='));
  const ballots = [...new Map(links.map((link) => [new URL(link).searchParams.get('t'), link])).values()];
  expect(ballots).toHaveLength(7);
  expect([...visited].some((link) => link.includes('/vote/my-elections?'))).toBe(true);
  expect(await stored(service)).toBe(before);
  for (const ballot of ballots.filter((link) => link.includes(piano))) {
    const token = new URL(ballot).searchParams.get('t');
    expect((await cast(service, piano, { token, choice: 'yes' })).statusCode).toBe(200);
  }
  await tab.goto(ballots.find((link) => link.includes(dinner))!);
  await tab.getByText('Goose', { exact: true }).click();
  await tab.getByRole('button', { name: 'Review my choice' }).click();
  await tab.getByRole('button', { name: 'Cast my vote' }).click();
  await tab.locator('.thanks h1').waitFor();
});
