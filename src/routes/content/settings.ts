import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
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
import { formOnward } from '#kernel/access/path-onward.ts';
import { listTokens } from '#kernel/access/sender-tokens.ts';
import { findSignedIn } from '#kernel/access/sessions.ts';
import { ensureSudo } from '#kernel/access/sudo.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { listOverruled } from '#kernel/db/settings.ts';
import { findShortKey } from '#kernel/house-network.ts';
import type { Html } from '#kernel/html.ts';
import { act, doneQuery } from '#kernel/http/act.ts';
import { badField, notFound } from '#kernel/http/errors.ts';
import { nestForm } from '#kernel/http/form.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { t } from '#kernel/language/message.ts';
import { formatLocal, formatTime, sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { neededInWords } from '#kernel/mail/message.ts';
import { mailServer } from '#kernel/mail/server.ts';
import { normalizeAddress } from '#kernel/mail-addresses.ts';
import { ownValue } from '#kernel/own-value.ts';
import { pointIn } from '#kernel/settings/inputs.ts';
import { GROUPS, type Group, groupPath } from '#kernel/settings/setting.ts';
import { type SettingsChange, SettingsInput } from '#kernel/settings/settings.ts';
import { SETTINGS, type SettingName } from '#kernel/settings/table.ts';
import { requireApproval } from '#people/approvals/approvals.ts';
import { CALLBACK } from '#people/oidc/provider.ts';
import { listAddresses } from '#people/persons.ts';
import { pendingAnswer } from '#routes/people/with-approval.ts';
import { settingsOverview, settingsPage } from '#views/content/settings/page.ts';
import type { SettingsPageProps } from '#views/content/settings/props.ts';
import { failedWarning, findAccessChange, warnOwners } from './settings-access.ts';

/** What the address of a music player ends with. */
export const PLAYERS = '/api/listenbrainz';

const params = z.object({ group: z.string() });

const DONE = {
  saved: t('settings.settings.settings_saved'),
  unchanged: t('settings.settings.nothing_changed'),
  logo: t('settings.settings.logo_changed'),
  token_ended: t('settings.settings.token_ended'),
};

/** What every form of a page of settings has. @param group that of the form */
export const onSettingsPage = (ctx: Context, group: Group) =>
  ({
    permission: 'settings:write',
    ...refusedOn((request: FastifyRequest, refused: RefusedForm) =>
      renderSettings(ctx, request, { group, refused }),
    ),
  }) as const;

/** The settings of the club. */
export function settings(app: App, { ctx }: { ctx: Context }): void {
  const config = { permission: 'settings:write' } as const;
  const onLook = onSettingsPage(ctx, 'look');

  app.get('/api/admin/settings', { config, schema: { summary: 'The settings of the club' } }, async () =>
    readSettings(ctx),
  );

  app.get(
    '/admin/settings',
    { config, schema: { summary: 'The settings of the club', querystring: doneQuery } },
    async (request, reply) => sendHtml(reply, renderSettings(ctx, request, { done: request.query.done })),
  );

  app.get(
    '/admin/settings/:group',
    { config, schema: { summary: 'The settings of a group', params, querystring: doneQuery } },
    async (request, reply) => {
      const group = GROUPS.find((known) => known === request.params.group);
      if (group === undefined) throw notFound('not_found');
      return sendHtml(reply, renderSettings(ctx, request, { group, done: request.query.done }));
    },
  );

  /** Stores a change; one that decides who comes in needs a fresh proof, maybe a second person, and warns the owners. */
  const store = async (request: FastifyRequest, changed: SettingsChange, actor: Actor) => {
    ensureChangeable(ctx, changed);
    const access = findAccessChange(ctx, changed);
    if (access) ensureSudo(ctx, request);
    // The others hear of it by the warning.
    const asked = access?.sensitive && (await requireApproval(ctx, request, access.sensitive));
    if (access?.sensitive && asked && !('tell' in asked)) return pendingAnswer(request, asked);
    const warned = access && (await warnOwners(ctx, request, access));
    await changeSettings(ctx, changed, actor);
    return { changed, warned };
  };

  act(app, ctx, {
    ...config,
    ...refusedOn((request: FastifyRequest, refused: RefusedForm) =>
      renderSettings(ctx, request, { group: groupOf(refused), refused }),
    ),
    api: 'PUT /api/admin/settings',
    form: 'POST /admin/settings',
    summary: 'Change some settings of the club',
    body: SettingsInput,
    fromForm: settingsForm,
    run: ({ body, actor, request }) =>
      // A form contains every setting of its group.
      store(request, request.entered ? changedSettings(ctx, body) : body, actor),
    json: ({ warned }) => ({ ok: true, ...readSettings(ctx), ...(warned && { warned }) }),
    next: ({ changed, warned }, { request }) => {
      const group = groupOf({ entered: request.entered ?? {} });
      if (warned && warned.failed.length > 0)
        return renderSettings(ctx, request, { group, said: sentences([DONE.saved, failedWarning(warned)]) });
      const page = group === undefined ? '/admin/settings' : groupPath(group);
      const { confirm: _, ...stored } = changed;
      return `${page}?done=${Object.keys(stored).length > 0 ? 'saved' : 'unchanged'}`;
    },
  });

  act(app, ctx, {
    ...onSettingsPage(ctx, 'address'),
    form: 'POST /admin/settings/house-network',
    run: ({ actor, request }) => store(request, { house_network: true }, actor),
    next: (_, { request }) => formOnward(request.entered) ?? `${groupPath('address')}?done=saved`,
  });

  act(app, ctx, {
    ...onLook,
    form: 'POST /admin/settings/logo',
    config: { takesPicture: true },
    run: async ({ actor, request: { upload: bytes } }) => {
      if (!bytes) throw badField(FILE_FIELD, 'file_missing');
      // Not decorative, though the logo needs no description: the same picture may be shown elsewhere with one.
      const { id } = await addPicture(ctx, { bytes, alt: '', decorative: false, focus: 5 }, actor);
      await changeSettings(ctx, { logo: id }, actor);
    },
    next: '/admin/settings/look?done=logo',
  });

  act(app, ctx, {
    ...onLook,
    form: 'POST /admin/settings/logo/remove',
    run: ({ actor }) => changeSettings(ctx, { logo: null }, actor),
    next: '/admin/settings/look?done=logo',
  });
}

/** The body that a form represents: a setting in `forget` returns to its default. */
function settingsForm({ forget = [], ...fields }: Record<string, unknown>): Record<string, unknown> {
  const forgotten = [forget].flat().map((name) => [String(name), null]);
  const [lat, lon] = pointIn(String(fields['weather.lat'] ?? '')) ?? [];
  const point = lat !== undefined && { 'weather.lat': lat, 'weather.lon': lon };
  return nestForm({ ...fields, ...point, ...Object.fromEntries(forgotten) });
}

/** The group of a form: that of its first mistake, otherwise of its first setting. */
function groupOf({ entered, errors = [] }: Partial<RefusedForm>): Group | undefined {
  const named = [...errors.map(({ path }) => path), ...Object.keys(entered ?? {})];
  const name = named.find((path): path is SettingName => Object.hasOwn(SETTINGS, path));
  return name && SETTINGS[name].group;
}

/** The page of a group of settings, with the outcome of a test; without a group that of all groups. */
export function renderSettings(
  ctx: Context,
  request: FastifyRequest,
  {
    group,
    done,
    said,
    refused,
    testedMail,
    testedSignIn,
  }: {
    group?: Group | undefined;
    done?: string | undefined;
    /** A whole sentence instead. */
    said?: Words | undefined;
    refused?: RefusedForm;
    testedMail?: TestedMail;
    testedSignIn?: Words[];
  },
): Html {
  const { TIME_ZONE: zone, NOW_PLAYING_INGEST_TOKEN: fixed } = ctx.config;
  const { identity } = request;
  const origin = linkOrigin(ctx, request);
  const server = mailServer(ctx.config);
  const props: SettingsPageProps = {
    language: request.server.readerOf(request, 'officers').language,
    players: origin && `${origin}${PLAYERS}`,
    // What only one group shows is not read for the others.
    get tokens() {
      return listTokens(ctx);
    },
    tokenVariable: fixed === undefined ? undefined : 'NOW_PLAYING_INGEST_TOKEN',
    settings: shownSettings(ctx),
    identity,
    refused,
    done: said ?? ownValue<Words>(DONE, done),
    overruled: listOverruled(ctx.config),
    sample: t('common.time.day_and_time', {
      day: formatLocal(ctx.now(), zone, { dateStyle: 'full' }),
      time: formatTime(ctx.now(), zone),
    }),
    mail: {
      missing: neededInWords(ctx.mailer.needed()),
      folder: server !== undefined && 'folder' in server ? server.folder : undefined,
      get ownAddress() {
        return ownAddress(ctx, request);
      },
      tested: testedMail,
    },
    reach: {
      ways: ctx.house.ways(),
      used: ctx.config.BASE_URL,
      host: ctx.config.given.has('HOST') ? ctx.config.HOST : undefined,
      shortKey: findShortKey(ctx.config),
    },
    signIn: {
      tested: testedSignIn,
      returnTo: ctx.config.BASE_URL === undefined ? undefined : `${ctx.config.BASE_URL}${CALLBACK}`,
    },
  };
  return group === undefined ? settingsOverview(props) : settingsPage(group, props);
}

/** The mail address of whoever sends a request; undefined for a key, and for people without one. */
export function ownAddress(ctx: Context, request: FastifyRequest): string | undefined {
  const signedIn = findSignedIn(ctx, request);
  if (signedIn) return listAddresses(ctx.db, signedIn.person.id)[0]?.email;
  const named = normalizeAddress(request.identity?.who ?? '');
  return named.ok ? named.email : undefined;
}
