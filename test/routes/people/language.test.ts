import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { otherReader, readerOfAddress, readerOfPerson } from '#kernel/access/readers.ts';
import { build } from '#kernel/db/queries.ts';
import { addMadeLanguage } from '#kernel/language/catalogues.ts';
import { offeredLanguages } from '#kernel/language/readers.ts';
import { createPerson } from '#people/persons.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { expectBadField } from '#test/support/messages.ts';
import { signedIn } from '#test/support/people/people.ts';
import { addPseudoLanguage, PSEUDO } from '#test/support/pseudo-language.ts';
import { sharedApp } from '#test/support/shared-app.ts';

const shared = sharedApp();
let forget: (() => void)[];
beforeAll(() => {
  forget = [addPseudoLanguage(), addMadeLanguage('de', (text) => text)];
});
afterAll(() => {
  for (const one of forget) one();
});

const htmlOf = (body: string) =>
  /<html lang="([^"]*)" dir="ltr" data-locale="([^"]*)"/.exec(body)?.slice(1, 3);
const chosen = (language: string) => ({ cookie: `language=${language}` });
const own = { 'sec-fetch-site': 'same-origin' };

/** Reads a page as a browser does. @returns its language */
async function languageIn({ request }: TestApp, url: string, headers: Record<string, string>) {
  const { body } = await request({ url, headers: { accept: 'text/html', ...headers } });
  return htmlOf(body)?.[0];
}
const languageOf = async (url: string, headers: Record<string, string>) =>
  languageIn(await shared(), url, headers);

describe('the language of a page for visitors', () => {
  it.each([
    ['nothing', {}, 'en'],
    ['the browser', { 'accept-language': 'sv, en-x-long;q=0.9, en;q=0.8' }, PSEUDO],
    ['the browser, with a country', { 'accept-language': 'de-CH' }, 'de'],
    ['the switch before the browser', { 'accept-language': 'de', ...chosen(PSEUDO) }, PSEUDO],
    ['no switch to a language that is not offered', { 'accept-language': 'de', ...chosen('xx') }, 'de'],
  ])('follows %s', async (_what, headers, language) => {
    const answer = await (await shared()).request({ url: '/sign-in', headers });
    expect(htmlOf(answer.body)).toEqual([language, language === 'de' ? 'de' : 'en-US']);
    expect(answer.headers).toMatchObject({ 'content-language': language, vary: 'Accept-Language, Cookie' });
  });

  it('follows the person before the browser, and the switch before the person', async () => {
    const service = await shared();
    const ann = await signedIn(service);
    await service.post('/me/language', { language: 'de' }, { ...ann, ...own });
    expect(await languageOf('/', { ...ann, 'accept-language': PSEUDO })).toBe('de');
    const both = { cookie: `${ann.cookie}; language=${PSEUDO}` };
    expect(await languageOf('/', both)).toBe(PSEUDO);
  });

  it('is that of its frame where it says what went wrong', async () => {
    expect(await languageOf('/no-such-page', chosen('de'))).toBe('de');
  });
});

describe('the switch', () => {
  it('stands outside of the content, names each language in itself, and leads back', async () => {
    const service = await shared();
    const { body } = await service.get('/archive?year=2025', { accept: 'text/html', ...chosen(PSEUDO) });
    const [, foot = ''] = body.split('</main>');
    const [, back] = /<input type="hidden" name="back" value="([^"]*)">/.exec(foot) ?? [];
    const buttons = [...foot.matchAll(/value="([^"]*)" lang="[^"]*"\s+aria-pressed="([^"]*)">([^<]*)</g)];
    expect(buttons.map(([, language]) => language)).toEqual(offeredLanguages());
    expect(buttons.map(([, ...parts]) => parts)).toEqual(
      expect.arrayContaining([
        ['en', 'false', 'English'],
        [PSEUDO, 'true', '⟦ÉÉñglïïšh⟧'],
      ]),
    );

    const fields = { back: back!, language: 'de' };
    const referer = 'http://localhost:3000/archive?year=2025';
    const answer = await service.submit('/language', fields, { ...own, referer });
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/archive?year=2025']);
    expect(answer.headers['set-cookie']).toBe(
      'language=de; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax',
    );
    const other = await service.submit('/language', fields, {
      ...own,
      referer: 'http://elsewhere.example/archive?x',
    });
    expect(other.headers.location).toBe('/archive?x');
  });

  it.each(['//evil.example', 'https://evil.example/', '/\\evil.example', 'x', ''])(
    'does not lead to %j',
    async (back) => {
      const answer = await (await shared()).submit('/language', { back, language: 'de' }, own);
      expect([answer.statusCode, answer.headers.location]).toEqual([303, '/']);
    },
  );

  it('refuses a language that is not offered, and a form of another site', async () => {
    const service = await shared();
    const wrong = await service.post('/language', { language: 'xx', back: '/' });
    expectBadField(wrong, 'language', 'not_complete_language', { values: offeredLanguages() });
    const foreign = await service.submit('/language', { language: 'de' }, { 'sec-fetch-site': 'cross-site' });
    expect([foreign.statusCode, foreign.headers['set-cookie']]).toEqual([403, undefined]);
    const elsewhere = await service.submit(
      '/language',
      { language: 'de' },
      { origin: 'https://evil.example' },
    );
    expect(elsewhere.statusCode).toBe(403);
    // A page that hides its address sends this.
    const hidden = await service.submit(
      '/language',
      { language: 'de', back: '/e/x?t=a' },
      { origin: 'null' },
    );
    expect([hidden.statusCode, hidden.headers.location]).toEqual([303, '/e/x?t=a']);
  });
});

