import { HOUR, isoTime } from '#kernel/clock.ts';
import type { TestApp } from '#test/support/app.ts';
import { generateTokens } from '#voting/ballots/tokens.ts';

/** Fields of a question that is answered with yes or no. */
export const motion = (title: string, fields: object = {}) => ({
  title,
  ballot_type: 'SIMPLE_TRIPLE',
  ...fields,
});

/** A paper with one question of each of the first types, and two more motions. */
export const FIVE = [
  motion('The accounts'),
  { title: 'A date', ballot_type: 'POLL', options: ['Friday', 'Saturday'] },
  { title: 'The chair', ballot_type: 'RANKED_CONDORCET', candidates: ['Ann', 'Ben', 'Cleo'] },
  motion('The fee'),
  motion('The rules'),
];

/** Creates a ballot paper that is open now and for two more hours. */
export async function addPaper(
  service: TestApp,
  questions: object[] = [motion('First'), motion('Second')],
  fields: object = {},
): Promise<{ id: string; questions: string[] }> {
  const answer = await service.post('/admin/papers', {
    title: 'Annual general meeting',
    open_at: isoTime(service.clock.now - HOUR),
    close_at: isoTime(service.clock.now + 2 * HOUR),
    questions,
    ...fields,
  });
  if (answer.statusCode !== 200) throw new Error(`The paper was refused: ${answer.body}`);
  const { id, questions: titles } = answer.json();
  return { id, questions: titles.map((question: { id: string }) => question.id) };
}

/** Makes voting codes of a paper. */
export async function addCodes(service: TestApp, paperId: string, count: number, batch_name?: string) {
  const input = { count, batch_name: batch_name ?? null };
  const actor = { ip: '127.0.0.1', at: service.clock.now };
  const { tokens } = await generateTokens(service.ctx, paperId, input, actor);
  return tokens;
}

/** Casts the ballots of a paper as JSON. @param answers by the id of the question */
export const castPaper = (service: TestApp, id: string, body: object) => service.post(`/p/${id}/vote`, body);
