import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import {
  type ListeningService,
  listeningService,
  PHONE,
  SCRIPT,
} from '#test/support/browser/browser-service.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { editorAt } from '#test/support/content.ts';
import { blankPng, heicHeader, phonePhoto, smallPicture } from '#test/support/pictures.ts';

const openTab = keptTabs();
let service: ListeningService;
let eve: Awaited<ReturnType<typeof editorAt>>;

beforeAll(async () => {
  service = await listeningService();
  eve = await editorAt(service);
});
afterAll(() => service[Symbol.asyncDispose]());

const openForm = async (options = {}, shown = 'The bar'): Promise<Page> => {
  const page = await openTab(service.origin, { ...PHONE, ...options, extraHTTPHeaders: eve.headers });
  await page.goto('/admin/content/announcement/new');
  await page.getByLabel('Title').fill('Photo');
  await page.getByLabel('What does it show?').fill(shown);
  return page;
};

const choose = (page: Page, name: string, mimeType: string, buffer: Buffer) =>
  page.getByLabel('Choose a picture').setInputFiles({ name, mimeType, buffer });

/** The file in the form: name, type, width and height when upright, bytes. */
const sentFile = (page: Page) =>
  page.evaluate(async () => {
    const input = document.querySelector<HTMLInputElement>('#picture');
    const [file] = input?.files ?? [];
    const picture = file && (await createImageBitmap(file).catch(() => undefined));
    return [file?.name, file?.type, picture?.width, picture?.height, file?.size] as const;
  });

const newest = () =>
  service.ctx.db.first(build.selectFrom('pictures').selectAll().orderBy(sql`rowid`, 'desc'));

test('a photo of a phone is sent upright, at most 2560 pixels long, without EXIF data', async () => {
  const page = await openForm();
  const photo = await phonePhoto(2_600, 1_950);
  await choose(page, 'IMG 1.jpeg', 'image/jpeg', photo);
  await page.waitForFunction(
    () => document.querySelector<HTMLInputElement>('#picture')?.files?.[0]?.name === 'IMG 1.jpg',
  );

  expect((await sentFile(page)).slice(0, 4)).toEqual(['IMG 1.jpg', 'image/jpeg', 1_920, 2_560]);
  const words = await page.evaluate(async () =>
    new TextDecoder('latin1').decode(
      await document.querySelector<HTMLInputElement>('#picture')?.files?.[0]?.arrayBuffer(),
    ),
  );
  expect(words).not.toContain('Exif');
  await page.getByRole('button', { name: 'Save and publish' }).click();
  await page.getByText('Published.').waitFor();
  expect(newest()).toMatchObject({ alt: 'The bar', width: 1_440, height: 1_920 });
});

test('a form that is submitted at once waits for the smaller photo', async () => {
  const page = await openForm();
  // The smaller copy of 7 megapixels takes a moment.
  await page.evaluate(() => {
    document
      .querySelector('#picture')
      ?.addEventListener('change', () => document.querySelector<HTMLButtonElement>('[data-save]')?.click());
  });
  await choose(page, 'poster.png', 'image/png', blankPng(2_600));

  await page.getByText('Saved as a draft.').waitFor();
  expect(newest()).toMatchObject({ width: 1_920, height: 1_920 });
});

test('a small picture, and one that the browser cannot decode, are sent unchanged', async () => {
  const page = await openForm();
  const small = await smallPicture('#aa3311', 640, 480);
  await choose(page, 'small.jpeg', 'image/jpeg', small);
  expect(await sentFile(page)).toEqual(['small.jpeg', 'image/jpeg', 640, 480, small.length]);
  await choose(page, 'IMG_2.HEIC', 'image/jpeg', heicHeader());
  expect((await sentFile(page)).slice(0, 2)).toEqual(['IMG_2.HEIC', 'image/jpeg']);

  await page.getByRole('button', { name: 'Save as a draft' }).click();

  await page.getByText('This is an iPhone photo in HEIC').first().waitFor();
});

test('without script the photo is sent unchanged, and the server rotates it upright', async () => {
  const [, options] = SCRIPT[1]!;
  const page = await openForm(options, 'The yard');
  await choose(page, 'IMG 3.jpeg', 'image/jpeg', await phonePhoto(2_000, 1_500));
  await page.getByRole('button', { name: 'Save as a draft' }).click();

  await page.getByText('Saved as a draft.').waitFor();
  expect(newest()).toMatchObject({ alt: 'The yard', width: 1_440, height: 1_920 });
});
