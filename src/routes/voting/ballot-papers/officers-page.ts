import type { FastifyRequest } from 'fastify';
import { linkOrigin } from '#kernel/access/link-origin.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { formatShort, toLocalInput, zoneInFull, zoneName } from '#kernel/local-time.ts';
import { type Asked, readHistory } from '#routes/voting/elections/election-page.ts';
import { loadBatches, loadInvitations } from '#routes/voting/invitations/codes-and-invitations.ts';
import { adminPaperPage } from '#views/voting/admin/ballot-paper/ballot-paper.ts';
import type { PaperAsk, PaperQuestion } from '#views/voting/admin/ballot-paper/props.ts';
import type { SectionId } from '#views/voting/admin/election/election.ts';
import { whyNotJoined } from '#voting/ballot-papers/questions.ts';
import { countOpenSeats } from '#voting/counting/follow-up.ts';
import { readSettings } from '#voting/election-settings.ts';
import { isLotAwaited } from '#voting/elections/drawn-lots.ts';
import {
  type Election,
  electionStatus,
  electionsJson,
  endTime,
  listElections,
} from '#voting/elections/elections.ts';
import { listQuestions, meetingOf, type Paper } from '#voting/elections/issuers.ts';
import { listWithoutChoice } from '#voting/elections/options.ts';
import { officersTurnout, type ShownTurnout } from '#voting/elections/shown-turnout.ts';
import { getOfficerTurnout, getPaperTurnout, hasBallots, listTurnouts } from '#voting/elections/turnout.ts';
import { whyHidden } from '#voting/elections/visibility.ts';

/** Loads and renders the officers' page of one ballot paper. */
export function renderPaperPage(
  ctx: Context,
  paper: Paper,
  request: FastifyRequest,
  { ask, batch, done, problem, mailing, said, enteredInvitation }: Asked,
): Html {
  const { TIME_ZONE: zone } = ctx.config;
  const { id, title, description, invite_mode } = paper;
  const [sentence, doneAt] = DONE.get(done ?? '') ?? [];
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
  const short = (at: number) => formatShort(at, zone);
  return adminPaperPage({
    election: {
      id,
      title,
      description,
      invite_mode,
      isPaper: true,
      status: electionStatus(paper, ctx.now()),
    },
    times: {
      opens: short(paper.open_at),
      closes: short(paper.close_at),
      ends: short(endTime(paper)),
      opensInput: toLocalInput(paper.open_at, zone),
      closesInput: toLocalInput(paper.close_at, zone),
      zone: zoneName(zone),
      zoneInFull: zoneInFull(ctx.now(), zone),
    },
    publicUrl: `${linkOrigin(ctx, request) ?? ''}/p/${id}`,
    questions: shown,
    turnout: { ...getPaperTurnout(ctx.db, id), invited: getOfficerTurnout(ctx.db, id).invited },
    settings: JSON.parse(paper.settings),
    batches: loadBatches(ctx, paper, request),
    publication: { results_visible: isDecided },
    invitations: loadInvitations(ctx, { ...paper, trial: 0, isPaper: true }, { mailing, said }),
    enteredInvitation,
    joinable: listJoinable(ctx),
    meeting: meetingOf(ctx.db, id),
    history: readHistory(ctx, paper, request),
    ask: readAsk(ask, batch),
    done: sentence,
    doneAt,
    problem,
    clockJumped: ctx.clockWatch.jumped,
    viewer: request.viewer,
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
    lacks: lacking && status !== 'closed' ? 'It needs at least two candidates.' : undefined,
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

function readAsk(kind: string | undefined, batch: string | undefined): PaperAsk | undefined {
  if (kind === 'batch') return { kind, batch_name: batch || null };
  return kind === 'close' || kind === 'delete' ? { kind } : undefined;
}

/** By the parameter `done`: the sentence that the page shows, and the section that it is about. */
const DONE = new Map<string, [sentence: string, at?: SectionId]>(
  Object.entries({
    created: ['The ballot paper was created. Next: add its questions.'],
    wording: ['Title and description were changed.', 'text'],
    dates: ['The dates were changed.', 'dates'],
    settings: ['The settings were changed on every question that knows them.', 'settings'],
    added: ['The question was added. The codes of this ballot paper are valid for it.', 'questions'],
    ordered: ['The order was changed.', 'questions'],
    closed: ['Voting is closed on every question. The next ballot is refused.'],
    'batch-deleted': ['The batch was deleted.', 'tokens'],
  } satisfies Record<string, [sentence: string, at?: SectionId]>),
);
