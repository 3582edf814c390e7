// Steps of officers and voters on the pages of an election, for every type of ballot.
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { DESK, type ListeningService, PHONE, resize } from '#test/support/browser/browser-service.ts';
import { addTokens, page, send } from '#test/support/factories.ts';

/** Tabs that already have a listener for dialogs. */
const answered = new WeakSet<Page>();

/** Lets an officer at a desk and a voter with a phone take turns in one tab: neither has cookies of their own. */
export function takeTurns(tab: Page): { officer: Page; voter: Page } {
  // The page of new tokens asks for confirmation before it is left: always confirm.
  if (!answered.has(tab)) tab.on('dialog', (dialog) => void dialog.accept());
  answered.add(tab);
  return { officer: tab, voter: tab };
}

/** Opens an address as the officer, at desk size. */
export async function goAtDesk(officer: Page, address: string): Promise<void> {
  await resize(officer, DESK.viewport!);
  await officer.goto(address);
}

/** Opens an address as the voter, at phone size. */
export async function goOnPhone(voter: Page, address: string): Promise<void> {
  await resize(voter, PHONE.viewport!);
  await voter.goto(address);
}

/** Deletes all elections, so that the next test can use the same titles. */
export async function deleteElections(service: ListeningService): Promise<void> {
  const { elections } = (await service.get('/admin/elections')).json();
  for (const { id } of elections) {
    const deleted = await send(service, 'DELETE', `/admin/elections/${id}`, {});
    expect(deleted.statusCode, deleted.body).toBe(200);
  }
}

export const heading = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('heading', { name, exact: true });
/** The title of a page. */
export const title = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('heading', { name, exact: true, level: 1 });
export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
export const link = (page: Page, name: string): Locator => page.getByRole('link', { name, exact: true });
/** What the page says, as its stylesheets show it. */
export async function words(page: Page): Promise<string> {
  await page.waitForLoadState();
  // Times do not break between their hour and PM.
  return (await page.locator('main').innerText()).replaceAll('\u00a0', ' ');
}

/** The id of the election or ballot paper of which a page is open. */
export const idOf = (officer: Page): string => new URL(officer.url()).pathname.split('/')[3] ?? '';

/** Goes to one of the pages of an election or a ballot paper by its link. */
export async function goToPart(officer: Page, name: string): Promise<void> {
  const parts = officer.getByRole('navigation', { name: /^Pages of this / });
  await parts.getByRole('link', { name, exact: true }).click();
  await parts.locator('[aria-current="page"]').getByText(name, { exact: true }).waitFor();
}

