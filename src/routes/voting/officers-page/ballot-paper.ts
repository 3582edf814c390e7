import type { FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { adminPaperPage } from '#views/voting/admin/ballot-paper/ballot-paper.ts';
import type { PaperQuestion } from '#views/voting/admin/ballot-paper/props.ts';
import { whyNotJoined } from '#voting/ballot-papers/questions.ts';
import { countOpenSeats } from '#voting/counting/follow-up.ts';
import { readSettings } from '#voting/election-settings.ts';
import { isLotAwaited } from '#voting/elections/drawn-lots.ts';
import { type Election, electionStatus, electionsJson, listElections } from '#voting/elections/elections.ts';
import { listQuestions, type Paper } from '#voting/elections/issuers.ts';
import { listWithoutChoice } from '#voting/elections/options.ts';
import { officersTurnout, type ShownTurnout } from '#voting/elections/shown-turnout.ts';
import { translationsOf } from '#voting/elections/translations.ts';
import { getOfficerTurnout, getPaperTurnout, hasBallots, listTurnouts } from '#voting/elections/turnout.ts';
import { whyHidden } from '#voting/elections/visibility.ts';
import { placed } from './address.ts';
import { type Asked, loadShared } from './shared.ts';

/** Loads and renders the officers' page of one ballot paper. */
export function renderPaperPage(
  ctx: Context,
  paper: Paper,
  request: FastifyRequest,
  { page, ...asked }: Asked,
): Html {
  const { id, title, description, invite_mode } = paper;
  const questions = listQuestions(ctx.db, id);
  const turnouts = listTurnouts(
    ctx.db,
    questions.map((question) => question.id),
  );
  const followed = new Set(
    electionsJson(ctx, questions).flatMap((question) => (question.follow_ups ? [question.id] : [])),
  );
  const shown = questions.map((question): PaperQuestion => {
    // Who may not see a result is not told of a tie either.
    const sees = question.voided_at === null && whyHidden(question, ctx.now(), request.granted) === undefined;
    return {
      ...showQuestion(ctx, question, officersTurnout(ctx.db, question, turnouts.get(question.id))),
      awaitsLot: sees && isLotAwaited(ctx.db, question.id),
      openSeats: sees && !followed.has(question.id) ? countOpenSeats(ctx.db, question.id) : 0,
    };
  });
  const isDecided =
    shown.some(({ result }) => result === 'shown') &&
    shown.every(({ result }) => result === 'shown' || result === 'void');
  const issuer = { ...paper, trial: 0 as const, isPaper: true };
  const { meeting } = placed(ctx, request, issuer);
  return adminPaperPage({
    // That of a meeting has only invitations and a history.
    ...loadShared(ctx, issuer, issuer, request, {
      ...asked,
      page: meeting && page !== 'history' ? 'mails' : page,
    }),
    election: {
      id,
      title,
      description,
      invite_mode,
      isPaper: true,
      meeting,
      status: electionStatus(paper, ctx.now()),
    },
    translations: translationsOf(paper, []),
    questions: shown,
    turnout: { ...getPaperTurnout(ctx.db, id), invited: getOfficerTurnout(ctx.db, id).invited },
    settings: JSON.parse(paper.settings),
    publication: { results_visible: isDecided },
    joinable: page === 'overview' ? listJoinable(ctx) : [],
  });
}

function showQuestion(
  ctx: Context,
  question: Election,
  turnout: ShownTurnout,
): Omit<PaperQuestion, 'awaitsLot' | 'openSeats'> {
  const { id, title, ballot_type } = question;
  const status = electionStatus(question, ctx.now());
  const [lacking] = listWithoutChoice(ctx.db, [question]);
  const hidden = whyHidden(question, ctx.now());
  return {
    id,
    title,
    ballot_type,
    status,
    turnout,
    hasBallots: hasBallots(ctx.db, id),
    lacks:
      lacking && status !== 'closed' ? t('voting-admin.ballot_paper.needs_least_two_candidates') : undefined,
    result: resultOf(question, status, hidden),
    published: readSettings(question.settings).publish_results_to_home,
  };
}

function resultOf(
  { voided_at }: Election,
  status: PaperQuestion['status'],
  hidden: ReturnType<typeof whyHidden>,
): PaperQuestion['result'] {
  if (voided_at !== null) return 'void';
  if (status !== 'closed') return 'open';
  return hidden === undefined ? 'shown' : hidden === 'results_not_announced' ? 'unannounced' : 'hidden';
}

/** Elections that can become a question of a paper. */
const listJoinable = (ctx: Context) =>
  listElections(ctx.db).filter((election) => whyNotJoined(ctx.db, election, ctx.now()) === undefined);
