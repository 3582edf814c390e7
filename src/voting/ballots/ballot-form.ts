import type { FieldError } from '#kernel/http/errors.ts';
import type { ElectionJson, OptionJson } from '#voting/elections/elections.ts';
import { SIMPLE_CHOICES, type SimpleChoice } from './ballot-input.ts';

type Fields = Record<string, unknown>;

/** A checked choice, with the names to repeat it in words. */
export type ReviewedChoice =
  | { kind: 'simple'; choice: SimpleChoice }
  | { kind: 'poll'; multiple: boolean; options: readonly { id: string; name: string }[] }
  | { kind: 'ranked'; ranking: readonly { id: string; name: string }[] };

const RANK_FIELD = 'rank_';

/** A ballot form as the JSON body of the same ballot: a form sends a list of one as a single text. */
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
    inclusion_code: text(fields.inclusion_code),
    shown_order: typeof fields.shown_order === 'string' ? fields.shown_order : '',
    choice: text(fields.choice),
    selected: [...list(fields.selected_option), ...list(fields.selected_options)],
    ranks,
  };
}

/**
 * Checks a ballot form for the review page, by the rules of `readChoice`: the choice with its names, or what is
 * missing, by field.
 */
export function checkBallotForm(
  election: ElectionJson,
  fields: Fields,
): { choice: ReviewedChoice } | { errors: FieldError[] } {
  const form = readBallotForm(fields);
  if (election.ballot_type === 'SIMPLE_TRIPLE') return readSimple(form.choice);
  if (election.ballot_type === 'RANKED_CONDORCET') return readRanks(election.candidates ?? [], form.ranks);
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

function readRanks(candidates: OptionJson[], ranks: Record<string, string>) {
  const places = candidates.map(({ id }) => Number(ranks[id] || Number.NaN));
  const errors = candidates.flatMap(({ id, name }, index): FieldError[] => {
    const path = `${RANK_FIELD}${id}`;
    const rank = places[index]!;
    if (!(Number.isInteger(rank) && rank >= 1 && rank <= candidates.length)) {
      return [{ path, message: `${name} has no rank yet.` }];
    }
    const first = places.indexOf(rank);
    if (first === index) return [];
    return [{ path, message: `${name} has rank ${rank}, which ${candidates[first]!.name} has already.` }];
  });
  if (errors.length > 0) return { errors };
  const ranking = candidates
    .map(({ id, name }, index) => ({ id, name, rank: places[index]! }))
    .sort((a, b) => a.rank - b.rank);
  return { choice: { kind: 'ranked', ranking } as const };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.trim().slice(0, 200) : '';
}

/** A field that a form sends once, several times or not at all. */
function list(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map(text).filter(Boolean);
}
