import { once } from 'node:events';
import http from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { HOUR, isoTime, systemClock } from '#kernel/clock.ts';
import { type ServiceProcess, startHere, startService, tempFolder } from '#test/support/process/process.ts';
import { motion } from './a-paper.ts';

const connections = new http.Agent({ keepAlive: true, maxSockets: 32 });
afterAll(() => connections.destroy());

const VOTERS = 900;
const TITLES = ['The accounts', 'The board', 'The fee', 'The roof', 'The rules'];

test('papers that are cast while the service is killed are stored whole or not at all, and can be sent again', async () => {
  const folder = tempFolder();
  const service = await startService(folder, { LYRICS_API_URL: '', GENRE_API_URL: '' });
  const now = systemClock();
  const { id, questions } = await json(service, '/admin/papers', {
    title: 'Under load',
    open_at: isoTime(now - HOUR),
    close_at: isoTime(now + HOUR),
    questions: TITLES.map((title) => motion(title)),
  });
  const ids: string[] = questions.map((question: { id: string }) => question.id);
  const { tokens } = await json(service, `/admin/papers/${id}/tokens`, { count: VOTERS });

  const acknowledged = new Set<string>();
  await inParallel(tokens as string[], 32, async (token, index) => {
    if (service.process.killed) return;
    const status = await castPaper(service, id, ids, token, index).catch(() => 0);
    if (status === 200) acknowledged.add(token);
    if (acknowledged.size >= 300) service.process.kill('SIGKILL');
  });
  await service.ended;
  const again = await startHere(folder);
  const counted = await Promise.all(ids.map((question) => json(again, `/e/${question}/results`)));
  const [first] = counted;

  expect(acknowledged.size).toBeGreaterThanOrEqual(300);
  expect(first.total_ballots).toBeGreaterThanOrEqual(acknowledged.size);
  expect(first.total_ballots).toBeLessThan(VOTERS);
  for (const { total_ballots, turnout } of counted) {
    expect(total_ballots).toBe(first.total_ballots);
    expect(turnout.used).toBe(first.total_ballots);
  }

  // Everybody sends once more what they had sent.
  const statuses = new Set<number>();
  await inParallel(tokens as string[], 32, async (token, index) => {
    statuses.add(await castPaper(again, id, ids, token, index));
  });
  const whole = await Promise.all(ids.map((question) => json(again, `/e/${question}/results?refresh=1`)));

  expect([...statuses]).toEqual([200]);
  for (const { total_ballots, turnout } of whole)
    expect({ total_ballots, turnout }).toEqual({
      total_ballots: VOTERS,
      turnout: { issued: VOTERS, used: VOTERS },
    });
});

/** Not by `fetch`, which takes more time than the service does. */
async function castPaper(
  { url }: Pick<ServiceProcess, 'url'>,
  id: string,
  questions: string[],
  token: string,
  index: number,
): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    'edge-connecting-ip': `10.1.${index >> 8}.${index & 255}`,
  };
  const request = http.request(`${url}/p/${id}/vote`, { method: 'POST', headers, agent: connections });
  const answers = Object.fromEntries(questions.map((question) => [question, { choice: 'yes' }]));
  request.end(JSON.stringify({ token, answers, submission_id: `of voter ${index}` }));
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
  await once(answer.resume(), 'end');
  return answer.statusCode ?? 0;
}

async function json(service: Pick<ServiceProcess, 'url'>, path: string, body?: object) {
  const answer = await fetch(service.url + path, {
    headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

async function inParallel<Item>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const rest = items.entries();
  const lane = async () => {
    for (const [index, item] of rest) await work(item, index);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
