import type { FastifyReply } from 'fastify';
import { kept } from '#kernel/cache.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { type FieldError, fieldError } from '#kernel/http/errors.ts';
import { markFormBody } from '#kernel/http/form.ts';
import { languageOf, sendHtml } from '#kernel/http/pages.ts';
import { newCode, newRandomId } from '#kernel/ids.ts';
import { formatShort, formatWhen } from '#kernel/language/times.ts';
import { ballotPage, readCode, uncompressed } from '#routes/voting/ballots/ballots.ts';
import { cardPage } from '#routes/voting/ballots/card-cookie.ts';
import {
  blankRow,
  type PaperBallotProps,
  type PaperFormProps,
  paperBallotPage,
  paperForm,
  type QuestionState,
  questionSection,
  type ShownMeeting,
  type ShownQuestion,
  type Warned,
  wayBack,
} from '#views/voting/ballot-papers/ballot.ts';
import { paperReviewPage, type ReviewedQuestion } from '#views/voting/ballot-papers/review.ts';
import { choiceLength } from '#views/voting/ballot-types.ts';
import { filledPage } from '#views/voting/ballots/equal-length.ts';
import { type TokenState, tokenStatePage } from '#views/voting/token-state.ts';
import { listUses } from '#voting/ballot-papers/casting.ts';
import {
  type BallotForm,
  type Entries,
  handlingOf,
  isLeftBlank,
  type LeftBlank,
  readBallotForm,
  toBallotBody,
} from '#voting/ballots/ballot-types.ts';
import { type Secrecy, secrecyOfPaper } from '#voting/ballots/secrecy.ts';
import { inShownOrder, shownOrder } from '#voting/ballots/shown-order.ts';
import { hashToken } from '#voting/ballots/tokens.ts';
import { readSettings } from '#voting/election-settings.ts';
import {
  type BallotJson,
  type BallotType,
  ballotJson,
  type Election,
  electionStatus,
} from '#voting/elections/elections.ts';
import { agendaNumbers, findMeetingOfPaper, listQuestions, type Paper } from '#voting/elections/issuers.ts';
import { inBoth, textsInBoth } from '#voting/elections/translations.ts';

type Fields = Record<string, unknown>;

/** The form of a paper: what is sent along, and the fields of each question by its id. */
export interface PaperForm {
  form: BallotForm;
  given: ReadonlyMap<string, Fields>;
}

/** Reads the form of a paper, valid or not: the fields of a question are named `<its id>.<name>`. */
export function readPaperForm(fields: Fields): PaperForm {
  const given = new Map<string, Fields>();
  for (const [name, value] of Object.entries(fields)) {
    const end = name.indexOf('.');
    if (end < 1) continue;
    const own = given.getOrInsertComputed(name.slice(0, end), () => ({}));
    own[name.slice(end + 1)] = value;
  }
  return { form: readBallotForm(fields), given };
}

/** The fields of a question that are not part of a choice. */
const NO_CHOICE = ['filling', 'shown_order', 'rest'];

/** Converts the form that casts a paper to the JSON body of the same ballots. */
export function toPaperBody(fields: Fields): Fields {
  const { given } = readPaperForm(fields);
  const answers = [...given].flatMap(([id, own]) => {
    const choice = Object.entries(own).filter(([name]) => !NO_CHOICE.includes(name));
    return choice.length === 0 ? [] : [[id, toBallotBody(Object.fromEntries(choice))] as const];
  });
  const { token, submission_id, inclusion_code, list } = fields;
  const body = { token, submission_id, inclusion_code, list, answers: Object.fromEntries(answers) };
  markFormBody(body);
  return body;
}

/** A question as a code finds it; without a state it takes a ballot. */
interface OwnQuestion {
  election: Election;
  json: BallotJson;
  state?: QuestionState | undefined;
}

/** What the pages of a paper say to every code. */
interface PaperForAll {
  elections: readonly Election[];
  meeting: ShownMeeting | undefined;
  numbers: ReadonlyMap<string, string>;
}

/** By the paper: looked up again once something was stored, because a whole meeting asks at once. */
const FOR_ALL = kept<PaperForAll>();

function forAll(ctx: Context, { id }: Paper): PaperForAll {
  const make = (): PaperForAll => {
    const meetingId = findMeetingOfPaper(ctx.db, id);
    return {
      elections: listQuestions(ctx.db, id),
      meeting: meetingId === undefined ? undefined : { id: meetingId, page: cardPage(meetingId) },
      numbers: meetingId === undefined ? NO_NUMBERS : agendaNumbers(ctx.db, id),
    };
  };
  return ctx.cache.get(FOR_ALL, id, make, [ctx.changes()]);
}

