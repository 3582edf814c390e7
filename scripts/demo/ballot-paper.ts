// Opens a ballot paper of four questions under one code, with the texts of the club.
import { DAY, HOUR, isoTime } from '#kernel/clock.ts';
import { randomFrom } from '#test/stand-ins/plays.ts';
import type { DemoClub } from './clubs/club.ts';
import type { Service } from './service.ts';

const CODES = 60;
/** Voters who have cast the paper; every fifth left out the last question. */
const CAST = 34;

/** @returns the path of the paper with a code that has not been used */
export async function openPaper(service: Service, { board }: DemoClub): Promise<string> {
  const now = service.ctx.now();
  const { chair, committee, treasurer, rules } = board;
  const { id } = await service.post('/admin/papers', {
    title: board.title,
    open_at: isoTime(now - DAY - (now % HOUR)),
    close_at: isoTime(now + 6 * DAY - (now % HOUR)),
    settings: { hide_results_until_close: true, receipts: 'included', allow_blank: true },
    questions: [
      { ...chair, ballot_type: 'RANKED_CONDORCET', settings: { ranking: 'partial' } },
      {
        title: committee.title,
        options: committee.candidates,
        ballot_type: 'POLL',
        settings: { poll_response_type: 'multiple', seats: 3 },
      },
      { ...treasurer, ballot_type: 'SIMPLE_TRIPLE' },
      {
        ...rules,
        ballot_type: 'SIMPLE_TRIPLE',
        settings: { majority: { share: 'two_thirds', of: 'yes_no' } },
      },
    ],
  });
  const { tokens } = await service.post(`/admin/papers/${id}/tokens`, { count: CODES });
  const { questions } = await service.get(`/p/${id}`);
  const idsOf = (list: { id: string }[]) => list.map((one) => one.id);
  const [ranked, poll, yesNo, change] = questions;
  const dice = randomFrom(11);
  const shuffled = (ids: string[]) => ids.toSorted(() => dice() - 0.5);
  for (const [index, token] of tokens.slice(0, CAST).entries()) {
    const answers = {
      [ranked.id]: { ranking: shuffled(idsOf(ranked.candidates)).slice(0, 2 + (index % 3)) },
      [poll.id]: { selected_options: shuffled(idsOf(poll.options)).slice(0, 1 + (index % 3)) },
      [yesNo.id]: { choice: index % 9 === 0 ? 'no' : 'yes' },
      ...(index % 5 > 0 && { [change.id]: { choice: index % 2 === 0 ? 'no' : 'yes' } }),
    };
    await service.post(`/p/${id}/vote`, { token, answers }, { 'edge-connecting-ip': `10.2.0.${index}` });
  }
  return `/p/${id}/vote?t=${encodeURIComponent(tokens[CAST])}`;
}
