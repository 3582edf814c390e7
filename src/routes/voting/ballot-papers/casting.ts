import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Child } from '#kernel/html.ts';
import { AppError } from '#kernel/http/errors.ts';
import { isFormBody } from '#kernel/http/form.ts';
import { type App, wantsHtml } from '#kernel/http/http.ts';
import { languageOf, sendHtml } from '#kernel/http/pages.ts';
import { type FailureLimit, failureLimit } from '#kernel/http/rate-limit.ts';
import { fieldsOf } from '#kernel/http/validation.ts';
import { Id, newRandomId } from '#kernel/ids.ts';
import { formatShort, formatWhen } from '#kernel/language/times.ts';
import { findHandCounted } from '#meetings/room/results.ts';
import { noteVoter } from '#meetings/room/room.ts';
import { BallotQuery, uncompressed } from '#routes/voting/ballots/ballots.ts';
import { cardMark, keepCard } from '#routes/voting/ballots/card-cookie.ts';
import { CodeBody, checkSource } from '#routes/voting/ballots/verification.ts';
import { type BallotCode, limitBallot } from '#routes/voting/limit.ts';
import { itemOutcome } from '#views/meetings/outcome.ts';
import { paperCheckPage } from '#views/voting/ballot-papers/check.ts';
import { longestConfirmations, paperConfirmationPage } from '#views/voting/ballot-papers/confirmation.ts';
import { deletedPaperPage } from '#views/voting/ballot-papers/deleted.ts';
import { paperPage } from '#views/voting/ballot-papers/paper.ts';
import { filledPage } from '#views/voting/ballots/equal-length.ts';
import { outcomeText } from '#views/voting/results/outcome.ts';
import { NOT_SHOWN } from '#views/voting/words.ts';
import { type CastPaper, castPaper } from '#voting/ballot-papers/casting.ts';
import { checkPaperCode, listChecked } from '#voting/ballot-papers/check.ts';
import { findDeletedPaper } from '#voting/ballot-papers/deletion.ts';
import { findPaperCode, publicPaperJson } from '#voting/ballot-papers/public-paper.ts';
import { readBallotForm } from '#voting/ballots/ballot-types.ts';
import { secrecyOfPaper } from '#voting/ballots/secrecy.ts';
import { hashToken } from '#voting/ballots/tokens.ts';
import { getResults } from '#voting/counting/results.ts';
import { coversChoice, readSettings } from '#voting/election-settings.ts';
import { findDeletedByCode } from '#voting/elections/deletion.ts';
import { electionJson, electionStatus } from '#voting/elections/elections.ts';
import {
  findMeetingOfPaper,
  findPaper,
  getPaper,
  listQuestions,
  type Paper,
} from '#voting/elections/issuers.ts';
import { inBoth, namesInBoth, textsInBoth } from '#voting/elections/translations.ts';
import { whyHidden } from '#voting/elections/visibility.ts';
import { findOthers } from '#voting/invitations/own-list.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';
import {
  meetingOf,
  readPaperForm,
  sendPaperBallot,
  sendPaperReview,
  sendPaperState,
  toPaperBody,
} from './voters-pages.ts';

const params = z.object({ id: Id });
/** Every box of the largest paper ticked, and the filling. */
const bodyLimit = 512 * 1024;

/** The body, only for the API description: the rules are those of each question. */
const PaperBallots = z.object({
  token: z.string(),
  answers: z.record(z.string(), z.record(z.string(), z.unknown())),
  submission_id: z.string().max(64).optional(),
  inclusion_code: z.string().optional(),
});

