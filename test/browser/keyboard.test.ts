// Voting, and every task of officers and staff, from the first Tab to what the house says when it is done, without a mouse.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { mintFeed } from '../calendar/club.ts';
import { mailTo } from '../support/app.ts';
import { launch } from '../support/browser.ts';
import { DESK, type ListeningHouse, listeningHouse, openTab } from '../support/browser-house.ts';
import { addElection, addTokens, castAll } from '../support/factories.ts';
import { focused, pressOn, tabTo, typeInto, typeTime } from '../support/keyboard.ts';
import { startMailServer } from '../support/mail-server.ts';
import { appoint, phone } from '../support/patrons.ts';
import { heading, title } from './life.ts';

const SWITCHES = ['SETLIST_REQUESTS', 'FEEDBACK', 'NOW_SHOWING', 'SCREENINGS'];

let browser: Browser;
let house: ListeningHouse;
let owner: Record<string, string>;
let page: Page;

beforeAll(async () => {
  browser = await launch();
  const switches = Object.fromEntries(SWITCHES.map((name) => [`${name}_ENABLED`, 'on']));
  house = await listeningHouse({ ...switches, BASE_URL: 'https://club.example' });
  owner = await appoint(house, 'olga@club.example', 'owner');
});
afterAll(async () => {
  await browser.close();
  await house[Symbol.asyncDispose]();
});
afterEach(() => page.context().close());

async function open(path: string, origin = house.origin): Promise<void> {
  page = await openTab(browser, origin, { ...DESK, extraHTTPHeaders: owner });
  // What would be lost is asked about in a window of the browser, which has its own keys.
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(path);
}

/** What the house says was done. */
const says = (words: string) => page.getByRole('status').getByText(words).first().waitFor();

test('a ballot is looked at once more, and cast', async () => {
  const id = await addElection(house, { title: 'Shall dogs be let into the bar?' });
  const [token] = await addTokens(house, id, 1);
  await open(`/e/${id}/vote?t=${token}`);
  await tabTo(page, 'Yes');
  await page.keyboard.press('ArrowDown');
  expect(await focused(page)).toBe('No');
  await pressOn(page, 'Review my choice');
  await heading(page, 'Is this your vote?').waitFor();
  await pressOn(page, 'Cast my vote');
  await title(page, 'Your vote has been recorded.').waitFor();
});

test('an election is made, given tokens and put on the home page', async () => {
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
  await typeInto(page, 'Options of a poll', 'Cape May\nStay at home');
  await typeTime(page, 'Opens (America/New_York)', '11212026', '0900AM');
  await typeTime(page, 'Closes (America/New_York)', '11212026', '0800PM');
  await pressOn(page, 'Create the election');
  await title(page, 'Where does the summer trip go?').waitFor();
  await says('The election was created.');

  await typeInto(page, 'How many', '3');
  await pressOn(page, 'Make tokens');
  await title(page, '3 new tokens').waitFor();
  await pressOn(page, 'Back to the election');
  await title(page, 'Where does the summer trip go?').waitFor();
  await pressOn(page, 'Show it on the home page', 'Space');
  await pressOn(page, 'Save the settings');
  await says('The settings were changed.');
});

test('an election is given another end, closed after a question, certified and deleted', async () => {
  const id = await addElection(house, { title: 'The piano' });
  await castAll(house, id, [{ choice: 'yes' }]);
  await addTokens(house, id, 2);
  await open(`/admin/elections/${id}`);
  await typeTime(page, 'Closes (America/New_York)', '11222026', '0800PM');
  await pressOn(page, 'Save the dates');
  await says('The dates were changed.');

  await pressOn(page, 'Close …');
  await page.getByText('2 voters could still vote').waitFor();
  await pressOn(page, 'Close voting now');
  await says('Voting is closed.');

  await pressOn(page, 'Enter certified results');
  await title(page, 'Certified results').waitFor();
  await typeInto(page, 'What was voted on', 'The piano');
  await typeInto(page, 'Item 1', 'Yes');
  await typeInto(page, 'Votes of item 1', '61');
  await pressOn(page, 'Save the certified results');
  await says('The certified results were saved.');

  await pressOn(page, 'Delete …');
  await page.getByText('Delete this election?').waitFor();
  await typeInto(page, 'Type “The piano” to confirm', 'The piano');
  await page.keyboard.press('Enter');
  await says('The election was deleted.');
});

test('a list is made, and its people are invited after a last look', async () => {
  const mail = await startMailServer();
  await using mailing = await listeningHouse(mailTo(mail.url));
  await addElection(mailing, { title: 'The roof' });
  await open('/admin/distribution-lists', mailing.origin);
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
  await page.waitForLoadState('load');
  await pressOn(page, 'Send 2 invitations');
  await page.getByRole('region', { name: 'Finished' }).waitFor();
  expect(mail.mails.flatMap(({ recipients }) => recipients).toSorted()).toEqual([
    'ada@club.example',
    'bo@club.example',
  ]);
});

test('behind the bar the room is steered, and the focus stays where the finger was', async () => {
  await phone(house).post('/api/setlist/request', { artist: 'Toto', title: 'Africa' });
  await open('/admin/pub');
  await pressOn(page, 'Yes: Africa');
  await says('The request was decided.');
  // Yes is gone now: the reader goes on at the head of its part.
  await expect.poll(() => focused(page)).toBe('Song requests');

  await pressOn(page, 'A film');
  await typeInto(page, 'Its title', 'The Third Man');
  await page.keyboard.press('Enter');
  await says('The big screen was told.');
  await page.getByText('The card says The Third Man').waitFor();

  await pressOn(page, 'Blackout');
  await says('The lights were asked.');
  await expect.poll(() => focused(page)).toBe('Blackoutasked');
  await pressOn(page, 'Quiet', 'Space');
  await says('The sound was asked.');
  await expect.poll(() => focused(page)).toBe('Quietasked');
  await pressOn(page, 'Turn on: Projector shows lyrics');
  await expect.poll(() => focused(page)).toBe('Turn off: Projector shows lyrics');
  await pressOn(page, 'End it: The Third Man');
  await says('The film was changed.');
});

test('a message of a patron is read, passed on and settled', async () => {
  await phone(house).post('/api/feedback', { message: 'More dark beer' });
  await open('/admin/feedback');
  await pressOn(page, 'Mark as seen');
  await says('The message was changed.');
  await pressOn(page, 'More');
  await typeInto(page, 'Looked after by', 'tom@club.example');
  await typeInto(page, 'Tags', 'beer, cellar');
  await pressOn(page, 'Save');
  await page.getByText('beer, cellar').waitFor();
  await pressOn(page, 'Mark as done');
  await page.getByRole('button', { name: 'Take up again' }).waitFor();
});

test('somebody is given a role, and it is taken away', async () => {
  await open('/admin/pub/roles');
  await typeInto(page, 'E-mail address', 'new@club.example');
  await pressOn(page, 'dj', 'Space');
  await pressOn(page, 'Give these roles');
  await says('The roles were changed.');
  await pressOn(page, 'new@club.example dj');
  await pressOn(page, 'Take all roles away from new@club.example');
  await expect.poll(() => page.getByText('new@club.example').count()).toBe(0);
});

test('a subscriber is looked up, stopped and allowed again, and the calendar switched off', async () => {
  await mintFeed(house, 'jane@club.example');
  await mintFeed(house, 'ann@club.example');
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
