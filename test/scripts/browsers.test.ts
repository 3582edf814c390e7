import { readFile } from 'node:fs/promises';
import browserslist from 'browserslist';
import { ESLint } from 'eslint';
import stylelint from 'stylelint';
import { describe, expect, test } from 'vitest';

describe('a browser module may use only features of every supported browser', () => {
  test.each([
    ['a static method', 'AbortSignal.timeout(1);'],
    ['a method of the language', 'list.findLastIndex(Boolean);'],
    ['a static method of the language', 'Object.groupBy(list, Boolean);'],
    ['a method of the page', 'element.checkVisibility();'],
    ['a method that Safari got late', 'form.requestSubmit();'],
    ['a global function', 'structuredClone(list);'],
    ['a global class', 'new CloseWatcher();'],
    ['a method of the browser', 'navigator.setAppBadge(1);'],
    ['an event', "addEventListener('scrollend', tell);"],
    ['a class of Intl', "new Intl.DurationFormat('en');"],
    ['the button of a form', 'new FormData(form, button);'],
    ['an expression that Safari cannot read', '/(?<=a)b/.test(text);'],
    ['a flag of an expression', '/a/v.test(text);'],
    ['a static block', 'class One { static { tell(); } }'],
    ['import attributes', "import data from './data.json' with { type: 'json' };"],
  ])('%s that is newer is reported', async (_, code) => {
    expect(await faultsOf(code)).not.toEqual([]);
  });

  test('older features, features behind a check and our own names are not', async () => {
    const code = `
      list.flatMap(Boolean).includes(1);
      element.replaceChildren(...list);
      element.checkVisibility?.();
      class One { #two = { at: 3 }; three() { return this.#two.at; } }
      new URL(text).searchParams.get('a') ?? new AbortController().signal;`;
    expect(await faultsOf(code)).toEqual([]);
  });
});

describe('a style sheet may use only features of every supported browser', () => {
  test.each([
    ['a selector', 'a:has(b) { color: red; }'],
    ['a unit', 'a { height: 100dvh; }'],
    ['a property', 'a { translate: 0 1px; }'],
    ['a keyword', 'a { grid-template-rows: subgrid; }'],
    ['a function', 'a { color: light-dark(red, blue); }'],
    ['an at-rule', '@layer one { a { color: red; } }'],
    ['a range of widths', '@media (width >= 40rem) { a { color: red; } }'],
    ['nesting', 'a { &:hover { color: red; } }'],
  ])('%s that is newer is reported', async (_, code) => {
    expect(await styleFaultsOf(code)).not.toEqual([]);
  });

  test('older features, and features behind @supports, are not', async () => {
    const code = `
      @media (min-width: 40rem) { a:is(b, c) { inset: 0; aspect-ratio: 1; } }
      @supports selector(:has(*)) { a:has(b) { color: red; } }`;
    expect(await styleFaultsOf(code)).toEqual([]);
  });
});

const eslint = new ESLint();

async function faultsOf(code: string): Promise<string[]> {
  const [result] = await eslint.lintText(code, { filePath: 'views/assets/base/example.js' });
  return result?.messages.map(({ message }) => message) ?? [];
}

async function styleFaultsOf(code: string): Promise<string[]> {
  const { results } = await stylelint.lint({ code, codeFilename: 'views/assets/base/example.css' });
  return results.flatMap(({ warnings }) => warnings.map(({ text }) => text));
}

test('the README names the oldest supported browsers', async () => {
  const oldest = ['chrome', 'safari', 'firefox'].map((browser) =>
    browserslist()
      .filter((target) => target.startsWith(`${browser} `))
      .map((target) => Number.parseFloat(target.slice(browser.length + 1)))
      .reduce((a, b) => Math.min(a, b)),
  );
  const [chromium, safari, firefox] = oldest;
  const readme = await readFile('README.md', 'utf8');
  expect(readme).toContain(`Chromium ${chromium}, Safari ${safari} and Firefox ${firefox}`);
});
