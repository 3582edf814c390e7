import type { LightMyRequestResponse } from 'fastify';
import { type TestApp, testApp } from '#test/support/app.ts';
import { appoint } from './patrons.ts';

/** The service with a secretary, who keeps the roll of members. */
export interface Club extends AsyncDisposable {
  service: TestApp;
  /** The headers of the secretary. */
  sam: Record<string, string>;
  /** Sends a request under /api/admin, as the secretary unless `who` is given. */
  call(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object,
    who?: Record<string, string>,
  ): Promise<Answer>;
  /** Creates a person. */
  add(person: object): Promise<Stored>;
}

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what the service answered.
  body: any;
  answer: LightMyRequestResponse;
}

/** A person as the service returns it. */
export interface Stored {
  id: string;
  version: number;
  [field: string]: unknown;
}

/** Starts it with kinds `full` and `honorary`, which vote, and `suspended`, and with groups `Board` and `Cellar`. */
export async function openClub(env: Record<string, string> = {}): Promise<Club> {
  const service = await testApp(env);
  const sam = await appoint(service, 'sam@club.example', 'secretary');
  const call: Club['call'] = async (method, url, payload, who = sam) => {
    const answer = await service.request({
      method,
      url: `/api/admin/${url}`,
      ...(payload && { payload }),
      headers: { accept: 'application/json', ...who },
    });
    const json = answer.headers['content-type']?.toString().startsWith('application/json');
    return { status: answer.statusCode, body: json ? answer.json() : answer.body, answer };
  };
  for (const name of ['full', 'honorary', 'suspended'])
    await call('POST', 'kinds', { name, votes: name !== 'suspended' });
  for (const name of ['Board', 'Cellar']) await call('POST', 'groups', { name });
  const add = async (person: object) => {
    const { status, body } = await call('POST', 'people', person);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body;
  };
  return { service, sam, call, add, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}
