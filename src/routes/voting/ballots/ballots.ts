import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { AppError, type FieldError } from '#kernel/http/errors.ts';
import { isFormBody } from '#kernel/http/form.ts';
import { type App, wantsHtml } from '#kernel/http/http.ts';
import { languageOf, sendHtml } from '#kernel/http/pages.ts';
import { type FailureLimit, failureLimit } from '#kernel/http/rate-limit.ts';
import { fieldsOf } from '#kernel/http/validation.ts';
import { Id, newCode, newRandomId } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { formatShort, formatWhen } from '#kernel/language/times.ts';
import { noteVoter } from '#meetings/room/room.ts';
import { type BallotCode, limitBallot } from '#routes/voting/limit.ts';
import { paperBallotPath, paperPath } from '#views/voting/ballot-papers/ballot.ts';
import { blankValue, choiceLength, ruleSentences, viewOf } from '#views/voting/ballot-types.ts';
import type { BallotFrameProps } from '#views/voting/ballots/ballot-frame.ts';
import { confirmationPage } from '#views/voting/ballots/confirmation.ts';
import { filledPage } from '#views/voting/ballots/equal-length.ts';
import { shownEvent } from '#views/voting/ballots/history.ts';
import { reviewPage } from '#views/voting/ballots/review.ts';
import { type TokenState, tokenStatePage } from '#views/voting/token-state.ts';
import { findPaperCode } from '#voting/ballot-papers/public-paper.ts';
import {
  type BallotForm,
  type BallotRoute,
  type Entries,
  handlingOf,
  isLeftBlank,
  type LeftBlank,
  readBallotForm,
  toBallotBody,
} from '#voting/ballots/ballot-types.ts';
import { BallotBody, type CastBallot, castBallot, withList } from '#voting/ballots/ballots.ts';
import { hasFewVoters } from '#voting/ballots/secrecy.ts';
import { inShownOrder, shownOrder } from '#voting/ballots/shown-order.ts';
import { CodeQuery, codeOf, hashToken, type StoredToken } from '#voting/ballots/tokens.ts';
import { isShortCode } from '#voting/ballots/voting-code.ts';
import { findCode } from '#voting/ballots/withdrawn-codes.ts';
import { readSettings } from '#voting/election-settings.ts';
import { findDeletedByCode } from '#voting/elections/deletion.ts';
import {
  type BallotJson,
  type BallotType,
  ballotJson,
  type Election,
  electionStatus,
  getElection,
} from '#voting/elections/elections.ts';
import { documentChangesNow } from '#voting/elections/history.ts';
import { findPaper } from '#voting/elections/issuers.ts';
import { inBoth, textsInBoth } from '#voting/elections/translations.ts';
import { hasBallots } from '#voting/elections/turnout.ts';
import { areResultsHidden } from '#voting/elections/visibility.ts';
import { findVoid } from '#voting/elections/void.ts';
import { findOthers, type OtherBallots } from '#voting/invitations/own-list.ts';

const params = z.object({ id: Id });
/** Ballots are small; nothing larger needs to be read. */
const bodyLimit = 64 * 1024;

/** `list`: the list of own elections that the voter came from, see `findOthers`. */
export const BallotQuery = CodeQuery.extend({ list: z.string().max(100).optional().catch(undefined) });

const ADDRESSES: [BallotRoute, address: string][] = [
  ['vote', '/e/:id/vote'],
  ['vote/poll', '/e/:id/vote/poll'],
];

