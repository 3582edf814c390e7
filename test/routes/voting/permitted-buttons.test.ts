import fs from 'node:fs';
import { expect, it } from 'vitest';
import { ROLES, type Role } from '#kernel/access/roles.ts';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addPoll, addRanked, addTokens, cast } from '#test/support/factories.ts';
import { signedIn } from '#test/support/people/people.ts';
import { shared } from '#test/support/shared-app.ts';

/** The officer routes: method, path pattern, and required permission. */
const ROUTES = fs
  .readFileSync(new URL('../../routes.txt', import.meta.url), 'utf8')
  .split('\n')
  .map((line) => line.split(/\s+/))
  .filter(([, url = '']) => url.startsWith('/admin'))
  .map(([method, url = '', , needed = '']) => ({
    method,
    needed,
    isPattern: url.includes(':'),
    pattern: new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}$`),
  }))
  .sort((a, b) => Number(a.isPattern) - Number(b.isPattern));

function neededFor(method: string, address: string): string {
  const [path = '', query = ''] = address.replace(/#.*$/, '').replaceAll('&amp;', '&').split('?');
  const meant = /_method=(\w+)/.exec(query)?.[1] ?? method;
  return (
    ROUTES.find((route) => route.method === meant && route.pattern.test(path))?.needed ?? 'no such route'
  );
}

/** The addresses of a page's enabled forms and of its links. */
function offersOf(body: string) {
  const main = (/<main[\s\S]*<\/main>/.exec(body)?.[0] ?? '').replace(
    /<fieldset disabled>[\s\S]*?<\/form><\/fieldset>/g,
    '',
  );
  const forms = [...main.matchAll(/<form[^>]*method="post" action="([^"]+)"/g)].map(([, to = '']) => ({
    method: 'POST',
    to,
  }));
  const links = [...main.matchAll(/<a [^>]*href="(\/admin[^"]*)"/g)].map(([, to = '']) => ({
    method: 'GET',
    to,
  }));
  return [...forms, ...links];
}

/** Adds elections of every type and state, with tokens, and a list. Returns the paths of their pages. */
async function fill(service: TestApp): Promise<string[]> {
  const at = (hours: number) => isoTime(service.clock.now + hours * HOUR);
  const open = await addElection(service);
  const { id: scheduled } = await addRanked(service, ['Ann', 'Bob'], { open_at: at(1), close_at: at(2) });
  const { id: closed } = await addPoll(service, ['Red', 'Blue', 'Green']);
  for (const id of [open, closed]) await service.post(`/admin/elections/${id}/tokens`, { count: 2 });
  await service.post(`/admin/elections/${closed}/close`, {});
  const { id: list } = (await service.post('/admin/distribution-lists', { name: 'Members' })).json();
  await service.post(`/admin/distribution-lists/${list}/emails`, { emails: ['ann@club.example'] });
  return [
    ...['/admin', '/admin/distribution-lists', `/admin/distribution-lists/${list}`],
    ...[open, scheduled, closed].flatMap((id) => [
      ...['', '/codes', '/mails', '/ballot', '/rules', '/history', '?ask=delete', '?ask=batch'].map(
        (under) => `/admin/elections/${id}${under}`,
      ),
      `/admin/elections/${id}/results-preview`,
    ]),
  ];
}

/** One service with these records, and the headers of a person with each role. */
const filled = shared(async () => {
  const service = await testApp({ RATE_LIMIT_GENERAL: '10000' });
  const pages = await fill(service);
  const people: Partial<Record<Role, Record<string, string>>> = {};
  for (const role of ['officer', 'secretary', 'auditor'] as const)
    people[role] = await signedIn(service, role);
  return Object.assign(service, { pages, people });
});

it.each(['officer', 'secretary', 'auditor'] as Role[])(
  '%s sees no button that would be refused',
  async (role) => {
    const { pages, people, ...service } = await filled();
    const who = { accept: 'text/html', ...people[role] };
    const permitted = new Set<string>(ROLES[role]);
    const offers = [];
    for (const page of pages) {
      const { statusCode, body } = await service.get(page, who);
      expect([page, statusCode]).toEqual([page, 200]);
      for (const { method, to } of offersOf(body))
        offers.push({ page, method, to, needed: neededFor(method, to) });
    }
    expect(offers.length).toBeGreaterThan(20);
    expect(offers.filter(({ needed }) => !permitted.has(needed))).toEqual([]);
  },
);

it('a read-only role is told that an election has no invitations', async () => {
  const { pages, people, ...service } = await filled();
  const page = pages.find((one) => one.endsWith('/mails'))!;
  const { body } = await service.get(page, { accept: 'text/html', ...people.auditor });
  expect(body).toContain('Nobody has been invited yet.');
});

it('a read-only role is not told to hand out codes or to close the vote', async () => {
  const service = await filled();
  const auditor = { accept: 'text/html', ...service.people.auditor };
  const scheduled = await addElection(service, { open_at: isoTime(service.clock.now + HOUR) });
  const done = await addElection(service);
  await addTokens(service, scheduled, 2);
  const [token] = await addTokens(service, done, 1);
  await cast(service, done, { token, choice: 'yes' });
  const next = async (id: string, who: Record<string, string>) =>
    /<h2 id="next-title">Next<\/h2>\s*<p>(.*?)<\/p>/.exec(
      (await service.get(`/admin/elections/${id}`, who)).body,
    )?.[1];
  const byKey = { accept: 'text/html' };
  expect(await next(scheduled, byKey)).toContain('Hand out the voting codes you made');
  expect(await next(scheduled, auditor)).toMatch(/^Everything is ready\. Voting opens [^.]*\.$/);
  expect(await next(done, byKey)).toBe('Everybody with a voting code has voted. You can close the vote now.');
  expect(await next(done, auditor)).toBe('Everybody with a voting code has voted.');
});

it('a request without a role sees all buttons', async () => {
  const { pages, ...service } = await filled();
  const [, , , first = ''] = pages;
  const ofFirst = pages.filter((one) => one.startsWith(first));
  const bodies = ofFirst.map(async (page) => (await service.get(page, { accept: 'text/html' })).body);
  const body = (await Promise.all(bodies)).join('');
  for (const words of ['Make voting codes', 'Save the dates', 'Delete …', 'Enter certified results', 'Copy'])
    expect(body).toContain(words);
  expect(body).not.toContain('<fieldset disabled');
});
