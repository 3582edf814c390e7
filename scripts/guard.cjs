// Loaded before each program, on whatever Node runs it (so: plain CommonJS, ES2015, no dependencies).
const fs = require('fs'),
  path = require('path');
const install =
  '`node scripts/ensure.cjs` installs what is missing, with the right Node for `npm start` and `npm run`';
if (parseInt(process.versions.node, 10) < 26) {
  console.error('This app needs Node 26+, but this is Node ' + process.versions.node + '. ' + install + '.');
  process.exit(1);
}
if (!fs.existsSync(path.join(__dirname, '..', 'node_modules'))) {
  console.error('Nothing is installed in this folder yet: ' + install + '.');
  process.exit(1);
}
// Compiling is a third of a start, so what was compiled is kept for the next one, where this folder can be written.
require('node:module').enableCompileCache(path.join(__dirname, '../node_modules/.cache/node-compile'));
