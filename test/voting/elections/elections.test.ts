import { describe, expect, it } from 'vitest';
import { HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, openElection } from '#test/support/factories.ts';
import { sharedApp } from '#test/support/shared-app.ts';

const empty = sharedApp();
const shared = sharedApp();
const create = (service: TestApp, fields: object) =>
  service.post('/admin/elections', openElection(service, fields));

describe('creating an election', () => {
  it('returns a time-ordered id and a message, and stores the fields', async () => {
    await using service = await testApp();

    const answer = await create(service, {
      title: '  Shall we buy a piano? ',
      description: 'An upright one.',
      attachment_url: 'https://club.example/piano.pdf',
      invite_mode: 'batch',
      settings: { hide_results_until_close: true, quorum: 20 },
    });

    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      message: expect.any(String),
    });
    const { election } = (await service.get(`/admin/elections/${answer.json().id}`)).json();
    expect(election).toMatchObject({
      id: answer.json().id,
      title: 'Shall we buy a piano?',
      description: 'An upright one.',
      open_at: isoTime(service.clock.now - HOUR),
      close_at: isoTime(service.clock.now + 2 * HOUR),
      closed_at: null,
      status: 'open',
      ballot_type: 'SIMPLE_TRIPLE',
      settings: {
        hide_results_until_close: true,
        publish_results_to_home: false,
        poll_response_type: 'single',
        quorum: 20,
        inclusion_codes: false,
      },
      results_mode: 'computed',
      attachment_url: 'https://club.example/piano.pdf',
      invite_mode: 'batch',
      created_at: service.clock.now,
    });
    expect(election).not.toHaveProperty('colour');
  });

  const link = (length: number) =>
    `https://club.example/${'a'.repeat(length - 'https://club.example/'.length)}`;

  it.each<[string, (now: number) => object]>([
    ['a title of 500 characters', () => ({ title: 'x'.repeat(500) })],
    ['a description of 5,000 characters', () => ({ description: 'x'.repeat(5_000) })],
    ['an attachment address of 2,000 characters', () => ({ attachment_url: link(2_000) })],
    ['options that differ in an accent', () => ({ ballot_type: 'POLL', options: ['Gruner', 'Grüner'] })],
    ['no attachment: null', () => ({ attachment_url: null })],
    ['a window of one millisecond', (now) => ({ open_at: isoTime(now), close_at: isoTime(now + 1) })],
    [
      'a close in the past on request',
      (now) => ({ close_at: isoTime(now - MINUTE), allow_past_close: true }),
    ],
    ['a poll with two options', () => ({ ballot_type: 'POLL', options: ['Tea', 'x'.repeat(300)] })],
    ['a ranked election without candidates yet', () => ({ ballot_type: 'RANKED_CONDORCET' })],
    ['invitations one by one', () => ({ invite_mode: 'individual' })],
  ])('accepts %s', async (_what, fields) => {
    const service = await shared();

    const answer = await create(service, fields(service.clock.now));

    expect(answer.json()).not.toHaveProperty('error');
    expect(answer.statusCode).toBe(200);
  });

  const poll = (options: unknown) => () => ({ ballot_type: 'POLL', options });
  it.each<[what: string, path: string, fields: (now: number) => object]>([
    ['no title', 'title', () => ({ title: undefined })],
    ['an empty title', 'title', () => ({ title: '' })],
    ['a blank title', 'title', () => ({ title: ' \n ' })],
    ['a title of 501 characters', 'title', () => ({ title: 'x'.repeat(501) })],
    ['a number as title', 'title', () => ({ title: 5 })],
    ['a description of 5,001 characters', 'description', () => ({ description: 'x'.repeat(5_001) })],
    ['a list as description', 'description', () => ({ description: ['x'] })],
    ['an attachment address of 2,001 characters', 'attachment_url', () => ({ attachment_url: link(2_001) })],
    ['an attachment over http', 'attachment_url', () => ({ attachment_url: 'http://club.example/a' })],
    ['a script as attachment', 'attachment_url', () => ({ attachment_url: 'javascript:alert(1)' })],
    ['an attachment that is no address', 'attachment_url', () => ({ attachment_url: 'piano.pdf' })],
    ['no opening', 'open_at', () => ({ open_at: undefined })],
    ['no close', 'close_at', () => ({ close_at: undefined })],
    [
      'a close that is the opening',
      'close_at',
      (now) => ({ open_at: isoTime(now + 1), close_at: isoTime(now + 1) }),
    ],
    [
      'a close before the opening',
      'close_at',
      (now) => ({ open_at: isoTime(now + 2), close_at: isoTime(now + 1) }),
    ],
    ['a close in the past', 'close_at', (now) => ({ close_at: isoTime(now - MINUTE) })],
    ['a close that is now', 'close_at', (now) => ({ close_at: isoTime(now) })],
    [
      'a past close with the flag off',
      'close_at',
      (now) => ({ close_at: isoTime(now - 1), allow_past_close: false }),
    ],
    ['a flag that is no flag', 'allow_past_close', () => ({ allow_past_close: 'perhaps' })],
    ['no ballot type', 'ballot_type', () => ({ ballot_type: undefined })],
    ['an unknown ballot type', 'ballot_type', () => ({ ballot_type: 'LOTTERY' })],
    ['a ballot type in small letters', 'ballot_type', () => ({ ballot_type: 'poll' })],
    ['a poll without options', 'options', poll(undefined)],
    ['a poll with no option', 'options', poll([])],
    ['a poll with one option', 'options', poll(['Tea'])],
    ['a poll with an empty label', 'options.1', poll(['Tea', '', 'Milk'])],
    ['a poll with a blank label', 'options.0', poll(['  ', 'Tea'])],
    ['a poll with a number as label', 'options.1', poll(['Tea', 7])],
    ['a poll with a label of 301 characters', 'options.0', poll(['x'.repeat(301), 'Tea'])],
    ['a poll with the same option twice', 'options', poll(['Tea', 'Milk', ' Tea'])],
    ['options that differ only in case', 'options', poll(['us', 'them', 'US'])],
    ['options that differ in an invisible character', 'options', poll(['Ann', 'An\u200bn'])],
    ['an option nobody can see', 'options.1', poll(['Ann', '\u3164'])],
    [
      'a poll with 101 options',
      'options',
      poll(Array.from({ length: 101 }, (_, index) => `Option ${index}`)),
    ],
    ['options that are no list', 'options', poll({ 0: 'Tea', 1: 'Milk' })],
    [
      'the same candidate twice',
      'candidates',
      () => ({ ballot_type: 'RANKED_CONDORCET', candidates: ['Ann', 'Ann'] }),
    ],
    ['settings that are no object', 'settings', () => ({ settings: 'hidden' })],
    [
      'an unknown kind of answer',
      'settings.poll_response_type',
      () => ({ settings: { poll_response_type: 'all' } }),
    ],
    [
      'a setting that is no flag',
      'settings.inclusion_codes',
      () => ({ settings: { inclusion_codes: 'perhaps' } }),
    ],
    ['a quorum of half a ballot', 'settings.quorum', () => ({ settings: { quorum: 0.5 } })],
    ['an unknown way of inviting', 'invite_mode', () => ({ invite_mode: 'pigeon' })],
  ])('refuses %s and names the field', async (_what, path, fields) => {
    const service = await empty();

    const answer = await create(service, fields(service.clock.now));

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors.map((error: { path: string }) => error.path)).toContain(path);
    expect(answer.json().error).toContain(`${path}: `);
    expect((await service.get('/admin/elections')).json()).toEqual({ elections: [] });
  });

  it('names every wrong field at once', async () => {
    await using service = await testApp();

    const answer = await service.post('/admin/elections', {});

    const paths = answer.json().errors.map((error: { path: string }) => error.path);
    expect(paths).toEqual(['title', 'open_at', 'close_at', 'ballot_type']);
  });
});

