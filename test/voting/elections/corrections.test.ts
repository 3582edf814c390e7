import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { deleteUnusedPictures } from '#content/pictures/retention.ts';
import { DAY } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import {
  addElection,
  addPoll,
  addRanked,
  addTokens,
  auditOf,
  castAll,
  page,
  send,
} from '#test/support/factories.ts';
import { atField, errorJson, expectRefusal, fieldJson, message, onPage } from '#test/support/messages.ts';
import { multipart, phonePhoto, sidesOf, smallPicture, upload } from '#test/support/pictures.ts';

const desk = (id: string) => `/admin/elections/${id}`;
const entry = async (service: TestApp, id: string, action: string) =>
  (await auditOf(service, id)).filter((one) => one.action === action).map(({ metadata }) => metadata);

/** Submits the form of a candidate like a browser, which sends an empty file if none was chosen. */
async function submitOption(
  service: TestApp,
  url: string,
  fields: Record<string, string>,
  bytes: Uint8Array = new Uint8Array(),
) {
  const form = await multipart(fields, { picture: { bytes, name: bytes.length > 0 ? 'ann.jpg' : '' } });
  return service.request({
    method: 'POST',
    url,
    payload: form.payload,
    headers: { accept: 'text/html', ...form.headers },
  });
}

describe('title and description', () => {
  it('can be corrected until the first ballot: the log has both versions, the public history a line', async () => {
    await using service = await testApp();
    const id = await addElection(service, { title: 'Shall we by a piano?', description: 'An upright one.' });

    const answer = await send(service, 'PATCH', desk(id), { title: ' Shall we buy a piano? ' });
    const emptied = await send(service, 'PATCH', desk(id), { description: null });
    const same = await send(service, 'PATCH', desk(id), { title: 'Shall we buy a piano?' });

    expect(answer.json()).toMatchObject({
      success: true,
      election: { title: 'Shall we buy a piano?', description: 'An upright one.' },
    });
    expect(emptied.json().election.description).toBeNull();
    expect(same.statusCode).toBe(200);
    expect(await entry(service, id, 'election.text_changed')).toMatchObject([
      { from: { title: 'Shall we by a piano?' }, to: { title: 'Shall we buy a piano?' } },
      { from: { description: 'An upright one.' }, to: { description: null } },
    ]);
    expect((await page(service, `/e/${id}`)).body).toContain('The title or the description was corrected.');
  });

  it('are fixed by the first ballot: a 409 names the field, and the page says so', async () => {
    await using service = await testApp();
    const id = await addElection(service, { title: 'The piano', description: 'Black.' });
    await castAll(service, id, [{ choice: 'yes' }]);

    const refused = await send(service, 'PATCH', desk(id), { title: 'The harp' });
    const form = await service.submit(`${desk(id)}?_method=PATCH`, {
      title: 'The piano',
      description: 'White.',
    });
    const unchanged = await send(service, 'PATCH', desk(id), { title: 'The piano' });

    expect([refused.statusCode, refused.json()]).toEqual([
      409,
      {
        ...errorJson('ballots_exist'),
        errors: [fieldJson('title', 'fixed_since_first_ballot')],
      },
    ]);
    expect(form.statusCode).toBe(409);
    expect(form.body).toContain(`Description: ${onPage('fixed_since_first_ballot')}`);
    expect(unchanged.statusCode).toBe(200);
    const { body } = await page(service, `${desk(id)}/ballot`);
    expect(body).toContain('so title and description are fixed');
    expect(body).not.toContain('Save title and description');
  });

  it('can be corrected by a form, which keeps the input when it is refused', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const url = `${desk(id)}?_method=PATCH`;

    const refused = await service.submit(url, { title: ' ', description: 'A black one.' });
    const done = await service.submit(url, { title: 'The harp', description: 'A black one.' });

    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain(`Title: ${onPage('required')}`);
    expect(refused.body).toContain('A black one.');
    expect(done.statusCode).toBe(303);
    expect((await page(service, String(done.headers.location))).body).toContain(
      'Title and description were changed.',
    );
    expect((await service.get(`/e/${id}`)).json().election).toMatchObject({
      title: 'The harp',
      description: 'A black one.',
    });
  });
});

