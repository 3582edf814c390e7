// Loaded before each program by a Node that may be old: plain CommonJS, ES2015, no dependencies.
const fs = require('fs'),
  path = require('path');
const install =
  '`node scripts/ensure.cjs` installs what is missing, with the right Node for `npm start` and `npm run`';
if (parseInt(process.versions.node, 10) < 26) {
  console.error('This app needs Node 26+, but this is Node ' + process.versions.node + '. ' + install + '.');
  process.exit(1);
}
// A thread runs in a process that was let through: an exit here would end it without a word to those who wait.
const isThread = !require('worker_threads').isMainThread;
if (!isThread && !fs.existsSync(path.join(__dirname, '..', 'node_modules'))) {
  console.error('Nothing is installed in this folder yet: ' + install + '.');
  process.exit(1);
}
// Compiling takes a third of the start time, so compiled code is cached for the next start if the folder is writable.
require('node:module').enableCompileCache(path.join(__dirname, '../node_modules/.cache/node-compile'));
// `| head -1` closes the pipe: what is printed then is lost, and the exit code still says what the program found.
[process.stdout, process.stderr].forEach((stream) => {
  stream.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
  });
});
// `--help` prints the comment at the top of a script, which says what its arguments and exit codes mean.
const script = process.argv[1] || '';
const hasOwnHelp = ['demo.ts', 'device.ts'].indexOf(path.basename(script)) >= 0;
const isAsked = !isThread && process.argv.slice(2).some((word) => word === '--help' || word === '-h');
if (isAsked && path.dirname(script) === __dirname && !hasOwnHelp) {
  const code = fs.readFileSync(script, 'utf8');
  const comment = code.slice(0, code.search(/^(?!\/\/)/m));
  console.log(comment.replace(/^\/\/ ?/gm, '').trim());
  process.exit();
}
