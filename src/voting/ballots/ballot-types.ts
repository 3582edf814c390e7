import { z } from 'zod';
import type { BallotType } from '#kernel/db/schema/voting.ts';
import { html } from '#kernel/html.ts';
import { badField, badFields, type FieldError, fieldError, fieldErrorOf } from '#kernel/http/errors.ts';
import { nestForm } from '#kernel/http/form.ts';
import { flag } from '#kernel/http/validation.ts';
import type { Code } from '#kernel/messages/messages.ts';
import type { ElectionJson, OptionRow } from '#voting/elections/elections.ts';
import {
  type Answers,
  BLANK,
  type ChoiceProblem,
  checkAnswers,
  checkRanking,
  checkSelection,
  type Ranks,
  readRanks,
  readSimpleChoice,
  SIMPLE_CHOICES,
  type SimpleChoice,
} from '#voting/shared/choice.ts';
import type { ElectionSettings, Ranking } from '#voting/shared/settings.ts';

type Fields = Record<string, unknown>;
type Named = Readonly<{ id: string; name: string }>;

/** What a voter has entered on the ballot, valid or not. */
export interface Entries {
  SIMPLE_TRIPLE: string;
  /** The ids of the options that were ticked. */
  POLL: readonly string[];
  RANKED_CONDORCET: Ranks;
  RANKED_STV: Ranks;
  /** What was entered for each option, by its id. */
  YES_NO_EACH: Readonly<Record<string, string>>;
}

/** A valid choice, with the names that the review page shows. */
export interface Choices {
  SIMPLE_TRIPLE: SimpleChoice;
  POLL: { multiple: boolean; options: readonly Named[] };
  RANKED_CONDORCET: RankedChoice;
  RANKED_STV: RankedChoice;
  /** An answer for every option, in display order. */
  YES_NO_EACH: readonly (Named & { answer: SimpleChoice })[];
}

export interface RankedChoice {
  ranking: readonly Candidate[];
  /** The candidates that a partial ranking leaves out, in display order. */
  unranked: readonly Candidate[];
}

type Candidate = Named & { is_none_of_the_above?: boolean };

/** The two routes that accept ballots. */
export type BallotRoute = 'vote' | 'vote/poll';

/** How a printed ballot is marked: one answer, crosses, ranks beside the names, or an answer beside each name. */
export type PaperMarks = 'answer' | 'crosses' | 'ranks' | 'answers';

/** How the ballots of a type are read, stored and exported. */
interface BallotHandling<Entry, Choice> {
  route: BallotRoute;
  onPaper: PaperMarks;
  /** Whether ranks on paper count up to the first gap or repeated one, as the rule of counting says. */
  countsToGap?: true;
  /** Whether there are few distinct ballots, so that equal ones are counted together. */
  fewDistinct: boolean;
  /**
   * The columns of its ballots in a table.
   * @param names of the options
   * @param widest the number of parts of the longest ballot; absent: as many as possible
   */
  columns(names: readonly string[], widest?: number): string[];
  /** The formats of the officers' export. */
  formats: readonly ExportFormat[];
  /** The fields of the JSON body, any one of them; only for the API description. */
  body: Readonly<Record<string, z.ZodType>>;
  /**
   * Converts an answer in JSON to the stored choice, see the tally of the type.
   * @param listOptions is called only if the type has any
   * @throws 400 naming the field, and the ids that are missing, unknown or repeated
   */
  readAnswer(answer: Fields, settings: ElectionSettings, listOptions: () => OptionRow[]): string;
  /** Reads what was entered in the form, so that a page can show it again. */
  readEntry(fields: Fields): Entry;
  /** Checks it for the review page. Returns the choice, or the errors by field. */
  checkEntry(election: ElectionJson, entry: Entry): { choice: Choice } | { errors: FieldError[] };
  /** Completes an entry, where a voter may ask for that. @param options in the order that was shown */
  completeEntry?(options: readonly Named[], entry: Entry): Entry;
  /** The fields of the form that casts a choice. */
  choiceFields(choice: Choice): Record<string, string | string[]>;
  /** Choices of which one is at least as long, in words and as fields, as any choice of this election. */
  longestChoices(election: ElectionJson): Choice[];
  /** An entry that is at least as long as any of this election, with the errors that make it so. */
  longestEntry(election: ElectionJson): { entry: Entry; errors: FieldError[] };
}

