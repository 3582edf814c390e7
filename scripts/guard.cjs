// Loaded before each program by a Node that may be old: plain CommonJS, ES2015, no dependencies.
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
// Compiling takes a third of the start time, so compiled code is cached for the next start if the folder is writable.
require('node:module').enableCompileCache(path.join(__dirname, '../node_modules/.cache/node-compile'));
