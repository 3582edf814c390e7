// Features of the oldest supported browsers (`browserslist` in package.json), from MDN's compatibility data.
import bcd from '@mdn/browser-compat-data' with { type: 'json' };
import type {
  BrowserName,
  CompatData,
  Identifier,
  SimpleSupportStatement,
} from '@mdn/browser-compat-data/types';
import browserslist from 'browserslist';

const { api, css, javascript } = bcd as unknown as CompatData;
export const styles: Identifier = css;
export const interfaces: Identifier = api;
export const builtins = javascript.builtins as Identifier;

/** Names of browsers in browserslist, and in MDN's data. */
const NAMES: Record<string, BrowserName> = {
  chrome: 'chrome',
  edge: 'edge',
  firefox: 'firefox',
  safari: 'safari',
  ios_saf: 'safari_ios',
};

const OLDEST = oldestVersions();

/** Whether every supported browser has a feature without a flag or prefix; true if there is no data about it. */
export function isKnownToAll({ __compat: compat }: Identifier): boolean {
  if (!compat) return true;
  return OLDEST.every(([browser, oldest]) =>
    [compat.support[browser] ?? []].flat().some((statement) => isIn(statement, oldest)),
  );
}

/** Returns the parts of a feature in the data: its members, functions, keywords. */
export function partsOf(feature: Identifier | undefined): [name: string, Identifier][] {
  return Object.entries(feature ?? {}).filter(([name]) => name !== '__compat') as [string, Identifier][];
}

/** Names whose features are all unsupported. A name that is shared with a supported feature is ambiguous: left out. */
export function newNames(features: [name: string, Identifier][]): Set<string> {
  const known = features.filter(([, feature]) => isKnownToAll(feature)).map(([name]) => name);
  return new Set(features.map(([name]) => name)).difference(new Set(known));
}

function isIn({ version_added, version_removed, flags, prefix }: SimpleSupportStatement, oldest: number) {
  if (typeof version_added !== 'string' || flags || prefix) return false;
  return numberOf(version_added) <= oldest && !(version_removed && numberOf(version_removed) <= oldest);
}

function oldestVersions(): [BrowserName, number][] {
  const versions = new Map<BrowserName, number>();
  for (const target of browserslist()) {
    const [browser = '', version = ''] = target.split(' ');
    const name = NAMES[browser];
    if (!name) throw new Error(`browserslist in package.json: ${browser} is not in the table of names`);
    versions.set(name, Math.min(versions.get(name) ?? Number.POSITIVE_INFINITY, numberOf(version)));
  }
  return [...versions];
}

/** Converts a version to a number: `15.4` and `15.4-15.6` to 15.04; `preview` is later than any. */
function numberOf(version: string): number {
  const [, major, minor = '0'] = /(\d+)(?:\.(\d+))?/.exec(version) ?? [];
  return major === undefined ? Number.POSITIVE_INFINITY : Number(major) + Number(minor) / 100;
}
