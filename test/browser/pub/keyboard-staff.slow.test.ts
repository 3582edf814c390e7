// Every task of the staff by keyboard alone, from the first Tab to the confirmation.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { showFilm } from '#test/pub/screen/screen-service.ts';
import { DESK, type ListeningService, listeningService } from '#test/support/browser/browser-service.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { focused, pressOn, typeInto } from '#test/support/browser/keyboard.ts';
import { appoint, heard, phone } from '#test/support/people/patrons.ts';

const SWITCHES = ['SETLIST_REQUESTS', 'FEEDBACK', 'NOW_SHOWING', 'SCREENINGS'];

const openTab = keptTabs();
let service: ListeningService;
let owner: Record<string, string>;
let page: Page;

beforeAll(async () => {
  const switches = Object.fromEntries(SWITCHES.map((name) => [`${name}_ENABLED`, 'on']));
  service = await listeningService({ ...switches, BASE_URL: 'https://club.example' });
  owner = await appoint(service, 'olga@club.example', 'owner');
  const payload = { parts: { music: true, lights: true, sound: true } };
  await service.request({ method: 'PUT', url: '/api/admin/settings', payload, headers: owner });
});
afterAll(() => service[Symbol.asyncDispose]());

async function open(path: string): Promise<void> {
  page = await openTab(service.origin, { ...DESK, extraHTTPHeaders: owner });
  await page.goto(path);
}

/** The confirmation on the page. */
const says = (words: string) => page.getByRole('status').getByText(words).first().waitFor();

test('the staff controls the room, and the focus keeps its place', async () => {
  await phone(service).post('/api/setlist/request', { artist: 'Toto', title: 'Africa' });
  await open('/admin/pub');
  await pressOn(page, 'Accept: Africa');
  await says('The decision was saved.');
  await expect.poll(() => focused(page)).toBe('Undo: Accept: Africa');

  await open('/admin/pub/room');
  await pressOn(page, 'A film');
  await typeInto(page, 'Its title', 'The Third Man');
  await page.keyboard.press('Enter');
  await says('The big screen was changed.');
  await page.getByText('The screens show The Third Man').waitFor();

  await pressOn(page, 'Blackout');
  await says('The command was sent to the lights.');
  await expect.poll(() => focused(page)).toBe('Undo: Blackout, asked');
  await pressOn(page, 'Quiet', 'Space');
  await says('The command was sent to the sound system.');
  await expect.poll(() => focused(page)).toBe('Undo: Quiet, asked');
  await pressOn(page, 'Projector shows lyrics');
  await expect.poll(() => focused(page)).toBe('Undo: Projector shows lyrics');
  await open('/admin/pub/heard');
  await pressOn(page, 'End it: The Third Man');
  await says('The film was changed.');
});

test('a message of a patron is read, forwarded and closed', async () => {
  await phone(service).post('/api/feedback', { message: 'More dark beer' });
  await open('/admin/feedback');
  await pressOn(page, 'Mark as seen');
  await says('The message was changed.');
  await pressOn(page, 'More');
  await typeInto(page, 'Assigned to', 'tom@club.example');
  await typeInto(page, 'Tags', 'beer, cellar');
  await pressOn(page, 'Save');
  await page.getByText('beer, cellar').waitFor();
  await pressOn(page, 'Mark as done');
  await page.getByRole('button', { name: 'Reopen' }).waitFor();
});

test('a role is granted and revoked', async () => {
  await open('/admin/pub/roles');
  await pressOn(page, 'New role for somebody else');
  await typeInto(page, 'E-mail address', 'new@club.example');
  await pressOn(page, 'DJ', 'Space');
  await pressOn(page, 'Give these roles');
  await says('The roles were changed.');
  await pressOn(page, 'new@club.example DJ');
  await pressOn(page, 'Take all roles away from new@club.example');
  await expect.poll(() => page.getByText('new@club.example').count()).toBe(0);
});

test('a play is hidden, shown again and corrected', async () => {
  await heard(service, { artist: 'Dolly Partn', title: '9 to 5' });
  await open('/admin/pub/heard');
  await pressOn(page, 'Hide: 9 to 5');
  await expect.poll(() => focused(page)).toBe('Undo: Show: 9 to 5');
  await service.post('/api/admin/plays/1', { hidden: false }, owner);
  await pressOn(page, 'Correct: 9 to 5');
  await typeInto(page, 'Artist', 'Dolly Parton');
  await page.keyboard.press('Enter');
  await says('The setlist was changed.');
  await page.getByText('Dolly Parton').first().waitFor();

  await pressOn(page, 'Hide permanently: 9 to 5');
  await pressOn(page, 'Everything by the artist');
  await page.getByRole('heading', { name: 'Hidden permanently' }).waitFor();
  await pressOn(page, 'Show from now on: Everything by Dolly Parton');
  await expect.poll(() => page.getByRole('heading', { name: 'Hidden permanently' }).count()).toBe(0);
});

test('a screening is reverted to music', async () => {
  await showFilm(service, 'Casablanca', ['As Time Goes By']);
  await open('/admin/pub/heard');
  await pressOn(page, 'It was not a film: Casablanca');
  await says('The film was changed.');
  await page.getByText('its songs count as music again').waitFor();
});
