import { describe, expect, it } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import { verifyAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { sendDueMails } from '#kernel/mail/sender.ts';
import { askForSignatures } from '#meetings/minutes/asking.ts';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo } from '#test/support/app.ts';
import { send } from '#test/support/factories.ts';
import { expectBadField, expectForbidden, expectRefusal, message } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { signedIn } from '#test/support/people/people.ts';
import { minutesInWords } from '#views/meetings/minutes/document.ts';
import { openRoom } from './a-meeting.ts';
import { heldMeeting, session } from './held-meeting.ts';

const yes = { choice: 'yes' };

describe('the minutes', () => {
  it('show no address in place of a name, and ask for the name of whoever signs', async () => {
    const { one, minutes, markdown, sign, end, patch } = await heldMeeting({ minutes_public: true });
    await using _ = one.service;
    await appoint(one.service, 'olga@club.example', 'officer');
    const { ids, service } = one;
    const persons = build.selectFrom('persons').select('id');
    ids.Olga = service.ctx.db.first(persons.where('name', '=', 'olga@club.example'))!.id;
    await end();
    await patch({ chair: ids.Olga, secretary: ids.Bob });
    for (const text of [JSON.stringify(await minutes()), await markdown()]) {
      expect(text).not.toContain('olga@club.example');
      expect(text).toContain('A person without a name');
    }
    const refused = await sign('chair', await session(one, 'Olga'));
    expect([refused.statusCode, refused.json().needs]).toEqual([409, 'name']);
  });

  it('say what happened: who was there, what was moved, how it was voted and announced, who accepts', async () => {
    const { one, items, minutes, markdown, end, patch } = await heldMeeting();
    await using _ = one.service;
    await end();
    expect((await patch({ chair: 'Ann', secretary: one.ids.Bob })).statusCode).toBe(200);
    const { minutes: facts, signatures } = await minutes();
    expect(signatures).toEqual([]);
    expect(facts).toMatchObject({
      version: 1,
      state: 'draft',
      chair: 'Ann',
      secretary: 'Bob',
      came: 4,
      left: 1,
      guests: 1,
      invited: 2,
      figures: { entitled: 6, quorum: { needed: 3, met: true } },
      meeting: { place: 'The hall' },
    });
    const item = (id: string) => facts.items.find((each: { id: string }) => each.id === id);
    expect(item(items.rules.id)).toMatchObject({
      number: '2',
      text: 'The fee is 60.',
      old_text: 'The fee is 50.',
      mover: 'Ann',
      way: 'ballots',
      voters: { total: 4, here: 4 },
      result: { results: { yes: 2, no: 1, abstain: 1, base: 3, needed: 2, carried: true } },
    });
    expect(item(items.rules.id).result.ballot_set_sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(item(items.rules.id).result).not.toHaveProperty('inclusion_hashes');
    expect(item(items.board.id).elected).toMatchObject([{ name: 'Ivy Cole', accepts: true }]);
    const text = await markdown();
    for (const said of [
      '# Minutes: AGM',
      '- Led by: Ann',
      '- Recorded by: Bob',
      '- Entitled to vote: 6 members on the day of the meeting',
      '4 members with a vote, of whom 1 left before the end; 1 guest without a vote.',
      '3 people have to be present: met at each vote.',
      'By 2 mails with the agenda',
      'Added after the invitation: 2a. New lamps, 2b. Thanks and 2c. Treasurer.',
      '> The fee is 50.',
      '> The fee is 60.',
      '- Proposed by: Ann',
      '- Votes: Yes 2, no 1, abstentions 1, invalid 0.',
      '- Rule: Needed: two thirds of yes and no: 2 of 3.',
      'By show of hands.',
      'Without opposition, so nothing was counted.',
      '| Ivy Cole | 2 |',
      '- Elected: Ivy Cole: accepts the election.',
      'Annex 1: list of the present',
      '| Gus Guest | guest, without a vote |',
      'Annex 2: invitation',
      'Annex 3: check numbers',
    ])
      expect(text).toContain(said);
    // It was held on another day than that of the invitation.
    expect(text).toMatch(/- Begin: \w{3}, \w+ \d+, 2026, \d/);
    expect(text).toMatch(/- Outcome: Carried: 2 of 3 votes.*Declared by the chair at \d/);
  });

  it('have nothing of a result before it is announced, and the classes that could not vote', async () => {
    const one = await openRoom({ classes: ['Members', 'Board'] });
    await using _ = one.service;
    await one.arrive(['Ann', 'Bob']);
    const item = await one.add({ kind: 'motion', title: 'Discharge', classes: ['Members'] });
    await one.act(item.id, 'open');
    await one.vote(one.codes[0]!, item.election_id, yes);
    const read = async () => (await one.service.get(`${one.base}/minutes.md`)).body;
    expect(await read()).toContain('Voting is open.');
    await one.act(item.id, 'close');
    const closed = await read();
    expect(closed).toContain('It was voted on; the result was not announced.');
    expect(closed).not.toContain('Yes 1');
    await one.act(item.id, 'declare');
    const declared = await read();
    expect(declared).toContain('Yes 1, no 0, abstentions 0, invalid 0.');
    expect(declared).toContain('Without a vote on this item: Board.');
  });

  it('say which vote is void, and which follows it', async () => {
    const one = await openRoom();
    await using _ = one.service;
    await one.arrive(['Ann', 'Bob']);
    const item = await one.add({ kind: 'motion', title: 'Lamps' });
    await one.act(item.id, 'open');
    await one.act(item.id, 'void', { reason: 'Wrong wording' });
    await one.service.post(`/admin/elections/${item.election_id}/follow-up`, { kind: 'repeat' });
    const chairs = await one.add({ kind: 'motion', title: 'Chairs' });
    await one.act(chairs.id, 'open');
    await one.vote(one.codes[0]!, chairs.election_id, yes);
    await one.act(chairs.id, 'close');
    for (const email of ['cat@club.example', 'dan@club.example'])
      await one.act(
        chairs.id,
        'void',
        { reason: 'A card was lost' },
        await appoint(one.service, email, 'officer'),
      );
    const text = (await one.service.get(`${one.base}/minutes.md`)).body;
    expect(text).toMatch(/Votes: Yes 1, no 0[\s\S]*- Outcome: Void: A card was lost/);
    expect(text).toContain('- Outcome: Void: Wrong wording');
    expect(text).toContain('- Follows: the vote on item 1');
    expect(text).toContain('It was not voted on.');
  });
});

describe('the texts of minutes', () => {
  it('are written piece by piece, about this meeting alone, and details of the elected only where it asks', async () => {
    const { one, items, ivy, patch, minutes, markdown, end } = await heldMeeting();
    await using _ = one.service;
    const elected = { [ivy]: { born: '1 May 1980', place: 'Bonn' } };
    const refused = await patch({ texts: { elected } });
    expect([refused.statusCode, refused.json().errors[0].path]).toEqual([400, 'texts.elected']);
    await send(one.service, 'PATCH', one.base, { elected_details: true });
    for (const wrong of [
      { items: { other: 'x' } },
      { terms: { other: 'x' } },
      { elected: { other: { born: 'x' } } },
      { kind: 'x'.repeat(301) },
      { objections: 5 },
    ])
      expect((await patch({ texts: wrong })).statusCode).toBe(400);
    await patch({ texts: { objections: 'Cid objects.', items: { [items.rules.id]: 'An amendment fell.' } } });
    await patch({ texts: { elected, terms: { [items.board.id]: 'Until 2028' }, seat: 'Bonn' } });
    await end();
    const text = await markdown();
    for (const said of ['Cid objects.', 'An amendment fell.', 'Ivy Cole, born 1 May 1980, Bonn: accepts'])
      expect(text).toContain(said);
    expect(text).toContain('- Term: Until 2028');
    await patch({ texts: { objections: '' } });
    expect((await minutes()).minutes.texts).toMatchObject({ objections: '', seat: 'Bonn' });
    await send(one.service, 'PATCH', one.base, { elected_details: false });
    expect(await markdown()).not.toContain('1 May 1980');
    // The next minutes begin with what stays the same.
    const next = (
      await one.service.post('/admin/meetings', {
        title: 'Next',
        held_at: '2027-12-04T19:00',
        chair: 'Ann',
      })
    ).json();
    const begun = (await one.service.get(`/admin/meetings/${next.id}/minutes`)).json();
    expect(begun.minutes).toMatchObject({ chair: 'Ann', texts: { seat: 'Bonn', objections: '' } });
  });

  it('are written by officers who prepare or certify, and by the two who sign', async () => {
    const { one, patch } = await heldMeeting();
    await using _ = one.service;
    const get = (who: Record<string, string>) => one.service.get(`${one.base}/minutes`, who);
    const [cid, dee] = [await session(one, 'Cid'), await session(one, 'Dee')];
    const auditor = await signedIn(one.service, 'auditor');
    await patch({ chair: one.ids.Cid, secretary: one.ids.Bob });
    expect([(await get(cid)).statusCode, (await get(dee)).statusCode]).toEqual([200, 403]);
    expect((await get(auditor)).statusCode).toBe(200);
    const own = (await get({ ...cid, accept: 'text/html' })).body;
    expect([own.includes('href="/admin/meetings"><'), own.includes('href="/me">Your page')]).toEqual([
      false,
      true,
    ]);
    const texts = { further: 'A note' };
    const tried = [await patch({ texts }, cid), await patch({ texts }, dee), await patch({ texts }, auditor)];
    expect(tried.map(({ statusCode }) => statusCode)).toEqual([200, 403, 403]);
    // Whoever signs does not say who does.
    expectForbidden(await patch({ secretary: one.ids.Dee }, cid), 'elections:write');
    expectForbidden(await one.service.get('/admin/meetings/none/minutes', dee), 'elections:read');
  });

  it('name two different persons of the roll, by id, name or number', async () => {
    const { one, patch, minutes } = await heldMeeting();
    await using _ = one.service;
    await one.add({ kind: 'text', title: 'Other' });
    const name = async (fields: object) => (await patch(fields)).statusCode;
    expect(await name({ chair: 'Ann', secretary: 'Ann' })).toBe(400);
    expect(await name({ chair: 'Nobody at all' })).toBe(400);
    await one.call('POST', 'people', { name: 'Ann', number: '17' });
    expect(await name({ chair: 'Ann' })).toBe(400);
    expect(await name({ chair: '17', secretary: 'bob' })).toBe(200);
    expect(await name({ secretary: null })).toBe(200);
    expect((await minutes()).minutes).toMatchObject({ chair: 'Ann', secretary: null });
    expect((await send(one.service, 'PATCH', one.base, { secretary: one.ids.Bob })).statusCode).toBe(200);
    expect((await one.read()).meeting.secretary).toEqual({ id: one.ids.Bob, name: 'Bob' });
  });
});

describe('signing', () => {
  it('is done by the two whom the meeting names, once it is closed, and freezes the minutes', async () => {
    const { one, items, patch, sign, minutes, markdown, end } = await heldMeeting();
    await using _ = one.service;
    const own = async () => (await one.service.get('/me', ann)).json().minutes;
    const [ann, bob, cid] = [await session(one, 'Ann'), await session(one, 'Bob'), await session(one, 'Cid')];
    const early = await sign('chair', ann);
    expect([early.statusCode, early.json().error]).toEqual([
      409,
      message('meeting_not_running', { state: 'running' }),
    ]);
    await end();
    expectRefusal(await sign('chair', ann), 409, 'signers_unnamed');
    await patch({ chair: one.ids.Ann, secretary: one.ids.Bob });
    expect(await own()).toEqual([{ meeting: one.id, title: 'AGM' }]);
    for (const [as, who] of [
      ['chair', bob],
      ['secretary', ann],
      ['chair', cid],
      ['chair', {}],
    ] as const)
      expectRefusal(await sign(as, who), 403, 'minutes_other_person');
    expectBadField(await sign('teller', ann), 'as', 'not_either', { choices: ['chair', 'secretary'] });
    const first = await sign('chair', ann);
    expect(first.json()).toMatchObject({
      minutes: { state: 'draft' },
      signatures: [{ as: 'chair', name: 'Ann' }],
    });
    expect((await sign('chair', ann)).json().signatures).toHaveLength(1);
    const second = (await sign('secretary', bob)).json();
    expect(second.minutes).toMatchObject({ state: 'signed', version: 1 });
    expect(second.signatures).toMatchObject([{ as: 'chair' }, { as: 'secretary', name: 'Bob' }]);
    expect(await own()).toEqual([]);
    const before = await markdown();
    expect(before).toContain('Signed by Ann on');
    const late = await patch({ texts: { objections: 'Late' } });
    expect([late.statusCode, late.json().error]).toEqual([409, message('minutes_signed')]);
    const sheet = `${one.base}/items/${items.rules.id}/sheet`;
    expectRefusal(await send(one.service, 'PUT', sheet, { in_box: 9 }), 409, 'minutes_signed');
    expectRefusal(await send(one.service, 'DELETE', one.base), 409, 'meeting_has_ballots');
    // What is known of people changes nothing in them.
    await one.call('POST', `people/${one.ids.Ann}/erase`);
    expect(await markdown()).toBe(before);
    expect((await minutes()).signatures[0]).toMatchObject({ name: 'Ann' });
    expect(verifyAudit(one.service.ctx.db).broken).toBeUndefined();
  });

  it('holds for what was read: a later change makes the first signature void', async () => {
    const { one, patch, sign, minutes, end } = await heldMeeting();
    await using _ = one.service;
    const [ann, bob] = [await session(one, 'Ann'), await session(one, 'Bob')];
    await patch({ chair: one.ids.Ann, secretary: one.ids.Bob });
    await end();
    const read = (await minutes()).minutes.sha256;
    await sign('chair', ann, { sha256: read });
    await patch({ texts: { objections: 'Cid objects.' } }, bob);
    expect((await minutes()).signatures).toEqual([]);
    const stale = await sign('secretary', bob, { sha256: read });
    expect([stale.statusCode, stale.json().error]).toEqual([409, message('minutes_changed')]);
    expect((await sign('secretary', bob)).json()).toMatchObject({
      minutes: { state: 'draft' },
      signatures: [{ as: 'secretary' }],
    });
    expect((await sign('chair', ann)).json().minutes.state).toBe('signed');
    const log = one.service.ctx.db.all(
      build
        .selectFrom('audit_log')
        .select('action')
        .where('action', 'like', 'meeting.minutes_%')
        .orderBy('seq'),
    );
    expect(log.map(({ action }) => action)).toEqual([
      'meeting.minutes_changed',
      'meeting.minutes_signed',
      'meeting.minutes_changed',
      'meeting.minutes_signature_void',
      'meeting.minutes_signed',
      'meeting.minutes_signed',
    ]);
  });

  it('wants a fresh proof of who it is', async () => {
    const { one, patch, sign, end } = await heldMeeting();
    await using _ = one.service;
    await patch({ chair: one.ids.Ann, secretary: one.ids.Bob });
    await end();
    const ann = await session(one, 'Ann');
    one.service.clock.now += 11 * MINUTE;
    expect((await sign('chair', ann)).json()).toMatchObject({ sudo: true });
  });

  it('is followed by corrections beside the signed version', async () => {
    const { one, patch, sign, minutes, markdown, end } = await heldMeeting();
    await using _ = one.service;
    const [ann, bob] = [await session(one, 'Ann'), await session(one, 'Bob')];
    await patch({ chair: one.ids.Ann, secretary: one.ids.Bob });
    await end();
    const correct = (body: object) => one.service.post(`${one.base}/minutes/correct`, body);
    const early = await correct({ reason: 'x' });
    expect([early.statusCode, early.json().error]).toEqual([409, message('minutes_draft')]);
    const both = await Promise.all([sign('chair', ann), sign('secretary', bob)]);
    expect(both.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    const first = await markdown();
    expectBadField(await correct({}), 'reason', 'required');
    expect((await correct({ reason: 'A name was wrong' })).json().minutes).toMatchObject({
      version: 2,
      state: 'draft',
      reason: 'A name was wrong',
    });
    await patch({ texts: { led: 'Anna' } });
    expect(await markdown()).toMatch(/Corrected version 2[\s\S]*A name was wrong[\s\S]*Led by: Anna/);
    expect(await markdown('?version=1')).toBe(first);
    await sign('chair', ann);
    await sign('secretary', bob);
    expect((await minutes()).versions).toMatchObject([
      { version: 1, state: 'signed' },
      { version: 2, state: 'signed', reason: 'A name was wrong' },
    ]);
    expectRefusal(await one.service.get(`${one.base}/minutes?version=3`), 404, 'minutes_not_found');
  });

  it('is not needed for a correction that is dropped: then the signed version stands again', async () => {
    const { one, patch, sign, minutes, markdown, end } = await heldMeeting();
    await using _ = one.service;
    const [ann, bob, dee] = [await session(one, 'Ann'), await session(one, 'Bob'), await session(one, 'Dee')];
    await patch({ chair: one.ids.Ann, secretary: one.ids.Bob });
    await end();
    const drop = (who: Record<string, string> = {}) =>
      one.service.request({
        method: 'DELETE',
        url: `${one.base}/minutes/correct`,
        headers: { accept: 'application/json', ...who },
      });
    // A first version is no correction.
    expectRefusal(await drop(), 409, 'minutes_no_correction');
    await sign('chair', ann);
    await sign('secretary', bob);
    expect((await drop()).json().error).toBe(message('minutes_signed'));
    const first = await markdown();
    const correct = (reason: string) => one.service.post(`${one.base}/minutes/correct`, { reason });
    await correct('Begun by mistake');
    await patch({ texts: { led: 'Anna' } });
    const read = (await minutes()).minutes.sha256;
    await sign('chair', ann, { sha256: read });
    expectForbidden(await drop(dee), 'elections:write');
    const page = (await one.service.get(`${one.base}/minutes`, { ...bob, accept: 'text/html' })).body;
    expect(page).toContain('Drop this correction');
    expect((await drop(bob)).json()).toMatchObject({ minutes: { version: 1, state: 'signed' } });
    expect(await markdown()).toBe(first);
    expect((await minutes()).versions).toHaveLength(1);
    // A page that still shows the correction signs nothing.
    expectRefusal(await sign('chair', ann, { sha256: read }), 409, 'minutes_changed');
    const log = one.service.ctx.db.all(
      build
        .selectFrom('audit_log')
        .select('metadata')
        .where('action', '=', 'meeting.minutes_correction_dropped'),
    );
    expect(log.map(({ metadata }) => JSON.parse(metadata ?? '{}'))).toMatchObject([
      { meeting: one.id, version: 2, signatures: 1 },
    ]);
    // The next one begins with what was signed.
    await correct('Another name');
    expect((await minutes()).minutes).toMatchObject({
      version: 2,
      reason: 'Another name',
      texts: { led: '' },
    });
  });
});

/** As the sessions of members have it. */
const BASE_URL = 'http://club.example';

it('mails ask the two who sign once for each version, and again when a change has made a signature void', async () => {
  const server = await startMailServer();
  const { one, patch, sign, end } = await heldMeeting({}, { env: { ...mailTo(server.url), BASE_URL } });
  await using _ = one.service;
  const { service, ids } = one;
  for (const name of ['Ann', 'Bob', 'Cid']) {
    const addresses = [{ email: `${name.toLowerCase()}@club.example`, primary: true }];
    expect((await one.call('PATCH', `people/${ids[name]}`, { version: 1, addresses })).status).toBe(200);
  }
  const [ann, bob] = [await session(one, 'Ann'), await session(one, 'Bob')];
  /** The mails since the last look. */
  const asked = async () => {
    await sendDueMails(service.ctx);
    server.mails.length = 0;
    await askForSignatures(service.ctx, minutesInWords(service.ctx));
    await sendDueMails(service.ctx);
    return server.mails.map(({ recipients, headers }) => `${recipients}: ${headers.subject}`).sort();
  };
  await patch({ chair: ids.Ann, secretary: ids.Bob });
  expect(await asked()).toEqual([]);
  await end();
  expect(await asked()).toEqual([
    'ann@club.example: To sign: minutes of AGM',
    'bob@club.example: To sign: minutes of AGM',
  ]);
  expect(server.mails[0]!.text).toContain(`${BASE_URL}${one.base}/minutes`);
  await patch({ texts: { led: 'Anna' } });
  expect(await asked()).toEqual([]);
  await sign('chair', ann);
  expect(await asked()).toEqual([]);
  // A text, and whatever else is in the minutes.
  await patch({ texts: { objections: 'Cid objects.' } }, bob);
  expect(await asked()).toEqual(['ann@club.example: Sign again: minutes of AGM']);
  await sign('chair', ann);
  await one.call('PATCH', `people/${ids.Dee}`, { version: 1, name: 'Deirdre' });
  await patch({ texts: { objections: '' } }, bob);
  await sign('secretary', bob);
  expect(await asked()).toEqual(['ann@club.example: Sign again: minutes of AGM']);
  // Somebody else who signs is asked too; who has signed is not.
  await patch({ chair: ids.Cid });
  expect(await asked()).toEqual([
    'bob@club.example: Sign again: minutes of AGM',
    'cid@club.example: To sign: minutes of AGM',
  ]);
  await sign('chair', await session(one, 'Cid'));
  await sign('secretary', bob);
  expect(await asked()).toEqual([]);
  await service.post(`${one.base}/minutes/correct`, { reason: 'A name was wrong' });
  expect(await asked()).toHaveLength(2);
  await one.call('POST', `people/${ids.Bob}/erase`);
  expect(await asked()).toEqual([]);
});

it('whoever was absent when elected answers until the minutes are signed', async () => {
  const { one, items, ivy, patch, sign, minutes, end } = await heldMeeting({}, { isAnswered: false });
  await using _ = one.service;
  const [ann, bob] = [await session(one, 'Ann'), await session(one, 'Bob')];
  const { lamps, board } = items;
  await patch({ chair: 'Ann', secretary: 'Bob' });
  await end();
  const answer = (accepts: object) => one.act(board.id, 'declare', { accepts });
  expect((await answer({ nobody: true })).status).toBe(400);
  expect((await one.act(lamps.id, 'hands', { yes: 4, no: 0 })).body.error).toBe(message('meeting_closed'));
  expect((await answer({ [ivy]: false })).body.item.elected).toMatchObject([{ accepts: false }]);
  const item = (await minutes()).minutes.items.find((each: { id: string }) => each.id === board.id);
  expect(item.elected).toMatchObject([{ accepts: false }]);
  await sign('chair', ann);
  await sign('secretary', bob);
  expect((await answer({ [ivy]: true })).status).toBe(409);
});

describe('everybody', () => {
  it('sees the announced results once the meeting is over, and the signed minutes if the club wants', async () => {
    const { one, ivy, patch, sign, end } = await heldMeeting({});
    await using _ = one.service;
    const page = async (path: string) => one.service.get(`/m/${one.id}${path}`, { accept: 'text/html' });
    await send(one.service, 'PATCH', one.base, { minutes_public: true, elected_details: true });
    await patch({
      texts: { elected: { [ivy]: { born: '1 May 1980' } } },
      chair: one.ids.Ann,
      secretary: one.ids.Bob,
    });
    await end();
    const over = (await page('')).body;
    for (const said of ['Elected: Ivy Cole (2).', 'Carried without opposition.', 'By show of hands.'])
      expect(over).toContain(said);
    expect(over).not.toContain('Read its minutes');
    expect((await page('/minutes')).statusCode).toBe(404);
    await sign('chair', await session(one, 'Ann'));
    await sign('secretary', await session(one, 'Bob'));
    expect((await page('')).body).toContain('Read its minutes');
    const read = (await page('/minutes')).body;
    expect(read).toContain('Signed by Bob on');
    expect(read).toContain('The fee is 60.');
    const json = (await one.service.get(`/m/${one.id}/minutes`)).body;
    // Of persons only the elected, and who signed or moved.
    for (const hidden of ['1 May 1980', 'Gus Guest', 'Cid'])
      expect([read.includes(hidden), json.includes(hidden)]).toEqual([false, false]);
    await send(one.service, 'PATCH', one.base, { minutes_public: false });
    expect((await page('/minutes')).statusCode).toBe(404);
  });
});

it('a person who is erased is gone from drafts and from the list of speakers', async () => {
  const { one, patch, sign, minutes, end } = await heldMeeting();
  await using _ = one.service;
  await one.service.post(`${one.base}/speakers`, { name: 'Ann' });
  await one.service.post(`${one.base}/speakers`, { name: 'Zoe' });
  await patch({ chair: one.ids.Ann, secretary: one.ids.Bob });
  const exported = await one.call('GET', `people/${one.ids.Ann}/export`, undefined);
  expect(exported.body).toMatchObject({
    kept: { speakers: [{ asked_to_speak_as: 'Ann' }], meetings: [{ meeting: 'AGM', named_as: 'chair' }] },
  });
  expect((await one.call('POST', `people/${one.ids.Ann}/erase`)).status).toBe(200);
  const { speakers } = (await one.service.get(`/m/${one.id}`)).json();
  expect(speakers.map(({ name }: { name: string }) => name)).toEqual(['Zoe']);
  expect((await minutes()).minutes.chair).toBeNull();
  await end();
  expectRefusal(await sign('secretary', await session(one, 'Bob')), 409, 'signers_unnamed');
});

it('all who are elected stand in one row, each with their answer', async () => {
  await using one = await openRoom();
  const question = { ballot_type: 'POLL', options: ['Ivy', 'Lee'], settings: { seats: 2 } };
  const board = await one.add({ kind: 'election', title: 'Board', question });
  await one.arrive(['Ann', 'Bob', 'Cid']);
  for (const act of ['call', 'unopposed', 'declare']) await one.act(board.id, act);
  const text = (await one.service.get(`${one.base}/minutes.md`)).body;
  expect(text.match(/^- Elected: .*$/gm)).toEqual([
    '- Elected: Ivy: has not answered yet. Lee: has not answered yet.',
  ]);
});
