import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { typed } from '#content/forms/form.ts';
import { namesIn } from '#content/records/rows.ts';
import { formOnward } from '#kernel/access/path-onward.ts';
import { may } from '#kernel/access/permissions.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import type { Html } from '#kernel/html.ts';
import { act, doneQuery } from '#kernel/http/act.ts';
import { actorOf } from '#kernel/http/client.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { Id } from '#kernel/ids.ts';
import { inEnglish } from '#kernel/language/kept-text.ts';
import { t } from '#kernel/language/message.ts';
import { ENGLISH, type Words } from '#kernel/language/words.ts';
import { forClub } from '#kernel/locale.ts';
import { ownValue } from '#kernel/own-value.ts';
import { shownParts } from '#kernel/settings/parts.ts';
import { siteVersion } from '#kernel/site.ts';
import { type Overview, readOverview } from '#pub/staff-room/overview.ts';
import { SOURCE_NAMES, tryAgain } from '#pub/staff-room/sources.ts';
import { listUndos, offerUndo, undoAct } from '#pub/undo.ts';
import { pageBuild } from '#views/assets.ts';
import { staffRoomPage } from '#views/pub/staff-room/page.ts';
import { ROOM_PAGE_OF, ROOM_PAGES, type RoomPage, type RoomPart } from '#views/pub/staff-room/words.ts';

/** The confirmations of changes, by the part of the page with the form. */
const DONE = {
  lights: t('pub-staff.done.lights'),
  sound: t('pub-staff.done.sound'),
  displays: t('pub-staff.done.displays'),
  screen: t('pub-staff.done.screen'),
  takeover: t('pub-staff.done.takeover'),
  requests: t('pub-staff.done.requests'),
  setlist: t('pub-staff.done.setlist'),
  films: t('pub-staff.done.films'),
  menu: t('pub-staff.done.menu'),
  undone: t('pub-staff.done.undone'),
};

/** `q` searches food and bottles. */
const RoomQuery = doneQuery.extend({ q: z.string().max(60).default('').catch('') });

/** The staff page: the state of the room, and the controls that this person may use. */
export function room(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/api/admin/pub',
    { config: { permission: 'any' }, schema: { summary: 'The room now' } },
    async (request) => {
      const { bar, scrobbling, sources, ...overview } = await overviewFor(ctx, request);
      return {
        ...overview,
        bar: bar && { ...bar, opening: forClub(bar.opening) },
        scrobbling: scrobbling && {
          ...scrobbling,
          error: scrobbling.error === null ? null : inEnglish(scrobbling.error),
        },
        sources: sources.map(({ name, title, text }) => ({
          name,
          title: inEnglish(title),
          text: inEnglish(text),
        })),
      };
    },
  );

  for (const page of Object.keys(ROOM_PAGES) as RoomPage[])
    app.get(
      ROOM_PAGES[page].path,
      {
        config: { permission: 'any' },
        schema: { summary: `The room now: ${ROOM_PAGES[page].title.for(ENGLISH)}`, querystring: RoomQuery },
      },
      async (request, reply) => {
        const done = ownValue<Words>(DONE, request.query.done);
        return sendHtml(reply, await renderRoomPage(ctx, request, { page, done }));
      },
    );

  act(app, ctx, {
    ...onRoomPage(ctx),
    both: 'POST /admin/pub/sources/:name',
    summary: 'Ask a source that does not answer again now',
    permission: 'any',
    params: z.object({ name: z.enum(SOURCE_NAMES) }),
    run: ({ params: { name } }) => tryAgain(ctx, name),
    next: (_, { request }) => formOnward(request.entered) ?? ROOM_PAGES.tonight.path,
  });

  act(app, ctx, {
    ...onRoomPage(ctx),
    form: 'POST /admin/pub/undo',
    permission: 'any',
    body: z.object({ undo: Id }),
    run: ({ body: { undo }, actor }) => undoAct(ctx, undo, actor),
    next: (_, { request }) => {
      const { data } = Spot.safeParse(request.query);
      const { path } = ROOM_PAGES[pageOf(request)];
      return `${path}?done=undone${searchOf(request)}${data ? `#${encodeURIComponent(data.at)}` : ''}`;
    },
  });
}

/** What an act with a form on this page did; `undo` reverses it. */
interface RoomAct {
  [result: string]: unknown;
  undo?: ((actor: Actor) => Promise<unknown>) | undefined;
}

/**
 * What the acts with a form on these pages share: a refused form is shown there again.
 * @param part the part with the form; without it, the address of the form says which page
 */
export function onRoomPage(ctx: Context, part?: RoomPart) {
  return {
    ...refusedOn((request, refused) => {
      const page = part === undefined ? pageOf(request) : ROOM_PAGE_OF[part];
      return renderRoomPage(ctx, request, { page, refused });
    }),
    bodyLimit: 16 * 1024,
  };
}

/** The page that a button to undo was pressed on. */
const pageOf = ({ query }: FastifyRequest): RoomPage => On.parse(query).on;
const On = z.object({ on: z.enum(Object.keys(ROOM_PAGES) as RoomPage[]).catch('tonight') });

/** Each button of the page adds its own id to the address of its form. */
const Spot = z.object({ at: z.string().regex(/^[\p{L}\p{N}-]{1,150}$/u) });

/**
 * Where a form of this page goes: to the button that sent it, else to the part of the page. The button offers for a
 * while to undo the act.
 */
export function toRoomPage(ctx: Context, part: keyof typeof DONE & RoomPart) {
  return ({ undo }: RoomAct, { request }: { request: FastifyRequest }): string => {
    const { data } = Spot.safeParse(request.query);
    if (data && undo) offerUndo(ctx, actorOf(request, ctx.now), data.at, undo);
    const { path } = ROOM_PAGES[ROOM_PAGE_OF[part]];
    return `${path}?done=${part}${searchOf(request)}#${encodeURIComponent(data?.at ?? part)}`;
  };
}

/** The search that the page was opened with: an act stays on the same list. */
function searchOf({ entered = {} }: FastifyRequest): string {
  const q = typed(entered, 'q');
  return q === '' ? '' : `&q=${encodeURIComponent(q)}`;
}

async function renderRoomPage(
  ctx: Context,
  request: FastifyRequest,
  shown: { page: RoomPage; done?: Words | undefined; refused?: RefusedForm },
): Promise<Html> {
  const undo = listUndos(ctx, actorOf(request, ctx.now));
  const overview = await overviewFor(ctx, request, undo);
  const { identity } = request;
  const parts = shownParts(ctx);
  // People are stored by id and shown by name.
  const nameOf = namesIn(ctx.db);
  const override = overview.override && { ...overview.override, setBy: nameOf(overview.override.setBy) };
  return staffRoomPage({
    overview: { ...overview, override },
    identity,
    parts,
    zone: ctx.config.TIME_ZONE,
    undo,
    q: RoomQuery.parse(request.query ?? {}).q,
    ...shown,
  });
}

function overviewFor(
  ctx: Context,
  request: FastifyRequest,
  undo: ReadonlyMap<string, string> = new Map(),
): Promise<Overview> {
  const decided = [...undo.keys()].map((spot) => /^do-(?:played|declined)-(.+)$/.exec(spot)?.[1] ?? '');
  return readOverview(
    ctx,
    (permission) => may(request, permission),
    pageBuild(ctx.version, siteVersion(ctx)),
    new Set(decided),
  );
}
