import { z } from 'zod';
import { EVENT } from '#content/events/kind.ts';
import { listRecords } from '#content/records/reading.ts';
import { guardStaff } from '#kernel/access/permissions.ts';
import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { t } from '#kernel/language/message.ts';
import { formatInList } from '#kernel/language/times.ts';
import { type Reader, Words } from '#kernel/language/words.ts';
import { listMeetings } from '#meetings/meetings.ts';
import { sortName } from '#people/persons.ts';
import { listPeople } from '#people/roll/people.ts';
import { type AdminGroup, adminMenu, SEARCH } from '#views/admin-nav.ts';
import { recordPath } from '#views/content/frame.ts';
import { SETTING_LINKS, SETTINGS_PAGE } from '#views/content/settings/page.ts';
import { personPath } from '#views/people/frame.ts';
import { type Found, searchPage } from '#views/search.ts';
import { adminPath } from '#views/voting/words.ts';
import { listElections } from '#voting/elections/elections.ts';
import { listPapers, meetingOf } from '#voting/elections/issuers.ts';

/** Of each kind. */
const AT_MOST = 10;

const querystring = z.object({ q: z.string().trim().max(200).default('').catch('') });

/** The search of officers and staff: pages, settings, people, elections, meetings and events, of each only what they may open. */
export async function search(staff: App, { ctx }: { ctx: Context }): Promise<void> {
  guardStaff(ctx, staff);
  staff.get(
    SEARCH,
    { config: { permission: 'any' }, schema: { summary: 'Search what officers work with', querystring } },
    async (request, reply) => {
      const { q } = request.query;
      const { identity } = request;
      return sendHtml(
        reply,
        searchPage({
          q,
          groups:
            q === ''
              ? []
              : find(ctx, q, adminMenu(identity, staff.site().off), staff.readerOf(request, 'officers')),
          identity,
        }),
      );
    },
  );
}

/** What has all words in its name, as the reader reads it, in groups that are not empty. */
function find(ctx: Context, q: string, menu: readonly AdminGroup[], reader: Reader) {
  const pages = menu.flatMap(({ links }) => links);
  const may = (page: string) => pages.some(({ href }) => href === page);
  const words = sortName(q).split(/\s+/);
  const has = ({ label }: Found) => {
    const name = sortName(label instanceof Words ? label.for(reader) : label);
    return words.every((word) => name.includes(word));
  };
  const groups: [heading: Words, page: string | undefined, list: () => readonly Found[]][] = [
    [t('settings.search.pages'), undefined, () => pages.filter(has)],
    [t('settings.nav.settings'), SETTINGS_PAGE, () => SETTING_LINKS.filter(has)],
    [t('settings.nav.elections'), '/admin', () => listVotes(ctx).filter(has)],
    [t('settings.nav.meetings'), '/admin/meetings', () => meetings(ctx).filter(has)],
    [t('settings.nav.people'), '/admin/people', () => people(ctx, q)],
    [t('settings.search.events'), '/admin/content', () => events(ctx).filter(has)],
  ];
  return groups
    .filter(([, page]) => page === undefined || may(page))
    .map(([heading, , list]) => ({ heading, found: list().slice(0, AT_MOST) }))
    .filter(({ found }) => found.length > 0);
}

/** Elections with codes of their own, and ballot papers; those of a meeting are found with it. */
function listVotes(ctx: Context): Found[] {
  const when = (at: number) => formatInList(at, ctx.now(), ctx.config.TIME_ZONE);
  const elections = listElections(ctx.db)
    .filter(({ paper_id }) => paper_id === null)
    .map(({ close_at, ...election }) => ({ ...election, isPaper: false, note: when(close_at) }));
  const papers = listPapers(ctx.db)
    .filter(({ id }) => meetingOf(ctx.db, id) === undefined)
    .map(({ close_at, ...paper }) => ({ ...paper, isPaper: true, note: when(close_at) }));
  return [...elections, ...papers].map((one) => ({ href: adminPath(one), label: one.title, note: one.note }));
}

const meetings = (ctx: Context): Found[] =>
  listMeetings(ctx.db).map(({ id, title, held_at }) => ({
    href: `/admin/meetings/${id}`,
    label: title,
    note: formatInList(held_at, ctx.now(), ctx.config.TIME_ZONE),
  }));

const people = (ctx: Context, q: string): Found[] =>
  listPeople(ctx, { q, kind: null, group: null, on: null }, { limit: AT_MOST, offset: 0 }).people.map(
    ({ id, name, addresses: [first] }) => ({
      href: personPath(id),
      label: name,
      ...(first && { note: first.email }),
    }),
  );

/** The latest first: last year's are looked for less often than those to come. */
const events = (ctx: Context): Found[] =>
  listRecords(ctx, EVENT, { limit: Number.MAX_SAFE_INTEGER })
    .items.map(({ id, body }) => ({ href: recordPath(EVENT, id), label: body.title, note: body.date }))
    .toReversed();
