import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { getLinkOrigin } from '#kernel/access/link-origin.ts';
import { ensureSudo } from '#kernel/access/sudo.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { act, actsOn, doneQuery } from '#kernel/http/act.ts';
import { linesOf } from '#kernel/http/form.ts';
import { type App, type RefusedForm, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { optionalText, wholeNumber } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { clubName } from '#kernel/mail/message.ts';
import { cardsHeldBy, listWaiting, passDoor } from '#meetings/door/attendance.ts';
import {
  type Attendance,
  countEach,
  findAttendance,
  listAttendance,
} from '#meetings/door/attendance-rows.ts';
import {
  CARDS_A_PACK,
  DroppedPacks,
  dropPacks,
  isAnyOpen,
  listPacks,
  type NewPack,
  openPack,
  PacksInput,
  printPacks,
  RenewInput,
  ReturnInput,
  renewCards,
  replaceCard,
  returnCards,
  StubInput,
  voidPacks,
} from '#meetings/door/cards.ts';
import { HeardInput, hearDoor } from '#meetings/door/heard.ts';
import { listLinks } from '#meetings/door/links.ts';
import { findByDoorNumber, listDoorNumbers } from '#meetings/door/numbers.ts';
import {
  classOf,
  type DoorPerson,
  type DoorSearch,
  getPerson,
  listVoters,
  searchPeople,
} from '#meetings/door/people.ts';
import { type DoorAnswer, DoorInput } from '#meetings/door/press.ts';
import {
  enterProxy,
  listProxies,
  listWaitingProxies,
  ProxyInput,
  removeProxy,
} from '#meetings/door/proxies.ts';
import { undoable } from '#meetings/door/undo.ts';
import { meetingFigures } from '#meetings/figures.ts';
import { classesOf, getMeeting, type Meeting, placeOf } from '#meetings/meetings.ts';
import { findPersonBy } from '#meetings/minutes/signers.ts';
import { noteArrival, noteLate, noteQuorum } from '#meetings/room/base.ts';
import { closeTimers } from '#meetings/room/timers.ts';
import { searchName } from '#people/persons.ts';
import { withApproval } from '#routes/people/with-approval.ts';
import { refusalSentence } from '#views/components/entered.ts';
import { cardsPage } from '#views/meetings/admin/cards.ts';
import { doorPage } from '#views/meetings/admin/door.ts';
import { findWait } from '#voting/elections/ways-to-vote.ts';
import { findClassOfRoll } from '#voting/electors/classes.ts';

const params = z.object({ id: Id });
const SHOWN = 60;

const letter = optionalText(3).catch(null);
const Search = z.object({ q: optionalText(254).catch(null), from: letter, to: letter });
const some = wholeNumber(0, 100_000).optional().catch(undefined);
/** What a form has done stands in the address to which it leads, as numbers: a reload does nothing again. */
const SearchQuery = doneQuery.extend({
  ...Search.shape,
  returned: some,
  unknown: some,
  /** The class of the card to hand out for a lost one. */
  replaced: z.string().max(60).optional().catch(undefined),
});
const NO_SEARCH: DoorSearch = { q: null, from: null, to: null };

/** What the page that sent a form had looked for. */
const searchOf = ({ entered }: FastifyRequest): DoorSearch =>
  Search.safeParse(entered ?? {}).data ?? NO_SEARCH;
const FormatQuery = z.object({ paper: z.enum(['a4', 'a6']).default('a4').catch('a4') });

/** The door: who is present, proxies, and the cards. What happens to a single person is in no log. */
export function door(app: App, { ctx }: { ctx: Context }): void {
  const page = actsOn(app, ctx, {
    at: '/admin/meetings/:id',
    params,
    page: ({ id }) => `/admin/meetings/${id}/door`,
    refused: (request, refused) => renderDoor(ctx, request, request.params.id, { refused }),
  });

  app.get(
    '/admin/meetings/:id/door',
    { config: { permission: 'meetings:door' }, schema: { params, querystring: SearchQuery } },
    async (request, reply) => {
      reply.header('vary', 'Accept');
      const { id } = request.params;
      const { done, returned, unknown = 0, replaced, ...search } = request.query;
      if (wantsHtml(request)) {
        const isClass = replaced !== undefined && classesOf(getMeeting(ctx.db, id)).includes(replaced);
        const shown = {
          search,
          done: page.said(done),
          ...(returned !== undefined && { returned: { returned, unknown } }),
          ...(isClass && { replaced: { [replaced]: 1 } }),
        };
        return sendHtml(reply, renderDoor(ctx, request, id, shown));
      }
      return doorJson(ctx, getMeeting(ctx.db, id), search);
    },
  );

  page.add('POST /door', 'Check somebody in or out, or take that back', {
    body: DoorInput,
    run: ({ params: { id }, body, actor }) =>
      passDoor(
        ctx,
        id,
        { ...body, for: findPersonBy(ctx.db, 'for', body.for) },
        {
          before: noteQuorum,
          moved: (tx, meeting, { isBack, cards, ago }) => {
            if (!isBack) noteArrival(tx, meeting);
            if (ago > 0) noteLate(tx, meeting, { cards, since: ctx.now() - ago, by: isBack ? -1 : 1 }, actor);
          },
        },
      ),
    json: (answer, { params: { id } }) => ({
      ok: true,
      ...answer,
      present: meetingFigures(ctx.db, getMeeting(ctx.db, id), ctx.config.TIME_ZONE).present,
    }),
    // The page itself says what to hand out, so nothing of it is in an address. The next person is looked for.
    next: (answer, { params: { id }, body, request }) =>
      renderDoor(ctx, request, id, {
        search: { ...searchOf(request), q: null },
        passed: { ...answer, action: body.action, person_id: body.person_id ?? undefined },
      }),
  });

  page.add('POST /door/return', 'Take cards back, which are void from then on', {
    body: ReturnInput,
    fromForm: ({ codes, ...rest }) => ({
      ...rest,
      codes: typeof codes === 'string' ? linesOf(codes) : codes,
    }),
    run: ({ params: { id }, body }) => returnCards(ctx, id, body),
    json: (returned, { params: { id } }) => {
      const figures = meetingFigures(ctx.db, getMeeting(ctx.db, id), ctx.config.TIME_ZONE);
      const { cards, present, given_back, scanned } = figures;
      return { ok: true, ...returned, present, cards, given_back, scanned };
    },
    next: ({ returned, unknown }, { params: { id } }) =>
      `/admin/meetings/${id}/door?returned=${returned}&unknown=${unknown}`,
  });

  page.add('POST /door/replace', 'Void a lost card by its stub, and hand out another one', {
    body: StubInput,
    run: ({ params: { id }, body }) => replaceCard(ctx, id, body.stub),
    json: (name) => ({ ok: true, cards: { [name]: 1 } }),
    next: (name, { params: { id } }) => `/admin/meetings/${id}/door?replaced=${encodeURIComponent(name)}`,
  });

  page.add('POST /packs', 'Print packs of voting cards', {
    permission: 'elections:run',
    query: FormatQuery,
    body: PacksInput,
    run: async ({ params: { id }, body, actor, request }) => {
      await closeTimers(ctx);
      const whileOpen = isAnyOpen(ctx.db, id);
      if (whileOpen) ensureSudo(ctx, request);
      const { title } = getMeeting(ctx.db, id);
      const cards = body.packs * CARDS_A_PACK;
      const act = t('meetings-admin.acts.print_cards', { n: cards, title });
      const details = [{ label: t('meetings-admin.door.class'), value: body.class }];
      const sensitive = whileOpen ? ({ kind: 'cards', act, details } as const) : undefined;
      return withApproval(ctx, request, sensitive, () => printPacks(ctx, id, body, actor, { whileOpen }), {
        tried: (on) => printPacks(on, id, body, actor, { whileOpen }),
      });
    },
    made: (packs, { params: { id } }) => ({
      what: t('meetings-admin.acts.cards_made', { packs: packs.map(({ number }) => number).join(', ') }),
      page: `/admin/meetings/${id}/door`,
      remove: {
        action: `/admin/meetings/${id}/packs/drop`,
        fields: { packs: packs.map((pack) => pack.id).join(' ') },
        label: t('meetings-admin.acts.delete_made'),
      },
    }),
    json: (packs) => ({
      packs: packs.map(({ id, number, class: name, cards }) => ({ id, number, class: name, cards })),
    }),
    next: (packs, { params: { id }, query: { paper }, request }) =>
      renderCards(ctx, request, id, packs, paper),
  });

  page.add('POST /packs/void', 'The door closes: packs that were not opened die', {
    run: async ({ params: { id }, actor }) => ({ void: await voidPacks(ctx, id, actor) }),
    json: (closed) => ({ ok: true, ...closed }),
    done: ['closed', t('meetings-admin.done.door_closed_packs_were_not')],
  });

  page.add('POST /packs/drop', 'Packs that were never opened are void: nobody has their cards', {
    permission: 'elections:run',
    body: DroppedPacks,
    run: ({ params: { id }, body: { packs }, actor }) => dropPacks(ctx, id, packs, actor),
    json: (dropped) => ({ ok: true, void: dropped }),
    done: ['dropped', t('meetings-admin.done.these_packs_void')],
  });

  page.add('POST /packs/renew', 'End all cards that were handed out', {
    permission: 'elections:run',
    body: RenewInput,
    run: async ({ params: { id }, body, actor }) => ({ ended: await renewCards(ctx, id, body, actor) }),
    json: (ended) => ({ ok: true, ...ended }),
    done: ['renewed', t('meetings-admin.done.all_cards_were_handed_out')],
  });

  act(app, ctx, {
    api: 'POST /admin/meetings/:id/door/heard',
    summary: 'Say that the page of a door is there, and how many presses it has to send',
    params,
    body: HeardInput,
    run: async ({ params: { id }, body }) => hearDoor(ctx, getMeeting(ctx.db, id).id, body),
  });

  page.add('POST /packs/:pack/open', 'Make the cards of a pack valid', {
    params: params.extend({ pack: Id }),
    run: ({ params: { id, pack }, actor }) => openPack(ctx, id, pack, actor),
    done: ['opened', t('meetings-admin.done.cards_pack_valid')],
  });

  page.add('POST /proxies', 'Enter who represents an absent member', {
    body: ProxyInput,
    run: ({ params: { id }, body, actor }) => enterProxy(ctx, id, body, actor),
    json: (id) => ({ id }),
    done: ['proxy', t('meetings-admin.done.saved')],
  });

  page.add('DELETE /proxies/:proxy', 'Take back who represents an absent member', {
    params: params.extend({ proxy: Id }),
    run: ({ params: { id, proxy }, actor }) => removeProxy(ctx, id, proxy, actor),
    json: () => ({ success: true }),
    done: ['proxy', t('meetings-admin.done.saved')],
  });
}

interface Found {
  people: readonly DoorPerson[];
  total: number;
}

/** Whoever matches a search. */
function findAtDoor(
  ctx: Context,
  meeting: Meeting,
  search: DoorSearch,
  voters: ReadonlyMap<string, string>,
): Found {
  const invited = search.q === null ? undefined : findByDoorNumber(ctx.db, meeting.id, search.q);
  return invited === undefined
    ? searchPeople(ctx.db, search, voters, SHOWN)
    : { people: [getPerson(ctx.db, invited, voters)], total: 1 };
}

/** What the door shows: whoever matches, with where they are. */
function doorJson(
  ctx: Context,
  meeting: Meeting,
  search: DoorSearch,
  voters = listVoters(ctx.db, meeting, ctx.config.TIME_ZONE),
  found = findAtDoor(ctx, meeting, search, voters),
  attendance = listAttendance(ctx.db, meeting.id),
) {
  const proxies = listProxies(ctx.db, meeting.id);
  const links = listLinks(ctx.db, meeting);
  const waitOf = (person: DoorPerson, own: Attendance | undefined, card: string) =>
    findWait(ctx.db, meeting, {
      personId: person.id,
      before: own?.card ?? 'none',
      classes: [card, classOf(ctx.db, meeting, person)],
    });
  const all = classesOf(meeting);
  const otherClasses = (person: DoorPerson, own: string) =>
    all.length > 1 && findClassOfRoll(ctx.db, meeting, person) === undefined
      ? all.filter((name) => name !== own)
      : [];
  const row = (person: DoorPerson) => {
    const own = findAttendance(ctx.db, meeting.id, person.id);
    const given = proxies.find(({ giver_id }) => giver_id === person.id);
    const ownClass = person.kind === null ? null : (own?.class ?? classOf(ctx.db, meeting, person));
    const held = proxies.filter(({ holder_id }) => holder_id === person.id);
    const wait = ownClass === null || own?.card === 'held' ? undefined : waitOf(person, own, ownClass);
    const represented = listWaitingProxies(ctx.db, meeting, person.id).filter((one) => !one.wait);
    const due = ownClass !== null && own?.card !== 'held' && wait === undefined ? [ownClass] : [];
    return {
      ...person,
      may_vote: person.kind !== null,
      class: ownClass,
      /** Classes of which they can have a card instead, because the roll names none for them. */
      other_classes: ownClass === null || own?.card === 'held' ? [] : otherClasses(person, ownClass),
      state: own?.state ?? ('absent' as const),
      /** What a check-in hands out. */
      hands_out: countEach([...due, ...represented.map(({ proxy }) => proxy.class)]),
      has_card: own?.card === 'held',
      /** How many cards they have, with those of the people they represent. */
      cards: own ? cardsHeldBy(ctx.db, own) : {},
      /** Why they get no card of their own now. */
      ...(wait && { wait }),
      ...(own?.state === 'in' && { undoable: undoable(own) }),
      represents: held.length,
      represented: given !== undefined,
      has_link: links.has(person.id),
    };
  };
  const figures = meetingFigures(ctx.db, meeting, ctx.config.TIME_ZONE);
  return {
    ...figures,
    waiting: listWaiting(ctx, meeting, voters),
    people: found.people.map(row),
    total: found.total,
    guests: attendance
      .filter(({ person_id, class: own, state }) => person_id === null && own === null && state === 'in')
      .map(({ name }) => name),
    proxies: proxies.map(({ id, giver_id, holder_id, document, state }) => ({
      id,
      giver: giver_id,
      holder: holder_id,
      document,
      state,
    })),
    packs: listPacks(ctx.db, meeting.id).map(({ id, number, class: name, cards: count, state }) => ({
      id,
      number,
      class: name,
      cards: count,
      state,
    })),
  };
}

/** The page of the door. @throws 404 */
function renderDoor(
  ctx: Context,
  request: FastifyRequest,
  id: string,
  {
    search = searchOf(request),
    done,
    refused,
    passed,
    returned,
    replaced,
  }: {
    search?: DoorSearch;
    done?: Words | string | undefined;
    refused?: RefusedForm;
    passed?: DoorAnswer & { action: DoorInput['action']; person_id?: string | undefined };
    returned?: { returned: number; unknown: number };
    replaced?: Record<string, number>;
  },
): Html {
  const meeting = getMeeting(ctx.db, id);
  const voters = listVoters(ctx.db, meeting, ctx.config.TIME_ZONE);
  const names = new Map(
    searchPeople(ctx.db, NO_SEARCH, voters, 100_000).people.map((one) => [one.id, one.name]),
  );
  // Without a search the list is of those who may still come, and those who are in are another one.
  const attendance = listAttendance(ctx.db, id);
  const isIn = new Set(attendance.flatMap(({ person_id, state }) => (state === 'in' ? [person_id] : [])));
  const among = (has: boolean) => new Map([...voters].filter(([person]) => isIn.has(person) === has));
  const [absent, here] =
    search.q === null
      ? [findAtDoor(ctx, meeting, search, among(false)), findAtDoor(ctx, meeting, search, among(true))]
      : [findAtDoor(ctx, meeting, search, voters), { people: [], total: 0 }];
  const last = passed?.person_id === undefined ? [] : [getPerson(ctx.db, passed.person_id, voters)];
  const others = here.people.filter((one) => one.id !== last[0]?.id);
  const shown = { people: [...absent.people, ...others, ...last], total: absent.total };
  const json = doorJson(ctx, meeting, search, voters, shown, attendance);
  const numbers = listDoorNumbers(ctx.db, id);
  const rows = json.people.map((person) => ({
    ...person,
    find: `${searchName({ ...person, family_name: null, called: null })} ${numbers.get(person.id) ?? ''}`,
  }));
  const at = absent.people.length;
  return doorPage({
    meeting: {
      id,
      title: meeting.title,
      state: meeting.state,
      takesProxies: meeting.proxies_per_person > 0,
      classes: JSON.parse(meeting.classes),
    },
    ...json,
    people: rows.slice(0, at).filter((one) => one.id !== last[0]?.id),
    here: { people: rows.slice(at, at + others.length), total: here.total },
    last: rows.slice(at + others.length),
    proxies: json.proxies.map((proxy) => ({
      ...proxy,
      giver: names.get(proxy.giver ?? '') ?? t('meetings-admin.batch.somebody'),
      holder: names.get(proxy.holder ?? '') ?? t('meetings-admin.batch.somebody'),
    })),
    voters: meeting.proxies_per_person > 0 ? [...names].map(([value, label]) => ({ value, label })) : [],
    search,
    done,
    refused: refused && refusalSentence(refused, { stub: t('meetings-admin.door.code_stub') }),
    passed,
    returned,
    replaced,
    viewer: request.viewer,
  });
}

/** The cards to print, with their codes for the last time. */
async function renderCards(
  ctx: Context,
  request: FastifyRequest,
  id: string,
  packs: readonly NewPack[],
  paper: 'a4' | 'a6',
): Promise<Html> {
  const meeting = getMeeting(ctx.db, id);
  const origin = getLinkOrigin(ctx, request);
  const { default: QRCode } = await import('qrcode');
  const square = (text: string) => QRCode.create(text, { errorCorrectionLevel: 'M' }).modules;
  return cardsPage({
    club: clubName(ctx.config),
    meeting: { ...placeOf(meeting), classes: classesOf(meeting) },
    paper,
    address: `${origin.replace(/^https?:\/\//, '')}/vote`,
    packs: packs.map(({ number, class: name, cards }) => ({
      number,
      class: name,
      cards: cards.map(({ code, stub }) => ({
        code,
        stub,
        qr: square(`${origin}/m/${id}?t=${code}`),
        stubQr: square(`${origin}/m/${id}/void?s=${stub}`),
      })),
    })),
    viewer: request.viewer,
  });
}
