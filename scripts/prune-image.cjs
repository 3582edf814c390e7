// node scripts/prune-image.cjs <node_modules>: deletes from the packages of an image what no service reads: half of
// them. Licences stay. It is run by the Dockerfile, and is not for a folder that is upgraded with npm.
const fs = require('fs'),
  path = require('path');

const PLATFORM = process.platform + '-' + process.arch;

/** What goes, by its path inside node_modules. What is named in KEPT stays. */
const NEEDLESS = [
  // Source maps, types and sources in TypeScript, documentation.
  /\.(map|[cm]?ts|md|markdown)$/i,
  // The SQLite that is compiled where there is no prebuilt one, and the prebuilt ones of other platforms.
  /^better-sqlite3\/(deps|src)\//,
  new RegExp('^better-sqlite3/prebuilds/(?!' + PLATFORM + '\\.node$)'),
  // Pictures for link previews are drawn with two weights; pages use two families as .woff2.
  /^@fontsource\/(?!fraunces\/|inter\/)[^/]+\/files\/(?!.*-(400|600)-normal\.woff$)/,
  /^@fontsource\/(fraunces|inter)\/files\/(?!.*(-(400|600)-normal\.woff|\.woff2)$)/,
  /^@fontsource\/[^/]+\/[^/]+\.css$/,
  /^lxgw-wenkai-screen-webfont\/files\/(?!lxgwwenkaigbscreen-)/,
  // Other forms of the same program.
  /^satori\/dist\/(experimental|standalone)\./,
  /^satori\/dist\/index\.cjs$/,
  /\/(test|tests|__tests__|benchmarks?|examples?)\//,
];
const KEPT = /(^|\/)(licen[cs]e|notice|copying|authors|ofl)[^/]*$/i;

const root = process.argv[2];
if (!root || !fs.existsSync(path.join(root, 'better-sqlite3'))) {
  console.error('Name the node_modules of an image: node scripts/prune-image.cjs /app/node_modules');
  process.exit(64);
}
let bytes = 0;
for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const file = path.join(entry.parentPath, entry.name);
  const name = path.relative(root, file).replace(/\\/g, '/');
  if (KEPT.test(name) || !NEEDLESS.some((rule) => rule.test(name))) continue;
  bytes += fs.statSync(file).size;
  fs.rmSync(file);
}
console.log(`${Math.round(bytes / 1e6)} MB deleted`);