export async function ballots(app: App, { ctx }: { ctx: Context }): Promise<void> {
  const refusals = failureLimit(ctx.limiter, ctx.now, 'vote', ctx.config.RATE_LIMIT_VOTE);
  for (const [route, address] of ADDRESSES) {
    const page = { config: { admission: 'voting' }, schema: { params, querystring: BallotQuery } } as const;
    app.get(address, page, async (request, reply) => {
      const election = getElection(ctx.db, request.params.id);
      const { t = '', list = '' } = request.query;
      const handling = handlingOf(election.ballot_type);
      if (route !== handling.route) {
        return reply.redirect(
          withList(`/e/${election.id}/${handling.route}${t ? `?t=${encodeURIComponent(t)}` : ''}`, list),
          303,
        );
      }
      const state = tokenState(ctx, election, t);
      if (state) return sendState(ctx, reply, election, state, t);
      const form = readBallotForm({ token: t, submission_id: newRandomId(), list });
      const json = ballotFor(ctx, election, reply);
      return sendHtml(reply, ballotPage(ctx, election, { json, form, entry: handling.readEntry({}) }));
    });

    // The specification gives the vote limit only to POST /e/:id/vote; polls have the general one.
    const limit = route === 'vote' ? refusals : undefined;
    app.post(
      address,
      {
        validatorCompiler: readLater,
        bodyLimit,
        config: { admission: 'always', proofInBody: true },
        schema: { params, body: BallotBody },
      },
      (request, reply) => cast(ctx, { route, id: request.params.id, limit }, request, reply),
    );
  }

  // The review page before the ballot is cast, the same with and without JavaScript. It changes nothing.
  const review = {
    config: { admission: 'voting', proofInBody: true },
    schema: { params },
    bodyLimit,
  } as const;
  // Whoever comes back to its address without the form, as from a bookmark, begins with the code.
  app.get('/e/:id/vote/review', { schema: { params } }, async (request, reply) =>
    reply.redirect(`/e/${getElection(ctx.db, request.params.id).id}/vote`, 303),
  );
  app.post('/e/:id/vote/review', review, async (request, reply) => {
    const election = getElection(ctx.db, request.params.id);
    const fields = fieldsOf(request.body);
    const form = readBallotForm(fields);
    const state = tokenState(ctx, election, form.token);
    if (state) return sendState(ctx, reply, election, state, form.token);
    const handling = handlingOf(election.ballot_type);
    const entry = handling.readEntry(fields);
    if (fields.step === 'edit') return sendBallot(ctx, reply, election, { form, entry });

    const json = ballotFor(ctx, election, reply);
    const places = shownOrder(json, form.shown_order);
    if (fields.rest === 'as_listed' && handling.completeEntry) {
      const listed = inShownOrder(json.candidates ?? json.options ?? [], places);
      const completed = handling.completeEntry(listed, entry);
      const read = handling.checkEntry(json, completed);
      const shown = { ...form, shown_order: places?.join(',') ?? '' };
      const errors = 'errors' in read ? read.errors : [];
      return sendBallot(ctx, reply, election, { form: shown, entry: completed, errors, completed: true });
    }
    const read = handling.checkEntry(json, entry);
    if ('errors' in read) return sendBallot(ctx, reply, election, { form, entry, errors: read.errors }, 400);
    const shown = {
      ...frame(ctx, election, json, form, places),
      choice: read.choice,
      longest: handling.longestChoices(json),
      action: `/e/${election.id}/${handling.route}`,
    };
    return sendHtml(uncompressed(reply), reviewPage(shown));
  });
}

/** Leaves the validation to `castBallot`, which checks the body after election and token (order of refusals). */
const readLater = () => (value: unknown) => ({ value: isFormBody(value) ? toBallotBody(value) : value });

/** The route and the election of a ballot, and the route's limit of refused tokens. */
interface Target {
  route: BallotRoute;
  id: string;
  limit: FailureLimit | undefined;
}

function cast(ctx: Context, target: Target, request: FastifyRequest, reply: FastifyReply) {
  const code = limitBallot(ctx, request, reply);
  target.limit?.show(request, reply);
  const answer = wantsHtml(request) ? castForPage : castWithinLimit;
  return answer(ctx, target, code, request, reply);
}

