// Voting, and every task of officers, by keyboard alone, from the first Tab to the confirmation.
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { mintFeed } from '#test/calendar/fixtures.ts';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp } from '#test/support/app.ts';
import { DESK } from '#test/support/browser/browser-service.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { focused, pressOn, tabTo, typeInto, typeTime } from '#test/support/browser/keyboard.ts';
import { addElection, addRanked, addTokens, castAll } from '#test/support/factories.ts';
import { MOTIONS, PIANO, startLinkedService } from '#test/support/linked-service.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { afterLast, shared } from '#test/support/shared-app.ts';
import { heading, title } from './election-steps.ts';

const UNLIMITED = { RATE_LIMIT_VOTE: '10000', RATE_LIMIT_ADMIN: '10000' };
const openTab = keptTabs();
const atEnd = afterLast();
const theService = shared(async () => {
  const mail = await startMailServer({}, atEnd);
  const linked = await startLinkedService({ ...UNLIMITED, ...mailTo(mail.url) });
  const origin = await linked.service.app.listen({ port: 0, host: '127.0.0.1' });
  const owner = await appoint(linked.service, 'olga@club.example', 'owner');
  return { ...linked, mail, origin, owner };
});
let service: TestApp;
let page: Page;

beforeAll(async () => {
  ({ service } = await theService());
});

async function open(path: string): Promise<void> {
  const { origin, owner } = await theService();
  page = await openTab(origin, { ...DESK, extraHTTPHeaders: owner });
  // A warning about unsaved input is a dialog of the browser, which has its own keys.
  page.removeAllListeners('dialog');
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(path);
}

/** The confirmation on the page. */
const says = (words: string) => page.getByRole('status').getByText(words).first().waitFor();

test('a ballot is reviewed and cast', async () => {
  const id = await addElection(service, { title: 'Shall dogs be let into the bar?' });
  const [token] = await addTokens(service, id, 1);
  await open(`/e/${id}/vote?t=${token}`);
  await tabTo(page, 'Yes');
  await page.keyboard.press('ArrowDown');
  expect(await focused(page)).toBe('No');
  await pressOn(page, 'Review my choice');
  await heading(page, 'Is this your vote?').waitFor();
  await pressOn(page, 'Cast my vote');
  await page.locator('.thanks h1').waitFor();
});

test('an election is created, given tokens and shown on the home page', async () => {
  await open('/admin');
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Skip to the content');
  await pressOn(page, 'New election');
  await title(page, 'New election').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await typeInto(page, 'Title', 'Where does the summer trip go?');
  await tabTo(page, 'Yes or no');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  expect(await focused(page)).toBe('Poll');
  await typeInto(page, 'Options or names', 'Cape May\nStay at home');
  await pressOn(page, 'Open at once', 'Space');
  await typeTime(page, 'Opens', '11212026', '0900AM');
  await typeTime(page, 'Closes', '11212026', '0800PM');
  await pressOn(page, 'Create the election');
  await title(page, 'Where does the summer trip go?').waitFor();
  await says('The election was created.');

  await pressOn(page, 'Voting codes');
  await page.getByRole('region', { name: 'Voting codes' }).waitFor();
  await typeInto(page, 'How many', '3');
  await pressOn(page, 'Make voting codes');
  await title(page, '3 new voting codes').waitFor();
  await pressOn(page, 'Back to the election');
  await title(page, 'Where does the summer trip go?').waitFor();
  await pressOn(page, 'Dates and rules');
  await page.getByRole('region', { name: 'Settings' }).waitFor();
  await pressOn(page, 'Show it on the home page', 'Space');
  await pressOn(page, 'Save the settings');
  await says('The settings were changed.');
});

test('an election gets a new closing time, is closed after a confirmation, certified and deleted', async () => {
  const id = await addElection(service, { title: 'The piano' });
  await castAll(service, id, [{ choice: 'yes' }]);
  await addTokens(service, id, 2);
  await open(`/admin/elections/${id}/rules`);
  await typeTime(page, 'Closes', '11222026', '0800PM');
  await pressOn(page, 'Save the dates');
  await says('The dates were changed.');

  // The title leads to the first page.
  await pressOn(page, 'The piano');
  await page.getByRole('heading', { name: 'Next', exact: true }).waitFor();
  await pressOn(page, 'Close voting …');
  await page.getByText('2 people have not voted yet').waitFor();
  await pressOn(page, 'Close voting now');
  await says('Voting is closed.');

  await pressOn(page, 'Enter certified results');
  await title(page, 'Certified results').waitFor();
  await typeInto(page, 'What was voted on', 'The piano');
  await typeInto(page, 'Votes for No', '20');
  await pressOn(page, 'Save the certified results');
  await says('The certified results were saved.');

  await pressOn(page, 'Delete …');
  await page.getByText('Delete this election?').waitFor();
  await typeInto(page, 'Type “The piano” to confirm', 'The piano');
  await page.keyboard.press('Enter');
  await says('The election was deleted.');
});

