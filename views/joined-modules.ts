import { posix } from 'node:path';
import { type Html, html } from '#kernel/html.ts';
import { asset, withoutTypes } from './assets.ts';
import { MODULES, moduleTexts } from './modules.ts';

/**
 * A script tag for one file that holds the browser modules of a page and everything that they import: a phone asks once,
 * not for each module.
 * @param names files of views/assets
 */
export function joinedModules(names: readonly string[]): Html | null {
  if (names.length === 0) return null;
  const file = names.map((name) => name.replace(/\.js$/, '').replaceAll('/', '.')).join('+');
  return html`${moduleTexts(names)}<script type="module" src="${asset(`joined/${file}.js`)}"></script>\n`;
}

/** The text of the file with this name; undefined unless each part of the name is that of a module. */
export function joinedText(file: string): string | undefined {
  const names = file.replace(/\.js$/, '').split('+');
  const addresses = names.map((name) => asset(`${name.replaceAll('.', '/')}.js`));
  const isKnown = addresses.every((address) => MODULES.has(address)) && new Set(names).size === names.length;
  return isKnown ? joined(addresses) : undefined;
}

/**
 * Joins modules and all that they import, each in a function of its own that returns what the module exports.
 * @throws where a module has anything but named imports of constants, functions and classes, or imports in a circle
 */
export function joined(entries: readonly string[], sources: ReadonlyMap<string, string> = MODULES): string {
  const numbers = new Map<string, number>();
  const open = new Set<string>();
  const parts: string[] = [];
  const add = (address: string): number => {
    const known = numbers.get(address);
    if (known !== undefined) return known;
    if (open.has(address)) throw new Error(`${address} imports itself`);
    open.add(address);
    const part = partOf(address, sources.get(address), add);
    open.delete(address);
    parts.push(`const $${parts.length} = ${part};\n`);
    numbers.set(address, parts.length - 1);
    return parts.length - 1;
  };
  for (const address of entries) add(address);
  return parts.join('');
}

const IMPORT = /^import (?:\{([^}]*)\} from )?'(\.[^']+)';$/gm;
const EXPORT = /^export (?:async function|function|class|const) ([\w$]+)/gm;
/** What would need more than a function around the module. */
const ELSE = /^(?:import|export)\b.*|\bimport\s*\(|\bimport\.meta\b|^(?:for )?await\b/m;

function partOf(address: string, source: string | undefined, numberOf: (address: string) => number): string {
  if (source === undefined) throw new Error(`${address} is no module`);
  const plain = address.endsWith('.ts') ? withoutTypes(source) : source;
  const names = [...plain.matchAll(EXPORT)].map(([, name]) => name);
  const body = plain
    .replace(IMPORT, (_all, imported: string | undefined, path: string) => {
      const number = numberOf(posix.join(posix.dirname(address), path));
      return imported === undefined ? '' : `const {${imported.replaceAll(' as ', ': ')}} = $${number};`;
    })
    .replace(EXPORT, (all) => all.slice('export '.length));
  const [rest] = ELSE.exec(body.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')) ?? [];
  if (rest !== undefined) throw new Error(`${address} cannot be joined: ${rest}`);
  return `(() => {\n${body}\nreturn { ${names.join(', ')} };\n})()`;
}
