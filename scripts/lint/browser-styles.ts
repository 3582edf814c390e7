// CSS features that the oldest supported browsers do not have, as lists for Stylelint.
import type { Identifier } from '@mdn/browser-compat-data/types';
import { isKnownToAll, newNames, partsOf, styles } from './browser-data.ts';

/** Unsupported functions, for example `light-dark`. */
export function newFunctions(): string[] {
  return newWords(styles.types);
}

/** Unsupported keywords of each supported property, for example `subgrid` of `grid-template-columns`. */
export function newKeywords(): Record<string, string[]> {
  const properties = partsOf(styles.properties).filter(([, data]) => isKnownToAll(data));
  const keywords = properties.map(([property, data]) => {
    const patterns = newWords(data).map((word) => `/(^|[\\s(,])${word}($|[\\s),])/`);
    return [property, patterns] as const;
  });
  return Object.fromEntries(keywords.filter(([, patterns]) => patterns.length > 0));
}

/** Leaves out names with an underscore, which are MDN's own, for example `flex_context`. */
function newWords(data: Identifier | undefined): string[] {
  return [...newNames(allPartsOf(data))].filter((name) => /^[a-z][a-z0-9-]*$/.test(name));
}

function allPartsOf(data: Identifier | undefined): [string, Identifier][] {
  return partsOf(data).flatMap(
    ([name, part]) => [[name, part], ...allPartsOf(part)] as [string, Identifier][],
  );
}