describe('the language of a person', () => {
  it('is chosen on their page, by a form or a script, and shown', async () => {
    const service = await shared();
    const ann = await signedIn(service);
    const read = async () => (await service.get('/me', ann)).json().person.language;
    await service.post('/me/language', { language: null }, { ...ann, ...own });
    expect(await read()).toBeNull();
    const form = await service.submit('/me/language', { language: 'de' }, { ...ann, ...own });
    expect([form.statusCode, form.headers.location]).toEqual([303, '/me']);
    // What this browser chose before gives way.
    expect(form.headers['set-cookie']).toContain('language=; Path=/; Max-Age=0');
    expect(await read()).toBe('de');
    const page = await service.get('/me', { accept: 'text/html', ...ann });
    expect([htmlOf(page.body)?.[0], /value="de" selected/.test(page.body)]).toEqual(['de', true]);

    const wrong = await service.post('/me/language', { language: 'xx' }, { ...ann, ...own });
    expectBadField(wrong, 'language', 'not_complete_language', { values: offeredLanguages() });
    const exported = await service.get('/me/export', ann);
    expect(exported.json().person.language).toBe('de');
    const none = await service.post('/me/language', { language: null }, { ...ann, ...own });
    expect([none.json(), await read()]).toEqual([{ language: null }, null]);
    expect((await service.post('/me/language', { language: 'de' })).statusCode).toBe(401);
  });

  it('is that of officers’ pages, whatever their browser says', async () => {
    const service = await shared();
    const olga = await signedIn(service, 'owner');
    const cookie = `${olga.cookie}; language=${PSEUDO}`;
    expect(await languageOf('/admin/people', { cookie, 'accept-language': PSEUDO })).toBe('en');
    await service.post('/me/language', { language: 'de' }, { ...olga, ...own });
    expect(await languageOf('/admin/people', { cookie })).toBe('de');
  });

  it('is that of mails to them; of an address that several share if all have chosen it', async () => {
    const service = await shared();
    const [ann, ben] = await service.ctx.write((tx) =>
      ['Ann', 'Ben'].map((name) =>
        createPerson(tx, { name, email: 'both@club.example' }, { ip: '', by: 'test', at: service.clock.now }),
      ),
    );
    const choose = (id: string, language: string | null) =>
      service.ctx.write((tx) => tx.run(build.updateTable('persons').set({ language }).where('id', '=', id)));
    const readers = () =>
      [
        readerOfPerson(service.ctx.db, ann!),
        readerOfAddress(service.ctx.db, 'both@club.example'),
        readerOfAddress(service.ctx.db, 'stranger@club.example'),
      ].map(({ language }) => language);

    expect(readers()).toEqual(['en', 'en', 'en']);
    await choose(ann!, 'de');
    expect(readers()).toEqual(['de', 'en', 'en']);
    await choose(ben!, 'de');
    expect(readers()).toEqual(['de', 'de', 'en']);
    await choose(ann!, 'xx');
    expect(readers()).toEqual(['en', 'en', 'en']);
  });
});

