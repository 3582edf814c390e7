import type { LightMyRequestResponse } from 'fastify';
import { listPeopleOf } from '#kernel/access/person-roles.ts';
import { build } from '#kernel/db/queries.ts';
import { createPerson } from '#people/persons.ts';
import { addPlays, type PlayRow } from '#test/stand-ins/plays.ts';
import type { TestApp } from '#test/support/app.ts';

/** A phone in the pub: it keeps its cookie, and by default has the same IP address as all others. */
export interface Phone {
  get(url: string): Promise<LightMyRequestResponse>;
  post(url: string, payload: object): Promise<LightMyRequestResponse>;
  submit(url: string, fields: Record<string, string>): Promise<LightMyRequestResponse>;
  /** The headers of its requests. */
  headers: Record<string, string>;
}

export function phone(service: TestApp, address = '203.0.113.7'): Phone {
  const headers: Record<string, string> = { host: 'club.example', 'edge-connecting-ip': address };
  const keeping = async (answering: Promise<LightMyRequestResponse>) => {
    const answer = await answering;
    const [cookie] = answer.cookies;
    if (cookie) headers.cookie = `${cookie.name}=${cookie.value}`;
    return answer;
  };
  return {
    headers,
    get: (url) => keeping(service.get(url, headers)),
    post: (url, payload) => keeping(service.post(url, payload, headers)),
    submit: (url, fields) => keeping(service.submit(url, fields, headers)),
  };
}

/** Stores plays, at the current time unless `at` is given. @returns their ids */
export function heard(
  service: TestApp,
  ...songs: (Partial<PlayRow> & Pick<PlayRow, 'artist' | 'title'> & { at?: number })[]
): Promise<number[]> {
  const rows = songs.map(({ at = service.clock.now, ...song }) => ({ ...song, started_at: at }));
  return addPlays(service.ctx, rows);
}

/** Gives roles to a person, creating them if needed. @returns the headers of their requests behind the edge */
export async function appoint(
  service: TestApp,
  email: string,
  ...roles: string[]
): Promise<Record<string, string>> {
  const at = service.clock.now;
  const granted = { granted_by: 'the test', granted_at: at, until: null };
  await service.ctx.write((tx) => {
    const [known] = listPeopleOf(tx, email);
    const person_id = known?.id ?? createPerson(tx, { name: email, email }, { ip: 'the test', at });
    for (const role of roles)
      tx.run(build.insertInto('person_roles').values({ person_id, role, ...granted }));
  });
  return { 'edge-access-authenticated-user-email': email };
}
