import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fitProblems } from '#test/support/browser/accessible.ts';
import { loadAxe, violations } from '#test/support/browser/axe.ts';
import { type ListeningService, listeningService, PHONE } from '#test/support/browser/browser-service.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { focused, pressOn, tabTo } from '#test/support/browser/keyboard.ts';
import { addCodes, addPaper, motion } from '#test/voting/ballot-papers/a-paper.ts';
import { button, title } from './election-steps.ts';

const openTab = keptTabs();
let service: ListeningService;
let paper: string;
let codes: string[];

beforeAll(async () => {
  service = await listeningService();
  const questions = [
    motion('The accounts'),
    { title: 'The chair', ballot_type: 'RANKED_CONDORCET', candidates: ['Ada', 'Bo'] },
    { title: 'The steward', ballot_type: 'RANKED_CONDORCET', candidates: ['Cy', 'Dot'] },
    motion('The fee'),
  ];
  paper = (await addPaper(service, questions, { settings: { hide_results_until_close: true } })).id;
  codes = await addCodes(service, paper, 6);
});
afterAll(() => service[Symbol.asyncDispose]());

/** The questions that are visible. */
const shown = (page: Page) => page.locator('.paper-question:visible > h2').allInnerTexts();

test('on a phone, by keyboard alone: a question a screen, back, one review, one cast', async () => {
  const page = await openTab(service.origin, PHONE);
  await loadAxe(page);
  await page.goto(`/p/${paper}/vote?t=${codes.pop()}`);
  await title(page, 'Annual general meeting').waitFor();
  expect(await shown(page)).toEqual(['The accounts']);
  expect(await violations(page)).toEqual([]);

  await tabTo(page, 'Yes');
  await page.keyboard.press('Space');
  await pressOn(page, 'Next');
  expect(await shown(page)).toEqual(['The chair']);
  // Two rankings are on the page: each has its own order.
  await pressOn(page, 'Add Bo to your order');
  expect(await focused(page)).toBe('Add Ada to your order');
  await page.keyboard.press('Enter');
  await pressOn(page, 'Next');
  expect(await shown(page)).toEqual(['The steward']);
  await pressOn(page, 'Back');
  expect(await shown(page)).toEqual(['The chair']);
  await page.goBack();
  await page.goBack();
  expect(await shown(page)).toEqual(['The chair']);
  expect(await page.getByRole('combobox', { name: 'Rank of Bo' }).inputValue()).toBe('1');
  for (const step of ['The steward', 'The fee']) {
    await pressOn(page, 'Next');
    expect(await shown(page)).toEqual([step]);
  }
  expect(await fitProblems(page)).toEqual([]);
  await pressOn(page, 'Review');

  await title(page, 'Are these your votes?').waitFor();
  expect(await violations(page)).toEqual([]);
  expect(await fitProblems(page)).toEqual([]);
  await page.getByText('You cast 2 of 4 votes now').waitFor();
  await button(page, 'Vote on it now').last().focus();
  await page.keyboard.press('Enter');
  await title(page, 'Annual general meeting').waitFor();
  await page.waitForLoadState();
  expect(await shown(page)).toEqual(['The fee']);
  // An arrow chooses the next answer.
  await tabTo(page, 'Yes');
  await page.keyboard.press('ArrowDown');
  expect(await focused(page)).toBe('No');
  await pressOn(page, 'Review');
  await title(page, 'Are these your votes?').waitFor();
  await pressOn(page, 'Cast my votes');
  await title(page, 'Your votes have been recorded.').waitFor();
  await page.getByText('1 question waits for you.').waitFor();
  expect(await page.evaluate(() => location.pathname)).toBe(`/p/${paper}`);
});

test('without script too, one question is shown on a phone and all of them on a wide screen', async () => {
  const page = await openTab(service.origin, { ...PHONE, javaScriptEnabled: false });
  await page.goto(`/p/${paper}/vote?t=${codes.pop()}`);
  await page.getByRole('link', { name: 'Next' }).click();
  const narrow = await shown(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  expect(narrow).toEqual(['The chair']);
  expect(await shown(page)).toEqual(['The accounts', 'The chair', 'The steward', 'The fee']);
});