describe('the language of the club', () => {
  it('is an offered one, else that of the locale', async () => {
    await using service = await testApp();
    const put = (payload: object) =>
      service.request({ method: 'PUT', url: '/api/admin/settings', payload, headers: owner });
    const owner = { ...(await signedIn(service, 'owner')), ...own };
    const wrong = await put({ language: 'xx' });
    expectBadField(wrong, 'language', 'not_complete_language', { values: offeredLanguages() });
    expect((await put({ language: 'de' })).json().settings.language).toBe('de');
    expect(await languageIn(service, '/', {})).toBe('de');
    expect(await languageIn(service, '/', { 'accept-language': 'en' })).toBe('en');
    expect((await put({ language: null })).json().settings.language).toBe('en');
    expect((await put({ locale: 'de-AT' })).json().settings.language).toBe('de');
    expect(await languageIn(service, '/', {})).toBe('de');
    await put({ locale: null });
  });

  it('is beside a second one in mails and slips, which is another offered one', async () => {
    await using service = await testApp();
    const owner = { ...(await signedIn(service, 'owner')), ...own };
    const put = (payload: object) =>
      service.request({ method: 'PUT', url: '/api/admin/settings', payload, headers: owner });
    const second = (language?: string) =>
      otherReader(service.ctx, language === undefined ? undefined : { language, locale: language })?.language;

    expect(second()).toBeUndefined();
    expectBadField(await put({ second_language: 'en' }), 'second_language', 'same_language');
    const same = await put({ language: 'de', second_language: 'de' });
    expectBadField(same, 'second_language', 'same_language');
    const wrong = await put({ second_language: 'xx' });
    expectBadField(wrong, 'second_language', 'not_complete_language', { values: offeredLanguages() });
    expect((await put({ second_language: 'de' })).json().settings.second_language).toBe('de');
    expect([second(), second('de'), second(PSEUDO)]).toEqual(['de', 'en', 'de']);
    // The club moves to it: nothing is said twice in one language.
    await put({ language: 'de' });
    expect(second()).toBeUndefined();
    expect((await put({ second_language: null })).json().settings.second_language).toBeNull();
  });

  it('is that of what is printed, whoever prints it', async () => {
    await using service = await testApp();
    const olga = await signedIn(service, 'owner');
    await service.post('/me/language', { language: PSEUDO }, { ...olga, ...own });
    const meeting = { title: 'AGM', held_at: '2026-12-04T19:00' };
    const base = `/admin/meetings/${(await service.post('/admin/meetings', meeting)).json().id}`;
    const item = (await service.post(`${base}/items`, { kind: 'motion', title: 'Lamps' })).json().id;
    const house = { house: { wifi_name: 'Anchor', show_wifi_name: true } };
    const headers = { ...olga, ...own };
    await service.request({ method: 'PUT', url: '/api/admin/settings', payload: house, headers });
    const printed = async (url: string) => (await service.get(url, { accept: 'text/html', ...olga })).body;
    const sheet = await printed(`${base}/items/${item}/sheet`);
    expect(htmlOf(sheet)?.[0]).toBe(PSEUDO);
    expect(sheet).toContain('<article class="paper-sheet" lang="en"><h2>Reconciliation sheet</h2>');
    expect(await printed('/admin/pub/screens/print')).toMatch(
      /<div lang="en">.*<h1[^>]*>Pair a TV<.*<li>Open this address in the browser of the TV:/s,
    );
    expect(await printed('/admin/pub/wifi')).toMatch(
      /<div lang="en">.*<h1[^>]*>Wi-Fi for guests<.*<p>Name: /s,
    );
  });
});
