// After three ballots for A the clock jumps past the end of voting for some seconds and back; others then vote for B.
import fs from 'node:fs';
import path from 'node:path';
import { HOUR } from '#kernel/clock.ts';
import { type Alone, type Outcome, unless } from '#test/faults/attacks/attack.ts';
import { end, start } from '#test/faults/service.ts';
import { Club, lacks, pause } from './club.ts';

const JUMP = 3 * HOUR;

async function jumpWhileServing(): Promise<Outcome> {
  await using club = await Club.open({ movable: true });
  return await attack(club, async () => {
    club.service.process.send(JUMP);
    await pause(7_000);
    club.service.process.send(-JUMP);
    // Waits until the service has noticed it.
    await pause(3_000);
    const { body } = await club.get('/health');
    const officers = await club.page('/admin');
    return [
      ...unless(body.checks.clock === 'jumped', 'nothing on the health page'),
      ...lacks(officers, 'The clock of this machine jumped'),
    ];
  });
}

async function startAhead(): Promise<Outcome> {
  await using club = await Club.open({ movable: true });
  return await attack(club, async () => {
    await end(club.service, 'SIGKILL');
    club.service = await start(club.folder, { movable: true });
    club.service.process.send(JUMP);
    await pause(4_000);
    await end(club.service, 'SIGKILL');
    club.service = await start(club.folder, { movable: true });
    return [];
  });
}

async function attack(club: Club, jump: () => Promise<string[]>): Promise<Outcome> {
  const id = await club.election({ ballot_type: 'POLL', options: ['A', 'B'] });
  const { body } = await club.get(`/e/${id}`);
  const [a, b] = body.election.options.map((option: { id: string }) => option.id);
  const tokens = await club.tokens(id, 13);
  const vote = (token: string, selected_option: string) =>
    club.post(`/e/${id}/vote/poll`, { token, selected_option });
  for (const token of tokens.slice(0, 3)) await vote(token, a);

  const wrong = await jump();

  const late = [];
  for (const token of tokens.slice(3)) late.push(await vote(token, b));
  const taken = late.filter(({ status }) => status !== 403).length;
  await club.close(id);
  const { total_ballots, results, books, result_matches } = (await club.get(`/e/${id}/results`)).body;
  const exported = path.join(club.folder, 'export.json');
  const file = await club.get(`/admin/elections/${id}/export?format=json`);
  fs.writeFileSync(exported, file.text);
  const recount = await club.run('recount', exported);
  const page = await club.page(`/e/${id}`);
  return {
    saw: `10 ballots after the jump: ${10 - taken} refused; ${total_ballots} published, ${file.body.ballots.length} exported`,
    wrong: [
      ...wrong,
      ...unless(taken === 0, `${taken} ballots were taken after the close`),
      ...unless(total_ballots === 3 && results.winners.join() === a, 'the published result is another'),
      ...unless(file.body.ballots.length === total_ballots, 'the export holds other ballots'),
      ...unless(recount.code === 0, `the recount does not agree: ${recount.said}`),
      ...unless(books.balanced && result_matches, 'the books do not agree'),
      ...lacks(page, 'Voting closed at its time.'),
    ],
  };
}

export const clockJump: Alone[] = [
  ['the clock jumps past the end of voting and back', jumpWhileServing],
  ['the service starts with a clock that is ahead', startAhead],
];
