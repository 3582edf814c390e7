import { html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import type { ElectionJson, OptionJson } from '#voting/elections/elections.ts';
import { SIMPLE_CHOICES, type SimpleChoice } from './ballot-input.ts';

type Fields = Record<string, unknown>;
/** The rank entered for each candidate, by candidate id. */
type Ranks = Readonly<Record<string, string>>;

/** A valid choice, with the names that the review page shows. */
export type ReviewedChoice =
  | { kind: 'simple'; choice: SimpleChoice }
  | { kind: 'poll'; multiple: boolean; options: readonly { id: string; name: string }[] }
  | {
      kind: 'ranked';
      ranking: readonly { id: string; name: string }[];
      /** Names of the candidates that a partial ranking leaves out, in display order; they share the last place. */
      unranked: readonly string[];
    };

const RANK_FIELD = 'rank_';

/** Converts a ballot form to the JSON body of the same ballot: forms send a list with one entry as a string. */
export function toBallotBody(fields: unknown): Fields {
  const body: Fields = { ...(fields as Fields) };
  for (const name of ['selected_options', 'ranking'])
    if (typeof body[name] === 'string') body[name] = [body[name]];
  return body;
}

/** What a voter has entered so far, valid or not. */
export type BallotForm = ReturnType<typeof readBallotForm>;

/** Reads what a voter has entered, valid or not, so that a page can show it again. */
export function readBallotForm(fields: Fields) {
  const ranks: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (name.startsWith(RANK_FIELD)) ranks[name.slice(RANK_FIELD.length)] = text(value);
  }
  list(fields.ranking).forEach((id, index) => {
    ranks[id] = String(index + 1);
  });
  return {
    token: text(fields.token),
    submission_id: text(fields.submission_id),
    list: text(fields.list),
    inclusion_code: text(fields.inclusion_code),
    shown_order: typeof fields.shown_order === 'string' ? fields.shown_order : '',
    // The ballot fills the shorter answers up with dots, so that all are sent in the same length.
    choice: text(fields.choice).replace(/\.+$/, ''),
    selected: [...list(fields.selected_option), ...list(fields.selected_options)],
    ranks,
  };
}

/**
 * Checks a ballot form for the review page by the same rules as `readChoice`. Returns the choice with names, or the
 * errors by field.
 */
export function checkBallotForm(
  election: ElectionJson,
  form: BallotForm,
): { choice: ReviewedChoice } | { errors: FieldError[] } {
  if (election.ballot_type === 'SIMPLE_TRIPLE') return readSimple(form.choice);
  if (election.ballot_type === 'RANKED_CONDORCET') return readRanks(election, form.ranks);
  return readSelection(election, form.selected);
}

function readSimple(choice: string) {
  const word = SIMPLE_CHOICES.find((known) => known === choice.toLowerCase());
  if (word) return { choice: { kind: 'simple', choice: word } as const };
  return { errors: [{ path: 'choice', message: 'Choose yes, no or abstain.' }] };
}

function readSelection({ options = [], settings }: ElectionJson, selected: string[]) {
  const multiple = settings.poll_response_type === 'multiple';
  const chosen = options.filter(({ id }) => selected.includes(id));
  if (chosen.length > 0 && (multiple || chosen.length === 1)) {
    return { choice: { kind: 'poll', multiple, options: chosen } as const };
  }
  const path = multiple ? 'selected_options' : 'selected_option';
  return { errors: [{ path, message: multiple ? 'Choose at least one option.' : 'Choose one option.' }] };
}

