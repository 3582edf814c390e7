// Runs before `npm start` / `npm test` in the Node that runs npm, which may be old: CommonJS, ES2015, no dependencies.
// Installs from the lock file when node_modules is missing or belongs to another lock file.
const fs = require('fs'),
  path = require('path'),
  crypto = require('crypto'),
  cp = require('child_process');
const root = path.join(__dirname, '..'),
  stamp = path.join(root, 'node_modules', '.lock-sha256');
const lock = path.join(root, 'package-lock.json');
// The container has no lock file: its packages were installed when the image was built.
if (!fs.existsSync(lock)) process.exit(0);
const want = crypto.createHash('sha256').update(fs.readFileSync(lock)).digest('hex');
let have = '';
try {
  have = fs.readFileSync(stamp, 'utf8');
} catch (e) {}
const bin = path.join(root, 'node_modules', '.bin'),
  windows = process.platform === 'win32';
if (have !== want || !linkNode()) {
  console.error('[setup] npm ci ... (first run or changed package-lock.json; about a minute)');
  const npm = process.env.npm_execpath; // set by npm
  // No install scripts: older versions of npm would compile the database module, which is delivered prebuilt.
  const args = [
    'ci',
    '--include=optional',
    '--include=dev',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const r = npm
    ? cp.spawnSync(process.execPath, [npm].concat(args), { cwd: root, stdio: 'inherit' })
    : cp.spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: true });
  if (r.status !== 0) {
    console.error('[setup] npm ci failed - see the lines above');
    process.exit(1);
  }
  fs.writeFileSync(stamp, want);
}
linkNode();
// `npm start` uses the Unix shell's `exec`, so that signals reach the service directly; Windows needs a substitute.
if (windows) fs.writeFileSync(path.join(bin, 'exec.cmd'), '@%*\r\n');

// npm before 11.6 installs the runtime without its link. Returns whether `node` is in node_modules/.bin.
function linkNode() {
  const link = path.join(bin, windows ? 'node.cmd' : 'node');
  if (fs.existsSync(link)) return true;
  const platform = (windows ? 'win' : process.platform) + '-' + process.arch;
  const file = ['node-' + platform, 'node-bin-' + platform]
    .map((name) => path.join(root, 'node_modules', name, 'bin', windows ? 'node.exe' : 'node'))
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
