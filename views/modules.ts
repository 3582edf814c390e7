import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { type Html, html } from '#kernel/html.ts';
import { findText, isText } from '#kernel/language/catalogues.ts';
import { Words, type Writer } from '#kernel/language/words.ts';
import { ASSET_FOLDERS, asset } from './assets.ts';

/**
 * Script tags for the browser modules of a page, with preload links for everything that they import: a browser then
 * requests all of them at once, instead of each one after the module that imports it has arrived.
 * @param names files of views/assets
 */
export function modules(names: readonly string[]): Html {
  const wanted = new Set(names.map(asset));
  const imported = new Set([...wanted].flatMap((address) => [...importsOf(address)])).difference(wanted);
  return html`${moduleTexts(names)}${[...wanted].map((address) => html`<script type="module" src="${address}"></script>\n`)}${[
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

/** What each module loads only when it is needed, by address: it names the joined file, such as `voting.ranking.js`. */
const LATER: ReadonlyMap<string, readonly string[]> = new Map(
  [...MODULES].map(([address, source]) => [
    address,
    [...source.matchAll(/'([\w-]+)\.([\w-]+\.js)'/g)]
      .map(([, folder, file]) => asset(`${folder}/${file}`))
      .filter((other) => MODULES.has(other)),
  ]),
);

/** The keys of the texts that each module names, by address. */
const KEYS: ReadonlyMap<string, readonly string[]> = new Map(
  [...MODULES].map(([address, source]) => [
    address,
    [...source.matchAll(/'([a-z-]+\.[a-z0-9_.]+)'/g)].map(([, key]) => key!).filter(isText),
  ]),
);

/** The texts of modules, as JSON that a script element holds. */
class ModuleTexts extends Words {
  readonly #keys: readonly string[];
  readonly #written = new Map<string, string>();

  constructor(keys: readonly string[]) {
    super();
    this.#keys = keys;
  }

  override write({ reader: { language } }: Writer): string {
    return this.#written.getOrInsertComputed(language, () =>
      JSON.stringify(Object.fromEntries(this.#keys.map((key) => [key, findText(language, key)]))).replaceAll(
        '<',
        '\\u003c',
      ),
    );
  }
}

const made = new Map<string, Html | null>();

/**
 * The element that gives the modules of a page, and all that they import or load later, their texts in the language of the reader;
 * base/texts.js reads it.
 * @param names files of views/assets
 * @returns null where they have none
 */
export function moduleTexts(names: readonly string[]): Html | null {
  return made.getOrInsertComputed(names.join(), () => {
    const addresses = new Set(names.map(asset));
    // The loop also visits the addresses that it adds.
    for (const address of addresses)
      for (const next of [...importsOf(address), ...(LATER.get(address) ?? [])]) addresses.add(next);
    const keys = new Set([...addresses].flatMap((address) => KEYS.get(address) ?? []));
    return keys.size === 0
      ? null
      : html`<script type="application/json" id="texts">${new ModuleTexts([...keys].sort())}</script>\n`;
  });
}

/** Every browser module with its address. */
function* sources(): Generator<[address: string, source: string]> {
  for (const { root, prefix } of ASSET_FOLDERS)
    for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }))
      if (/\.[jt]s$/.test(name))
        yield [prefix + name.replaceAll(sep, '/'), readFileSync(join(root, name), 'utf8')];
}
