import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { listPeopleOf } from '#kernel/access/person-roles.ts';
import { HOUR } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { formatTypedCode } from '#people/codes.ts';
import { createPerson } from '#people/persons.ts';
import { askForCode } from '#people/sign-in.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import {
  type ListeningService,
  listeningService,
  localhostService,
} from '#test/support/browser/browser-service.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { addSession } from '#test/support/people/people.ts';
import { type AuditedPage, at, auditPages, form, SMALL, toPrint } from './page-audit.ts';

const OLGA = 'olga@club.example';
const SHARED = 'a.very.long.address.of.a.couple@club.example';

let browser: Browser;
let fresh: ListeningService;
let service: ListeningService;
/** At http://localhost, with passkeys. */
let local: ListeningService;
beforeAll(async () => {
  [browser, fresh, service, local] = await Promise.all([
    sharedBrowser(),
    listeningService(),
    listeningService(),
    localhostService({
      MAILER_API_KEY: 'a key',
      FROM_EMAIL: 'v@club.example',
      MAILER_URL: 'smtp://127.0.0.1:9',
    }),
  ]);
  await appoint(service, OLGA, 'owner');
  await appoint(local, OLGA, 'owner');
  await addPasskeys(local);
  for (const name of ['Ann Doe', 'Bob Doe, who has quite a long name for a button on a phone'])
    await service.ctx.write((tx) => createPerson(tx, { name, email: SHARED }, { ip: 'the test', at: 1 }));
});
afterEach(() => closePages(browser));
afterAll(async () => {
  await fresh[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  await local[Symbol.asyncDispose]();
});

test('every page for sign-in, set-up and one’s own account is accessible', async () => {
  const origins = [fresh.origin, service.origin, local.origin];
  expect(await auditPages(browser, [...(await signInPages()), ...ownPages()], origins, SMALL)).toEqual([]);
});

/** Adds a passkey for this host with a long name, and one for another host. */
async function addPasskeys({ ctx, clock }: ListeningService): Promise<void> {
  const [olga] = listPeopleOf(ctx.db, OLGA);
  const shared = { person_id: olga?.id ?? '', public_key: Buffer.alloc(42), counter: 0, transports: '[]' };
  const times = { created_at: clock.now - HOUR, used_at: null };
  const rows = [
    { id: 'a', name: 'Telephone'.repeat(11), rp_id: 'localhost', backed_up: 1 as const },
    { id: 'b', name: 'Key on the ring', rp_id: 'old.club.example', backed_up: 0 as const },
  ].map((row) => ({ ...shared, ...times, ...row }));
  await ctx.write((tx) => tx.run(build.insertInto('passkeys').values(rows)));
}

async function signInPages(): Promise<AuditedPage[]> {
  const wanted = { email: SHARED, next: null, stay: false };
  const { link } = await askForCode(service.ctx, wanted, 'another browser');
  const browserOf = 'b'.repeat(43);
  const { code } = await askForCode(service.ctx, wanted, browserOf);
  const asking = (audited: AuditedPage) => withCookie(browserOf, audited);
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
    ...at(service, { 'sign-in, dead link': '/sign-in/link?t=unknown' }, 401),
    ...at(service, { 'sign-in, code': '/sign-in/code' }).map(asking),
    asking(form(service, 'sign-in, wrong code', '/sign-in/code', { code: 'AAAA-AAAA' })),
    whoIsIt(asking(form(service, 'sign-in, who', '/sign-in/code', { code: formatTypedCode(code) }))),
  ];
}

/** Pages of an owner with a passkey; the last ones ask for fresh proof. */
function ownPages(): AuditedPage[] {
  const pages = at(local, {
    'one’s own page': '/me',
    devices: '/me/devices',
    passkeys: '/me/passkeys',
    'new passkey': '/me/passkeys/new',
    'first steps': '/admin/first-steps',
    approvals: '/admin/approvals',
    backups: '/admin/backups',
  });
  const sent = [
    form(local, 'new token for players', '/admin/settings/tokens/player', {}),
    form(local, 'new token for the device', '/admin/settings/tokens/device', {}),
    form(local, 'mail test, refused', '/admin/settings/mail/test', {}),
    form(local, 'sign-in test', '/admin/settings/oidc/test', {}),
    form(local, 'new passkey, refused', '/me/passkeys', { name: '', credential: '{}' }),
    ...toPrint([form(local, 'recovery codes', '/me/recovery-codes', {})]),
  ];
  const late = [
    ...at(local, { confirm: '/me/passkeys/new' }, 403),
    form(local, 'confirm, wrong passkey', '/me/sudo', { sudo_to: '/me', sudo_credential: '{}' }),
    form(local, 'confirm, code', '/me/sudo/code', { sudo_to: '/me' }),
  ];
  return [
    ...at(local, { 'sign-in with a passkey': '/sign-in' }),
    form(local, 'sign-in, refused passkey', '/sign-in/passkey', { credential: '{}' }),
    ...[...pages, ...sent].map((audited) => asOlga(audited)),
    ...late.map((audited) => asOlga(audited, { confirmed: false })),
  ];
}

/** Opens a page in a new session of Olga. */
function asOlga(audited: AuditedPage, { confirmed = true } = {}): AuditedPage {
  return {
    ...audited,
    async open(page) {
      const [olga] = listPeopleOf(local.ctx.db, OLGA);
      const at = local.clock.now - (confirmed ? 0 : HOUR);
      const token = await addSession(local, olga?.id ?? '', { at });
      await page.context().addCookies([{ name: 'publichouse', value: token, url: local.origin }]);
      await audited.open(page);
      expect(page.url()).not.toContain('/sign-in');
    },
  };
}

/** Opens a page in a browser that has requested a code. */
function withCookie(value: string, audited: AuditedPage): AuditedPage {
  return {
    ...audited,
    async open(page) {
      await page.context().addCookies([{ name: 'publichouse-ask', value, url: service.origin }]);
      await audited.open(page);
    },
  };
}

/** Opens a page and checks that it asks which of several people is signing in. */
function whoIsIt(audited: AuditedPage): AuditedPage {
  return {
    ...audited,
    async open(page) {
      await audited.open(page);
      expect(page.url()).toContain('/sign-in/who');
    },
  };
}
