import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '#test/stand-ins/mail-server.ts';
import { BASE, mailTo, type TestApp } from '#test/support/app.ts';
import { listeningService, SCRIPT, watch } from '#test/support/browser/browser-service.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { addElection } from '#test/support/factories.ts';
import { message } from '#test/support/messages.ts';
import { afterLast, shared } from '#test/support/shared-app.ts';
import * as steps from './election-steps.ts';

const CSV = `Name,E-mail,Joined
"Lovelace, Ada",ada@club.example,1987
Grace Hopper,Grace@Club.example,1991
Ada again,ADA@club.example,1987
Charles,charles at club,2001
Mary,gone@club.example,2003
`;

const openTab = keptTabs();
const atEnd = afterLast();
const theService = shared(async () => {
  const server = await startMailServer(
    {
      answer: (address) => (address === 'gone@club.example' ? { code: 550, text: 'No such person' } : 'take'),
    },
    atEnd,
  );
  return Object.assign(await listeningService(mailTo(server.url)), { server });
});
/** Troubles of the only tab. */
let troubles: string[] | undefined;

/** Each test begins without elections and mails, so that all can use the same titles and addresses. */
async function begin(options: BrowserContextOptions) {
  const service = await theService();
  await steps.deleteElections(service);
  service.server.mails.splice(0);
  const tab = await openTab(service.origin, options);
  troubles ??= watch(tab.context(), service.origin);
  troubles.splice(0);
  return { service, troubles, ...steps.takeTurns(tab) };
}

const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true });

/** Returns the rows of a table, each as a list of its cells. */
async function rowsOf(page: Page, caption: string): Promise<string[][]> {
  const rows = await page.getByRole('table', { name: caption }).locator('tbody tr').all();
  return Promise.all(
    rows.map(async (row) =>
      (await row.locator('th, td').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim()),
    ),
  );
}

/** Returns the link in the newest mail to an address, leading to this service. */
function linkFor(server: MailServer, origin: string, email: string): string {
  const mail = server.mails.findLast(({ recipients }) => recipients[0] === email);
  return /https:\S+/.exec(mail?.text ?? '')?.[0].replace(BASE, origin) ?? '';
}

/** Votes yes by a link, without using the browser. */
async function castYes(service: TestApp, ballot: string): Promise<void> {
  const { pathname, searchParams } = new URL(ballot);
  const cast = await service.post(pathname, { token: searchParams.get('t'), choice: 'yes' });
  expect(cast.statusCode, cast.body).toBe(200);
}