async function castForPage(
  ctx: Context,
  target: Target,
  code: BallotCode,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { id } = target;
  try {
    const { inclusion_code } = await castWithinLimit(ctx, target, code, request, reply);
    const election = getElection(ctx.db, id);
    const announced = readSettings(election.settings).announce === 'by_officer';
    const closes = formatWhen(election.close_at, ctx.config.TIME_ZONE);
    const resultsWhen = areResultsHidden(election, ctx.now())
      ? announced
        ? t('voting.confirmation.result_announced_after_close', { closes })
        : t('voting.confirmation.result_appears_at_close', { closes })
      : t('voting.confirmation.page_shows_current_figures');
    return sendHtml(
      uncompressed(reply),
      confirmationPage({
        election: ballotFor(ctx, election, reply),
        few: hasFewVoters(ctx, id),
        resultsWhen,
        inclusionCode: inclusion_code,
        typed: isShortCode(code.text),
        others:
          othersOnPaper(ctx, election, code.text) ??
          findOthers(ctx, readBallotForm(fieldsOf(request.body)).list),
      }),
    );
  } catch (error) {
    // A voter who can't vote with this link reads why, with the status of the refusal.
    if (!(error instanceof AppError) || ![401, 403].includes(error.statusCode)) throw error;
    const election = getElection(ctx.db, id);
    const state = tokenState(ctx, election, code.text);
    if (!state) throw error;
    const shown = state === 'closed' ? 'too_late' : state;
    return sendState(ctx, reply, election, shown, code.text, error.statusCode);
  }
}

/** The other questions of a paper that wait for the code of a ballot; undefined for an election of its own. */
function othersOnPaper(ctx: Context, { id, paper_id }: Election, token: string): OtherBallots | undefined {
  const paper = paper_id === null ? undefined : findPaper(ctx.db, paper_id);
  if (!paper) return undefined;
  const code = codeOf(token, id);
  const { waiting } = findPaperCode(ctx.db, paper, hashToken(code), ctx.now());
  const next = waiting.length === 0 ? null : paperBallotPath(paper, code);
  return {
    waiting: waiting.length,
    next,
    list: paperPath(paper),
    label: t('voting.confirmation.the_ballot_paper'),
  };
}

/**
 * Casts a ballot. A refusal counts against the limit unless the token is valid and unused: others at the same address
 * may use up the limit, and must not lock out a voter. @throws 429 over the limit
 */
