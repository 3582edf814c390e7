import type { Selectable } from 'kysely';
import type { PapersTable } from '#kernel/db/schema.ts';
import { differing, momentField, nameField, type Patch, record, textField } from '#kernel/http/record.ts';

/** The texts of an election, and of a ballot paper. */
export const TEXTS = record({ title: nameField(500), description: textField(5_000, { rows: 4 }) });

/** When they open and close. */
export const PERIOD = record({ open_at: momentField(), close_at: momentField() });

/** The texts to which a change gives another value, as they were and as they are to be. */
export function changedTexts(
  before: Pick<Selectable<PapersTable>, 'title' | 'description'>,
  { title, description }: Patch<typeof TEXTS.fields>,
) {
  const to = differing(before, { title, description });
  const fields = Object.keys(to) as (keyof typeof to)[];
  return { fields, from: Object.fromEntries(fields.map((field) => [field, before[field]])), to };
}