/** The text of a page that is read without the browser. */
export async function textOf(service: ListeningService, path: string): Promise<string> {
  const { body } = await page(service, path);
  return body
    .replace(/^.*<main/s, '<main')
    .replaceAll(/<span translate="no">(.*?)<\/span>/g, '$1')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

/** Fills in the form for a new election, as far as every type needs it. */
export async function fillForm(officer: Page, name: string, type: RegExp): Promise<void> {
  await heading(officer, 'New election').waitFor();
  await officer.getByLabel('Title', { exact: true }).fill(name);
  await officer.getByRole('radio', { name: type }).check();
  await officer.getByLabel('Closes', { exact: true }).fill('2026-11-21T20:00');
  await officer.getByLabel('Show it on the home page').check();
  expect(await officer.getByLabel('Hidden until voting closes').isChecked()).toBe(true);
}

/** Enters when the election opens and closes. */
export async function fillTimes(officer: Page, opens: string, closes: string): Promise<void> {
  await officer.getByLabel('Open at once').uncheck();
  await officer.getByLabel('Opens', { exact: true }).fill(opens);
  await officer.getByLabel('Closes', { exact: true }).fill(closes);
}

/** Sends the form for a new election with times in the past. */
export async function refuse(officer: Page, name: string): Promise<void> {
  await fillTimes(officer, '2026-11-20T19:00', '2026-11-20T21:00');
  await button(officer, 'Create the election').click();
  const problem = officer.getByRole('alert');
  await problem.getByText('The election was not made yet').waitFor();
  await officer.waitForLoadState();
  expect(await problem.innerText()).toContain('Closes: has to be in the future.');
  // The error is above one of the two fields, which stay aligned.
  const [opens, closes] = await Promise.all(
    ['Opens', 'Closes'].map(async (label) => {
      const box = await officer.getByLabel(label, { exact: true }).boundingBox();
      return box && box.y + box.height;
    }),
  );
  expect(opens).toBe(closes);
  expect(await officer.getByLabel('Title', { exact: true }).inputValue()).toBe(name);
}

/** Previews the ballot, and expects the preview to keep the input. */
export async function preview(officer: Page, name: string, labels: (string | RegExp)[]): Promise<void> {
  await button(officer, 'Preview the ballot').click();
  const ballot = officer.getByRole('region', { name: 'This is the ballot' });
  await ballot.getByRole('heading', { name }).waitFor();
  const text = await ballot.innerText();
  for (const label of labels) expect(text).toMatch(label);
  expect(await officer.getByLabel('Title', { exact: true }).inputValue()).toBe(name);
}

/** Submits the form for a new election. */
export async function create(officer: Page, name: string): Promise<void> {
  await button(officer, 'Create the election').click();
  await title(officer, name).waitFor();
  expect(await officer.getByRole('status').first().innerText()).toContain('The election was created.');
}

/** Adds a candidate or an option on the election's page, and removes another. */
export async function addAndRemove(
  officer: Page,
  kind: 'candidate' | 'option',
  added: string,
  removed: string,
): Promise<void> {
  const section = officer.getByRole('region', { name: kind === 'option' ? 'Options' : 'Candidates' });
  await section.getByLabel('Name', { exact: true }).fill(added);
  await section.getByRole('button', { name: 'Add', exact: true }).click();
  await section.getByRole('status').getByText(`The ${kind} was added.`).waitFor();
  await section.getByRole('button', { name: `Remove ${removed}` }).click();
  await section.getByRole('status').getByText(`The ${kind} was removed.`).waitFor();
}

/** Generates tokens on the election's page, and reads them on the only page that shows them. */
export async function makeTokens(officer: Page, count: number): Promise<string[]> {
  await goToPart(officer, 'Voting codes');
  const section = officer.getByRole('region', { name: 'Voting codes', exact: true });
  await section.getByLabel('How many', { exact: true }).fill(String(count));
  await section.getByLabel('Name of the batch').fill('Hall, at the door');
  await section.getByRole('button', { name: 'Make voting codes' }).click();
  await title(officer, `${count} new voting codes`).waitFor();
  const shown = await words(officer);
  expect(shown).toContain('Shown only now');
  expect(shown).toContain('Batch “Hall, at the door”');
  const links = (await officer.getByRole('region', { name: 'Voting links' }).locator('pre').innerText())
    .trim()
    .split('\n');
  expect(links).toHaveLength(count);

  await link(officer, 'Back to the election').click();
  await officer.getByRole('row', { name: 'Hall, at the door' }).waitFor();
  const content = await officer.content();
  for (const token of links.map(tokenOf)) expect(content).not.toContain(token);
  return links;
}

function tokenOf(votingLink: string): string {
  return new URL(votingLink).searchParams.get('t') ?? '';
}

/** Creates voting links without using the browser. */
export async function addLinks(
  service: ListeningService,
  id: string,
  count: number,
  route: 'vote' | 'vote/poll',
): Promise<string[]> {
  const tokens = await addTokens(service, id, count);
  return tokens.map((token) => `${service.origin}/e/${id}/${route}?t=${token}`);
}

/** Casts the ballots of other members, without using the browser. */
export async function castOthers(
  service: ListeningService,
  links: string[],
  answers: object[],
): Promise<void> {
  for (const [index, answer] of answers.entries()) {
    const { pathname } = new URL(links[index] ?? '');
    const cast = await service.post(pathname, { token: tokenOf(links[index] ?? ''), ...answer });
    expect(cast.statusCode, cast.body).toBe(200);
  }
}

/** Returns the ids of the candidates or options of an election, by name. */
export async function idsOf(service: ListeningService, id: string): Promise<Record<string, string>> {
  const { election } = (await service.get(`/e/${id}`)).json();
  const listed: { id: string; name: string }[] = election.candidates ?? election.options;
  return Object.fromEntries(listed.map((one) => [one.name, one.id]));
}

/** Goes from the ballot to the review page. Returns its text, which names the choice. */
export async function review(voter: Page): Promise<string> {
  await button(voter, 'Review my choice').click();
  await heading(voter, 'Is this your vote?').waitFor();
  const text = await words(voter);
  expect(text).toContain('Once it is cast it cannot be changed');
  return text;
}

/** Casts the ballot, and checks the confirmation. @param by what opened the ballot */
export async function castAndRead(voter: Page, by: 'link' | 'code' = 'link'): Promise<void> {
  await button(voter, 'Cast my vote').click();
  await voter.locator('.thanks h1').waitFor();
  const text = await words(voter);
  expect(text).toContain(`This ballot is done. It is in the box, and your ${by} has been used.`);
  expect(text).toContain('nobody can look up how you voted');
  expect(text).toContain('The result appears when voting closes: Sat, Nov 21, 2026, 8:00 PM');
}

/** Checks that the reopened link is shown as used. */
export async function expectUsed(voter: Page, votingLink: string): Promise<void> {
  await goOnPhone(voter, votingLink);
  await heading(voter, 'A ballot was already recorded with this link').waitFor();
  expect(await words(voter)).toContain('your vote counts');
}

/** Checks that neither the home page nor the election's page shows results while voting is open. */
export async function expectHidden(
  service: ListeningService,
  id: string,
  used: string,
  secrets: RegExp,
): Promise<void> {
  const home = await textOf(service, '/');
  expect(home).toContain('Vote');
  expect(home).not.toMatch(secrets);
  const text = await textOf(service, `/e/${id}`);
  expect(text).toContain('The result appears here when voting closes');
  expect(text).toContain(used);
  expect(text).not.toMatch(secrets);
}

/** Closes voting early as the officer, and checks the explanation on the confirmation page. */
export async function closeVoting(officer: Page, name: string, meaning: string): Promise<void> {
  await goAtDesk(officer, '/admin');
  await link(officer, name).click();
  await link(officer, 'Close …').click();
  await heading(officer, 'Close this election now?').waitFor();
  expect(await officer.getByRole('region', { name: 'Please confirm' }).innerText()).toContain(meaning);
  await button(officer, 'Close voting now').click();
  await officer.getByRole('status').getByText('Voting is closed. The next ballot is refused.').waitFor();
}

/** Checks that the home page shows the sentence of the result, and follows its link to the election's page. */
export async function expectResult(voter: Page, name: string, sentence: string): Promise<Locator> {
  await goOnPhone(voter, '/');
  expect(await words(voter)).toContain(sentence);
  await link(voter, name).click();
  return resultFirst(voter, sentence);
}

/** The same, without using the browser for the home page. */
export async function openResult(
  service: ListeningService,
  voter: Page,
  id: string,
  sentence: string,
): Promise<Locator> {
  expect(await textOf(service, '/')).toContain(sentence);
  await goOnPhone(voter, `/e/${id}`);
  return resultFirst(voter, sentence);
}

/** Checks that the result begins with its sentence. */
async function resultFirst(voter: Page, sentence: string): Promise<Locator> {
  const result = voter.getByRole('region', { name: 'Result', exact: true });
  expect((await result.innerText()).split('\n').filter(Boolean)[1]).toBe(sentence);
  return result;
}

/** Returns the text of each bar of a chart: label, number, share. */
export async function barsOf(result: Locator, label: string): Promise<string[]> {
  const rows = await result.getByRole('list', { name: label, exact: true }).getByRole('listitem').all();
  return Promise.all(rows.map(async (row) => (await row.innerText()).replaceAll(/\s+/g, ' ').trim()));
}

/** Matches these names as a numbered list. */
export function inOrder(...names: string[]): RegExp {
  return new RegExp(names.map((name, index) => `${index + 1}\\s*\\.?\\s+${name}`).join('\\s+'));
}

/** Opens a collapsed part under a result. */
export async function unfold(result: Locator, summary: string): Promise<void> {
  await result.getByText(summary, { exact: true }).first().click();
}

/** Checks that an unused link says that voting has closed. */
export async function expectClosed(voter: Page, votingLink: string): Promise<void> {
  await goOnPhone(voter, votingLink);
  await heading(voter, 'Voting has closed').waitFor();
}
