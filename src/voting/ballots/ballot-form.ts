import type { FieldError } from '#kernel/http/errors.ts';
import type { ReviewedChoice } from '#views/voting/review.ts';
import type { ElectionJson, OptionJson } from '#voting/elections/elections.ts';
import { SIMPLE_CHOICES } from './ballot-input.ts';

type Fields = Record<string, unknown>;

const RANK_FIELD = 'rank_';

/** A ballot form as the JSON body it stands for: a form sends a list of one as a single text. */
export function ballotOf(fields: unknown): Fields {
  const body: Fields = { ...(fields as Fields) };
  for (const name of ['selected_options', 'ranking'])
    if (typeof body[name] === 'string') body[name] = [body[name]];
  return body;
}

/** What a voter has entered so far, whatever of it is right, so that a page can show it again. */
export function draftOf(fields: Fields) {
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
    choice: text(fields.choice),
    selected: [...list(fields.selected_option), ...list(fields.selected_options)],
    ranks,
  };
}

/** Reads a ballot form for the review page: the choice in words, or what is missing, by field. */
export function readDraft(
  election: ElectionJson,
  fields: Fields,
): { choice: ReviewedChoice } | { errors: FieldError[] } {
  const draft = draftOf(fields);
  if (election.ballot_type === 'SIMPLE_TRIPLE') return readSimple(draft.choice);
  if (election.ballot_type === 'RANKED_CONDORCET') return readRanks(election.candidates ?? [], draft.ranks);
  return readSelection(election, draft.selected);
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
