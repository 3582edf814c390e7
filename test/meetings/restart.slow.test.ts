import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { startService, tempFolder } from '#test/support/process/process.ts';

/** A client of a service at an address. */
const clientOf = (origin: string) => ({
  async ask(method: string, path: string, body?: object) {
    const answer = await fetch(origin + path, {
      method,
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: what the service answered.
    return { status: answer.status, body: (await answer.json()) as any };
  },
});

test('a meeting goes on where it was after its service was killed: open vote, timer, speakers, cards', async () => {
  const folder = tempFolder();
  const first = await startService(folder);
  const before = clientOf(first.url);
  const held_at = new Date().toISOString();
  const { id } = (await before.ask('POST', '/admin/meetings', { title: 'AGM', held_at })).body;
  const base = `/admin/meetings/${id}`;
  const item = { kind: 'motion', title: 'New lamps' };
  const motion = (await before.ask('POST', `${base}/items`, item)).body;
  const { packs } = (await before.ask('POST', `${base}/packs`, { class: 'Members', packs: 1 })).body;
  await before.ask('POST', `${base}/packs/${packs[0].id}/open`);
  const [ann, bob] = packs[0].cards.map(({ code }: { code: string }) => code);
  await before.ask('POST', `${base}/door`, { guest: 'Gus', action: 'in' });
  for (const name of ['Ann', 'Bob']) await before.ask('POST', `${base}/speakers`, { name });
  await before.ask('POST', `${base}/speakers/next`);
  await before.ask('POST', `${base}/items/${motion.id}/open`, { seconds: 600, present: 2 });
  const { paper_id } = (await before.ask('GET', base)).body.meeting;
  const ballot = (token: string) => ({
    token,
    answers: { [motion.election_id]: { choice: 'yes' } },
    submission_id: `of ${token}`,
  });
  expect((await before.ask('POST', `/p/${paper_id}/vote`, ballot(ann))).status).toBe(200);
  // The mark of what officers alone see has a key of the process.
  const roomOf = async ({ ask }: typeof before) => {
    const { officers, ...room } = (await ask('GET', `/m/${id}`)).body;
    expect(officers).toMatch(/^[\da-f]{16}$/);
    return room;
  };
  const room = await roomOf(before);
  first.process.kill('SIGKILL');
  await first.ended;

  const second = await startService(folder);
  const after = clientOf(second.url);
  expect(await roomOf(after)).toEqual(room);
  expect(room).toMatchObject({
    question: { state: 'open', voted: 1, closes_at: expect.any(String) },
    speakers: [{ name: 'Ann', began_at: expect.any(String) }, { name: 'Bob' }],
  });
  // The phone did not hear the answer, and sends again.
  expect((await after.ask('POST', `/p/${paper_id}/vote`, ballot(ann))).status).toBe(200);
  expect((await after.ask('POST', `/p/${paper_id}/vote`, ballot(bob))).status).toBe(200);
  second.moveClock(10 * MINUTE + SECOND);
  await expect
    .poll(async () => (await after.ask('GET', `/m/${id}`)).body.question.state, { timeout: 60_000 })
    .toBe('closed');
  const declared = await after.ask('POST', `${base}/items/${motion.id}/declare`, { note: 'A trial' });
  expect(declared.body.item.result).toMatchObject({ total_ballots: 2, results: { yes: 2 } });
});
