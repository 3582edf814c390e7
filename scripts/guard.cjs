if (parseInt(process.versions.node, 10) < 26) {
  console.error(
    'This app needs Node 26+, but this is Node ' +
      process.versions.node +
      '. Use `npm start` / `npm test`; if you did, run `npm ci --include=optional` (installs the pinned runtime).',
  );
  process.exit(1);
}
// Compiling is a third of a start, so what was compiled is kept for the next one, where this folder can be written.
require('node:module').enableCompileCache(
  require('node:path').join(__dirname, '../node_modules/.cache/node-compile'),
);
