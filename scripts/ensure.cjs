// node scripts/ensure.cjs: installs the packages of the lock file, unless they are there. `npm start` and others run it.
//
//   --tests       the tools for tests and development too. Without it NODE_ENV=production leaves them out, and a folder
//                 that was installed without them stays so
//   --next NAME   prepares the packages of another version, named by a tag or commit, and changes nothing in use: once
//                 that version is checked out, they are put in place without a network
//   --prepared    puts packages in place that were prepared for the version at hand, and installs nothing
//
// Packages are installed in .packages, beside those in use, and put in place when they are complete: an installation
// that fails changes nothing. While a service runs in this folder its packages are not replaced. Exit code 1 when the
// packages that are needed are not in place, 64 for an unknown option.

// Runs in the Node that runs npm, which may be old: CommonJS, ES2015, no dependencies.
const fs = require('fs'),
  path = require('path'),
  crypto = require('crypto'),
  cp = require('child_process');
const root = path.join(__dirname, '..'),
  installed = path.join(root, 'node_modules'),
  packages = path.join(root, '.packages'),
  next = path.join(packages, 'next'),
  before = path.join(packages, 'before'),
  windows = process.platform === 'win32';
const asked = options(process.argv.slice(2));

// The container has no lock file: its packages were installed when the image was built.
if (!fs.existsSync(path.join(root, 'package-lock.json'))) process.exit(0);
// A kill between the two steps of putting packages in place.
if (!fs.existsSync(installed) && fs.existsSync(before)) fs.renameSync(before, installed);

const sources = readSources(),
  have = stampIn(installed);
const want = {
  lock: crypto.createHash('sha256').update(String(sources['package-lock.json'])).digest('hex'),
  all: asked.tests || (!isProduction() && (have.all || !have.lock)),
};
if (asked.next) prepare();
else if (asked.prepared) putPrepared();
else if (have.lock && !fits(have) && holds(installed, want.all)) stamp(installed, have.all);
else if (!(fits(have) && linkNode(installed))) replace();
else if (fs.existsSync(packages)) cleanUnlessPrepared();
if (!asked.next && !asked.prepared) {
  linkNode(installed);
  // `npm start` uses the Unix shell's `exec`, so that signals reach the service directly; Windows needs a substitute.
  if (windows) fs.writeFileSync(path.join(installed, '.bin', 'exec.cmd'), '@%*\r\n');
}

/** @param {string[]} words */
function options(words) {
  const found = { tests: false, next: '', prepared: false };
  for (let i = 0; i < words.length; i++) {
    if (words[i] === '--tests') found.tests = true;
    else if (words[i] === '--prepared') found.prepared = true;
    else if (words[i] === '--next' && /^[^-]/.test(words[i + 1] || '')) found.next = words[++i] || '';
    else if (words[i] === '--help' || words[i] === '-h') {
      const code = fs.readFileSync(__filename, 'utf8');
      console.log(
        code
          .slice(0, code.search(/^(?!\/\/)/m))
          .replace(/^\/\/ ?/gm, '')
          .trim(),
      );
      process.exit();
    } else {
      const what = words[i] === '--next' ? '--next: name a tag or a commit' : words[i] + ': unknown option';
      console.error(what + '; `node scripts/ensure.cjs --help` lists the options');
      process.exit(64);
    }
  }
  return found;
}