function readRanks({ candidates = [], settings }: ElectionJson, ranks: Ranks) {
  const partial = settings.ranking === 'partial';
  const places = candidates.map(({ id }) => Number(ranks[id] || Number.NaN));
  const errors = candidates.flatMap(({ id, name }, index): FieldError[] => {
    const path = `${RANK_FIELD}${id}`;
    const rank = places[index]!;
    if (!isRank(rank, candidates.length))
      return partial && !ranks[id] ? [] : [{ path, message: `${name} has no rank yet.` }];
    const first = places.indexOf(rank);
    if (first === index) return [];
    return [{ path, message: sameRank(name, rank, candidates[first]!.name) }];
  });
  if (errors.length > 0) return { errors };
  const inOrder = candidates.map(({ id, name }, index) => ({ id, name, rank: places[index]! }));
  const ranking = inOrder.filter(({ rank }) => !Number.isNaN(rank)).sort((a, b) => a.rank - b.rank);
  if (ranking.length === 0) {
    const path = `${RANK_FIELD}${candidates[0]?.id ?? ''}`;
    return { errors: [{ path, message: 'Rank at least one candidate.' }] };
  }
  const unranked = inOrder.filter(({ rank }) => Number.isNaN(rank)).map(({ name }) => name);
  return { choice: { kind: 'ranked', ranking, unranked } as const };
}

const sameRank = (name: string, rank: number, other: string): string =>
  `${name} has rank ${rank}, which ${other} has already.`;

/** Choices of which one is at least as long, in words and as fields, as any choice of this election. */
export function longestChoices(election: ElectionJson): ReviewedChoice[] {
  const { ballot_type, options = [], candidates = [], settings } = election;
  if (ballot_type === 'SIMPLE_TRIPLE') return SIMPLE_CHOICES.map((choice) => ({ kind: 'simple', choice }));
  if (ballot_type === 'RANKED_CONDORCET')
    return [
      {
        kind: 'ranked',
        ranking: candidates,
        unranked: settings.ranking === 'partial' ? candidates.map(({ name }) => name) : [],
      },
    ];
  const multiple = settings.poll_response_type === 'multiple';
  const single = options.map((option): ReviewedChoice => ({ kind: 'poll', multiple, options: [option] }));
  return multiple ? [...single, { kind: 'poll', multiple, options }] : single;
}

/** A ballot form that is at least as long as any of this election, with the errors that make it so. */
export function longestForm(
  election: ElectionJson,
  form: BallotForm,
): { form: BallotForm; errors: FieldError[] } {
  const { options = [], candidates = [] } = election;
  const last = candidates.length;
  const longest = candidates.map(({ name }) => name).reduce((a, b) => (size(a) < size(b) ? b : a), '');
  const read = checkBallotForm(election, { ...form, choice: '', selected: [], ranks: {} });
  return {
    form: {
      ...form,
      choice: 'abstain',
      selected: options.map(({ id }) => id),
      ranks: Object.fromEntries(candidates.map(({ id }) => [id, String(last)])),
    },
    errors:
      last > 0
        ? candidates.map(({ id, name }) => ({
            path: `${RANK_FIELD}${id}`,
            message: sameRank(name, last, longest),
          }))
        : 'errors' in read
          ? read.errors
          : [],
  };
}

const size = (name: string): number => Buffer.byteLength(String(html`${name}`));

/** Returns the ranks, with the next free rank for each candidate without a valid one, in the order of `candidates`. */
export function fillRanks(candidates: readonly Pick<OptionJson, 'id'>[], ranks: Ranks): Ranks {
  const hasRank = ({ id }: Pick<OptionJson, 'id'>) => isRank(Number(ranks[id] || 0), candidates.length);
  const taken = new Set(candidates.filter(hasRank).map(({ id }) => Number(ranks[id])));
  const free = candidates.map((_, index) => index + 1).filter((rank) => !taken.has(rank));
  const added = candidates.filter((one) => !hasRank(one)).map(({ id }, at) => [id, String(free[at])]);
  return { ...ranks, ...Object.fromEntries(added) };
}

const isRank = (rank: number, most: number): boolean => Number.isInteger(rank) && rank >= 1 && rank <= most;

function text(value: unknown): string {
  return typeof value === 'string' ? value.trim().slice(0, 200) : '';
}

/** Reads a form field that is sent once, several times or not at all, as a list. */
function list(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map(text).filter(Boolean);
}