describe('the times of an election', () => {
  it.each([
    ['in UTC', '2026-11-21T16:00:00Z', 'America/New_York', '2026-11-21T16:00:00.000Z'],
    ['with an offset', '2026-11-21T17:30:00.250+01:00', 'America/New_York', '2026-11-21T16:30:00.250Z'],
    ['as local time in New York', '2026-11-21T11:00', 'America/New_York', '2026-11-21T16:00:00.000Z'],
    ['as local time in summer', '2026-07-01T11:00', 'America/New_York', '2026-07-01T15:00:00.000Z'],
    ['as local time of another zone', '2026-11-21T11:00', 'Europe/Berlin', '2026-11-21T10:00:00.000Z'],
  ])('are read %s', async (_how, open_at, TIME_ZONE, instant) => {
    await using service = await testApp({ TIME_ZONE });

    const id = await addElection(service, { open_at });

    expect((await service.get(`/e/${id}`)).json().election.open_at).toBe(instant);
  });

  it.each([
    'soon',
    '2026-11-21',
    '2026-13-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-11-21T25:00',
    '1795280400000',
    1795280400000,
    'T12:00Z',
    'x'.repeat(65),
    // Years that no date field can show, and with which dates of a copy would be out of range.
    '-271821-04-20T00:00:00Z',
    '+275760-09-13T00:00:00Z',
  ])('are refused if they are not a timestamp: %s', async (close_at) => {
    const service = await empty();

    const answer = await create(service, { close_at, allow_past_close: true });

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0].path).toBe('close_at');
  });

  it('make it scheduled, open or closed, to the millisecond', async () => {
    await using service = await testApp();
    const { now } = service.clock;
    const id = await addElection(service, { open_at: isoTime(now + 1_000), close_at: isoTime(now + 2_000) });

    const seen = [];
    for (const after of [0, 999, 1_000, 1_999, 2_000]) {
      service.clock.now = now + after;
      seen.push((await service.get(`/e/${id}`)).json().election.status);
    }

    expect(seen).toEqual(['scheduled', 'scheduled', 'open', 'open', 'closed']);
  });
});

