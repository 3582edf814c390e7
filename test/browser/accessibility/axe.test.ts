import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadAxe, violations } from '#test/support/browser/axe.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { openTab } from '#test/support/browser/browser-service.ts';

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await sharedBrowser();
  page = await openTab(browser, '');
  await loadAxe(page);
  // From now on these colours count as checked.
  expect(await broken('<p>Words</p>')).toEqual([]);
});
afterAll(() => closePages(browser));

/** The rules that a page breaks, each with the ids of the elements that break it. */
async function broken(content: string, css = ''): Promise<string[]> {
  const style = `body { color: #000; background: #fff } .pale { color: #bbb } ${css}`;
  const html = `<!doctype html><html lang="en"><title>A page</title><style>${style}</style><main><h1>A page</h1>${content}</main>`;
  await page.goto(`data:text/html,${encodeURIComponent(html)}`);
  return (await violations(page)).map((text) => {
    const [, rule] = /^(\w+: [a-z-]+):/.exec(text) ?? [];
    return `${rule}: ${[...text.matchAll(/ id="(\w+)"/g)].map(([, id]) => id).join(' ')}`;
  });
}

const everywhere = (rule: string) => [`light: ${rule}`, `dark: ${rule}`];

test('pale text is found on every page, also beside text in colours that were checked before', async () => {
  const pale = '<p>Words</p><p class="pale" id="a">Words</p><p>Words <b class="pale" id="b">again</b></p>';
  expect(await broken(pale)).toEqual(everywhere('color-contrast: a b'));
  expect(await broken(pale)).toEqual(everywhere('color-contrast: a b'));
});

test.each([
  ['an ancestor’s background', '<div style="background: #111"><p><span id="a">Words</span></p></div>', ''],
  ['an ancestor that lets through', '<div style="opacity: 0.4"><p><span id="a">Words</span></p></div>', ''],
  [
    'what it lies on',
    '<div class="under"></div><p id="a" class="over">Words</p>',
    '.under { height: 60px; background: #111 } .over { position: absolute; top: 80px } .under { position: absolute; top: 70px; left: 0; width: 300px }',
  ],
  [
    'a background that it leaves',
    '<div class="box"><p id="a">Words</p></div>',
    'div.box { position: relative; height: 60px; background: #fff } main { background: #111; padding-bottom: 90px } h1 { background: #fff } #a { position: absolute; top: 75px }',
  ],
])('text in checked colours is found where its contrast is changed by %s', async (_, content, css) => {
  expect(await broken(content, css)).toEqual(everywhere('color-contrast: a'));
});

test('smaller text in checked colours is found', async () => {
  expect(await broken('<p class="size" id="a">Words</p>', '.size { color: #888; font-size: 30px }')).toEqual(
    [],
  );
  expect(await broken('<p class="size" id="a">Words</p>', '.size { color: #888; font-size: 16px }')).toEqual(
    everywhere('color-contrast: a'),
  );
});

test('text with low contrast only in dark mode is found there', async () => {
  const dark =
    '@media (prefers-color-scheme: dark) { body { background: #222; color: #fff } #a { color: #444 } }';
  expect(await broken('<p id="a">Words</p>', dark)).toEqual(['dark: color-contrast: a']);
});

test('a link that differs from the text around it only by colour is found', async () => {
  const css = '#a { color: #003; text-decoration: none }';
  expect(await broken('<p>Words and <a id="a" href="/a">a link</a> among them</p>', css)).toEqual(
    everywhere('link-in-text-block: a'),
  );
});

test('targets that are small and close together, or overlapped by another, are found', async () => {
  const small = 'button { width: 15px; height: 15px; padding: 0; border: 0; color: #000; background: #fff }';
  expect(await broken('<button id="a">+</button><button id="b">-</button>', small)).toEqual([
    'light: target-size: a b',
  ]);
  const covered =
    'button { position: absolute; top: 90px; left: 8px; width: 60px; height: 60px } #b { top: 100px }';
  expect(await broken('<button id="a">One</button><button id="b">Two</button>', covered)).toEqual([
    'light: target-size: a',
  ]);
});

test('violations of all other rules are reported once, with their elements', async () => {
  expect(await broken('<img id="a" src="data:,"><p>Words</p><button id="b"></button>')).toEqual([
    'light: button-name: b',
    'light: image-alt: a',
  ]);
  expect(await broken('<h3 id="a">Words</h3><ul><p id="b">Words</p></ul>')).toEqual([
    'light: heading-order: a',
    'light: list: b',
  ]);
});