/** The meeting of a paper, as its pages show it. */
export const meetingOf = (ctx: Context, paper: Paper): ShownMeeting | undefined => forAll(ctx, paper).meeting;

/**
 * The questions of a paper, and what each says to a code. In a meeting the agenda says what comes later: only the open
 * ones are shown, and those that were just answered.
 */
function shownQuestions(
  ctx: Context,
  paper: Paper,
  { form, given }: Pick<PaperForm, 'form' | 'given'>,
  meeting: ShownMeeting | undefined,
  language: string,
): OwnQuestion[] {
  const all = ownQuestions(ctx, paper, form.token).map((question) => ({
    ...question,
    json: inBoth(question.json, language),
  }));
  return meeting ? all.filter(({ json, state }) => state === undefined || given.has(json.id)) : all;
}

/** The questions of a paper, and what each says to a code. */
function ownQuestions(ctx: Context, paper: Paper, token: string): OwnQuestion[] {
  const uses = listUses(ctx.db, paper.id, hashToken(token));
  return forAll(ctx, paper).elections.map((election) => {
    const json = ballotJson(ctx, election);
    const use = uses.get(election.id);
    const status = electionStatus(election, ctx.now());
    const state = use?.used
      ? 'answered'
      : status === 'closed'
        ? 'closed'
        : status === 'scheduled'
          ? 'not_open'
          : !use
            ? 'not_yours'
            : json.candidates?.length === 0
              ? 'no_candidates'
              : undefined;
    return { election, json, state };
  });
}

/** Why a code opens no question of a paper now; undefined if it does. */
function paperState(ctx: Context, paper: Paper, token: string): TokenState | undefined {
  const found = readCode(ctx, paper.id, token);
  if (typeof found === 'string') return found;
  const states = ownQuestions(ctx, paper, token).map(({ state }) => state);
  if (states.includes(undefined)) return undefined;
  if (states.includes('no_candidates')) return 'no_candidates';
  if (states.includes('not_open')) return 'not_open';
  return states.includes('answered') ? 'used' : 'closed';
}

/** Sends the page in place of a paper, if the code opens no question. @returns undefined if it does */
export function sendPaperState(
  ctx: Context,
  reply: FastifyReply,
  paper: Paper,
  code: string,
  { status = 200, late = false } = {},
): FastifyReply | undefined {
  const state = paperState(ctx, paper, code);
  if (state === undefined) return undefined;
  const { open_at, close_at, closed_at } = paper;
  const page = tokenStatePage({
    election: textsInBoth(paper, languageOf(reply.request)),
    back: wayBack(paper, meetingOf(ctx, paper)),
    state: late && state === 'closed' ? 'too_late' : state,
    status: electionStatus(paper, ctx.now()),
    code,
    opens: formatShort(open_at, ctx.config.TIME_ZONE),
    closes: formatWhen(closed_at ?? close_at, ctx.config.TIME_ZONE),
    contact: ctx.config.settings.contact,
  });
  return sendHtml(reply, page, status);
}

/** What is the same on each page of a paper for one voter. */
function frame(
  ctx: Context,
  paper: Paper,
  questions: readonly OwnQuestion[],
  { form, meeting, language }: { form: BallotForm; meeting: ShownMeeting | undefined; language: string },
) {
  const open = questions.filter(({ state }) => state === undefined);
  const withCodes = open.some(({ json }) => json.settings.inclusion_codes);
  const closing = Math.min(...open.map(({ election }) => election.close_at));
  return {
    ...secrecyOfPaper(
      ctx,
      paper.id,
      questions.map(({ json }) => json),
    ),
    paper: textsInBoth(paper, language),
    meeting,
    token: form.token,
    submissionId: form.submission_id || newRandomId(),
    inclusionCode: withCodes ? form.inclusion_code || newCode() : null,
    list: form.list,
    range: open.reduce((sum, { json }) => sum + choiceLength(json, `${json.id}.`), 0),
    closes: formatWhen(Number.isFinite(closing) ? closing : paper.close_at, ctx.config.TIME_ZONE),
  };
}

/** Of a paper of no meeting. */
const NO_NUMBERS: ReadonlyMap<string, string> = new Map();

type Entry = Entries[BallotType] | LeftBlank;

/** What was entered for a question, with its errors. */
interface Shown {
  entry: Entry;
  errors?: readonly FieldError[];
  completed?: boolean;
}

