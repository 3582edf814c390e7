import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** The folder of style sheets and browser modules. */
export const ASSETS_DIR = join(ROOT, 'views/assets');

/** Folders of modules that both the service and browsers use. */
const SHARED = ['src/kernel/shared', 'src/pub/display/shared', 'src/voting/shared'];

/** Changes when any asset does, so that every address can be cached for ever. */
const ASSET_VERSION = digest('views/assets', ...SHARED);

/** Changes when any page or asset does. */
const BUILD_ID = digest('views', ...SHARED);

/**
 * Identifies the build of the pages and, after `~`, the settings that they were made with: a screen that shows another
 * build reloads itself.
 * @param version of the service @param settings see `Site`
 */
export const pageBuild = (version: string, settings: string) => `${version}-${BUILD_ID}~${settings}`;

/**
 * The folders that browsers load from. Their addresses keep the paths of the repository, so that a relative import
 * between them resolves to the same file in a browser, in Node and for the compiler.
 */
export const ASSET_FOLDERS = ['views/assets', ...SHARED].map((folder) => ({
  root: join(ROOT, folder),
  prefix: `/assets/${ASSET_VERSION}/${folder}/`,
}));

/** The address of a file in views/assets, given with its folder, or of a font as `fonts/<file>`. */
export function asset(name: string): string {
  return `/assets/${ASSET_VERSION}/views/assets/${name}`;
}

/** The address of a module that the service uses too, given with its folder. */
export function sharedModule(path: string): string {
  return `/assets/${ASSET_VERSION}/${path}`;
}

/** The shared TypeScript modules by address, with their types removed: browsers do not run TypeScript. */
export const TYPED_MODULES: ReadonlyMap<string, () => string> = new Map(
  SHARED.flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [sharedModule(file), typedModule(readFileSync(join(ROOT, file), 'utf8'))]),
);

/** Removes the types at the first request only, because that loads a compiler. */
function typedModule(source: string): () => string {
  let plain: string | undefined;
  return () => {
    plain ??= withoutTypes(source);
    return plain;
  };
}

/** @returns the same lines and columns, with spaces where types were */
export function withoutTypes(source: string): string {
  // Node warns, on each start, that the function is still experimental; its version is fixed in package.json.
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** @param folders paths from the root of the project */
function digest(...folders: string[]): string {
  const hash = createHash('sha256');
  for (const name of folders
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()) {
    hash.update(name.slice(ROOT.length)).update('\0').update(readFileSync(name)).update('\0');
  }
  return hash.digest('hex').slice(0, 12);
}
