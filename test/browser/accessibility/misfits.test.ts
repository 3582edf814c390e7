import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { openTab } from '#test/support/browser/browser-service.ts';
import { findMisfits } from '#test/support/browser/misfits.ts';

let page: Page;
beforeAll(async () => {
  page = await openTab(await sharedBrowser(), '', { viewport: { width: 320, height: 640 } });
});
afterAll(async () => closePages(await sharedBrowser()));

const WORD = 'Wiederherstellungscode';
const STYLE = `<style>
* { font: 20px / 24px monospace; margin: 0 }
.at { position: absolute; top: 0; left: 0 }
</style>`;

test.each([
  [
    'a text that is cut',
    `<p style="overflow: hidden; width: 90px; white-space: nowrap">${WORD}</p>`,
    /cut off by p/,
  ],
  [
    'one whose end is dots',
    `<p style="overflow: hidden; width: 90px; white-space: nowrap; text-overflow: ellipsis">${WORD}</p>`,
    /cut off by p/,
  ],
  [
    'lines that are cut',
    '<p style="overflow: hidden; height: 30px; width: 90px">One two three four</p>',
    /cut off by p/,
  ],
  ['a text wider than its box', `<div style="width: 90px"><p>${WORD}</p></div>`, /px beyond p/],
  ['one higher than its box', '<p style="width: 90px; height: 24px">One two three four</p>', /below p/],
  ['two texts over each other', '<p class="at">One</p><p class="at">Two</p>', /“One” and “Two” overlap/],
  [
    'a button over a text',
    '<p>One two</p><button class="at" style="width: 90px; height: 24px"></button>',
    /button\.at and “One two” overlap/,
  ],
  [
    'a word in two parts',
    `<p style="overflow-wrap: anywhere; width: 90px">${WORD}</p>`,
    /broken without a hyphen: Wieder/,
  ],
  ['a page wider than the screen', '<div style="width: 400px">One</div>', /sideways by 80 px: div/],
  [
    'it, not what scrolls within it',
    `<div style="overflow: auto; width: 90px"><b style="white-space: nowrap">${WORD.repeat(3)}</b></div>
    <div style="width: 400px">One</div>`,
    /sideways by 80 px: div One/,
  ],
  ['a choice that is cut', `<select style="width: 90px"><option>${WORD}</option></select>`, /in select/],
  ['a hint in a field that is cut', `<input style="width: 90px" placeholder="${WORD}">`, /in input/],
])('%s is found', async (_what, body, problem) => {
  await page.setContent(`<html lang="de">${STYLE}<body>${body}</body>`);
  expect((await page.evaluate(findMisfits, false)).join('\n')).toMatch(problem);
});

test.each([
  [
    'what scrolls',
    `<div style="overflow: auto; width: 90px"><p style="white-space: nowrap">${WORD}</p></div>`,
  ],
  [
    'what is for screen readers alone',
    `<p style="position: absolute; width: 1px; height: 1px; overflow: hidden">${WORD}</p>`,
  ],
  ['a word with a place to break it', '<p style="width: 240px">Wiederherstellungs\u00ADcode</p>'],
  ['lines close to each other', '<p style="line-height: 16px; width: 90px">One two three four</p>'],
  ['what is not shown', '<p>One</p><p class="at" hidden>Two</p>'],
])('%s is no problem', async (_what, body) => {
  await page.setContent(`<html lang="de">${STYLE}<body>${body}</body>`);
  expect(await page.evaluate(findMisfits, false)).toEqual([]);
});