describe('a candidate', () => {
  it('keeps its id under another name, and the log has the old and new values', async () => {
    await using service = await testApp();
    const { id, ids } = await addRanked(service, ['Anne', 'Bob']);
    const url = `${desk(id)}/candidates/${ids.Anne}`;

    const answer = await send(service, 'PATCH', url, {
      name: 'Ann',
      text: ' Treasurer since 2019.\nLikes numbers. ',
    });
    const twice = await send(service, 'PATCH', url, { name: 'Bob' });
    const long = await send(service, 'PATCH', url, { text: 'x'.repeat(601) });
    const unknown = await send(service, 'PATCH', `${desk(id)}/options/${ids.Anne}`, { name: 'Ann' });

    expect(answer.json()).toMatchObject({
      success: true,
      candidate: { id: ids.Anne, name: 'Ann', text: 'Treasurer since 2019.\nLikes numbers.', picture: null },
    });
    expect([twice.statusCode, long.statusCode, unknown.statusCode]).toEqual([400, 400, 400]);
    expect(long.json().errors).toEqual([fieldJson('text', 'too_long', { max: 600 })]);
    expect(await entry(service, id, 'candidate.changed')).toMatchObject([
      { id: ids.Anne, from: { name: 'Anne', text: null }, to: { name: 'Ann', text: expect.any(String) } },
    ]);
    expect((await service.get(url)).json()).toMatchObject({ id: ids.Anne, name: 'Ann', editable: true });
    expect((await service.get(`/e/${id}`)).json().election.candidates[0]).toMatchObject({
      id: ids.Anne,
      name: 'Ann',
    });
  });

  it('is fixed by the first ballot', async () => {
    await using service = await testApp();
    const { id, ids } = await addPoll(service, ['Tea', 'Cake']);
    const url = `${desk(id)}/options/${ids.Tea}`;
    await castAll(service, id, [{ selected_option: ids.Tea }], 'vote/poll');

    const json = await send(service, 'PATCH', url, { name: 'Coffee' });
    const form = await submitOption(service, url, { name: 'Coffee' }, await smallPicture());

    expect([json.statusCode, json.json().error]).toEqual([409, message('ballots_exist')]);
    expect(form.statusCode).toBe(409);
    expect(form.body).toContain('Ballots are in');
    expect(service.ctx.db.all(build.selectFrom('pictures').select('id'))).toEqual([]);
    expect((await page(service, desk(id))).body).not.toContain(`href="${url}"`);
  });

  it('is shown with its picture and an expandable text, and by its name in the review', async () => {
    await using service = await testApp();
    const { id, ids } = await addRanked(service, ['Ann', 'Bob']);
    const url = `${desk(id)}/candidates/${ids.Ann}`;
    const form = (await page(service, url)).body;
    const photo = await phonePhoto(1_200, 900);

    const sent = await submitOption(
      service,
      url,
      { name: 'Ann', display_order: '', text: 'Treasurer.\r\nLikes <b>.' },
      photo,
    );

    expect(form).toContain('enctype="multipart/form-data"');
    expect(sent.statusCode).toBe(303);
    const [ann] = (await service.get(`/e/${id}`)).json().election.candidates;
    expect(ann).toMatchObject({ text: 'Treasurer.\nLikes <b>.', display_order: 1 });
    const picture = await service.get(ann.picture.url);
    expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/webp']);
    const { exif, width, height } = await sharp(picture.rawPayload).metadata();
    expect([exif, Math.max(width, height)]).toEqual([undefined, 480]);
    const inRow = await service.get(`${ann.picture.url}?size=160`);
    expect(Math.max(...(await sidesOf(inRow.rawPayload)))).toBe(160);
    const [token] = await addTokens(service, id, 1);
    for (const shown of [`/e/${id}`, `/e/${id}/vote?t=${token}`]) {
      const { body } = await page(service, shown);
      expect(body).toContain(`<img class="about-picture" src="${ann.picture.url}?size=160" alt="Ann"`);
      expect(body).toMatch(/<summary>About.*Ann<.*Treasurer\.<br>Likes &lt;b&gt;\./s);
    }
    const review = await service.submit(`/e/${id}/vote/review`, {
      token: String(token),
      [`rank_${ids.Ann}`]: '1',
      [`rank_${ids.Bob}`]: '2',
    });
    expect(review.body).toContain('Ann');
    expect(review.body).not.toContain('about-picture');
  });

  it('keeps its picture from being deleted, and its picture is deleted with it', async () => {
    await using service = await testApp();
    const eve = await editorAt(service);
    const { id, ids } = await addPoll(service, ['Tea', 'Cake', 'Soup'], { title: 'Supper' });
    const optionUrl = (name: string) => `${desk(id)}/options/${ids[name]}`;
    for (const [name, colour] of [
      ['Tea', '#ff0000'],
      ['Cake', '#00ff00'],
      ['Soup', '#0000ff'],
    ] as const)
      await submitOption(service, optionUrl(name), { name }, await smallPicture(colour));
    const pictures = () => service.ctx.db.all(build.selectFrom('pictures').select(['id', 'alt']));
    const [tea, cake, soup] = (await service.get(`/e/${id}`)).json().election.options;

    const refused = await service.request({
      method: 'DELETE',
      url: `/api/admin/pictures/${tea.picture.id}`,
      headers: { accept: 'application/json', ...eve.headers },
    });
    service.clock.now += 40 * DAY;
    await deleteUnusedPictures(service.ctx);

    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({
      message: onPage('picture_in_use', { titles: 'the election “Supper”' }),
      used_in: [{ kind: 'election', id }],
    });
    expect((await page(service, '/admin/content/pictures', eve.headers)).body).toContain(
      `href="${desk(id)}"`,
    );
    expect(pictures()).toHaveLength(3);

    await send(service, 'PATCH', optionUrl('Tea'), { picture: null });
    expect(pictures().map(({ alt }) => alt)).toEqual(['Cake', 'Soup']);
    expectRefusal(await service.get(tea.picture.url), 404, 'image_not_found');
    await send(service, 'DELETE', optionUrl('Cake'));
    expect(pictures().map(({ alt }) => alt)).toEqual(['Soup']);
    const copy = (await service.post(`${desk(id)}/clone`)).json().id;
    expect((await service.get(`/e/${copy}`)).json().election.options[1].picture).toEqual(soup.picture);
    await send(service, 'DELETE', desk(id));
    expect(pictures()).toHaveLength(1);
    await send(service, 'DELETE', desk(copy));
    expect(pictures()).toEqual([]);
    expectRefusal(await service.get(cake.picture.url), 404, 'image_not_found');
  });

  it('exposes no other picture of the club, and accepts no other files', async () => {
    await using service = await testApp();
    const eve = await editorAt(service);
    const { id, ids } = await addRanked(service, ['Ann', 'Bob']);
    const url = `${desk(id)}/candidates/${ids.Ann}`;
    const draft = (await upload(service, eve.headers, { bytes: await smallPicture() })).json();

    const unshown = await service.get(`/assets/candidates/${draft.id}`);
    const text = await submitOption(service, url, { name: 'Anne', text: 'Kept.' }, Buffer.from('a text'));
    const unknown = await send(service, 'PATCH', url, { picture: 'f'.repeat(32) });
    const again = await submitOption(service, url, { name: 'Ann' }, await smallPicture());

    expect(unshown.statusCode).toBe(404);
    expect(text.statusCode).toBe(400);
    expect(text.body).toContain(atField('picture_unreadable'));
    expect(text.body).toContain('value="Anne"');
    expect(text.body).toContain('Kept.');
    expect(unknown.json().errors[0].path).toBe('picture');
    expect(again.statusCode).toBe(303);
    // The description by the club's editors is kept.
    expect(service.ctx.db.first(build.selectFrom('pictures').select('alt'))?.alt).toBe(
      'The band on its stage',
    );
  });

  it('has its text in the export', async () => {
    await using service = await testApp();
    const { id, ids } = await addRanked(service, ['Ann', 'Bob']);
    await send(service, 'PATCH', `${desk(id)}/candidates/${ids.Ann}`, { text: 'Treasurer.' });
    await castAll(service, id, [{ ranking: [ids.Ann, ids.Bob] }]);
    await service.post(`${desk(id)}/close`);

    const file = (await service.get(`${desk(id)}/export?format=json`)).json();

    expect(file.options[0]).toMatchObject({ name: 'Ann', text: 'Treasurer.', picture: null });
  });
});
