// The list on paper: each drink and dish once and whole, and the legend of the allergens at the end.
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { listeningService, openTab } from '#test/support/browser/browser-service.ts';
import { editorAt } from '#test/support/content.ts';
import { menuWriter } from '../screens/menu-content.ts';

/** Of paper, in millimetres. */
const FORMS = {
  a4: { width: 210, height: 297, margin: 12 },
  a5: { width: 148, height: 210, margin: 9 },
  '16': { width: 210, height: 297, margin: 12 },
};
const PX_A_MM = 96 / 25.4;
const PT_A_MM = 72 / 25.4;

afterEach(async () => closePages(await sharedBrowser()));

test.each(['de-DE', 'en-US'])('80 items on A4 and A5, sixteen on one page, in %s', async (locale) => {
  await using service = await listeningService({ LOCALE: locale, CLUB_LANGUAGE: 'en' });
  const editor = await editorAt(service);
  const names = await (await menuWriter(editor))(79);
  const whisky = {
    name: 'Whisky',
    section: await editor.publish('menu_section', { title: 'Spirits', order: 9, note: 'All of 2 cl.' }),
    description: 'Smoked over peat for a long time, with a finish of heather and honey. '.repeat(4),
    allergens_known: 'listed',
    allergens: [{ code: 'gluten', detail: 'barley' }, { code: 'milk' }],
  };
  await editor.publish('menu_item', whisky);
  const all = [...names, whisky.name].sort();
  const page = await openTab(await sharedBrowser(), service.origin);

  for (const form of ['a4', 'a5'] as const) {
    const { items, legend, pages } = await printed(page, form);
    expect(items.map(({ name }) => name).sort()).toEqual(all);
    expect(items.filter(({ isWhole }) => !isWhole)).toEqual([]);
    expect([pages > 1, legend]).toEqual([true, [pages]]);
  }

  const { items, legend, pages } = await printed(page, '16');
  // Nothing is known of the allergens of these sixteen, so no sign has to be explained.
  expect([items.length, items.every(({ isWhole }) => isWhole), legend, pages]).toEqual([16, true, [], 1]);
  const heights = await page.locator('h6, b, .menu-paper-prices span').evaluateAll((all) =>
    all.map((element) => {
      const letter = document.createElement('span');
      letter.style.cssText = 'display: inline-block; height: 1ex; width: 1px';
      element.append(letter);
      return letter.getBoundingClientRect().height;
    }),
  );
  expect(Math.min(...heights) / PX_A_MM).toBeGreaterThanOrEqual(3);
});

/** The outline leaves out the space at the end of a line. */
const letters = (text = '') => text.replace(/\s/g, '');

/** Prints a form of the list. @returns where each item is on the paper, and the pages with a legend, from 1 on */
async function printed(page: Page, form: keyof typeof FORMS) {
  const { width, height, margin } = FORMS[form];
  const inside = (mm: number) => Math.floor((mm - 2 * margin) * PX_A_MM);
  await page.goto(`/menu/print?form=${form}`);
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: inside(width), height: inside(height) });
  // The outline of the PDF has the headings alone, and only what is painted.
  const sizes = await page.locator('.menu-paper-item').evaluateAll((items) => {
    document.adoptedStyleSheets = [];
    return items.map((item) => {
      const name = item.querySelector('strong')!;
      const heading = document.createElement('h6');
      heading.style.cssText = 'display: inline; font: inherit; font-weight: bolder; break-after: auto';
      heading.textContent = name.textContent;
      name.replaceWith(heading);
      const edge = item.getBoundingClientRect();
      const isInside = [...item.querySelectorAll('*')]
        .map((part) => part.getBoundingClientRect())
        .every(({ left, right }) => left >= edge.left - 1 && right <= edge.right + 1);
      const { top } = heading.getBoundingClientRect();
      return { name: heading.textContent, height: edge.bottom - top, isInside };
    });
  });
  const pdf = (await page.pdf({ preferCSSPageSize: true, outline: true, tagged: true })).toString('latin1');
  const ids = [...pdf.matchAll(/(\d+) 0 obj\n<<\/Type \/Page\n/g)].map(([, id]) => id);
  const headings = [...pdf.matchAll(/\/Title \((.*)\)\n\/Dest \[(\d+) 0 R \/XYZ \S+ (\S+) /g)].map(
    ([, title, id, top]) => ({ title: letters(title), page: ids.indexOf(id) + 1, top: Number(top) }),
  );
  // A place in the outline is that of the line, which differs a little from that of the letters.
  const edge = margin * PT_A_MM - 2;
  const items = sizes.map(({ name, height: px, isInside }) => {
    const places = headings.filter(({ title }) => title === letters(name));
    const [top = 0] = places.map((place) => place.top);
    const isOnPage = top - px * 0.75 >= edge && top <= height * PT_A_MM - edge;
    return { name, isWhole: isInside && isOnPage && places.length === 1 };
  });
  const legend = headings.filter(({ title }) => title === 'Allergens').map((heading) => heading.page);
  return { items, legend, pages: ids.length };
}