export const EXPORT_FORMATS = ['csv', 'json', 'cef', 'blt'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const optionId = z.string();

const SIMPLE: BallotHandling<Entries['SIMPLE_TRIPLE'], Choices['SIMPLE_TRIPLE']> = {
  route: 'vote',
  onPaper: 'answer',
  fewDistinct: true,
  columns: () => ['choice'],
  formats: ['csv', 'json'],
  body: { choice: z.enum(SIMPLE_CHOICES) },
  readAnswer({ choice }) {
    const read = typeof choice === 'string' ? readSimpleChoice(choice) : undefined;
    if (!read) throw badField('choice', 'not_simple_choice');
    return read;
  },
  // The ballot fills the shorter answers up with dots, so that all are sent in the same length.
  readEntry: ({ choice }) => textOf(choice).replace(/\.+$/, ''),
  checkEntry(_election, entry) {
    const choice = readSimpleChoice(entry);
    return choice ? { choice } : { errors: [fieldError('choice', 'choose_answer')] };
  },
  choiceFields: (choice) => ({ choice }),
  longestChoices: () => [...SIMPLE_CHOICES],
  longestEntry: (election) => ({ entry: 'abstain', errors: errorsOf(SIMPLE.checkEntry(election, '')) }),
};

const POLL: BallotHandling<Entries['POLL'], Choices['POLL']> = {
  route: 'vote/poll',
  onPaper: 'crosses',
  fewDistinct: true,
  columns: ({ length }, widest = length) => (widest > 1 ? numbered('choice', widest) : ['choice']),
  formats: ['csv', 'json'],
  body: { selected_option: optionId, selected_options: z.array(optionId).min(1) },
  readAnswer({ selected_option, selected_options }, settings, listOptions) {
    const options = listOptions();
    const known = options.map(({ id }) => id);
    if (settings.poll_response_type === 'single') {
      if (selected_options !== undefined) throw badField('selected_options', 'one_option_only');
      const id = textOf(selected_option);
      if (checkSelection([id], known, settings)) throw badField('selected_option', 'not_option');
      return spelled(options.filter((option) => option.id === id));
    }
    if (selected_option !== undefined) throw badField('selected_option', 'several_options');
    const ids = idsOf(selected_options);
    ensureValid('selected_options', checkSelection(ids, known, settings));
    // Ascending, so that equal choices have one spelling.
    const chosen = options.toSorted((a, b) => a.number - b.number).filter(({ id }) => ids?.includes(id));
    return spelled(chosen);
  },
  readEntry: ({ selected_option, selected_options }) => [
    ...listOf(selected_option),
    ...listOf(selected_options),
  ],
  checkEntry({ options = [], settings }, entry) {
    const multiple = settings.poll_response_type === 'multiple';
    const chosen = options.filter(({ id }) => entry.includes(id));
    const problem = checkSelection(
      chosen.map(({ id }) => id),
      options.map(({ id }) => id),
      settings,
    );
    if (!problem) return { choice: { multiple, options: chosen } };
    const path = multiple ? 'selected_options' : 'selected_option';
    return { errors: [selectionError(path, problem)] };
  },
  choiceFields: ({ multiple, options }) =>
    multiple ? { selected_options: options.map(({ id }) => id) } : { selected_option: options[0]?.id ?? '' },
  longestChoices({ options = [], settings }) {
    const multiple = settings.poll_response_type === 'multiple';
    const single = options.map((option) => ({ multiple, options: [option] }));
    return multiple ? [...single, { multiple, options }] : single;
  },
  longestEntry: (election) => ({
    entry: (election.options ?? []).map(({ id }) => id),
    errors: SELECTION_PROBLEMS.map((code) =>
      selectionError('selected_options', { code, ids: [], limit: 100 }),
    ),
  }),
};

const SELECTION_PROBLEMS = ['none_chosen', 'several_chosen', 'too_few', 'too_many'] as const;

/** The error of the form of a poll. */
function selectionError(path: 'selected_option' | 'selected_options', { code, limit = 0 }: ChoiceProblem) {
  if (code === 'too_few') return fieldError(path, 'choose_more', { limit });
  if (code === 'too_many') return fieldError(path, 'choose_fewer', { limit });
  return fieldError(path, path === 'selected_options' ? 'choose_options' : 'choose_option');
}

const RANK_FIELD = 'rank_';

/** @param rankingOf what a ballot must rank */
const rankedBallots = (
  rankingOf: (settings: ElectionSettings) => Ranking,
  formats: readonly ExportFormat[],
): BallotHandling<Ranks, RankedChoice> => ({
  route: 'vote',
  onPaper: 'ranks',
  fewDistinct: false,
  columns: ({ length }) => numbered('rank', length),
  formats,
  body: { ranking: z.array(optionId).min(1) },
  readAnswer({ ranking }, settings, listOptions) {
    const candidates = listOptions();
    const ids = idsOf(ranking);
    const known = candidates.map(({ id }) => id);
    ensureValid('ranking', checkRanking(ids, known, rankingOf(settings)));
    const byId = new Map(candidates.map((candidate) => [candidate.id, candidate]));
    return spelled((ids ?? []).map((id) => byId.get(id)!));
  },
  readEntry(fields) {
    const named = Object.entries(fields).filter(([name]) => name.startsWith(RANK_FIELD));
    return Object.fromEntries([
      ...named.map(([name, value]) => [name.slice(RANK_FIELD.length), textOf(value)]),
      ...listOf(fields.ranking).map((id, index) => [id, String(index + 1)]),
    ]);
  },
  checkEntry({ candidates = [], settings }, entry) {
    const known = candidates.map(({ id }) => id);
    const names = new Map(candidates.map(({ id, name }) => [id, name]));
    const { valid, taken, ranking } = readRanks(known, entry);
    const problem = checkRanking(ranking, known, rankingOf(settings));
    const errors = candidates.flatMap(({ id, name }): FieldError[] => {
      const path = `${RANK_FIELD}${id}`;
      const other = taken.get(id);
      if (other !== undefined) return [sameRank(path, name, valid.get(id)!, names.get(other) ?? '')];
      const lacks = !valid.has(id) && (entry[id] || problem?.code === 'unranked');
      return lacks ? [fieldError(path, 'rank_missing', { name })] : [];
    });
    if (errors.length > 0) return { errors };
    if (problem)
      return {
        errors: [fieldError(`${RANK_FIELD}${known[0] ?? ''}`, 'rank_one')],
      };
    const ranked = ranking.flatMap((id) => candidates.find((one) => one.id === id) ?? []);
    const unranked = candidates.filter(({ id }) => !valid.has(id));
    return { choice: { ranking: ranked, unranked } };
  },
  /** Gives the next free rank to each candidate without a valid one. */
  completeEntry(candidates, entry) {
    const { valid } = readRanks(
      candidates.map(({ id }) => id),
      entry,
    );
    const taken = new Set(valid.values());
    const free = candidates.map((_, index) => index + 1).filter((rank) => !taken.has(rank));
    const added = candidates.filter(({ id }) => !valid.has(id)).map(({ id }, at) => [id, String(free[at])]);
    return { ...entry, ...Object.fromEntries(added) };
  },
  choiceFields: ({ ranking }) => ({ ranking: ranking.map(({ id }) => id) }),
  longestChoices: ({ candidates = [], settings }) => [
    {
      ranking: candidates,
      unranked: rankingOf(settings) === 'partial' ? candidates : [],
    },
  ],
  longestEntry({ candidates = [] }) {
    const last = candidates.length;
    const longest = candidates.map(({ name }) => name).reduce((a, b) => (size(a) < size(b) ? b : a), '');
    return {
      entry: Object.fromEntries(candidates.map(({ id }) => [id, String(last)])),
      errors: candidates.map(({ id, name }) => sameRank(`${RANK_FIELD}${id}`, name, last, longest)),
    };
  },
});

const ANSWER_FIELD = 'answers.';

const EACH: BallotHandling<Entries['YES_NO_EACH'], Choices['YES_NO_EACH']> = {
  route: 'vote',
  onPaper: 'answers',
  fewDistinct: false,
  columns: (names) => [...names],
  formats: ['csv', 'json'],
  body: { answers: z.record(optionId, z.enum(SIMPLE_CHOICES)) },
  readAnswer({ answers }, { max_yes }, listOptions) {
    const options = listOptions();
    const given = answersOf(answers);
    ensureValid(
      'answers',
      checkAnswers(
        given,
        options.map(({ id }) => id),
        max_yes,
      ),
    );
    const all = options.map(({ id, number }) => [number, given?.[id] ?? 'abstain']);
    return JSON.stringify(Object.fromEntries(all));
  },
  // As with SIMPLE, the ballot fills the shorter answers up with dots.
  readEntry(fields) {
    const named = Object.entries(fields).filter(([name]) => name.startsWith(ANSWER_FIELD));
    return Object.fromEntries(
      named.map(([name, value]) => [name.slice(ANSWER_FIELD.length), textOf(value).replace(/\.+$/, '')]),
    );
  },
  checkEntry({ options = [], settings: { max_yes } }, entry) {
    const known = options.map(({ id }) => id);
    const given: Answers = Object.fromEntries(
      known.flatMap((id) => {
        const answer = readSimpleChoice(entry[id] ?? '');
        return answer ? [[id, answer]] : [];
      }),
    );
    const problem = checkAnswers(given, known, max_yes);
    if (problem) return { errors: [answerError(known, problem.code, max_yes)] };
    return { choice: options.map(({ id, name }) => ({ id, name, answer: given[id] ?? 'abstain' })) };
  },
  choiceFields: (choice) =>
    Object.fromEntries(choice.map(({ id, answer }) => [`${ANSWER_FIELD}${id}`, answer])),
  longestChoices: ({ options = [] }) => [
    options.map(({ id, name }) => ({ id, name, answer: 'abstain' as const })),
  ],
  longestEntry({ options = [], settings: { max_yes } }) {
    const known = options.map(({ id }) => id);
    return {
      entry: Object.fromEntries(known.map((id) => [id, 'abstain'])),
      errors: (['none_answered', 'too_many_yes'] as const).map((code) => answerError(known, code, max_yes)),
    };
  },
};

/** The error of a form with answers, at the first option. */
const answerError = (
  [first = '']: readonly string[],
  code: ChoiceProblem['code'],
  max_yes: number | null,
): FieldError => {
  const path = `${ANSWER_FIELD}${first}`;
  return code === 'too_many_yes'
    ? fieldError(path, 'choose_fewer_yes', { limit: max_yes ?? 0 })
    : fieldError(path, 'answer_one');
};

/** A ballot that is left blank: an entry and a choice of every type. */
const LEFT_BLANK = { blank: true } as const;
export type LeftBlank = typeof LEFT_BLANK;

/** Whether an entry or a choice is the blank ballot. */
export const isLeftBlank = (ballot: unknown): ballot is LeftBlank => ballot === LEFT_BLANK;

/** Adds the blank ballot to the handling of a type. */
function withBlank<Entry, Choice>(
  handling: BallotHandling<Entry, Choice>,
): BallotHandling<Entry | LeftBlank, Choice | LeftBlank> {
  const fields = Object.keys(handling.body);
  const { completeEntry } = handling;
  return {
    ...handling,
    body: { ...handling.body, blank: z.literal(true) },
    readAnswer(answer, settings, listOptions) {
      if (answer.blank === undefined) return handling.readAnswer(answer, settings, listOptions);
      const blank = flag.safeParse(answer.blank);
      if (!blank.success) throw badField('blank', 'not_true_or_false');
      if (!blank.data) return handling.readAnswer(answer, settings, listOptions);
      if (!settings.allow_blank) throw badField('blank', 'no_blank_ballots');
      if (fields.some((field) => answer[field] !== undefined)) throw badField('blank', 'blank_with_choice');
      return BLANK;
    },
    // The button is filled up with dots, see `blankValue`.
    readEntry: (sent) =>
      textOf(sent.blank).replace(/\.+$/, '') === 'true' ? LEFT_BLANK : handling.readEntry(sent),
    checkEntry(election, entry) {
      if (!isLeftBlank(entry)) return handling.checkEntry(election, entry);
      return election.settings.allow_blank
        ? { choice: LEFT_BLANK }
        : { errors: [fieldError('blank', 'not_blank')] };
    },
    ...(completeEntry && {
      completeEntry: (options, entry) => (isLeftBlank(entry) ? entry : completeEntry(options, entry)),
    }),
    choiceFields: (choice) => (isLeftBlank(choice) ? { blank: 'true' } : handling.choiceFields(choice)),
    longestChoices: (election) => [
      ...handling.longestChoices(election),
      ...(election.settings.allow_blank ? [LEFT_BLANK] : []),
    ],
  };
}

const HANDLING: {
  readonly [Type in BallotType]: BallotHandling<Entries[Type] | LeftBlank, Choices[Type] | LeftBlank>;
} = {
  SIMPLE_TRIPLE: withBlank(SIMPLE),
  POLL: withBlank(POLL),
  RANKED_CONDORCET: withBlank(rankedBallots(({ ranking }) => ranking, ['csv', 'json', 'cef'])),
  RANKED_STV: withBlank({
    ...rankedBallots(() => 'partial', ['csv', 'json', 'cef', 'blt']),
    countsToGap: true,
  }),
  YES_NO_EACH: withBlank(EACH),
};

// A name that comes from the database is another string each time: an object looked up by it is compiled again and again.
const BY_NAME = new Map(Object.entries(HANDLING)) as ReadonlyMap<string, unknown>;

/** How the ballots of a type are handled. */
export const handlingOf = <Type extends BallotType>(
  type: Type,
): BallotHandling<Entries[Type] | LeftBlank, Choices[Type] | LeftBlank> =>
  BY_NAME.get(type) as (typeof HANDLING)[Type];

/** The fields that hold a list: a form sends a list with one entry as a string. */
const LIST_FIELDS: readonly string[] = Object.values(HANDLING).flatMap(({ body }) =>
  Object.keys(body).filter((field) => body[field] instanceof z.ZodArray),
);

/** The fields of the JSON body of every type. */
export const CHOICE_FIELDS = Object.entries(
  Object.assign({}, ...Object.values(HANDLING).map(({ body }) => body)) as Record<string, z.ZodType>,
);

const CODES = {
  no_candidates: 'no_candidates',
  not_a_list: 'not_ids',
  none_chosen: 'no_option',
  several_chosen: 'several_chosen',
  none_ranked: 'nothing_ranked',
  not_answers: 'not_yes_or_no',
  none_answered: 'nothing_answered',
  too_many_yes: 'too_many_yes',
  too_few: 'fewer_than_least',
  too_many: 'more_than_most',
  unranked: 'candidates_missing',
  unknown: 'unknown_ids',
  repeated: 'repeated_ids',
} as const satisfies Record<ChoiceProblem['code'], Code>;

const shown = (ids: readonly string[]): string[] => ids.slice(0, 10).map((id) => id.slice(0, 64));

/** @throws 400 naming the field of a choice that is not valid */
function ensureValid(field: string, problem: ChoiceProblem | undefined): void {
  if (!problem) return;
  const { code, ids, limit } = problem;
  const params = limit === undefined ? { ids: code === 'unranked' ? ids : shown(ids) } : { limit };
  throw badFields([fieldErrorOf(field, { code: CODES[code], params })]);
}

/** The stored spelling of chosen options: their numbers. */
const spelled = (options: readonly OptionRow[]): string =>
  JSON.stringify(options.map(({ number }) => number));

const idsOf = (value: unknown): string[] | undefined =>
  Array.isArray(value) && value.every((id) => typeof id === 'string')
    ? value.map((id: string) => id.trim())
    : undefined;

/** The answers of a JSON body, in any spelling; undefined if they are not answers. */
function answersOf(value: unknown): Answers | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const read = Object.entries(value).map(
    ([id, answer]) => [id.trim(), typeof answer === 'string' ? readSimpleChoice(answer) : undefined] as const,
  );
  return read.every((one): one is readonly [string, SimpleChoice] => one[1] !== undefined)
    ? Object.fromEntries(read)
    : undefined;
}

