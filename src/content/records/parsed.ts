import type { Context } from '#kernel/context.ts';
import { type Body, type Kind, readBody } from './kind.ts';

/**
 * What a stored body says, as it was parsed the last time: parsing all records of a club takes longer than a turn of the
 * event loop may, and at most a few of them are new. It is shared, so nobody changes it.
 * @param record its id
 * @param text the body as it is stored; compared, because a transaction that fails leaves nothing of what it wrote
 */
export function parsedBody<B extends Body>(
  derived: Context['derived'],
  kind: Kind<B>,
  record: string,
  text: string,
): B {
  const parsed = derived.get(
    `parsed bodies of ${kind.name}`,
    [],
    () => new Map<string, { text: string; body: B }>(),
  );
  const known = parsed.get(record);
  if (known?.text === text) return known.body;
  const body = readBody(kind, text);
  parsed.set(record, { text, body });
  return body;
}
