import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { eventPath } from '#content/events/shown.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { notFound } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml, sendSharedPage } from '#kernel/http/pages.ts';
import { wholeNumber } from '#kernel/http/validation.ts';
import { formatInList, formatInSentence, formatTime, zoneName } from '#kernel/language/times.ts';
import { localDate } from '#kernel/local-time.ts';
import { shownParts } from '#kernel/settings/parts.ts';
import { listItems } from '#meetings/items.ts';
import { listTold, type Meeting } from '#meetings/meetings.ts';
import { meetingPath } from '#meetings/program.ts';
import { itemWithResult } from '#meetings/room/results.ts';
import { findDuty } from '#pub/display/ahead.ts';
import { pubEventsFrom } from '#pub/display/events.ts';
import { readEventsFeed } from '#pub/display/feeds.ts';
import { findSnapshot } from '#pub/now-playing/current.ts';
import { mayReadPapers, notPublic } from '#routes/readers.ts';
import { archivePage, type Evening, type HomeElection, type HomeMeeting, homePage } from '#views/home.ts';
import { itemOutcome } from '#views/meetings/outcome.ts';
import { askedOf } from '#views/voting/ballot-types.ts';
import {
  listArchive,
  listPublished,
  type PublishedElection,
  RESULTS_A_PAGE,
} from '#voting/counting/publication.ts';
import { type Election, electionsJson, endTime, isPaused } from '#voting/elections/elections.ts';
import { findPaper } from '#voting/elections/issuers.ts';
import { whyHidden } from '#voting/elections/visibility.ts';

const archiveQuery = z.object({
  year: wholeNumber(1, 9_999).optional().catch(undefined),
  page: wholeNumber(1, 10_000).default(1).catch(1),
});

export async function home(app: App, { ctx }: { ctx: Context }): Promise<void> {
  app.get('/', { schema: { summary: 'Published elections and results' } }, async (request, reply) =>
    sendFor(request, reply, ['/'], async (reads) => {
      const zone = zoneName(ctx.config.TIME_ZONE);
      const evening = eveningOf(ctx);
      if (!shownParts(ctx).voting) return homePage({ evening, zone });
      const { elections, older } = await listPublished(ctx, isShown(ctx, reads));
      const meetings = await meetingsOf(ctx, reads);
      return homePage({ evening, meetings, elections: shownOf(ctx, elections), older, zone });
    }),
  );

  const read = { summary: 'Published results of earlier years', querystring: archiveQuery };
  app.get('/archive', { schema: read }, async (request, reply) => {
    if (!shownParts(ctx).voting) throw notFound('not_found');
    const { year, page } = request.query;
    return sendFor(request, reply, ['/archive', year, page], async (reads) => {
      const { elections, ...archive } = await listArchive(ctx, year, page, isShown(ctx, reads));
      const zone = zoneName(ctx.config.TIME_ZONE);
      return archivePage({ ...archive, elections: shownOf(ctx, elections), pageSize: RESULTS_A_PAGE, zone });
    });
  });

  /** Sends the page of everybody, or to a reader of meetings that are not public one of their own. */
  async function sendFor(
    request: FastifyRequest,
    reply: FastifyReply,
    key: readonly unknown[],
    make: (reads: Reads) => Promise<Html>,
  ) {
    const own: string[] = [];
    for (const meeting of notPublic(ctx))
      if (await mayReadPapers(ctx, request, meeting)) own.push(meeting.id);
    if (own.length === 0)
      return sendSharedPage(ctx, request, reply, key, () => make(({ public: isPublic }) => isPublic === 1));
    reply.header('cache-control', 'private, no-cache');
    return sendHtml(reply, await make((meeting) => meeting.public === 1 || own.includes(meeting.id)));
  }
}

/** Whether a page is for readers of a meeting. */
type Reads = (meeting: Meeting) => boolean;

/** Whether an election is shown to those who read these meetings: questions of the others are not. */
function isShown(ctx: Context, reads: Reads): (election: Election) => boolean {
  const papers = new Set(
    notPublic(ctx).flatMap((meeting) => (reads(meeting) ? [] : (meeting.paper_id ?? []))),
  );
  return ({ paper_id }) => paper_id === null || !papers.has(paper_id);
}

/** What a guest asks first: whether it is open, what is on tonight, what is playing. */
function eveningOf(ctx: Context): Evening | undefined {
  const { screens, music } = shownParts(ctx);
  if (!screens && !music) return undefined;
  return { ...(screens && houseToday(ctx)), ...(music && songNow(ctx)) };
}

function houseToday(ctx: Context): Pick<Evening, 'opening' | 'behind' | 'event'> {
  const { TIME_ZONE: zone } = ctx.config;
  const { hoursKnown, pubTender } = readEventsFeed(ctx);
  const today = localDate(ctx.now(), zone);
  const next = pubEventsFrom(ctx, today, 1).find(({ end, cancelled }) => end > ctx.now() && !cancelled);
  const isOpen = pubTender.noteState === 'active' || pubTender.noteState === 'last-call';
  return {
    ...(hoursKnown && { opening: findDuty(ctx).inWords }),
    ...(isOpen && { behind: pubTender.name }),
    ...(next && {
      event: {
        href: next.id === undefined ? '/events' : eventPath(next.id),
        title: next.title,
        at: next.allDay ? '' : formatTime(next.start, zone),
        isOn: next.start <= ctx.now(),
      },
    }),
  };
}

function songNow(ctx: Context): Pick<Evening, 'song'> {
  const song = findSnapshot(ctx);
  return song ? { song: { title: song.title, artist: song.artist } } : {};
}

/** The meetings that members are told of, with what was decided. */
const meetingsOf = (ctx: Context, reads: Reads): Promise<HomeMeeting[]> =>
  Promise.all(
    listTold(ctx.db, ctx.now()).map(async (meeting) => {
      const { id, title, state, held_at, called_off_at } = meeting;
      const isRead = reads(meeting);
      const isOver = isRead && state === 'closed' && called_off_at === null;
      const items = isOver ? listItems(ctx.db, id) : [];
      const decided = await Promise.all(items.map((item) => itemWithResult(ctx, item)));
      return {
        title,
        href: meetingPath(meeting),
        when: formatInList(held_at, ctx.now(), ctx.config.TIME_ZONE),
        place: isRead ? meeting.place : null,
        state,
        isCalledOff: called_off_at !== null,
        reason: isRead ? meeting.called_off_reason : null,
        outcomes: decided.flatMap((item) => {
          const outcome = itemOutcome(item);
          return outcome === undefined || item.void ? [] : [{ title: item.title, outcome }];
        }),
      };
    }),
  );

function shownOf(ctx: Context, published: PublishedElection[]): HomeElection[] {
  const json = electionsJson(
    ctx,
    published.map(({ election }) => election),
  );
  const paperOf = ({ paper_id }: Election) => {
    const paper = paper_id === null ? undefined : findPaper(ctx.db, paper_id);
    return paper && { id: paper.id, title: paper.title };
  };
  const when = (at: number) => formatInSentence(at, ctx.now(), ctx.config.TIME_ZONE);
  return published.map(({ election, results }, index) => ({
    id: election.id,
    title: election.title,
    status: json[index]!.status,
    asked: askedOf(json[index]!),
    paused: isPaused(election, ctx.now()),
    opens: when(election.open_at),
    closes: when(endTime(election)),
    results: results ?? null,
    paper: paperOf(election),
    isAwaited: whyHidden(election, ctx.now()) === 'results_not_announced',
  }));
}