const numbered = (word: string, options: number): string[] =>
  Array.from({ length: options }, (_, index) => `${word} ${index + 1}`);

const errorsOf = (read: { choice: unknown } | { errors: FieldError[] }): FieldError[] =>
  'errors' in read ? read.errors : [];

const sameRank = (path: string, name: string, rank: number, other: string): FieldError =>
  fieldError(path, 'rank_taken', { name, rank, other });

const size = (name: string): number => Buffer.byteLength(String(html`${name}`));

/** A text field of a form; empty without one. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim().slice(0, 200) : '';
}

/** Reads a form field that is sent once, several times or not at all, as a list. */
function listOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map(textOf).filter(Boolean);
}

/**
 * Converts a ballot form to the JSON body of the same ballot: forms send a list with one entry as a string, and each
 * answer in a field of its own.
 */
export function toBallotBody(fields: unknown): Fields {
  const body: Fields = nestForm(fields as Fields);
  for (const name of LIST_FIELDS) if (typeof body[name] === 'string') body[name] = [body[name]];
  return body;
}

/** What is sent along with a choice, from page to page. */
export type BallotForm = ReturnType<typeof readBallotForm>;

/** Reads what is sent along with a choice, valid or not. */
export const readBallotForm = (fields: Fields) => ({
  token: textOf(fields.token),
  submission_id: textOf(fields.submission_id),
  list: textOf(fields.list),
  inclusion_code: textOf(fields.inclusion_code),
  shown_order: typeof fields.shown_order === 'string' ? fields.shown_order : '',
});