async function castWithinLimit(
  ctx: Context,
  { route, id, limit }: Target,
  code: BallotCode,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<CastBallot> {
  const { hash: token_hash } = code;
  try {
    const sent = { electionId: id, route, body: request.body, token_hash };
    const { answer, paperId } = await castBallot(ctx, sent);
    if (paperId !== null) await noteVoter(ctx, paperId, token_hash);
    return answer;
  } catch (error) {
    if (error instanceof AppError) {
      const { token, end } = findCode(ctx.db, id, token_hash);
      // A code that was withdrawn, or deleted with its election, is not a guess.
      const isUnknown = !token && !end && !findDeletedByCode(ctx.db, token_hash);
      if (isUnknown) code.countUnknown();
      if (limit && (isUnknown || token?.used)) limit.count(request, reply);
    }
    throw error;
  }
}

/** The token of a code that was sent to an election or a paper, or why it is none. */
export function readCode(ctx: Context, issuerId: string, code: string): StoredToken | TokenState {
  if (!code) return 'missing';
  const { token, end } = findCode(ctx.db, issuerId, hashToken(code, issuerId));
  return token ?? end ?? 'invalid';
}

/** Returns why a token opens no ballot now; undefined if it does. Does not mark the token as used. */
function tokenState(ctx: Context, election: Election, token: string): TokenState | undefined {
  const found = readCode(ctx, election.id, token);
  if (typeof found === 'string') return found;
  if (found.used) return 'used';
  const status = electionStatus(election, ctx.now());
  if (status !== 'open') return status === 'closed' ? 'closed' : 'not_open';
  const { candidates } = ballotJson(ctx, election);
  return candidates?.length === 0 ? 'no_candidates' : undefined;
}

/** The ballot of an election as the reader of its pages sees it: with texts in their language, where it has any. */
const ballotFor = (ctx: Context, election: Election, { request }: FastifyReply): BallotJson =>
  inBoth(ballotJson(ctx, election), languageOf(request));

function sendState(
  ctx: Context,
  reply: FastifyReply,
  election: Election,
  state: TokenState,
  code: string,
  status = 200,
) {
  const { open_at, close_at, closed_at } = election;
  const opens = formatShort(open_at, ctx.config.TIME_ZONE);
  const closes = formatWhen(closed_at ?? close_at, ctx.config.TIME_ZONE);
  return sendHtml(
    reply,
    tokenStatePage({
      election: textsInBoth(election, languageOf(reply.request)),
      state,
      status: electionStatus(election, ctx.now()),
      code,
      opens,
      closes,
      paused: election.opened_at !== null && hasBallots(ctx.db, election.id),
      contact: ctx.config.settings.contact,
      voided: findVoid(ctx.db, election),
    }),
    status,
  );
}

/** A ballot with what was entered, to be shown again. */
export interface ShownBallot {
  /** The election, as the reader sees it. */
  json: BallotJson;
  form: BallotForm;
  entry: Entries[BallotType] | LeftBlank;
  errors?: FieldError[];
  completed?: boolean;
}

/** Sends the ballot with what was entered. Its length is the same whatever that was. */
function sendBallot(
  ctx: Context,
  reply: FastifyReply,
  election: Election,
  ballot: Omit<ShownBallot, 'json'>,
  status = 200,
) {
  const json = ballotFor(ctx, election, reply);
  const form = {
    ...ballot.form,
    submission_id: ballot.form.submission_id || newRandomId(),
    shown_order: shownOrder(json, ballot.form.shown_order)?.join(',') ?? '',
    inclusion_code: ballot.form.inclusion_code || (json.settings.inclusion_codes ? newCode() : ''),
  };
  const longest = handlingOf(election.ballot_type).longestEntry(json);
  const shown = ballotPage(ctx, election, { ...ballot, json, form });
  const others = [ballotPage(ctx, election, { json, form, ...longest, completed: true })];
  return sendHtml(uncompressed(reply), filledPage(shown, others), status);
}

/**
 * Answers of the same length would differ again once they are compressed. Some proxies compress answers without an
 * encoding even with no-transform.
 */
export function uncompressed(reply: FastifyReply): FastifyReply {
  return reply.headers({ 'cache-control': 'no-store, no-transform', 'content-encoding': 'identity' });
}

/** @param within the page of a ballot paper that it is a part of */
export function ballotPage(
  ctx: Context,
  election: Election,
  { form, entry, json, ...shown }: ShownBallot,
  within?: BallotFrameProps['frame'],
) {
  const { readEntry } = handlingOf(election.ballot_type);
  // A ballot that was left blank has no choice to show again.
  const entered = isLeftBlank(entry) ? readEntry({}) : entry;
  const places = shownOrder(json, form.shown_order);
  const options = inShownOrder(json.candidates ?? json.options ?? [], places);
  return viewOf(election.ballot_type).ballotPage({
    ...frame(ctx, election, json, form, places),
    ...shown,
    entry: entered as Entries[BallotType],
    options,
    blankValue: blankValue(json),
    frame: within,
  });
}

function frame(
  ctx: Context,
  election: Election,
  json: BallotJson,
  form: BallotForm,
  places: number[] | null,
) {
  return {
    election: json,
    withdrawn: json.withdrawn,
    few: hasFewVoters(ctx, election.id),
    documentChanges: documentChangesNow(ctx, election.id).map((event) =>
      shownEvent(event, ctx.config.TIME_ZONE),
    ),
    rules: ruleSentences(json),
    closes: formatWhen(election.close_at, ctx.config.TIME_ZONE),
    token: form.token,
    submissionId: form.submission_id || newRandomId(),
    inclusionCode: json.settings.inclusion_codes ? form.inclusion_code || newCode() : null,
    shownOrder: places?.join(','),
    list: form.list,
    range: choiceLength(json),
  };
}