test('candidates are added and removed, a batch of tokens is deleted, and the election is copied', async () => {
  const { id } = await addRanked(service, ['Ada', 'Grace'], { title: 'Captain of the bowls team' });
  await addTokens(service, id, 3);
  await open(`/admin/elections/${id}/ballot`);
  await typeInto(page, 'Name', 'Linus');
  await pressOn(page, 'Add');
  await says('The candidate was added.');
  await pressOn(page, 'Remove Grace');
  await says('The candidate was removed.');

  await pressOn(page, 'Voting codes');
  await page.getByRole('region', { name: 'Voting codes' }).waitFor();
  await pressOn(page, 'Delete … the unnamed batch');
  await page.getByText('Delete the unnamed batch?').waitFor();
  await pressOn(page, 'Delete 3 voting codes');
  await says('The batch was deleted.');

  await pressOn(page, 'Overview');
  await page.getByRole('region', { name: 'Results' }).waitFor();
  await pressOn(page, 'Copy …');
  await title(page, 'Copy an election').waitFor();
  await typeInto(page, 'Title', 'Captain of the darts team');
  await pressOn(page, 'Make the copy');
  await title(page, 'Captain of the darts team').waitFor();
  await says('This is the copy.');
  await pressOn(page, 'Ballot');
  const candidates = page.getByRole('region', { name: 'Candidates' });
  await candidates.waitFor();
  expect(await candidates.innerText()).toMatch(/Ada.*Linus/s);
});

test('an election is linked to a page of the workspace, synced, and unlinked', async () => {
  const { election } = await theService();
  await open(`/admin/elections/${election}`);
  await typeInto(page, 'Database', MOTIONS);
  await typeInto(page, 'Page', PIANO);
  await pressOn(page, 'Link the page');
  await says('The page was linked.');
  await pressOn(page, 'Bring it up to date now');
  await says('The page is up to date.');
  await pressOn(page, 'Unlink the page');
  await says('The page was unlinked.');
});

test('a list is created, and its members are invited after a preview', async () => {
  const { mail } = await theService();
  await addElection(service, { title: 'The roof' });
  await open('/admin/distribution-lists');
  await typeInto(page, 'Name', 'Wine committee');
  await pressOn(page, 'Make the list');
  await title(page, 'Wine committee').waitFor();
  await typeInto(page, 'Addresses', 'ada@club.example\nbo@club.example\ncy@club.example');
  await pressOn(page, 'Add');
  await page.getByText('3 addresses added.').waitFor();
  await pressOn(page, 'Remove cy@club.example');
  await says('The address was removed.');

  await pressOn(page, 'Invitations');
  await title(page, 'Invitations').waitFor();
  await pressOn(page, 'The roof Open', 'Space');
  await pressOn(page, 'Wine committee', 'Space');
  await pressOn(page, 'Check before sending');
  await title(page, 'Check before sending').waitFor();
  await pressOn(page, 'Send 2 invitations');
  await page.getByRole('region', { name: 'Finished' }).waitFor();
  expect(mail.mails.flatMap(({ recipients }) => recipients).toSorted()).toEqual([
    'ada@club.example',
    'bo@club.example',
  ]);
});

test('a subscriber is looked up, stopped and allowed again, and the calendar switched off', async () => {
  await mintFeed(service, 'jane@club.example');
  await mintFeed(service, 'ann@club.example');
  await open('/admin/calendar');
  await typeInto(page, 'Name or e-mail address', 'jane@');
  await page.keyboard.press('Enter');
  await page.getByText('1 to 1 of 1 subscriber').waitFor();
  await pressOn(page, 'Stop: Jane, jane@club.example');
  await pressOn(page, 'Stop Jane');
  await says('The subscriber was stopped.');
  await pressOn(page, 'Allow again: Jane, jane@club.example');
  await says('may sign up again');
  await pressOn(page, 'Switch off: Club programme');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await says('The calendar is off.');
});
