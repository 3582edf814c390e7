import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { listPeopleOf } from '#kernel/access/person-roles.ts';
import { createSession } from '#kernel/access/sessions.ts';
import { formatTypedCode } from '#people/codes.ts';
import { createPerson } from '#people/persons.ts';
import { askForCode } from '#people/sign-in.ts';
import { closePages, sharedBrowser } from '#test/support/browser.ts';
import { type ListeningService, listeningService, PHONE } from '#test/support/browser-service.ts';
import { appoint } from '#test/support/patrons.ts';
import { type AuditedPage, at, auditPages, form } from './page-audit.ts';

const SHARED = 'a.very.long.address.of.a.couple@club.example';

let browser: Browser;
let fresh: ListeningService;
let service: ListeningService;
beforeAll(async () => {
  [browser, fresh, service] = await Promise.all([sharedBrowser(), listeningService(), listeningService()]);
  await appoint(service, 'olga@club.example', 'owner');
  for (const name of ['Ann Doe', 'Bob Doe, who has quite a long name for a button on a phone'])
    await service.ctx.write((tx) => createPerson(tx, { name, email: SHARED }, { ip: 'the test', at: 1 }));
});
afterEach(() => closePages(browser));
afterAll(async () => {
  await fresh[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

test('every page of signing in, set-up and one’s own is accessible', async () => {
  const origins = [fresh.origin, service.origin];
  expect(await auditPages(browser, [...(await signInPages()), ...ownPages()], origins, PHONE)).toEqual([]);
});

async function signInPages(): Promise<AuditedPage[]> {
  const wanted = { email: SHARED, next: null, stay: false };
  const { link } = await askForCode(service.ctx, wanted, 'another browser');
  const browserOf = 'b'.repeat(43);
  const { code } = await askForCode(service.ctx, wanted, browserOf);
  const asking = (pages: AuditedPage[]) => withCookie(`publichouse-ask=${browserOf}`, pages);
  return [
    ...at(fresh, { 'set-up': '/set-up' }),
    form(fresh, 'set-up, refused', '/set-up', { code: 'AAAA', name: '', email: 'olga' }),
    ...at(service, {
      'sign-in': '/sign-in?next=/admin',
      'sign-in, link elsewhere': link,
      recovery: '/sign-in/recovery',
    }),
    form(service, 'recovery, refused', '/sign-in/recovery', { email: 'x@club.example', code: 'AAAA' }),
    form(service, 'sign-in, refused', '/sign-in', { email: 'nobody' }),
    ...at(service, { 'sign-in, dead link': '/sign-in/link?t=dead' }, 401),
    ...asking([
      ...at(service, { 'sign-in, code': '/sign-in/code' }),
      form(service, 'sign-in, wrong code', '/sign-in/code', { code: 'AAAA-AAAA' }),
      form(service, 'sign-in, who', '/sign-in/code', { code: formatTypedCode(code) }),
    ]),
  ];
}

function ownPages(): AuditedPage[] {
  const pages = at(service, { 'one’s own page': '/me', devices: '/me/devices' });
  return pages.map((audited) => ({
    ...audited,
    async open(page) {
      const [olga] = listPeopleOf(service.ctx.db, 'olga@club.example');
      const token = await service.ctx.write((tx) =>
        createSession(
          tx,
          {
            ...{ person_id: olga?.id ?? '', method: 'code', address_id: null, credential_at: 0, stay: true },
            ...{ browser: 'Chrome, Android', network: '203.0.113.0/24' },
          },
          service.clock.now,
        ),
      );
      await page.setExtraHTTPHeaders({ cookie: `publichouse=${token}` });
      await audited.open(page);
    },
  }));
}

function withCookie(cookie: string, pages: AuditedPage[]): AuditedPage[] {
  return pages.map((audited) => ({
    ...audited,
    async open(page) {
      await page.setExtraHTTPHeaders({ cookie });
      await audited.open(page);
    },
  }));
}