/** A ballot paper for voters: its page, filling it in, casting it, and looking up its inclusion code. */
export async function paperBallots(app: App, { ctx }: { ctx: Context }): Promise<void> {
  const refusals = failureLimit(ctx.limiter, ctx.now, 'vote', ctx.config.RATE_LIMIT_VOTE);

  app.get('/p/:id', { schema: { params, querystring: BallotQuery } }, async (request, reply) => {
    reply.header('vary', 'Accept');
    const paper = getPaper(ctx.db, request.params.id);
    const { t } = request.query;
    const code = t ? findPaperCode(ctx.db, paper, hashToken(t), ctx.now()) : undefined;
    if (wantsHtml(request))
      return sendHtml(
        reply,
        await publicPage(paper, t && code ? { value: t, found: code } : undefined, languageOf(request)),
      );
    const { end, ...token } = code ?? {};
    return {
      ...publicPaperJson(ctx, paper),
      ...(code && { token: { ...token, ...(end && { [end]: true }) } }),
    };
  });

  const ballot = { config: { admission: 'voting' }, schema: { params, querystring: BallotQuery } } as const;
  app.get('/p/:id/vote', ballot, async (request, reply) => {
    const paper = getPaper(ctx.db, request.params.id);
    const { t = '', list = '' } = request.query;
    const form = readBallotForm({ token: t, submission_id: newRandomId(), list });
    return (
      sendPaperState(ctx, reply, paper, t) ??
      sendPaperBallot(ctx, reply, paper, { form, given: new Map() }, { isNew: true })
    );
  });

  // The review page before anything is cast, the same with and without JavaScript. It changes nothing.
  const review = {
    config: { admission: 'voting', proofInBody: true },
    schema: { params },
    bodyLimit,
  } as const;
  app.get('/p/:id/vote/review', { schema: { params } }, async (request, reply) =>
    reply.redirect(`/p/${getPaper(ctx.db, request.params.id).id}/vote`, 303),
  );
  app.post('/p/:id/vote/review', review, async (request, reply) => {
    const paper = getPaper(ctx.db, request.params.id);
    const fields = fieldsOf(request.body);
    const sent = readPaperForm(fields);
    const state = sendPaperState(ctx, reply, paper, sent.form.token);
    if (state) return state;
    if (fields.step === 'edit') return sendPaperBallot(ctx, reply, paper, sent);
    const leave = typeof fields.leave === 'string' ? fields.leave : undefined;
    return sendPaperReview(ctx, reply, paper, sent, { leave });
  });

  app.post(
    '/p/:id/vote',
    {
      validatorCompiler: readLater,
      bodyLimit,
      config: { admission: 'always', proofInBody: true },
      schema: { params, body: PaperBallots, summary: 'Cast the ballots of several questions' },
    },
    async (request, reply) => {
      const code = limitBallot(ctx, request, reply);
      refusals.show(request, reply);
      const sent = { paperId: request.params.id, body: request.body, code };
      const cast = () => castWithinLimit(ctx, sent, refusals, request, reply);
      return wantsHtml(request) ? castForPage(ctx, sent, cast, request, reply) : cast();
    },
  );

  app.get(
    '/p/:id/check',
    { schema: { params, summary: 'Check that the ballots of a paper are in the boxes' } },
    async (request, reply) => sendHtml(reply, await checkPage(getPaper(ctx.db, request.params.id))),
  );

  app.post(
    '/p/:id/check',
    {
      config: {
        refused: (request, { errors, entered }) =>
          checkPage(getPaper(ctx.db, (request.params as { id: string }).id), {
            errors,
            entered: String(entered.code ?? ''),
          }),
      },
      bodyLimit: 4 * 1024,
      schema: { params, body: CodeBody, summary: 'Whether the ballots with this code are in the boxes' },
    },
    async (request, reply) => {
      const paper = getPaper(ctx.db, request.params.id);
      // The code is hashed and not stored.
      const questions = checkPaperCode(ctx, paper, request.body.code);
      if (wantsHtml(request)) return sendHtml(reply, await checkPage(paper, { checked: questions }));
      return { found: questions.some(({ found }) => found), questions };
    },
  );

  async function publicPage(paper: Paper, code: Parameters<typeof paperPage>[0]['code'], language: string) {
    const json = publicPaperJson(ctx, paper);
    const outcomes = new Map<string, Child>();
    for (const question of listQuestions(ctx.db, paper.id)) {
      const why = whyHidden(question, ctx.now());
      const hands = await findHandCounted(ctx, question.id);
      const counted = hands && itemOutcome(hands);
      if (counted !== undefined) {
        outcomes.set(question.id, counted);
        continue;
      }
      if (electionStatus(question, ctx.now()) === 'scheduled' || why === 'results_hidden') continue;
      outcomes.set(
        question.id,
        why
          ? NOT_SHOWN[why]
          : outcomeText(namesInBoth(await getResults(ctx, question), electionJson(ctx, question), language)),
      );
    }
    return paperPage({
      paper: { ...inBoth(json, language), questions: json.questions.map((one) => inBoth(one, language)) },
      opens: formatShort(paper.open_at, ctx.config.TIME_ZONE),
      closes: formatWhen(paper.closed_at ?? paper.close_at, ctx.config.TIME_ZONE),
      outcomes,
      code,
    });
  }

  async function checkPage(
    paper: Paper,
    state: Pick<Parameters<typeof paperCheckPage>[0], 'checked' | 'errors' | 'entered'> = {},
  ) {
    const questions = listChecked(ctx, paper);
    const isClosed = questions.some((question) => electionStatus(question, ctx.now()) === 'closed');
    const closes = Math.min(...questions.map(({ close_at }) => close_at));
    const checkable = questions.map(async (question) => {
      const { id, title, ballot_type } = question;
      const settings = readSettings(question.settings);
      return {
        id,
        title,
        closed: electionStatus(question, ctx.now()) === 'closed',
        covers: coversChoice(settings),
        partial: rulesOf(ballot_type).partial(settings),
        isVoid: question.voided_at !== null,
        source: await checkSource(ctx, question),
      };
    });
    return paperCheckPage({
      paper,
      inMeeting: findMeetingOfPaper(ctx.db, paper.id) !== undefined,
      opens: isClosed ? null : formatWhen(closes, ctx.config.TIME_ZONE),
      questions: await Promise.all(checkable),
      ...state,
    });
  }
}

/** Leaves the validation to `castPaper`, which checks the body after paper and token (order of refusals). */
const readLater = () => (value: unknown) => ({ value });

