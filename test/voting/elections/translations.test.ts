import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMadeLanguage } from '#kernel/language/catalogues.ts';
import { offeredLanguages } from '#kernel/language/readers.ts';
import { addElection, addTokens, auditOf, cast, castAll, page, send } from '#test/support/factories.ts';
import { expectBadField } from '#test/support/messages.ts';
import { recount } from '#test/support/process/recount.ts';
import { sharedApp } from '#test/support/shared-app.ts';

const shared = sharedApp();
let forget: () => void;
beforeAll(() => {
  forget = addMadeLanguage('da', (text) => text);
});
afterAll(() => forget());

const POLL = { ballot_type: 'POLL', title: 'Colour', options: ['Red', 'Blue'] };
const DANISH = { cookie: 'language=da' };
const addPoll = async (fields: object = {}) => addElection(await shared(), { ...POLL, ...fields });
const read = async (id: string) => (await (await shared()).get(`/admin/elections/${id}`)).json().election;
const patch = async (id: string, translations: object) =>
  send(await shared(), 'PATCH', `/admin/elections/${id}`, { translations });
/** The page as a Dane and as others read it. */
const pages = async (url: string) => {
  const service = await shared();
  const accept = { accept: 'text/html' };
  const answers = [await service.get(url, { ...accept, ...DANISH }), await service.get(url, accept)];
  return answers.map(({ body }) => body);
};

