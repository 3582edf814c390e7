// One officer who is alone, or a program with a key, tries to turn a vote in a meeting that two people have to count.
import { DAY, isoTime, systemClock } from '#kernel/clock.ts';
import { type Alone, type Outcome, statuses, unless } from '#test/faults/attacks/attack.ts';
import { Club, type Reply } from './club.ts';

async function turnVote(): Promise<Outcome> {
  await using club = await Club.open();
  const held_at = isoTime(systemClock() + DAY);
  const { id } = (await club.post('/admin/meetings', { title: 'AGM', held_at })).body;
  const base = `/admin/meetings/${id}`;
  const { packs } = (await club.post(`${base}/packs`, { class: 'Members', packs: 1 })).body;
  await club.post(`${base}/packs/${packs[0].id}/open`);
  const codes: string[] = packs[0].cards.map(({ code }: { code: string }) => code);
  const item = (await club.post(`${base}/items`, { kind: 'motion', title: 'New lamps' })).body;
  const at = `${base}/items/${item.id}`;
  const question = `/admin/elections/${item.election_id}`;
  await club.post(`${at}/open`, { present: 4 });
  const { paper_id } = (await club.get(base)).body.meeting;
  const answers = { [item.election_id]: { choice: 'no' } };
  for (const token of codes.slice(0, 2)) await club.post(`/p/${paper_id}/vote`, { token, answers });
  for (const code of codes.slice(2, 4)) await club.post(`${at}/paper`, { code });
  await club.post(`${at}/close`);
  const batch = (await club.post(`${at}/batches`, { control: { valid: 2 } })).body.id;
  const papers = [1, 2].map((number) => ({ number, choice: 'yes' }));
  const contests = [{ label: 'Lamps', items: [{ label: 'Yes', votes: 9 }] }];

  const tried: [what: string, reply: Reply][] = [
    ['enter as the first teller', await club.ask('PUT', `${at}/batches/${batch}/entries/1`, { papers })],
    ['enter as the second teller', await club.ask('PUT', `${at}/batches/${batch}/entries/2`, { papers })],
    ['settle', await club.post(`${at}/batches/${batch}/settle`, { papers })],
    ['correct an entry', await club.ask('PATCH', `${at}/batches/${batch}/entries/mine`, { papers })],
    ['join', await club.post(`${at}/batches/${batch}/join`)],
    ['look at the figures', await club.get(`/e/${item.election_id}/results`)],
    ['look at them as an officer', await club.get(`${question}/results-preview`)],
    ['export the ballots', await club.get(`${question}/export`)],
    [
      'enter certified figures',
      await club.ask('PUT', `${question}/manual-results`, { reason: 'x', results: { contests } }),
    ],
    ['make codes', await club.post(`/admin/papers/${paper_id}/tokens`, { count: 5 })],
    ['make the vote void', await club.post(`${at}/void`, { reason: 'x' })],
    ['announce it without the papers', await club.post(`${at}/declare`)],
  ];
  const done = tried.filter(([, { status }]) => status < 400);
  const { state, result } = (await club.get(base)).body.items[0];
  return {
    saw: `${tried.length} acts: ${statuses(tried.map(([, reply]) => reply) as never)}`,
    wrong: [
      ...done.map(([what]) => `one officer could ${what}`),
      ...unless(
        state === 'closed' && result === undefined,
        `the vote is ${state}, and its figures are shown`,
      ),
    ],
  };
}

export const twoPeople: Alone[] = [['one officer turns a vote that two people count', turnVote]];
