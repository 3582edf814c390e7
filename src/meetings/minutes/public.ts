import type { MinutesFacts } from './facts.ts';

/** Minutes for everybody: without the list of the present, and without what a register wants of the elected. */
export function withoutPersons(facts: MinutesFacts): MinutesFacts {
  return {
    ...facts,
    texts: { ...facts.texts, elected: {} },
    items: facts.items.map((item) => ({ ...item, details: [] })),
    present: [],
    proxies: [],
  };
}
