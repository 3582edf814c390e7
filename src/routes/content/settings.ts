import type { FastifyRequest } from 'fastify';
import {
  changedSettings,
  changeSettings,
  ensureChangeable,
  readSettings,
  shownSettings,
} from '#content/club-settings.ts';
import type { TestedMail } from '#content/mail-test.ts';
import { addPicture } from '#content/pictures/pictures.ts';
import { FILE_FIELD } from '#content/pictures/uploads.ts';
import { linkOrigin } from '#kernel/access/link-origin.ts';
import { listTokens } from '#kernel/access/sender-tokens.ts';
import { findSignedIn } from '#kernel/access/sessions.ts';
import { ensureSudo } from '#kernel/access/sudo.ts';
import type { Context } from '#kernel/context.ts';
import { listOverruled } from '#kernel/db/settings.ts';
import type { Html } from '#kernel/html.ts';
import { act, doneQuery } from '#kernel/http/act.ts';
import { badField } from '#kernel/http/errors.ts';
import { nestForm } from '#kernel/http/form.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { formatLocal, formatTime } from '#kernel/local-time.ts';
import { neededInWords } from '#kernel/mail/message.ts';
import { mailServer } from '#kernel/mail/server.ts';
import { normalizeAddress } from '#kernel/mail-addresses.ts';
import { ownValue } from '#kernel/own-value.ts';
import { SettingsInput } from '#kernel/settings/settings.ts';
import { requireApproval } from '#people/approvals/approvals.ts';
import { CALLBACK } from '#people/oidc/provider.ts';
import { listAddresses } from '#people/persons.ts';
import { pendingAnswer } from '#routes/people/with-approval.ts';
import { settingsPage } from '#views/content/settings/page.ts';
import { failedWarning, findAccessChange, warnOwners } from './settings-access.ts';

/** What the address of a music player ends with. */
export const PLAYERS = '/api/listenbrainz';

const DONE = {
  saved: 'The settings were saved.',
  unchanged: 'Nothing was changed.',
  logo: 'The logo was changed.',
  token_ended: 'The token has ended.',
};

/** What every form of the settings page has. */
export const onSettingsPage = (ctx: Context) =>
  ({
    permission: 'settings:write',
    ...refusedOn((request: FastifyRequest, refused: RefusedForm) =>
      renderSettings(ctx, request, { refused }),
    ),
  }) as const;

/** The settings of the club. */
export function settings(app: App, { ctx }: { ctx: Context }): void {
  const config = { permission: 'settings:write' } as const;
  const change = onSettingsPage(ctx);

  app.get('/api/admin/settings', { config, schema: { summary: 'The settings of the club' } }, async () =>
    readSettings(ctx),
  );

  app.get(
    '/admin/settings',
    { config, schema: { summary: 'The settings of the club', querystring: doneQuery } },
    async (request, reply) => sendHtml(reply, renderSettings(ctx, request, { done: request.query.done })),
  );

  act(app, ctx, {
    ...change,
    api: 'PUT /api/admin/settings',
    form: 'POST /admin/settings',
    summary: 'Change some settings of the club',
    body: SettingsInput,
    fromForm: settingsForm,
    run: async ({ body, actor, request }) => {
      // A form contains every setting of its group.
      const changed = request.entered ? changedSettings(ctx, body) : body;
      ensureChangeable(ctx, changed);
      const access = findAccessChange(ctx, changed);
      if (access) ensureSudo(ctx, request);
      // The others hear of it by the warning.
      const asked = access?.sensitive && (await requireApproval(ctx, request, access.sensitive));
      if (access?.sensitive && asked && !('tell' in asked)) return pendingAnswer(request, asked);
      const warned = access && (await warnOwners(ctx, request, access));
      await changeSettings(ctx, changed, actor);
      return { changed, warned };
    },
    json: ({ warned }) => ({ ok: true, ...readSettings(ctx), ...(warned && { warned }) }),
    next: ({ changed, warned }, { request }) =>
      warned && warned.failed.length > 0
        ? renderSettings(ctx, request, { said: `${DONE.saved} ${failedWarning(warned)}` })
        : `/admin/settings?done=${Object.keys(changed).length > 0 ? 'saved' : 'unchanged'}`,
  });

  act(app, ctx, {
    ...change,
    form: 'POST /admin/settings/logo',
    config: { takesPicture: true },
    run: async ({ actor, request: { upload: bytes } }) => {
      if (!bytes) throw badField(FILE_FIELD, 'file_missing');
      // Not decorative, though the logo needs no description: the same picture may be shown elsewhere with one.
      const { id } = await addPicture(ctx, { bytes, alt: '', decorative: false, focus: 5 }, actor);
      await changeSettings(ctx, { logo: id }, actor);
    },
    next: '/admin/settings?done=logo',
  });

  act(app, ctx, {
    ...change,
    form: 'POST /admin/settings/logo/remove',
    run: ({ actor }) => changeSettings(ctx, { logo: null }, actor),
    next: '/admin/settings?done=logo',
  });
}

/** The body that a form represents: a setting in `forget` returns to its default. */
function settingsForm({ forget = [], ...fields }: Record<string, unknown>): Record<string, unknown> {
  const forgotten = [forget].flat().map((name) => [String(name), null]);
  return nestForm({ ...fields, ...Object.fromEntries(forgotten) });
}

/** The page of the settings, with the outcome of a test. */
export function renderSettings(
  ctx: Context,
  request: FastifyRequest,
  {
    done,
    said,
    refused,
    testedMail,
    testedSignIn,
  }: {
    done?: string | undefined;
    /** A whole sentence instead. */
    said?: string;
    refused?: RefusedForm;
    testedMail?: TestedMail;
    testedSignIn?: string[];
  },
): Html {
  const { TIME_ZONE: zone, NOW_PLAYING_INGEST_TOKEN: fixed } = ctx.config;
  const { identity } = request;
  const origin = linkOrigin(ctx, request);
  const server = mailServer(ctx.config);
  return settingsPage({
    players: origin && `${origin}${PLAYERS}`,
    tokens: listTokens(ctx),
    tokenVariable: fixed === undefined ? undefined : 'NOW_PLAYING_INGEST_TOKEN',
    settings: shownSettings(ctx),
    identity,
    refused,
    done: said ?? ownValue<string>(DONE, done),
    overruled: listOverruled(ctx.config),
    sample: `${formatLocal(ctx.now(), zone, { dateStyle: 'full' })}, ${formatTime(ctx.now(), zone)}`,
    mail: {
      missing: neededInWords(ctx.mailer.needed()),
      folder: server !== undefined && 'folder' in server ? server.folder : undefined,
      ownAddress: ownAddress(ctx, request),
      tested: testedMail,
    },
    signIn: {
      tested: testedSignIn,
      returnTo: ctx.config.BASE_URL === undefined ? undefined : `${ctx.config.BASE_URL}${CALLBACK}`,
    },
  });
}

/** The mail address of whoever sends a request; undefined for a key, and for people without one. */
export function ownAddress(ctx: Context, request: FastifyRequest): string | undefined {
  const signedIn = findSignedIn(ctx, request);
  if (signedIn) return listAddresses(ctx.db, signedIn.person.id)[0]?.email;
  const named = normalizeAddress(request.identity?.who ?? '');
  return named.ok ? named.email : undefined;
}
