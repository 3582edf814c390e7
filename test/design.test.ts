import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { testApp } from './support/app.ts';
import { appoint } from './support/people/patrons.ts';

const HTML = { accept: 'text/html' };

test('officers of a service in development see every component; nobody else does', async () => {
  await using service = await testApp();
  const owner = await appoint(service, 'olga@club.example', 'owner');

  const shown = await service.get('/design', { ...HTML, ...owner });
  expect(shown.statusCode).toBe(200);
  expect(shown.body).toContain('Nothing was saved yet');
  expect(shown.body).toContain('<title>Components');
  expect((await service.get('/design', HTML)).body).not.toContain('Nothing was saved yet');
  const sheet = await service.get('/design/schemes.css', owner);
  expect(sheet.headers['content-type']).toBe('text/css; charset=utf-8');
  expect(sheet.body).toMatch(/^\.scheme-light \{[^}]*--paper: #faf7f1;/);
  expect(sheet.body).toMatch(/^\.scheme-dark \{[^{]*& \{[^}]*--paper: #14130f;/m);
});

test('a service in production has no page of components', async () => {
  await using service = await testApp({ NODE_ENV: 'production' });
  const owner = await appoint(service, 'olga@club.example', 'owner');

  expect((await service.get('/design', { ...HTML, ...owner })).statusCode).toBe(404);
});

/** Parts of every page; what the components that are shown are made of; and what needs more than itself to be seen. */
const SEEN_ELSEWHERE = [
  'appTitle',
  'siteIcons',
  'siteTheme',
  'siteSign',
  'clubLines',
  'shareTags',
  'nameText',
  'strong',
  'hidden',
  'quiet',
  'linkTo',
  'inClubLanguage',
  'inLanguageOf',
  'withNames',
  'openField',
  'hiddenInputs',
  'isItThis',
  'labelled',
  'described',
  'errorText',
  'refusedNotice',
  'enterMail',
  'passkeyButton',
  'recordFields',
  'languageSwitch',
  'strong',
  'hidden',
  'quiet',
  'linkTo',
];

test('every component is on the page of components', () => {
  const root = path.join(import.meta.dirname, '../views');
  const samples = readFileSync(path.join(root, 'design/samples.ts'), 'utf8');
  const drawn = readdirSync(path.join(root, 'components')).flatMap((name) => {
    const source = readFileSync(path.join(root, 'components', name), 'utf8');
    return [...source.matchAll(/^export (?:function|const) (\w+)[^;]*?\): Html(?: \| null|\[\])?\s/gm)].map(
      ([, component]) => component!,
    );
  });

  expect(drawn.filter((name) => !SEEN_ELSEWHERE.includes(name) && !samples.includes(`${name}(`))).toEqual([]);
});
