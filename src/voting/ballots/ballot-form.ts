import { LIST_FIELDS, textOf } from './ballot-types.ts';

type Fields = Record<string, unknown>;

/** Converts a ballot form to the JSON body of the same ballot: forms send a list with one entry as a string. */
export function toBallotBody(fields: unknown): Fields {
  const body: Fields = { ...(fields as Fields) };
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
