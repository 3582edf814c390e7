// What the oldest supported browsers know, by MDN's compatibility data. They are named once: `browserslist` in package.json.
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

/** Their names in the two sets of data. */
const NAMES: Record<string, BrowserName> = {
  chrome: 'chrome',
  edge: 'edge',
  firefox: 'firefox',
  safari: 'safari',
  ios_saf: 'safari_ios',
};

const OLDEST = oldestVersions();

/** Whether every supported browser has a feature, without a flag or a prefix; true where the data say nothing about it. */
export function isKnownToAll({ __compat: compat }: Identifier): boolean {
  if (!compat) return true;
  return OLDEST.every(([browser, oldest]) =>
    [compat.support[browser] ?? []].flat().some((statement) => isIn(statement, oldest)),
  );
}

/** What the data say of the parts of a feature: its members, its functions, its keywords. */
export function partsOf(feature: Identifier | undefined): [name: string, Identifier][] {
  return Object.entries(feature ?? {}).filter(([name]) => name !== '__compat') as [string, Identifier][];
}

/** Names of which none is known to all: of one that several features have it cannot be seen which of them is meant. */
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

/** `15.4` and `15.4-15.6` are 15.04; `preview` is later than any. */
function numberOf(version: string): number {
  const [, major, minor = '0'] = /(\d+)(?:\.(\d+))?/.exec(version) ?? [];
  return major === undefined ? Number.POSITIVE_INFINITY : Number(major) + Number(minor) / 100;
}