describe('the texts of an election in a second language', () => {
  it('are given with it, by the position of its options, or later by their ids', async () => {
    const id = await addPoll({ translations: { da: { title: 'Farve', options: ['Rød', null] } } });
    const [red, blue] = (await read(id)).options;
    expect((await read(id)).translations).toEqual({ da: { title: 'Farve', options: { [red.id]: 'Rød' } } });

    await patch(id, { da: { description: 'Bådens', options: { [blue.id]: 'Blå' } } });
    expect((await read(id)).translations.da).toEqual({
      title: 'Farve',
      description: 'Bådens',
      options: { [red.id]: 'Rød', [blue.id]: 'Blå' },
    });
    await patch(id, { da: { title: null, options: { [red.id]: '' } } });
    expect((await read(id)).translations.da).toEqual({
      description: 'Bådens',
      options: { [blue.id]: 'Blå' },
    });
    expect((await patch(id, { da: null })).json().election.translations).toBeUndefined();
  });

  it('are refused in a language that is not offered, in the club’s own, and for another option', async () => {
    const id = await addPoll();
    const values = offeredLanguages().filter((one) => one !== 'en');
    for (const language of ['xx', 'en'])
      expectBadField(
        await patch(id, { [language]: { title: 'Farve' } }),
        `translations.${language}`,
        'not_complete_language',
        { values },
      );
    const path = 'translations.da.options.other';
    expectBadField(await patch(id, { da: { options: { other: 'Rød' } } }), path, 'option_not_found');
    expectBadField(await patch(id, { da: { titel: 'Farve' } }), 'translations.da.titel', 'unknown_field');
    expect((await read(id)).translations).toBeUndefined();
  });

  it('are part of what voters are asked, until the first ballot', async () => {
    const service = await shared();
    const id = await addPoll({
      translations: { da: { title: 'Farve' } },
      settings: { publish_ballots: true },
    });
    const [code] = await addTokens(service, id, 1);
    await service.get(`/e/${id}/vote?t=${code}`);
    const { options } = await read(id);
    await patch(id, { da: { options: { [options[0].id]: 'Rød' } } });
    await cast(service, id, { token: code, selected_option: options[0].id }, 'vote/poll');
    const late = await patch(id, { da: { title: 'Kulør' } });
    expect([late.statusCode, late.json().errors[0].path]).toEqual([409, 'translations']);
    expect((await patch(id, { da: { title: 'Farve' } })).statusCode).toBe(200);

    const rest = Array.from({ length: 9 }, () => ({ selected_option: options[1].id }));
    await castAll(service, id, rest, 'vote/poll');
    await service.post(`/admin/elections/${id}/close`);
    const answer = await service.get(`/e/${id}/ballots.json`);
    const file = answer.json();
    expect(file.election.translations).toEqual({
      da: { title: 'Farve', options: { [options[0].id]: 'Rød' } },
    });
    // It recomputes the check number of the question.
    const counted = await recount(file);
    expect([counted.code, counted.out]).toEqual([0, expect.stringContaining(file.question_sha256)]);
  });

  it('are shown on ballot and result to those who read it, beside what was written', async () => {
    const service = await shared();
    const id = await addPoll({
      translations: { da: { title: 'Farve', options: ['Rød'] } },
    });
    const [code] = await addTokens(service, id, 1);
    // What was written is marked with the language of the club.
    const written = (text: string) => `<span lang="en">${text}</span>`;
    const both = [
      `Farve\u2005/\u2005${written('Colour')}`,
      `Rød\u2005/\u2005${written('Red')}`,
      written('Blue'),
    ];
    const shows = (body: string | undefined) => both.filter((text) => body?.includes(text));
    const ballot = await pages(`/e/${id}/vote/poll?t=${code}`);
    expect(ballot.map(shows)).toEqual([both, []]);
    expect(ballot[1]).toContain('<span translate="no">Blue</span>');
    expect(new Set(ballot.map((body) => body.length)).size).toBe(2);
    await cast(service, id, { token: code, selected_option: (await read(id)).options[0].id }, 'vote/poll');
    await service.post(`/admin/elections/${id}/close`);
    expect((await pages(`/e/${id}`)).map(shows)).toEqual([both, []]);
    const json = (await service.get(`/e/${id}/results`)).json();
    expect(json.results.options.map(({ name }: { name: string }) => name)).toEqual(['Red', 'Blue']);
  });

  it('are given to the question of an item of a meeting, and of a paper', async () => {
    const service = await shared();
    const held = { title: 'Annual meeting', held_at: '2026-12-04T19:00' };
    const { id } = (await service.post('/admin/meetings', held)).json();
    const items = `/admin/meetings/${id}/items`;
    const motion = (await service.post(items, { kind: 'motion', title: 'New lamps' })).json();
    const answer = await send(service, 'PATCH', `${items}/${motion.id}`, {
      translations: { da: { title: 'Nye lamper' } },
    });
    expect(answer.statusCode).toBe(200);
    expect((await read(motion.election_id)).translations).toEqual({ da: { title: 'Nye lamper' } });
    const text = (await service.post(items, { kind: 'text', title: 'Welcome' })).json();
    const wrong = await send(service, 'PATCH', `${items}/${text.id}`, { translations: { da: null } });
    expectBadField(wrong, 'translations', 'unknown_field');

    const question = { ...POLL, translations: { da: { title: 'Farve' } } };
    const period = { open_at: '2026-12-01T10:00', close_at: '2026-12-02T10:00' };
    const paper = (
      await service.post('/admin/papers', { title: 'Board', ...period, questions: [question] })
    ).json();
    expect((await read(paper.questions[0].id)).translations).toEqual({
      da: { title: 'Farve' },
    });
  });

  it('are written into a form for each language, which keeps what was typed when it is refused', async () => {
    const service = await shared();
    const id = await addPoll({ description: 'Of the boat' });
    const { options } = await read(id);
    const [red, blue] = options.map((option: { id: string }) => `translations.da.options.${option.id}`);
    const address = `/admin/elections/${id}?_method=PATCH`;
    const save = (fields: Record<string, string>) => service.submit(address, fields);
    const saved = await save({
      'translations.da.title': 'Farve',
      'translations.da.description': '',
      [red]: 'Rød',
      [blue]: '',
    });
    expect([saved.statusCode, saved.headers.location]).toEqual([
      303,
      `/admin/elections/${id}/ballot?done=translations&language=da#translations`,
    ]);
    expect((await read(id)).translations).toEqual({
      da: { title: 'Farve', options: { [options[0].id]: 'Rød' } },
    });
    const shown = (await page(service, `/admin/elections/${id}/ballot?done=translations&language=da`)).body;
    const section = /<section[^>]*\sid="translations".*?<\/section>/s.exec(shown)?.[0] ?? '';
    expect(section).toMatch(/role="status".*The texts in another language were saved\./s);
    const [, next] = /href="([^"]*)">Go on with Deutsch</.exec(section) ?? [];
    expect(next).toBe(`/admin/elections/${id}/ballot?language=de#translations`);
    expect((await page(service, next!)).body).toContain('name="translations.de.title"');
    expect(shown).toMatch(/name="translations\.da\.title"[^>]* lang="da"[^>]* value="Farve"/);

    const long = 'F'.repeat(501);
    const refused = await save({ 'translations.da.title': long, [blue]: 'Blå' });
    expect(refused.statusCode).toBe(400);
    for (const text of [long, 'Blå', 'href="#translations-translations.da.title"'])
      expect(refused.body).toContain(text);
    expect((await read(id)).translations.da.title).toBe('Farve');

    const other = await save({ 'translations.xx.title': 'X' });
    expect(other.statusCode).toBe(400);

    const [code] = await addTokens(service, id, 1);
    await cast(service, id, { token: code, selected_option: options[0].id }, 'vote/poll');
    const late = await save({ 'translations.da.title': 'Kulør' });
    expect([late.statusCode, late.body.includes('value="Kulør"')]).toEqual([409, true]);
    const fixed = (await page(service, `/admin/elections/${id}/ballot`)).body;
    expect([fixed.includes('<span lang="da">Farve</span>'), fixed.includes('name="translations.da')]).toEqual(
      [true, false],
    );
    const changes = (await auditOf(service, id)).filter(({ action }) => action === 'election.text_changed');
    expect(changes).toMatchObject([{ metadata: { to: {}, translations: { da: { title: 'Farve' } } } }]);
  });

  it('are those of a ballot paper too, in JSON and in its form, until a question has a ballot', async () => {
    const service = await shared();
    const period = { open_at: '2020-12-01T10:00', close_at: '2036-12-02T10:00' };
    const given = {
      title: 'Board',
      ...period,
      questions: [POLL],
      translations: { da: { title: 'Bestyrelse' } },
    };
    const made = (await service.post('/admin/papers', given)).json();
    const url = `/admin/papers/${made.id}`;
    const readPaper = async () => (await service.get(url)).json().translations;
    expect(await readPaper()).toEqual({ da: { title: 'Bestyrelse' } });
    expectBadField(
      await send(service, 'PATCH', url, { translations: { xx: { title: 'X' } } }),
      'translations.xx',
      'not_complete_language',
      { values: offeredLanguages().filter((one) => one !== 'en') },
    );
    const saved = await service.submit(`${url}?_method=PATCH`, { 'translations.da.title': 'Bestyrelsen' });
    expect(saved.headers.location).toBe(`${url}/ballot?done=translations&language=da#translations`);
    expect(await readPaper()).toEqual({ da: { title: 'Bestyrelsen' } });

    const { tokens } = (await service.post(`${url}/tokens`, { count: 1 })).json();
    const both = 'Bestyrelsen\u2005/\u2005<span lang="en">Board</span>';
    for (const path of [`/p/${made.id}`, `/p/${made.id}/vote?t=${tokens[0]}`])
      expect((await pages(path)).map((body) => body.includes(both))).toEqual([true, false]);
    const question = (await service.get(url)).json().questions[0];
    const answers = { [question.id]: { selected_option: question.options[0].id } };
    await service.post(`/p/${made.id}/vote`, { token: tokens[0], answers });
    const late = await send(service, 'PATCH', url, { translations: { da: null } });
    expect([late.statusCode, late.json().errors[0].path]).toEqual([409, 'translations']);
    expect((await auditOf(service, made.id)).map(({ action }) => action)).toContain('paper.text_changed');
  });

  it('leave the pages of all choices equally long, whoever reads them', async () => {
    const service = await shared();
    const id = await addPoll({
      options: ['Red', 'Blue', 'None'],
      translations: { da: { options: ['Rød', null] } },
    });
    const [code] = await addTokens(service, id, 1);
    const { options } = await read(id);
    const lengths = async (headers: Record<string, string>) => {
      const form = (option: { id: string }) => ({ token: code ?? '', selected_option: option.id });
      const review = (option: { id: string }) =>
        service.submit(`/e/${id}/vote/review`, form(option), headers);
      const reviews = await Promise.all(options.map(review));
      expect(reviews.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
      return new Set(reviews.map(({ body }) => Buffer.byteLength(body))).size;
    };
    expect([await lengths({}), await lengths(DANISH)]).toEqual([1, 1]);
  });
});