/** Sends the paper with what was entered. Its length is the same whatever that was. */
export function sendPaperBallot(
  ctx: Context,
  reply: FastifyReply,
  paper: Paper,
  sent: PaperForm,
  { status = 200, isNew = false, ...entered }: Entered & { status?: number; isNew?: boolean } = {},
): FastifyReply {
  const { shown, longest } = paperProps(ctx, paper, sent, languageOf(reply.request), entered);
  const page = paperBallotPage(shown());
  if (isNew) return sendHtml(reply, page, status);
  return sendHtml(uncompressed(reply), filledPage(page, [paperBallotPage(longest())]), status);
}

/** The form of a paper within the page of its meeting, with the questions that take a ballot of this card now. */
export interface RoomBallot {
  questions: string[];
  form: Html;
  secrecy: Secrecy;
}

/** Whether a question that is open shuffles its options anew for each page. */
export const isShuffled = (ctx: Context, paper: Paper): boolean =>
  forAll(ctx, paper).elections.some(
    (election) =>
      readSettings(election.settings).randomize_order && electionStatus(election, ctx.now()) === 'open',
  );

/** What stands in the form of a card for what no other card has. */
export type CardPlaces = Pick<PaperFormProps, 'token' | 'submissionId' | 'inclusionCode'> & {
  filling: (range: number) => Html;
};

/** The ballots that a card can cast now; undefined without any. */
export function roomBallot(
  ctx: Context,
  paper: Paper,
  token: string,
  { language, places }: { language: string; places: CardPlaces },
): RoomBallot | undefined {
  const form = readBallotForm({ token });
  const props = paperProps(ctx, paper, { form, given: new Map() }, language, { inRoom: true }).shown();
  if (props.questions.length === 0) return undefined;
  const { election, few, inclusionCode, range = 0 } = props;
  return {
    questions: props.questions.map(({ id }) => id),
    form: paperForm({
      ...props,
      ...places,
      inclusionCode: inclusionCode && places.inclusionCode,
      filling: places.filling(range),
    }),
    secrecy: { election, few },
  };
}

/** What was entered, and what is wrong in it. */
interface Entered {
  shown?: Map<string, Shown>;
  errors?: FieldError[];
}

/** The data of the page of a paper with what was entered, and with the longest ballots. */
function paperProps(
  ctx: Context,
  paper: Paper,
  { form, given }: PaperForm,
  language: string,
  { shown = new Map<string, Shown>(), errors = [], inRoom = false }: Entered & { inRoom?: boolean } = {},
): Record<'shown' | 'longest', () => PaperBallotProps> {
  const meeting = meetingOf(ctx, paper);
  const questions = shownQuestions(ctx, paper, { form, given }, meeting, language);
  const own = frame(ctx, paper, questions, { form, meeting, language });
  const { numbers } = forAll(ctx, paper);
  const orders = Object.fromEntries(
    questions.flatMap(({ json, state }) => {
      const order = state === undefined && shownOrder(json, String(given.get(json.id)?.shown_order ?? ''));
      return order ? [[`${json.id}.shown_order`, order.join(',')]] : [];
    }),
  );
  const open = questions.filter(({ state }) => state === undefined);
  const allLive = open.every(({ json }) => !json.settings.hide_results_until_close);
  // The page of a meeting has its questions alone.
  const warned = inRoom ? 'nothing' : allLive ? 'all' : own.few ? 'few' : 'nothing';
  const orderOf = (id: string) => orders[`${id}.shown_order`] ?? '';
  const propsOf = (of: (question: OwnQuestion) => Parts): PaperBallotProps => {
    const parts = questions.map((question) => (question.state === undefined ? of(question) : undefined));
    return {
      ...own,
      warned,
      questions: questions.map(({ json, state }, index): ShownQuestion => {
        const { id, title } = json;
        return { id, number: numbers.get(id), title, content: parts[index]?.content ?? state ?? 'closed' };
      }),
      shownOrders: orders,
      errors: [...errors, ...parts.flatMap((part) => part?.errors ?? [])],
      scripts: parts.flatMap((part) => part?.scripts ?? []),
    };
  };
  return {
    shown: () =>
      propsOf((question) => {
        const { id, ballot_type } = question.json;
        const fields = given.get(id) ?? {};
        const { entry = handlingOf(ballot_type).readEntry(fields), ...entered } = shown.get(id) ?? {};
        return section(ctx, question, form, orderOf(id), {
          warned,
          entry,
          isBlank: isLeftBlank(entry),
          ...entered,
        });
      }),
    longest: () =>
      propsOf((question) =>
        section(ctx, question, form, orderOf(question.json.id), {
          warned,
          ...handlingOf(question.json.ballot_type).longestEntry(question.json),
          isBlank: true,
          completed: true,
        }),
      ),
  };
}

