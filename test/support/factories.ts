import { HOUR, isoTime } from '#kernel/clock.ts';
import type { TestApp } from './app.ts';

let voters = 0;

/** Fields of POST /admin/elections for an election that is open now and for two more hours. */
export function openElection(service: TestApp, fields: object = {}): Record<string, unknown> {
  return {
    title: 'Shall we buy a piano?',
    ballot_type: 'SIMPLE_TRIPLE',
    open_at: isoTime(service.clock.now - HOUR),
    close_at: isoTime(service.clock.now + 2 * HOUR),
    ...fields,
  };
}

/** Creates an election through the service and returns its id. */
export async function addElection(service: TestApp, fields: object = {}): Promise<string> {
  const answer = await service.post('/admin/elections', openElection(service, fields));
  if (answer.statusCode !== 200) throw new Error(`The election was refused: ${answer.body}`);
  return answer.json().id;
}

export async function addRanked(service: TestApp, names: string[], fields: object = {}) {
  const id = await addElection(service, { ballot_type: 'RANKED_CONDORCET', candidates: names, ...fields });
  return { id, ids: await idsByName(service, id, 'candidates') };
}

export async function addPoll(service: TestApp, names: string[], fields: object = {}) {
  const id = await addElection(service, { ballot_type: 'POLL', options: names, ...fields });
  return { id, ids: await idsByName(service, id, 'options') };
}

/** Generates plain tokens for an election. */
export async function addTokens(
  service: TestApp,
  electionId: string,
  count: number,
  batch_name?: string,
): Promise<string[]> {
  const answer = await service.post(`/admin/elections/${electionId}/tokens`, { count, batch_name });
  if (answer.statusCode !== 200) throw new Error(`The tokens were refused: ${answer.body}`);
  return answer.json().tokens;
}

/** Generates short codes for printed slips. */
export async function addSlips(service: TestApp, electionId: string, count: number): Promise<string[]> {
  const answer = await service.post(`/admin/elections/${electionId}/tokens`, { count, format: 'short' });
  if (answer.statusCode !== 200) throw new Error(`The codes were refused: ${answer.body}`);
  return answer.json().tokens;
}

/** Casts ballots as JSON, each with the next token, and expects each to be accepted. */
export async function castAll(
  service: TestApp,
  electionId: string,
  answers: object[],
  route = 'vote',
): Promise<void> {
  const tokens = await addTokens(service, electionId, answers.length);
  for (const [index, answer] of answers.entries()) {
    const cast = await service.post(
      `/e/${electionId}/${route}`,
      { token: tokens[index], ...answer },
      { 'edge-connecting-ip': `10.0.${index >> 8}.${index & 255}` },
    );
    if (cast.statusCode !== 200) throw new Error(`The ballot was refused: ${cast.body}`);
  }
}

/** Posts one ballot as JSON, each time from a new address, so that no rate limit applies. */
export function cast(service: TestApp, electionId: string, ballot: object, route = 'vote') {
  voters += 1;
  const address = `10.${voters >> 16}.${(voters >> 8) & 255}.${voters & 255}`;
  return service.post(`/e/${electionId}/${route}`, ballot, { 'edge-connecting-ip': address });
}

/** Sends a PATCH, PUT or DELETE request with JSON. */
export function send(service: TestApp, method: 'PATCH' | 'PUT' | 'DELETE', url: string, payload?: object) {
  return service.request({
    method,
    url,
    ...(payload && { payload }),
    headers: { accept: 'application/json' },
  });
}

/** Requests a page as a browser does. */
export function page(service: TestApp, url: string, headers: Record<string, string> = {}) {
  return service.get(url, { accept: 'text/html', ...headers });
}

/** Returns the audit entries of an election, oldest first, with parsed metadata. */
export async function auditOf(service: TestApp, electionId: string): Promise<AuditEntry[]> {
  const { logs } = (await service.get(`/admin/audit-logs?limit=200&election_id=${electionId}`)).json();
  return logs
    .toReversed()
    .map((entry: { metadata: string }) => ({ ...entry, metadata: JSON.parse(entry.metadata) }));
}

export interface AuditEntry {
  id: string;
  action: string;
  ip_address: string;
  election_id: string;
  timestamp: number;
  metadata: Record<string, unknown>;
}

async function idsByName(
  service: TestApp,
  id: string,
  list: 'candidates' | 'options',
): Promise<Record<string, string>> {
  const { election } = (await service.get(`/e/${id}`)).json();
  return Object.fromEntries(
    election[list].map((option: { id: string; name: string }) => [option.name, option.id]),
  );
}
