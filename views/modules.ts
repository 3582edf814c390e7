import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { type Html, html } from '#kernel/html.ts';
import { ASSET_FOLDERS, asset } from './assets.ts';

/**
 * Browser modules of a page, and what they import: a browser that reads of them in the page asks for all at once,
 * instead of for each when the one before it has come.
 * @param names files of views/assets
 */
export function modules(names: readonly string[]): Html {
  const wanted = new Set(names.map(asset));
  const imported = new Set([...wanted].flatMap((address) => [...importsOf(address)])).difference(wanted);
  return html`${[...wanted].map((address) => html`<script type="module" src="${address}"></script>\n`)}${[
    ...imported,
  ].map((address) => html`<link rel="modulepreload" href="${address}">\n`)}`;
}

/** What each module imports itself, by addresses. */
const DIRECT: ReadonlyMap<string, readonly string[]> = new Map(
  [...sources()].map(([address, source]) => [
    address,
    [...source.matchAll(/^(?:import|export)\s(?!type\b)[^;]*?'(\.[^']+)';$/gm)].map(([, path]) =>
      posix.join(posix.dirname(address), path!),
    ),
  ]),
);

/** What a module imports, directly and through others. */
function importsOf(address: string): ReadonlySet<string> {
  const found = new Set(DIRECT.get(address));
  // Grows while it is walked.
  for (const module of found) for (const next of DIRECT.get(module) ?? []) found.add(next);
  return found;
}

/** Every browser module with its address. */
function* sources(): Generator<[address: string, source: string]> {
  for (const { root, prefix } of ASSET_FOLDERS)
    for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }))
      if (/\.[jt]s$/.test(name))
        yield [prefix + name.replaceAll(sep, '/'), readFileSync(join(root, name), 'utf8')];
}