/** A question on the page: its content, its errors by the id of the element, and its scripts. */
interface Parts {
  content: Html;
  errors: FieldError[];
  scripts: readonly string[];
}

function section(
  ctx: Context,
  { election, json }: OwnQuestion,
  form: BallotForm,
  shown_order: string,
  { entry, isBlank, warned, errors = [], completed = false }: Shown & { isBlank: boolean; warned: Warned },
): Parts {
  let inPage: Pick<Parts, 'errors' | 'scripts'> = { errors: [], scripts: [] };
  const ballot = { json, form: { ...form, shown_order }, entry, errors: [...errors], completed };
  const content = ballotPage(ctx, election, ballot, (own, props) => {
    const shownAt = (path: string) => `${election.id}.${own.idOf(path)}`;
    inPage = {
      errors: errors.map((error) => ({ ...error, path: shownAt(error.path) })),
      scripts: own.scripts ?? [],
    };
    return questionSection(props, own, { blank: blankRow(json, isBlank), warned });
  });
  return { content, ...inPage };
}

/** Whether nothing was entered for a question: it is left out. */
function isUntouched(entry: unknown): boolean {
  if (typeof entry === 'string') return entry === '';
  if (typeof entry !== 'object' || entry === null) return false;
  return Object.values(entry).every(isUntouched);
}

/**
 * Sends the review page of a paper, or the paper again with what is wrong in it.
 * @param leave the id of a question that is left out
 * @param gone questions that turned out to take no ballot when the paper was cast
 */
export function sendPaperReview(
  ctx: Context,
  reply: FastifyReply,
  paper: Paper,
  sent: PaperForm,
  {
    leave,
    gone,
    status = 200,
  }: { leave?: string | undefined; gone?: { closed: string[]; used: string[] }; status?: number } = {},
): FastifyReply {
  const { form, given } = sent;
  const meeting = meetingOf(ctx, paper);
  const questions = shownQuestions(ctx, paper, sent, meeting, languageOf(reply.request));
  const numbers = meeting ? agendaNumbers(ctx.db, paper.id) : NO_NUMBERS;
  const shown = new Map<string, Shown>();
  const reviewed = questions.map(({ json, state }): ReviewedQuestion => {
    const { id, title, ballot_type } = json;
    const handling = handlingOf(ballot_type);
    const number = numbers.get(id);
    const row = {
      id,
      number,
      title,
      ballot_type,
      state,
      longest: state ? [] : handling.longestChoices(json),
    };
    const fields = given.get(id) ?? {};
    if (state !== undefined || id === leave) return row;
    const entry = handling.readEntry(fields);
    if (fields.rest === 'as_listed' && handling.completeEntry) {
      const places = shownOrder(json, String(fields.shown_order ?? ''));
      const listed = inShownOrder(json.candidates ?? json.options ?? [], places);
      const completed = handling.completeEntry(listed, entry);
      const checked = handling.checkEntry(json, completed);
      const wrong = 'errors' in checked ? { errors: checked.errors } : {};
      shown.set(id, { entry: completed, completed: true, ...wrong });
      return row;
    }
    if (isUntouched(entry)) return row;
    const read = handling.checkEntry(json, entry);
    if ('choice' in read) return { ...row, choice: read.choice };
    shown.set(id, { entry, errors: read.errors });
    return row;
  });
  const isWrong = [...shown.values()].some(({ errors }) => errors !== undefined);
  if (shown.size > 0) return sendPaperBallot(ctx, reply, paper, sent, { shown, status: isWrong ? 400 : 200 });
  const titles = (ids: readonly string[]) =>
    questions.filter(({ json }) => ids.includes(json.id)).map(({ json }) => json.title);
  if (reviewed.every(({ choice }) => choice === undefined)) {
    const first = questions.find(({ state }) => state === undefined);
    const errors = [fieldError(first?.json.id ?? 'errors', 'answer_one_question')];
    return sendPaperBallot(ctx, reply, paper, sent, { errors, status: 400 });
  }
  const page = paperReviewPage({
    ...frame(ctx, paper, questions, { form, meeting, language: languageOf(reply.request) }),
    questions: reviewed,
    gone: gone && { closed: titles(gone.closed), answered: titles(gone.used) },
  });
  return sendHtml(uncompressed(reply), page, status);
}
