import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMadeLanguage } from '#kernel/language/catalogues.ts';
import { offeredLanguages } from '#kernel/language/readers.ts';
import { addElection, addTokens, cast, castAll, send } from '#test/support/factories.ts';
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
});
