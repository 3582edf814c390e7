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
// `--help` prints the comment at the top of a program, which says what its arguments and exit codes mean, and an option
// that it does not know ends it, before anything is loaded. A name with = needs a value.
/** @type {Record<string, string[]>} */
const OPTIONS = {
  'scripts/audit-verify.ts': ['--head='],
  'scripts/backup.ts': ['--keep=', '--key=', '--now'],
  'scripts/bench/all.ts': ['--only=', '--against='],
  'scripts/bench/fanout.ts': ['--stand-in', '--module='],
  'scripts/demo.ts': ['--club=', '--language=', '--set-up', '--port=', '--speed=', '--screenshots=', '--log'],
  'scripts/device.ts': ['--url=', '--speed=', '--hours=', '--seed=', '--covers', '--no-covers', '--quiet'],
  'scripts/routes.ts': ['--write'],
  'scripts/third-party.ts': ['--write'],
  'scripts/texts.ts': ['--write', '--todo=', '--reviewed='],
  'scripts/workspace-import.ts': ['--dry-run'],
};
const program = path.relative(path.join(__dirname, '..'), process.argv[1] || '').replace(/\\/g, '/');
if (!isThread && /^(src\/main|(scripts|test\/faults)\/[\w/-]+)\.ts$/.test(program)) {
  const hasOwnHelp = ['scripts/demo.ts', 'scripts/device.ts'].indexOf(program) >= 0;
  const words = process.argv.slice(2);
  if (words.indexOf('--help') >= 0 || words.indexOf('-h') >= 0) {
    if (!hasOwnHelp) {
      const code = fs.readFileSync(process.argv[1] || '', 'utf8');
      const comment = code.slice(0, code.search(/^(?!\/\/)/m));
      console.log(comment.replace(/^\/\/ ?/gm, '').trim());
      process.exit();
    }
  } else {
    const wrong = wrongOption(OPTIONS[program] || [], words);
    if (wrong) {
      console.error(wrong + '; --help says what there is');
      process.exit(64);
    }
  }
}

/** @type {(known: string[], words: string[]) => string | undefined} */
function wrongOption(known, words) {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] || '';
    if (word === '--') return undefined;
    if (!/^-[^\d]/.test(word)) continue;
    const name = word.split('=')[0] || '';
    const takesValue = known.indexOf(name + '=') >= 0;
    if (!takesValue && known.indexOf(name) < 0) return name + ': unknown option';
    if (!takesValue && name !== word) return name + ': takes no value';
    if (takesValue && name === word && /^(-|$)/.test(words[++at] || '')) return name + ': a value is missing';
  }
}
