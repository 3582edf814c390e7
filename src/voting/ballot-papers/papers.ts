import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { badField, inPart } from '#kernel/http/errors.ts';
import { newId } from '#kernel/ids.ts';
import { coded } from '#kernel/messages/messages.ts';
import { SettingsInput } from '#voting/election-settings.ts';
import {
  DatesInput,
  ElectionInput,
  mergeSettings,
  moveDates,
  type PlannedElection,
  readWindow,
} from '#voting/elections/changes.ts';
import { type ElectionJson, electionStatus, electionsJson } from '#voting/elections/elections.ts';
import { getPaper, listQuestions, type Paper } from '#voting/elections/issuers.ts';
import { ballotsExist } from '#voting/elections/options.ts';
import { changedTexts, PERIOD, TEXTS } from '#voting/elections/texts-and-period.ts';
import {
  PaperTranslationsInput,
  storePaperTranslations,
  translationsOf,
} from '#voting/elections/translations.ts';
import { hasBallots } from '#voting/elections/turnout.ts';
import type { Translations } from '#voting/shared/question.ts';
import {
  insertQuestion,
  knownSettings,
  planQuestion,
  QUESTIONS_AT_MOST,
  QuestionInput,
} from './questions.ts';

export const PaperInput = z.object({
  ...TEXTS.input.shape,
  ...PERIOD.input.shape,
  allow_past_close: ElectionInput.shape.allow_past_close,
  /** Of each question whose type knows them, where it says nothing else. */
  settings: SettingsInput.optional(),
  invite_mode: ElectionInput.shape.invite_mode,
  /** Refused: only an election can be a trial. */
  trial: ElectionInput.shape.trial,
  questions: z
    .array(QuestionInput, coded('not_list_of_questions'))
    .max(QUESTIONS_AT_MOST, coded('too_many_entries', { max: QUESTIONS_AT_MOST })),
  /** Its own texts in other languages; its questions have theirs. */
  translations: PaperTranslationsInput.optional(),
});

export const PaperPatch = TEXTS.patch.extend({
  /** The new period of every question that has not ended. */
  ...PERIOD.patch.shape,
  pause: DatesInput.shape.pause,
  settings: SettingsInput.optional(),
  translations: PaperTranslationsInput.optional(),
});

/** A ballot paper as the API returns it. */
export interface PaperJson {
  id: string;
  title: string;
  description: string | null;
  open_at: string;
  close_at: string;
  closed_at: string | null;
  status: ElectionJson['status'];
  settings: z.output<typeof SettingsInput>;
  invite_mode: Paper['invite_mode'];
  created_at: number;
  /** Its texts in other languages; absent without any. */
  translations?: Translations;
  /** In their order. */
  questions: ElectionJson[];
}

export function paperJson(ctx: Context, paper: Paper): PaperJson {
  const { id, title, description, open_at, close_at, closed_at, settings, invite_mode, created_at } = paper;
  const translations = translationsOf(paper, []);
  return {
    id,
    title,
    description,
    open_at: isoTime(open_at),
    close_at: isoTime(close_at),
    closed_at: closed_at === null ? null : isoTime(closed_at),
    status: electionStatus(paper, ctx.now()),
    settings: JSON.parse(settings),
    invite_mode,
    created_at,
    ...(translations && { translations }),
    questions: electionsJson(ctx, listQuestions(ctx.db, id)),
  };
}

/** Creates a ballot paper with its questions. @returns its id. @throws 400 naming the field */
export async function createPaper(
  ctx: Context,
  input: z.output<typeof PaperInput>,
  actor: Actor,
): Promise<string> {
  const { questions, settings = {}, title, description, invite_mode = null, translations } = input;
  if (input.trial) throw badField('trial', 'trial_not_on_paper');
  const window = readWindow(ctx, input);
  const planned: PlannedElection[] = [];
  for (const [index, question] of questions.entries()) {
    const { open_at, close_at, allow_past_close } = input;
    const asked = { allow_past_close, ...question };
    asked.open_at ??= open_at;
    asked.close_at ??= close_at;
    try {
      planned.push(await planQuestion(ctx, asked, settings, actor));
    } catch (error) {
      throw inPart(`questions.${index}`, error);
    }
  }
  return ctx.write((tx) => {
    const id = insertPaper(tx, { title, description, settings, invite_mode, ...window }, planned, actor);
    if (translations) storePaperTranslations(tx, getPaper(tx, id), translations);
    return id;
  });
}

