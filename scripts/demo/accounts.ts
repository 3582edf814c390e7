// The accounts of the demo, with sign-in by one click. Only the demo has this page: the service has no such route.
import { z } from 'zod';
import { listPeopleOf } from '#kernel/access/person-roles.ts';
import type { Role } from '#kernel/access/roles.ts';
import { createSession, deviceOf, setSessionCookie } from '#kernel/access/sessions.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { html } from '#kernel/html.ts';
import { notFound } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { createPerson } from '#people/persons.ts';
import { grantRole } from '#people/roles.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';

interface Account {
  email: string;
  name: string;
  /** The position in the club, as shown. */
  as: string;
  role: Role | null;
  /** The page after the sign-in, and what the account can see. */
  next: string;
  sees: string;
}

export const ACCOUNTS: readonly Account[] = [
  {
    email: 'olga@club.example',
    name: 'Olga Sommer',
    as: 'an owner',
    role: 'owner',
    next: '/admin',
    sees: 'Everything: elections, members, roles, the pub, the calendar.',
  },
  {
    email: 'otto@club.example',
    name: 'Otto Brandt',
    as: 'an officer',
    role: 'officer',
    next: '/admin',
    sees: 'Elections from the first voting code to the published result.',
  },
  {
    email: 'tess@club.example',
    name: 'Tess Winter',
    as: 'behind the bar',
    role: 'tender',
    next: '/admin/pub',
    sees: 'What is showing, lights and sound, song requests.',
  },
  {
    email: 'mia@club.example',
    name: 'Mia Lind',
    as: 'a member',
    role: null,
    next: '/me',
    sees: 'Her own page, with a ballot that waits.',
  },
];

/** Adds the accounts to the roll and grants their roles. */
export async function makeAccounts(ctx: Context): Promise<void> {
  const actor = { ip: 'demo', at: ctx.now(), by: 'demo' };
  for (const { email, name, role } of ACCOUNTS) {
    await ctx.write((tx) => createPerson(tx, { name, email }, actor));
    if (role) await grantRole(ctx, email, role, actor);
  }
}

/** Signs in one of the accounts. @returns the session token. @throws 404 for any other address */
export async function signInAs(
  ctx: Context,
  email: string,
  device = { browser: 'the demo', network: 'this machine' },
): Promise<string> {
  const [person] = ACCOUNTS.some((account) => account.email === email) ? listPeopleOf(ctx.db, email) : [];
  if (!person) throw notFound('account_not_found');
  // Like a sign-in with a code: the permissions of the session depend on how long the address has been known.
  const address = ctx.db.first(
    build.selectFrom('addresses').select(['id', 'added_at']).where('person_id', '=', person.id),
  );
  const known = { address_id: address?.id ?? null, credential_at: address?.added_at ?? ctx.now() };
  const proof = { method: 'code', stay: false, ...known } as const;
  return ctx.write((tx) => createSession(tx, { person_id: person.id, ...proof, ...device }, ctx.now()));
}

export const OWNER = 'olga@club.example';

/** Adds the page with a sign-in button for each account. */
export function accountsPage(app: App, { ctx }: { ctx: Context }): void {
  app.get('/demo', async (_request, reply) => {
    const buttons = ACCOUNTS.map(
      ({ email, name, as, sees }) =>
        html`<li><p><strong>${name}, ${as}</strong><br><span class="soft small">${sees}</span></p>
<form method="post" action="/demo">${hiddenInputs({ email })}<button class="button">Sign in<span class="visually-hidden"> as ${name}</span></button></form></li>\n`,
    );
    const body = html`${pageHeader({ title: 'Who are you today?', eyebrow: 'Demo', lede: 'A click signs you in. The club and its people are made up.' })}
<ul class="action-list" role="list">${buttons}</ul>`;
    return sendHtml(reply.header('cache-control', 'no-store'), page({ title: 'Accounts of the demo', body }));
  });

  app.post(
    '/demo',
    { schema: { body: z.object({ email: z.string().max(254) }) } },
    async (request, reply) => {
      const { email } = request.body;
      const token = await signInAs(ctx, email, deviceOf(request));
      setSessionCookie(ctx, request, reply, token, false);
      return reply.redirect(ACCOUNTS.find((account) => account.email === email)?.next ?? '/me', 303);
    },
  );
}
