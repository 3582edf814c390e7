import { expect } from 'vitest';
import { listPeopleOf } from '#kernel/access/person-roles.ts';
import { createSession, type NewSession } from '#kernel/access/sessions.ts';
import { build } from '#kernel/db/queries.ts';
import type { MailServer } from '#test/stand-ins/mail-server.ts';
import type { TestApp } from '#test/support/app.ts';
import { appoint } from './patrons.ts';

/**
 * Stores a session as after a sign-in with a mailed code at `at`, without using the mail and the pages.
 * @returns the token for the cookie
 */
export function addSession(
  service: TestApp,
  person_id: string,
  { at = service.clock.now, ...made }: Partial<NewSession> & { at?: number } = {},
): Promise<string> {
  const session = { method: 'code', address_id: null, credential_at: 0, stay: true } as const;
  const device = { browser: 'Firefox, Linux', network: '203.0.113.0/24' };
  return service.ctx.write((tx) => createSession(tx, { person_id, ...session, ...device, ...made }, at));
}

/** Creates a person with these roles and a session. @returns the headers of their requests */
export async function signedIn(service: TestApp, ...roles: string[]): Promise<Record<string, string>> {
  const email = `${roles.join('.') || 'nobody'}@club.example`;
  await appoint(service, email, ...roles);
  const token = await addSession(service, listPeopleOf(service.ctx.db, email)[0]?.id ?? '');
  return { cookie: `publichouse=${token}`, 'sec-fetch-site': 'same-origin', host: 'club.example' };
}

/** Signs somebody in as if by a code mailed at this moment to their address. The service is at an https address. */
export async function openSession(browser: ReturnType<typeof browserOf>, service: TestApp, email: string) {
  const addresses = build.selectFrom('addresses').select(['id', 'person_id']).where('email', '=', email);
  const { id, person_id } = service.ctx.db.first(addresses)!;
  const made = { credential_at: service.clock.now, address_id: id };
  browser.cookies.set('__Host-publichouse', await addSession(service, person_id, made));
}

/** A simulated browser at votes.club.example that keeps the cookies of the service. */
export function browserOf(service: TestApp) {
  const cookies = new Map<string, string>();
  type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  const send = async (method: Method, url: string, body?: object, headers = {}, json = false) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const form = body && !json ? new URLSearchParams(body as Record<string, string>).toString() : undefined;
    const answer = await service.request({
      method,
      url,
      headers: {
        accept: 'text/html',
        host: 'votes.club.example',
        'sec-fetch-site': 'same-origin',
        ...(cookie && { cookie }),
        ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(form !== undefined && { payload: form }),
      ...(json && body && { payload: body }),
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0/.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  return {
    cookies,
    get: (url: string, headers?: object) => send('GET', url, undefined, headers),
    /** Opens a sign-in link, and follows it to its page without the secret. */
    async open(link: string) {
      const moved = await send('GET', link);
      return send('GET', String(moved.headers.location));
    },
    post: (url: string, body: object = {}, headers?: object) => send('POST', url, body, headers),
    /** Sends JSON and accepts JSON. */
    send: (method: Method, url: string, body: object) =>
      send(method, url, body, { accept: 'application/json' }, true),
    isSignedIn: async () => (await send('GET', '/me')).statusCode === 200,
  };
}

/** Waits until an address has `count` mails, and returns the newest, its code and the path of its link. */
export async function codeMailTo(mails: MailServer, address: string, count: number) {
  await expect
    .poll(() => mails.mails.filter(({ recipients }) => recipients.includes(address)).length)
    .toBe(count);
  const mail = mails.mails.filter(({ recipients }) => recipients.includes(address)).at(-1)!;
  const [code = ''] = /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(mail.headers.subject ?? '') ?? [];
  const [, link = ''] = /https:\/\/votes\.club\.example(\/sign-in\/link\?t=[\w-]+)/.exec(mail.text) ?? [];
  return { mail, code, link };
}
