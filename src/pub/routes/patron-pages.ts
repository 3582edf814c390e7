import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { type App, noStore } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { rateLimit } from '#kernel/http/rate-limit.ts';
import { fieldErrors } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { formatDay, formatTime, localDate } from '#kernel/local-time.ts';
import { ownValue } from '#kernel/own-value.ts';
import { FeedbackInput, sendFeedback } from '#pub/feedback/feedback.ts';
import { whenEnabled } from '#pub/http/feature-flags.ts';
import { enteredOf, refusalOf } from '#pub/http/forms.ts';
import { identifyVisitor } from '#pub/http/visitor-cookie.ts';
import { currentTrack, findLatestPlay } from '#pub/now-playing/current.ts';
import { listRequests, type Queue } from '#pub/requests/queue.ts';
import { RequestInput, requestSong, VoteInput, voteForRequest } from '#pub/requests/requests.ts';
import { feedbackPage, feedbackThanksPage } from '#views/pub/feedback.ts';
import { requestsPage } from '#views/pub/requests.ts';

const PAGES_A_MINUTE = 3_000;

/** The feedback box: a form that works without script. */
export function feedbackPages(app: App, { ctx }: { ctx: Context }): void {
  app.addHook(
    'onRequest',
    whenEnabled(ctx.config.FEEDBACK_ENABLED, { words: 'The feedback box is closed at the moment.' }),
  );
  app.addHook('onRequest', noStore);
  const querystring = z.object({ sent: z.unknown().optional(), page: z.string().max(64).optional() });

  for (const url of ['/feedback', '/feedback/']) {
    app.get(url, { schema: { summary: 'The feedback box', querystring } }, async (request, reply) => {
      identifyVisitor(ctx, request, reply);
      const { sent, page } = request.query;
      return sendHtml(reply, sent === undefined ? feedbackPage({ entered: { page } }) : feedbackThanksPage());
    });

    app.post(url, { bodyLimit: 32 * 1024, schema: { hide: true } }, async (request, reply) => {
      const entered = enteredOf(request);
      const input = FeedbackInput.safeParse(entered);
      if (!input.success)
        return sendHtml(reply, feedbackPage({ entered, errors: problems(input.error) }), 400);
      try {
        await sendFeedback(ctx, identifyVisitor(ctx, request, reply), input.data);
      } catch (error) {
        const { status, message } = refusalOf(error, reply);
        return sendHtml(reply, feedbackPage({ entered, refused: message }), status);
      }
      return reply.redirect('/feedback?sent=1', 303);
    });
  }
}

const DONE: Record<string, string> = {
  asked: 'Your song is in the queue.',
  merged: 'Somebody has asked for that song already: your vote was added.',
  voted: 'Your vote counts.',
  unvoted: 'Your vote was taken back.',
};

/** Song requests on a phone. */
export function requestPages(app: App, { ctx }: { ctx: Context }): void {
  app.addHook(
    'onRequest',
    whenEnabled(ctx.config.SETLIST_REQUESTS_ENABLED, { words: 'Songs cannot be asked for at the moment.' }),
  );
  app.addHook('onRequest', rateLimit(ctx.limiter, ctx.now, 'song pages', PAGES_A_MINUTE));
  app.addHook('onRequest', noStore);
  const querystring = z.object({ done: z.string().max(20).optional() });

  app.get('/requests', { schema: { summary: 'Ask for a song', querystring } }, async (request, reply) => {
    const { done } = request.query;
    return show(request, reply, 200, { done: ownValue(DONE, done) });
  });

  app.post('/requests', { bodyLimit: 8 * 1024, schema: { hide: true } }, async (request, reply) => {
    const entered = enteredOf(request);
    const input = RequestInput.safeParse(entered);
    if (!input.success) return show(request, reply, 400, { entered, errors: problems(input.error) });
    try {
      const { merged } = await requestSong(ctx, identifyVisitor(ctx, request, reply), input.data);
      return reply.redirect(`/requests?done=${merged ? 'merged' : 'asked'}`, 303);
    } catch (error) {
      const { status, message } = refusalOf(error, reply);
      return show(request, reply, status, { entered, refused: message });
    }
  });

  app.post(
    '/requests/:id/vote',
    { schema: { hide: true, params: z.object({ id: Id }), body: VoteInput } },
    async (request, reply) => {
      const { browser } = identifyVisitor(ctx, request, reply);
      try {
        const { voted } = await voteForRequest(ctx, request.params.id, browser, request.body.value);
        return reply.redirect(`/requests?done=${voted ? 'voted' : 'unvoted'}`, 303);
      } catch (error) {
        const { status, message } = refusalOf(error, reply);
        return show(request, reply, status, { refused: message });
      }
    },
  );

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    said: Pick<Parameters<typeof requestsPage>[0], 'done' | 'refused' | 'entered' | 'errors'>,
  ) {
    const zone = ctx.config.TIME_ZONE;
    const [queue, latest] = await Promise.all([
      listRequests(ctx, identifyVisitor(ctx, request, reply).browser),
      findLatestPlay(ctx),
    ]);
    const track = currentTrack(latest, ctx.now(), ctx.config.NOW_PLAYING_STALE_MS);
    const playing = track && latest?.kind === 'music' ? track : null;
    const page = requestsPage({
      ...said,
      playing: playing && {
        artist: playing.artist,
        title: playing.title,
        cover: playing.albumArtUrl ? `/api/art/${playing.id}` : null,
      },
      requests: queue.items.map(({ playedAt, ...item }) => ({
        ...item,
        played: playedAt && formatTime(Date.parse(playedAt), zone),
      })),
      open: queue.open,
      mayAsk: queue.open && queue.nextAt === null,
      turn: turnOf(queue, ctx.now(), zone),
    });
    return sendHtml(reply, page, status);
  }
}

/** Whose turn it is, in a sentence. */
function turnOf({ open, left, nextAt, opensAt, closesAt }: Queue, now: number, zone: string): string {
  const when = (iso: string) => {
    const at = Date.parse(iso);
    const day = localDate(at, zone) === localDate(now, zone) ? '' : `${formatDay(at, zone)}, `;
    return `${day}${formatTime(at, zone)}`;
  };
  if (!open)
    return `Songs can be asked for while the pub is open.${opensAt ? ` It opens ${when(opensAt)}.` : ''}`;
  if (left === 0) return 'You have asked for three songs tonight: that is all for one phone. Votes are free.';
  if (nextAt) return `You can ask for another song at ${when(nextAt)}.`;
  const songs = left === 1 ? 'one more song' : `${left} songs`;
  return `You can ask for ${songs} tonight.${closesAt ? ` The queue closes at ${when(closesAt)}.` : ''}`;
}

function problems(error: z.ZodError): FieldError[] {
  return fieldErrors(error).map(({ path, message }) => ({ path, message: `${labelOf(path)} ${message}` }));
}

const LABELS: Record<string, string> = {
  message: 'Your message',
  contact: 'How we can reach you',
  name: 'Your name',
  rating: 'Your mark',
  title: 'The song',
  artist: 'The artist',
  note: 'Your word to the house',
};
const labelOf = (path: string) => ownValue(LABELS, path) ?? path;