describe('the form for a new election', () => {
  it('suggests opening at once and closing in a week, and names the zone once', async () => {
    await using service = await testApp();
    service.clock.now += 20 * MINUTE;

    const { body } = await service.get('/admin/elections/new', { accept: 'text/html' });

    expect(body).toMatch(/name="open_now" value="true"[^>]* checked/);
    expect(body).toContain('value="2026-11-21T13:00"');
    expect(body).toContain('value="2026-11-28T13:00"');
    expect(body.match(/New York time/g)).toHaveLength(1);
  });

  it('suggests full hours in a zone whose offset has half an hour', async () => {
    await using service = await testApp({ TIME_ZONE: 'Asia/Kolkata' });

    const { body } = await service.get('/admin/elections/new', { accept: 'text/html' });

    expect(body).toContain('value="2026-11-21T23:00"');
    expect(body).toContain('value="2026-11-28T23:00"');
  });

  it('can open at once, ignoring the entered time', async () => {
    await using service = await testApp();
    const fields = {
      title: 'The piano',
      ballot_type: 'SIMPLE_TRIPLE',
      open_at: '2026-11-22T09:00',
      close_at: '2026-11-28T09:00',
    };

    const now = await service.submit('/admin/elections', { ...fields, open_now: 'true' });
    const later = await service.submit('/admin/elections', fields);
    const refused = await service.submit('/admin/elections', { ...fields, title: '', open_now: 'true' });
    const { id } = (await create(service, { open_at: undefined, open_now: true })).json();

    const seen = async (url: unknown) => (await service.get(String(url).replace(/\?.*/, ''))).json().election;
    expect(await seen(now.headers.location)).toMatchObject({
      status: 'open',
      open_at: isoTime(service.clock.now),
    });
    expect(await seen(later.headers.location)).toMatchObject({ status: 'scheduled' });
    expect(await seen(`/admin/elections/${id}`)).toMatchObject({ status: 'open' });
    expect(refused.body).toContain('value="2026-11-22T09:00"');
  });
});