/** Stores a new paper with its questions. @returns its id */
export function insertPaper(
  tx: Tx,
  {
    settings,
    ...paper
  }: Pick<Paper, 'title' | 'description' | 'invite_mode' | 'open_at' | 'close_at'> & {
    settings: z.output<typeof SettingsInput>;
  },
  planned: readonly PlannedElection[],
  actor: Actor,
): string {
  const id = newId(actor.at);
  const times = { opened_at: null, closed_at: null, created_at: actor.at };
  tx.run(build.insertInto('papers').values({ id, ...paper, settings: JSON.stringify(settings), ...times }));
  const period = { open_at: isoTime(paper.open_at), close_at: isoTime(paper.close_at) };
  const metadata = { questions: planned.length, ...period };
  recordAudit(tx, actor, { action: 'paper.created', election_id: id, metadata });
  for (const question of planned) insertQuestion(tx, id, question, actor);
  return id;
}

/**
 * Changes a paper: its texts until the first ballot, the period and settings of its questions as each of them allows it.
 * @throws 404, 400, 409
 */
export async function changePaper(
  ctx: Context,
  id: string,
  { settings, open_at, close_at, pause, ...texts }: z.output<typeof PaperPatch>,
  actor: Actor,
): Promise<void> {
  await ctx.write((tx) => {
    const paper = getPaper(tx, id);
    changeTexts(tx, paper, texts, actor);
    if (open_at !== undefined || close_at !== undefined) {
      const times = {
        open_at: open_at ?? isoTime(paper.open_at),
        close_at: close_at ?? isoTime(paper.close_at),
      };
      changePeriod(tx, paper, { asked: readWindow(ctx, times), pause }, actor);
    }
    if (settings !== undefined) changeSharedSettings(tx, paper, settings, actor);
  });
}

function changeTexts(
  tx: Tx,
  paper: Paper,
  { translations, ...given }: Pick<z.output<typeof PaperPatch>, 'title' | 'description' | 'translations'>,
  actor: Actor,
): void {
  const { fields, from, to } = changedTexts(paper, given);
  const isTranslated = translations !== undefined && storePaperTranslations(tx, paper, translations);
  if (fields.length === 0 && !isTranslated) return;
  if (listQuestions(tx, paper.id).some((question) => hasBallots(tx, question.id)))
    throw ballotsExist(...fields, ...(isTranslated ? ['translations'] : []));
  if (fields.length > 0) tx.run(build.updateTable('papers').set(to).where('id', '=', paper.id));
  const translated = isTranslated && {
    translations: translationsOf(getPaper(tx, paper.id), []) ?? null,
  };
  const metadata = { from, to, ...translated };
  recordAudit(tx, actor, { action: 'paper.text_changed', election_id: paper.id, metadata });
}

function changePeriod(
  tx: Tx,
  paper: Paper,
  input: { asked: ReturnType<typeof readWindow>; pause: boolean | undefined },
  actor: Actor,
): void {
  const { open_at, close_at } = input.asked;
  const questions = listQuestions(tx, paper.id);
  // Those that have ended are opened again one by one, each with its reason.
  const running = questions.filter((question) => electionStatus(question, actor.at) !== 'closed');
  for (const question of running)
    if (question.open_at !== open_at || question.close_at !== close_at)
      moveDates(tx, question, { ...input, reopen: undefined, reason: null }, actor);
  if (questions.length > 0) return;
  tx.run(build.updateTable('papers').set({ open_at, close_at }).where('id', '=', paper.id));
}

function changeSharedSettings(
  tx: Tx,
  paper: Paper,
  settings: z.output<typeof SettingsInput>,
  actor: Actor,
): void {
  for (const question of listQuestions(tx, paper.id))
    mergeSettings(tx, question, knownSettings(question.ballot_type, settings), actor);
  const merged = JSON.stringify({ ...JSON.parse(paper.settings), ...settings });
  tx.run(build.updateTable('papers').set({ settings: merged }).where('id', '=', paper.id));
  recordAudit(tx, actor, {
    action: 'paper.settings_changed',
    election_id: paper.id,
    metadata: { settings },
  });
}