function isProduction() {
  if (process.env.NODE_ENV || !fs.existsSync(path.join(root, '.env')))
    return process.env.NODE_ENV === 'production' || / dev /.test(' ' + process.env.npm_config_omit + ' ');
  return /^\s*NODE_ENV\s*=\s*["']?production\b/m.test(fs.readFileSync(path.join(root, '.env'), 'utf8'));
}

/** The files that npm installs from, of this folder or of another version. */
function readSources() {
  const read = (/** @type {string} */ name) => {
    if (!asked.next) return fs.readFileSync(path.join(root, name));
    const shown = cp.spawnSync('git', ['show', asked.next + ':' + name], { cwd: root, maxBuffer: 1e8 });
    if (shown.status === 0) return shown.stdout;
    if (name === '.npmrc') return '';
    stop(
      '--next ' +
        asked.next +
        ': git does not know this version: ' +
        String(shown.stderr || shown.error).trim(),
    );
  };
  /** @type {Record<string, string | Buffer>} */
  const found = {};
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    if (asked.next || fs.existsSync(path.join(root, name))) found[name] = read(name);
  return found;
}

/**
 * The lock file from which a folder was installed completely, and whether with the tools for tests.
 * @param {string} folder
 */
function stampIn(folder) {
  try {
    const words = fs.readFileSync(path.join(folder, '.lock-sha256'), 'utf8').split(' ');
    return { lock: words[0] || '', all: words[1] !== 'production' };
  } catch (e) {
    return { lock: '', all: false };
  }
}

/** @param {{ lock: string, all: boolean }} stamp */
function fits(stamp) {
  return stamp.lock === want.lock && (stamp.all || !want.all);
}

/** @type {(folder: string, all: boolean) => void} */
function stamp(folder, all) {
  fs.writeFileSync(path.join(folder, '.lock-sha256'), want.lock + (all ? ' all' : ' production'));
}

function prepare() {
  if (fits(have) || install()) say('the packages of ' + asked.next + ' are ready');
  else
    stop(
      'the packages of ' + asked.next + ' could not be installed - see the lines above. Nothing was changed',
    );
}

function putPrepared() {
  if (!fits(have) && fits(stampIn(path.join(next, 'node_modules'))) && !runningHere()) swap();
}

function replace() {
  const holder = fs.existsSync(installed) ? runningHere() : '';
  const busy = 'a service runs in this folder (process ' + holder + '), so its packages are not replaced';
  if (holder && asked.tests) stop(busy + '. Stop it first, or run the tests in another clone');
  if (!install()) {
    if (!asked.tests && holds(installed, false))
      return say(
        'not installed - see the lines above. The service needs none of what is missing, and starts as before',
      );
    const back = fs.existsSync(installed)
      ? '. The packages of the version before are still there: go back to it with git (`git checkout ORIG_HEAD` after a pull) and start, or try again'
      : '';
    stop('the packages could not be installed - see the lines above. Nothing was changed' + back);
  }
  if (holder && !asked.tests && holds(installed, false)) return say(busy + ' yet; they have all it needs');
  if (holder) stop(busy + '. The new ones are ready: stop the service and run this again');
  swap();
}

/** Installs beside what is in use. Returns whether it is complete. */
function install() {
  const folder = path.join(next, 'node_modules');
  if (fits(stampIn(folder))) return true;
  const done = tryTo(() => {
    remove(next);
    fs.mkdirSync(next, { recursive: true });
    for (const name of Object.keys(sources)) fs.writeFileSync(path.join(next, name), String(sources[name]));
    say('npm ci ... (first run or changed package-lock.json; about a minute)');
    if (!npm(['ci', '--prefix', next, '--include=optional', want.all ? '--include=dev' : '--omit=dev']))
      return false;
    stamp(folder, want.all);
    return linkNode(folder);
  });
  // A full disk gets its space back.
  if (!done) clean();
  return done;
}

/** @param {string[]} words */
function npm(words) {
  // No install scripts: older versions of npm would compile the database module, which is delivered prebuilt.
  const args = words.concat(['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  /** @type {cp.SpawnSyncOptions} */
  const how = { cwd: next, stdio: 'inherit' };
  const running = process.env.npm_execpath; // set by npm
  const run = running
    ? cp.spawnSync(process.execPath, [running].concat(args), how)
    : windows
      ? cp.spawnSync(
          'npm',
          args.map((word) => '"' + word + '"'),
          Object.assign({ shell: true }, how),
        )
      : cp.spawnSync('npm', args, how);
  if (run.error) console.error(run.error.message);
  return run.status === 0;
}

function swap() {
  const isUpgrade = fs.existsSync(installed);
  const done = tryTo(() => {
    remove(before);
    if (isUpgrade) fs.renameSync(installed, before);
    fs.renameSync(path.join(next, 'node_modules'), installed);
    return true;
  });
  if (!done) {
    if (isUpgrade && !fs.existsSync(installed)) fs.renameSync(before, installed);
    stop('the packages could not be put in place. Nothing was changed');
  }
  clean();
}

/** @param {() => any} work */
function tryTo(work) {
  try {
    return work();
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return false;
  }
}

/** What a killed installation left, and what a swap did not remove; not the packages of another version. */
function cleanUnlessPrepared() {
  remove(before);
  const prepared = stampIn(path.join(next, 'node_modules'));
  if (!prepared.lock || fits(prepared)) clean();
}

function clean() {
  tryTo(() => remove(packages));
}

/** @param {string} folder */
function remove(folder) {
  fs.rmSync(folder, { recursive: true, force: true });
}

/**
 * Whether the installed packages are those of the lock file, for a service or for tests too: a lock file also changes
 * with the version of the program.
 * @type {(folder: string, tests: boolean) => boolean}
 */
function holds(folder, tests) {
  try {
    const is = JSON.parse(fs.readFileSync(path.join(folder, '.package-lock.json'), 'utf8')).packages;
    const needed = JSON.parse(String(sources['package-lock.json'])).packages;
    return Object.keys(needed).every((name) => {
      const one = needed[name];
      if (!name || (one.dev && !tests)) return true;
      // An optional package may be for another platform.
      return is[name]
        ? is[name].version === one.version && is[name].integrity === one.integrity
        : one.optional;
    });
  } catch (e) {
    return false;
  }
}

/**
 * The process id of a service that runs in this folder, see src/kernel/folder-mark.ts; '' if there is none. On other
 * systems than Linux it is not known: there Windows itself refuses to move packages that are in use.
 */
function runningHere() {
  try {
    const mark =
      '@publichouse:' + crypto.createHash('sha256').update(fs.realpathSync(root)).digest('hex') + ':';
    const sockets = fs.readFileSync('/proc/net/unix', 'utf8').split(mark);
    return sockets.length > 1 ? parseInt(String(sockets[1]), 10) : '';
  } catch (e) {
    return '';
  }
}

/**
 * Links the pinned runtime, which npm before 11.6 does not. Returns whether `node` is in the .bin of the folder.
 * @param {string} folder
 */
function linkNode(folder) {
  const bin = path.join(folder, '.bin'),
    link = path.join(bin, windows ? 'node.cmd' : 'node');
  if (fs.existsSync(link)) return true;
  const platform = (windows ? 'win' : process.platform) + '-' + process.arch;
  const file = ['node-' + platform, 'node-bin-' + platform]
    .map((name) => path.join(folder, name, 'bin', windows ? 'node.exe' : 'node'))
    .find((name) => fs.existsSync(name));
  if (!file) return false;
  fs.mkdirSync(bin, { recursive: true });
  const target = path.relative(bin, file);
  if (windows) fs.writeFileSync(link, '@"%~dp0' + target + '" %*\r\n');
  else {
    fs.chmodSync(file, 493); // 0755
    fs.rmSync(link, { force: true });
    fs.symlinkSync(target, link);
  }
  return true;
}

/** @param {string} line */
function say(line) {
  console.error('[setup] ' + line);
}

/** @type {(line: string) => never} */
function stop(line) {
  say(line);
  process.exit(1);
}
