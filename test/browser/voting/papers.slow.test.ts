// An officer makes a board election with one ballot paper: a page for the paper, and one for each question.
import { expect, test } from 'vitest';
import { loadAxe, violations } from '#test/support/browser/axe.ts';
import { listeningService } from '#test/support/browser/browser-service.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { shared } from '#test/support/shared-app.ts';
import * as steps from './election-steps.ts';

const openTab = keptTabs();
const theService = shared(() => listeningService());

test('a board election is one ballot paper, made on one page for each question, without script', async () => {
  const service = await theService();
  const tab = await openTab(service.origin, { javaScriptEnabled: false });
  const { officer } = steps.takeTurns(tab);
  await steps.goAtDesk(officer, '/admin/papers/new');
  await officer.getByLabel('Title').fill('Board election 2027');
  expect(await officer.getByLabel('Board election').isChecked()).toBe(true);
  await steps.button(officer, 'Next: the questions').click();

  await steps.title(officer, 'Question 1: chair').waitFor();
  await officer.getByLabel('Title').fill('Chair');
  await officer.locator('#candidates').fill('Ann\nBen\nCleo\nDan\nEve');
  await steps.button(officer, 'Add it, then: committee').click();

  await steps.title(officer, 'Question 2: committee').waitFor();
  // A refusal keeps the page, what was entered and the questions that follow.
  await officer.getByLabel('Title').fill('Committee');
  await steps.button(officer, 'Add it, then: treasurer').click();
  await steps.title(officer, 'Question 2: committee').waitFor();
  expect(await steps.words(officer)).toContain('The question was not added yet');
  await officer.locator('#options').fill('Fay\nGus\nHal\nIda\nJo\nKim');
  await steps.button(officer, 'Add it, then: treasurer').click();

  await officer.getByLabel('Title').fill('Shall Lee be treasurer?');
  await steps.button(officer, 'Add it, then: motion').click();
  await steps.title(officer, 'Question 4: motion').waitFor();
  await officer.getByLabel('Title').fill('Shall the rules change?');
  await steps.button(officer, 'Add the question').click();

  await steps.title(officer, 'Board election 2027').waitFor();
  const id = steps.idOf(officer);
  const titles = async () =>
    (
      await (await fetch(`${service.origin}/p/${id}`, { headers: { accept: 'application/json' } })).json()
    ).questions.map(({ title }: { title: string }) => title);
  expect(await titles()).toEqual([
    'Chair',
    'Committee',
    'Shall Lee be treasurer?',
    'Shall the rules change?',
  ]);
  expect(await steps.words(officer)).toContain('One code answers all questions');
  await officer.getByRole('button', { name: /^Up.*rules change/ }).click();
  await steps.title(officer, 'Board election 2027').waitFor();
  expect(await titles()).toEqual([
    'Chair',
    'Committee',
    'Shall the rules change?',
    'Shall Lee be treasurer?',
  ]);

  await steps.goToPart(officer, 'Voting codes');
  await officer.getByLabel('How many', { exact: true }).fill('3');
  await steps.button(officer, 'Make voting codes').click();
  await steps.title(officer, '3 new voting codes').waitFor();
  expect(await steps.words(officer)).toContain(`/p/${id}/vote?t=`);
  await steps.link(officer, 'This ballot paper').click();
  await steps.title(officer, 'Board election 2027').waitFor();

  const scripted = await openTab(service.origin);
  await loadAxe(scripted);
  const pages = ['', '/codes', '/mails', '/ballot', '/rules', '/history', '/questions/new?steps=committee'];
  for (const under of pages) {
    await scripted.goto(`/admin/papers/${id}${under}`);
    expect(await violations(scripted)).toEqual([]);
  }
});
