import { describe, expect, it } from 'vitest';
import { openRoom } from './a-meeting.ts';

const asPage = { accept: 'text/html' };
type Room = Awaited<ReturnType<typeof openRoom>>;

/** The receipts of the votes of a meeting, in the order of its agenda. */
async function receiptsOf({ service, read }: Pick<Room, 'service' | 'read'>): Promise<(string | null)[]> {
  const { meeting, items } = await read();
  const { questions } = (await service.get(`/p/${meeting.paper_id}`)).json();
  const byId = new Map<string, string>(
    questions.map(({ id, settings }: { id: string; settings: { receipts: string } }) => [
      id,
      settings.receipts,
    ]),
  );
  return items.map(({ election_id }: { election_id: string }) => byId.get(election_id) ?? null);
}

describe('codes as a setting of the meeting', () => {
  it('are proposed for a new meeting, by script and in the form, and not where somebody says no', async () => {
    await using one = await openRoom({ inclusion_codes: undefined });
    const { service } = one;
    expect((await one.read()).meeting.inclusion_codes).toBe(true);
    const form = await service.get('/admin/meetings/new', asPage);
    expect(form.body).toMatch(/<input[^>]*name="inclusion_codes"[^>]* checked/);
    const sent = {
      title: 'Spring',
      held_at: '2027-03-01T19:00',
      inclusion_codes: 'false',
      agenda_of: 'usual',
    };
    const made = await service.submit('/admin/meetings', sent);
    const read = async () => (await service.get(made.headers.location as string)).json();
    expect((await read()).meeting.inclusion_codes).toBe(false);
    expect(new Set(await receiptsOf({ service, read }))).toEqual(new Set([null, 'off']));
  });

  it('hold for what is added, moved on the spot, repeated and copied; a vote can differ', async () => {
    await using one = await openRoom({ inclusion_codes: true });
    const { service } = one;
    const lamps = await one.add({ kind: 'motion', title: 'New lamps' });
    await one.add({ kind: 'motion', title: 'Off', question: { settings: { receipts: 'off' } } });
    await one.add({ kind: 'motion', title: 'Covering', question: { settings: { receipts: 'content' } } });
    await one.add({ kind: 'text', title: 'Report' });
    await service.post(`${one.base}/motion`, { title: 'On the spot', open: false });
    expect(await receiptsOf(one)).toEqual(['included', 'off', 'content', null, 'included']);
    const held_at = '2027-12-04T19:00';
    const next = { title: 'Next', held_at, agenda_of: one.id, inclusion_codes: false };
    const { id } = (await service.post('/admin/meetings', next)).json();
    const copied = { ...one, read: async () => (await service.get(`/admin/meetings/${id}`)).json() };
    expect(await receiptsOf(copied)).toEqual(['off', 'off', 'content', null, 'off']);
    expect((await one.item(lamps.id)).state).toBe('prepared');
  });

  it('a change reaches the votes that are not open, and nothing that was voted on', async () => {
    await using one = await openRoom({ inclusion_codes: false });
    const { service } = one;
    const [card = ''] = await one.arrive(['Ann', 'Bob']);
    const closed = await one.add({ kind: 'motion', title: 'Closed' });
    const open = await one.add({ kind: 'motion', title: 'Open' });
    await one.add({ kind: 'motion', title: 'Prepared' });
    await one.add({ kind: 'motion', title: 'Covering', question: { settings: { receipts: 'content' } } });
    await one.act(closed.id, 'open');
    expect(await one.vote(card, closed.election_id, { choice: 'yes' })).toBe(200);
    await one.act(closed.id, 'void', { reason: 'The microphone failed.' });
    await one.act(open.id, 'open');
    const change = (inclusion_codes: boolean) =>
      service.request({ method: 'PATCH', url: one.base, payload: { inclusion_codes } });
    expect((await change(true)).statusCode).toBe(200);
    expect(await receiptsOf(one)).toEqual(['off', 'off', 'included', 'content']);
    // Voted on again, it has codes.
    const again = { kind: 'repeat' };
    await service.post(`/admin/elections/${closed.election_id}/follow-up`, again);
    expect(await receiptsOf(one)).toEqual(['off', 'included', 'off', 'included', 'content']);
    await change(false);
    expect(await receiptsOf(one)).toEqual(['off', 'off', 'off', 'off', 'content']);
    await one.act(open.id, 'close');
    await one.act(open.id, 'declare');
    await service.request({ method: 'PATCH', url: one.base, payload: { state: 'closed' } });
    expect((await change(true)).statusCode).toBe(409);
  });

  it('an election that joins the agenda gets them too', async () => {
    await using one = await openRoom({ inclusion_codes: true });
    const { service } = one;
    const dates = { open_at: '2030-01-01T00:00:00Z', close_at: '2030-01-02T00:00:00Z' };
    const motion = { title: 'Joined', ballot_type: 'SIMPLE_TRIPLE', ...dates };
    const made = await service.post('/admin/elections', motion);
    const added = await one.add({ election_id: made.json().id });
    expect(added).toMatchObject({ election_id: made.json().id });
    expect(await receiptsOf(one)).toEqual(['included']);
  });
});

