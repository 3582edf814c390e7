import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { type Html, html } from '#kernel/html.ts';
import { ASSET_FOLDERS, asset } from './assets.ts';

/**
 * Script tags for the browser modules of a page, with preload links for everything that they import: a browser then
 * requests all of them at once, instead of each one after the module that imports it has arrived.
 * @param names files of views/assets
 */
export function modules(names: readonly string[]): Html {
  const wanted = new Set(names.map(asset));
  const imported = new Set([...wanted].flatMap((address) => [...importsOf(address)])).difference(wanted);
  return html`${[...wanted].map((address) => html`<script type="module" src="${address}"></script>\n`)}${[
    ...imported,
  ].map((address) => html`<link rel="modulepreload" href="${address}">\n`)}`;
}

/** The text of every browser module, by address. */
export const MODULES: ReadonlyMap<string, string> = new Map(sources());

/** The direct imports of each module, by address. */
const DIRECT: ReadonlyMap<string, readonly string[]> = new Map(
  [...MODULES].map(([address, source]) => [
    address,
    [...source.matchAll(/^(?:import|export)\s(?!type\b)[^;]*?'(\.[^']+)';$/gm)].map(([, path]) =>
      posix.join(posix.dirname(address), path!),
    ),
  ]),
);

/** The direct and indirect imports of a module. */
function importsOf(address: string): ReadonlySet<string> {
  const found = new Set(DIRECT.get(address));
  // The loop also visits the entries that it adds.
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
