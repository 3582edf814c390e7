// Runs before `npm start` / `npm test`, on whatever Node runs npm (so: plain CommonJS, ES2015, no dependencies).
// Installs from the lock file when node_modules is missing or belongs to another lock file.
const fs = require('fs'),
  path = require('path'),
  crypto = require('crypto'),
  cp = require('child_process');
const root = path.join(__dirname, '..'),
  stamp = path.join(root, 'node_modules', '.lock-sha256');
const want = crypto
  .createHash('sha256')
  .update(fs.readFileSync(path.join(root, 'package-lock.json')))
  .digest('hex');
let have = '';
try {
  have = fs.readFileSync(stamp, 'utf8');
} catch (e) {}
const hasNode = fs.existsSync(
  path.join(root, 'node_modules', '.bin', 'node' + (process.platform === 'win32' ? '.cmd' : '')),
);
if (have !== want || !hasNode) {
  console.error('[setup] npm ci ... (first run or changed package-lock.json; about a minute)');
  const npm = process.env.npm_execpath; // set by npm
  const r = npm
    ? cp.spawnSync(
        process.execPath,
        [npm, 'ci', '--include=optional', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
        { cwd: root, stdio: 'inherit' },
      )
    : cp.spawnSync(
        'npm',
        ['ci', '--include=optional', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
        { cwd: root, stdio: 'inherit', shell: true },
      );
  if (r.status !== 0) {
    console.error('[setup] npm ci failed - see the lines above');
    process.exit(1);
  }
  fs.writeFileSync(stamp, want);
}
