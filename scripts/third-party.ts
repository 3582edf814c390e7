// npm run third-party [-- --write]: prints the packages that the service is made with and their licences, or writes them
// to THIRD-PARTY.md, which a test checks.
import fs from 'node:fs';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '..');

/** What the licences ask to be said, beyond the text of the licence in the folder of the package. */
const NOTICES = [
  'Emoji in pictures for link previews are drawn from Twemoji (`@twemoji/svg`): graphics © Twitter, Inc and other contributors, licensed under [CC-BY 4.0](https://creativecommons.org/licenses/by/4.0/). They are only scaled.',
  'The typefaces of pages and pictures (`@fontsource/…`, `lxgw-wenkai-screen-webfont`) are under the [SIL Open Font License 1.1](https://openfontlicense.org), each with its own copyright; the package of LXGW WenKai Screen is MIT.',
  '`sharp` uses libvips (`@img/sharp-libvips-…`), under the LGPL 3.0 or later, as a shared library that can be exchanged.',
  'Packages under the MPL 2.0 (among them `satori` and `@resvg/resvg-js`) are used unchanged; their source is at the address of the package.',
  'Node.js (`node-…`, `node-bin-…`) is installed in the build for the machine at hand.',
];

interface Locked {
  version: string;
  license?: string;
  dev?: boolean;
}

if (import.meta.main) {
  const text = thirdParty();
  if (process.argv.includes('--write')) fs.writeFileSync(path.join(ROOT, 'THIRD-PARTY.md'), text);
  else process.stdout.write(text);
}

/** The text of THIRD-PARTY.md: all packages of the lock file that the service is installed with, on any platform. */
export function thirdParty(): string {
  const { packages } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const used = new Map<string, Set<string>>();
  for (const [place, { version, license, dev }] of Object.entries(packages)) {
    if (place === '' || dev) continue;
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (license === undefined) throw new Error(`${name} names no licence`);
    used.getOrInsertComputed(license, () => new Set()).add(`${name} ${version}`);
  }
  const licences = [...used].sort(([, one], [, other]) => other.size - one.size);
  const lists = licences.map(([licence, names]) => `## ${licence}\n\n${[...names].sort().join(', ')}\n`);
  return `# Third-party software

Public House itself is under the [MIT licence](LICENSE). \`npm run third-party -- --write\` makes this list from the lock file. The folder of each package in \`node_modules\` has the text of its licence and its copyright.

${NOTICES.map((notice) => `- ${notice}`).join('\n')}

${lists.join('\n')}`;
}