/** The ballots of a paper as they were sent. */
interface Sent {
  paperId: string;
  body: unknown;
  code: BallotCode;
}

/** The body that a script sends, also of a form. */
const paperBodyOf = (body: unknown): unknown => (isFormBody(body) ? toPaperBody(fieldsOf(body)) : body);

async function castForPage(
  ctx: Context,
  { paperId, body, code }: Sent,
  cast: () => Promise<CastPaper>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  // Only a form asks for a page. It is shown again from its own fields, which keeps every type of ballot.
  const { form, given } = readPaperForm(fieldsOf(body));
  try {
    const { inclusion_code, waiting } = await cast();
    const paper = getPaper(ctx.db, paperId);
    const meeting = meetingOf(ctx, paper);
    if (meeting) {
      keepCard(ctx, request, reply, { meetingId: meeting.id, code: code.text });
      // The page of the meeting says that the vote is recorded, and goes on from there.
      if (inclusion_code === undefined) return reply.redirect(meeting.page, 303);
    }
    const { questions } = publicPaperJson(ctx, paper);
    // The form has fields of questions that were left out too.
    const { answers } = fieldsOf(paperBodyOf(body));
    const voted = questions.filter(({ id }) => id in fieldsOf(answers));
    const ofCodes = (all: typeof questions) =>
      all.filter(({ settings }) => settings.receipts !== 'off').map(({ title }) => title);
    const isOpen = (question: (typeof questions)[number]) => question.status === 'open';
    const idsOf = (all: typeof questions) => all.map(({ id }) => id);
    const props = {
      ...secrecyOfPaper(ctx, paper.id, questions),
      paper: textsInBoth(paper, languageOf(request)),
      cast: voted.length,
      waiting: waiting.length,
      token: code.text,
      meeting: meeting && {
        ...meeting,
        card: cardMark(meeting.id, code.text),
        votes: ofCodes(voted),
        open: idsOf(questions.filter((question) => isOpen(question) && waiting.includes(question.id))),
      },
      inclusionCode: inclusion_code,
      covers: voted.some(({ settings }) => coversChoice(settings)),
      others: findOthers(ctx, form.list),
    };
    // Whoever sees sizes alone does not learn how many questions were answered, or which.
    const withCodes = questions.some(({ settings }) => settings.receipts !== 'off');
    const longest = longestConfirmations(props, {
      questions: questions.length,
      withCodes,
      all: { votes: ofCodes(questions), open: idsOf(questions) },
    });
    return sendHtml(
      uncompressed(reply),
      filledPage(paperConfirmationPage(props), longest.map(paperConfirmationPage)),
    );
  } catch (error) {
    // A voter who can't vote with this link reads why, with the status of the refusal.
    if (!(error instanceof AppError) || ![401, 403, 409].includes(error.statusCode)) throw error;
    const paper = getPaper(ctx.db, paperId);
    const status = error.statusCode;
    const state = sendPaperState(ctx, reply, paper, code.text, { status, late: true });
    if (state) return state;
    const { closed = [], used = [] } = (error.extra ?? {}) as { closed?: string[]; used?: string[] };
    return sendPaperReview(ctx, reply, paper, { form, given }, { gone: { closed, used }, status });
  }
}

/**
 * Casts the ballots of a paper. A refusal counts against the limit unless the code still opens a question.
 * @throws 429 over the limit
 */
async function castWithinLimit(
  ctx: Context,
  { paperId, body, code }: Sent,
  limit: FailureLimit,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<CastPaper> {
  const { hash: token_hash } = code;
  try {
    const done = await castPaper(ctx, { paperId, body: paperBodyOf(body), token_hash });
    await noteVoter(ctx, paperId, token_hash);
    return done;
  } catch (error) {
    if (error instanceof AppError) {
      const paper = findPaper(ctx.db, paperId);
      const found = paper && findPaperCode(ctx.db, paper, token_hash, ctx.now());
      // A code that was withdrawn, or deleted with its paper, is not a guess.
      const isUnknown = !found?.valid && !found?.end && !findDeletedByCode(ctx.db, token_hash);
      if (isUnknown) code.countUnknown();
      if (isUnknown || found?.used) limit.count(request, reply);
    }
    throw error;
  }
}

/** Answers a 410 with what stays of a deleted paper, for each route of a scope that does not find it. */
export function answerForDeletedPaper(ctx: Context, scope: App): void {
  scope.setErrorHandler<Error & { statusCode?: number }>((error, request, reply) => {
    const { id } = fieldsOf(request.params);
    const deleted =
      error.statusCode === 404 && typeof id === 'string' ? findDeletedPaper(ctx.db, id) : undefined;
    if (!deleted) throw error;
    if (!wantsHtml(request)) throw new AppError(410, 'paper_deleted', {}, { extra: { deleted } });
    const when = formatWhen(Date.parse(deleted.deleted_at), ctx.config.TIME_ZONE);
    return sendHtml(reply, deletedPaperPage(deleted, when), 410);
  });
}