describe.each(SCRIPT)('%s', (_, options) => {
  const scripted = options.javaScriptEnabled !== false;

  test('an officer pastes a table, checks its rows, sends invitations, and a member votes by the link', async () => {
    const { service, troubles, officer, voter } = await begin(options);
    const id = await addElection(service, {
      title: 'The piano',
      settings: { hide_results_until_close: true },
    });

    await steps.goAtDesk(officer, `/admin/elections/${id}/mails`);
    const addresses = field(officer, 'Addresses');
    await addresses.fill(CSV);
    await steps.button(officer, 'Check before sending').click();
    await steps.title(officer, 'Check before sending').waitFor();
    expect(service.server.mails).toEqual([]);
    const shown = await steps.words(officer);
    expect(shown).toContain('Nothing has been sent yet.');
    expect(shown).toContain('3 people, 3 mails');
    expect(await rowsOf(officer, '2 rows of what you entered')).toEqual([
      ['charles at club', 'Invalid', message('not_address')],
      ['ada@club.example', 'Repeated', 'Stands further up, and is mailed once.'],
    ]);
    expect(await officer.getByRole('list', { name: 'Everyone who is mailed' }).innerText()).toBe(
      'ada@club.example\ngrace@club.example\ngone@club.example',
    );
    expect(shown).toContain('Your vote: The piano');

    if (!scripted) {
      await steps.button(officer, 'Change').click();
      expect((await addresses.inputValue()).trim()).toBe(CSV.trim());
      await steps.button(officer, 'Check before sending').click();
    }
    await sendAfterLoading(officer, 'Send 3 invitations');
    if (scripted) {
      const sending = officer.getByRole('region', { name: 'Finished' });
      await sending.waitFor();
      await steps.title(officer, 'Invitations: 2 sent').waitFor();
      expect(await officer.title()).toMatch(/^Invitations: 2 sent · /);
      expect(await sending.innerText()).toMatch(/gone@club.example: .*No such person/);
      expect(await sending.locator('[data-count="sent"]').innerText()).toBe('2');
      await steps.link(officer, 'Done').click();
    } else {
      await steps.title(officer, '2 invitations sent').waitFor();
      expect(await rowsOf(officer, '3 rows, what failed first')).toEqual([
        ['gone@club.example', expect.stringMatching(/^Failed .*No such person/)],
        ['ada@club.example', 'Sent'],
        ['grace@club.example', 'Sent'],
      ]);
      await steps.link(officer, 'Back to the election').click();
    }
    await steps.title(officer, 'The piano').waitFor();
    expect(service.server.mails.flatMap(({ recipients }) => recipients).toSorted()).toEqual([
      'ada@club.example',
      'grace@club.example',
    ]);

    await steps.goOnPhone(voter, linkFor(service.server, service.origin, 'ada@club.example'));
    await steps.heading(voter, 'The piano').waitFor();
    await castYes(service, voter.url());
    await steps.goAtDesk(officer, `/admin/elections/${id}/invitations`);
    const listed = (await rowsOf(officer, '3 invitations')).map(([email, state, voted]) => [
      email,
      state?.split(' ')[0],
      voted,
    ]);
    expect(listed).toEqual([
      ['ada@club.example', 'Sent', 'Yes'],
      ['gone@club.example', 'Failed', 'No'],
      ['grace@club.example', 'Sent', 'No'],
    ]);
    expect(troubles).toEqual([]);
  });

  test('the link of a mail about several elections opens a page with a ballot for each', async () => {
    const { service, officer, voter } = await begin(options);
    for (const title of ['The piano', 'The roof']) await addElection(service, { title });

    await steps.goAtDesk(officer, '/admin/bulk-invites');
    for (const name of ['The piano', 'The roof']) await officer.getByRole('checkbox', { name }).check();
    await field(officer, 'Addresses').fill('ada@club.example, grace@club.example');
    await steps.button(officer, 'Check before sending').click();
    await sendAfterLoading(officer, 'Send 2 invitations');
    await (scripted
      ? officer.getByRole('region', { name: 'Finished' })
      : steps.title(officer, '2 invitations sent')
    ).waitFor();

    await steps.goOnPhone(voter, linkFor(service.server, service.origin, 'grace@club.example'));
    expect(await steps.words(voter)).toContain('2 ballots wait for you.');
    const ballot = await voter.getByRole('link', { name: /^Vote now.*The roof$/ }).getAttribute('href');
    await castYes(service, service.origin + ballot);
    await voter.reload();
    expect(await steps.words(voter)).toMatch(/A ballot waits for you\..*You have voted/s);
  });

  test('a list is created, filled, renamed and deleted', async () => {
    const { troubles, officer } = await begin(options);

    await steps.goAtDesk(officer, '/admin/distribution-lists');
    await field(officer, 'Name').fill('Full members');
    await steps.button(officer, 'Make the list').click();
    await steps.title(officer, 'Full members').waitFor();
    if (scripted) {
      const file = { name: 'members.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) };
      const input = officer.getByLabel('Take them from a file');
      await input.waitFor();
      await input.setInputFiles(file);
      await officer.getByRole('status').getByText('“members.csv” was added').waitFor();
    } else {
      await field(officer, 'Addresses').fill(CSV);
    }
    await steps.button(officer, 'Add').click();
    await steps.heading(officer, 'What was added').waitFor({ state: 'attached' });
    expect(await steps.words(officer)).toContain(
      '3 addresses added. 1 was on the list already or came twice.',
    );
    expect(await rowsOf(officer, 'Not added')).toEqual([['charles at club', message('not_address')]]);

    await officer.getByRole('button', { name: 'Remove gone@club.example' }).click();
    await officer.getByRole('status').getByText('The address was removed.').waitFor();
    expect((await rowsOf(officer, '2 addresses')).map(([email]) => email)).toEqual([
      'ada@club.example',
      'grace@club.example',
    ]);
    await field(officer, 'Name').fill('Founders');
    await steps.button(officer, 'Save').click();
    await steps.title(officer, 'Founders').waitFor();

    await steps.link(officer, 'Delete …').click();
    await steps.heading(officer, 'Delete the list “Founders”?').waitFor();
    await steps.button(officer, 'Delete 2 addresses').click();
    await officer.getByRole('status').getByText('The list was deleted.').waitFor();
    expect(await steps.words(officer)).toContain('No lists yet');
    expect(troubles).toEqual([]);
  });
});

/** Presses the button once the page and its script have loaded; earlier, the form would be sent without script. */
async function sendAfterLoading(officer: Page, label: string): Promise<void> {
  await steps.title(officer, 'Check before sending').waitFor();
  await officer.waitForLoadState('load');
  await steps.button(officer, label).click();
}