describe('the pages of a card', () => {
  it('say that a typed code works, as it fits', async () => {
    await using one = await openRoom();
    const { service } = one;
    const [card = ''] = await one.arrive(['Ann', 'Bob']);
    const typed = async () => {
      const entered = await service.get(`/m/${one.id}?t=${card}`, asPage);
      const page = await service.get(String(entered.headers.location), {
        ...asPage,
        cookie: `house_card=${card}`,
      });
      return page.body;
    };
    expect(await typed()).toContain('Voting has not begun yet');
    const motion = await one.add({ kind: 'motion', title: 'New lamps' });
    await one.act(motion.id, 'open');
    expect(await typed()).toContain('Voting is open: vote below');
    await one.vote(card, motion.election_id, { choice: 'yes' });
    expect(await typed()).toContain('Your vote is recorded');
    await one.act(motion.id, 'close');
    expect(await typed()).toContain('The next ballot appears here');
    const wrong = await service.get(`/m/${one.id}?t=${card.slice(0, -1)}`, asPage);
    expect(wrong.body).not.toContain('Your card works');
  });

  it('after a cast say which vote the code is of, and have the ways on; another card has another mark', async () => {
    await using one = await openRoom({ inclusion_codes: true });
    const { service } = one;
    const [first = '', second = ''] = await one.arrive(['Ann', 'Bob']);
    const lamps = await one.add({ kind: 'motion', title: 'New lamps' });
    const chairs = await one.add({ kind: 'motion', title: 'New chairs' });
    for (const { id } of [lamps, chairs]) await one.act(id, 'open');
    const cast = async (token: string, answers: Record<string, string>) =>
      (await service.submit(`/p/${await one.paper()}/vote`, { token, submission_id: 'x', ...answers })).body;
    const page = await cast(first, { [`${lamps.election_id}.choice`]: 'yes' });
    expect(page).toContain('data-votes="[&quot;New lamps&quot;]"');
    expect(page).toContain(`data-recorded="${chairs.election_id}"`);
    expect(page).toContain(`/m/${one.id}/card?card=other`);
    expect(page).toContain(`/m/${one.id}/void`);
    const markIn = (text: string) => /data-codes-of="([^"]*)"/.exec(text)?.[1];
    expect(markIn(page)).toMatch(/^[0-9a-f]{16}$/);
    const room = await service.get(`/m/${one.id}/card`, { ...asPage, cookie: `house_card=${first}` });
    expect(markIn(room.body)).toBe(markIn(page));
    const other = await cast(second, { [`${lamps.election_id}.choice`]: 'no' });
    expect(markIn(other)).not.toBe(markIn(page));
    // Whoever sees sizes alone does not learn how many votes were cast.
    const both = await cast(one.codes[2]!, {
      [`${lamps.election_id}.choice`]: 'yes',
      [`${chairs.election_id}.choice`]: 'yes',
    });
    expect(both).toContain('data-recorded=""');
    expect(Buffer.byteLength(both)).toBe(Buffer.byteLength(page));
  });

  it('the page of a meeting that is over leads to the check where votes had codes', async () => {
    for (const inclusion_codes of [true, false]) {
      await using one = await openRoom({ inclusion_codes });
      const [card = ''] = await one.arrive(['Ann', 'Bob']);
      const motion = await one.add({ kind: 'motion', title: 'New lamps' });
      await one.act(motion.id, 'open');
      await one.vote(card, motion.election_id, { choice: 'yes' });
      await one.act(motion.id, 'close');
      await one.act(motion.id, 'declare');
      await one.service.request({ method: 'PATCH', url: one.base, payload: { state: 'closed' } });
      const { body } = await one.service.get(`/m/${one.id}`, asPage);
      expect(body.includes(`/p/${await one.paper()}/check`)).toBe(inclusion_codes);
      expect(body.includes('data-codes-over')).toBe(inclusion_codes);
    }
  });
});
