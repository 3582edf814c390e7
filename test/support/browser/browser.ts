// Headless Chromium out of the npm package @sparticuz/chromium: no apt, no root, no download at test time.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--in-process-gpu',
  '--disable-site-isolation-trials',
  '--renderer-process-limit=1',
  // Pages are short-lived, and optimized code is discarded with the page.
  '--js-flags=--no-opt --no-maglev',
  // Each browser context starts a process, and forking it from the zygote costs more than starting a new one.
  '--no-zygote',
];

/**
 * Unpacks once per package version into node_modules/.cache; atomic (rename), so parallel test runs cannot see half a
 * binary.
 */
export async function chromiumDir(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium'); // import.meta.resolve does not exist inside vitest
  const pkg = path.join(path.dirname(entry), '..');
  const { version } = JSON.parse(fs.readFileSync(path.join(pkg, 'package.json'), 'utf8')) as {
    version: string;
  };
  const cache = path.join(pkg, '..', '..', '.cache', `chromium-${version}`);
  if (fs.existsSync(cache)) return cache;
  fs.mkdirSync(path.dirname(cache), { recursive: true });
  const tmp = fs.mkdtempSync(`${cache}-`);
  const old = process.env.TMPDIR;
  process.env.TMPDIR = tmp; // the package unpacks into os.tmpdir(), whose name it reads at call time
  try {
    const { inflate } = await import('@sparticuz/chromium');
    const bin = path.join(pkg, 'bin');
    await Promise.all(
      ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'].map((f) =>
        inflate(path.join(bin, f)),
      ),
    );
  } finally {
    if (old === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = old;
  }
  const inXml = cache.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  fs.writeFileSync(
    path.join(tmp, 'fonts', 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${inXml}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${inXml}/fc</cachedir></fontconfig>`,
  );
  try {
    fs.renameSync(tmp, cache);
  } catch {
    fs.rmSync(tmp, { recursive: true, force: true });
  }
  return cache;
}

let shared: Promise<Browser> | undefined;

/** The browser of this process: test files that run one after another need only one. */
export async function sharedBrowser(): Promise<Browser> {
  if (shared && !(await shared.catch(() => undefined))?.isConnected()) shared = undefined;
  shared ??= launch();
  return shared;
}

/** Closes every page with its storage, and leaves the browser open for the next test. */
export async function closePages(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

/** Enough free bytes in /dev/shm: the browsers of two workers took 208 MB. */
const SHARED_MEMORY = 512 * 1024 * 1024;

/**
 * By default Playwright keeps the browser out of /dev/shm, which is small in many containers. The browser then writes
 * each drawn piece of a page to a temporary file.
 * @returns the switch for that, to be left out when /dev/shm has enough space
 */
function needlessSwitches(): string[] {
  try {
    const { bavail, bsize } = fs.statfsSync('/dev/shm');
    return bavail * bsize >= SHARED_MEMORY ? ['--disable-dev-shm-usage'] : [];
  } catch {
    return [];
  }
}

/** Starts a new browser. */
export async function launch(): Promise<Browser> {
  const options = { headless: true, args: browserArgs, ignoreDefaultArgs: needlessSwitches() };
  const own = process.env.CHROMIUM_PATH; // escape hatch (macOS, Windows, arm64): any Chrome/Chromium
  if (own || process.platform !== 'linux' || process.arch !== 'x64')
    return chromium.launch({ ...options, ...(own ? { executablePath: own } : { channel: 'chrome' }) });
  const dir = await chromiumDir();
  const exe = path.join(dir, 'chromium');
  const bare = /not found/.test(spawnSync('ldd', [exe], { encoding: 'utf8' }).stdout); // no libnss3 on this machine: use the bundled one
  return chromium.launch({
    ...options,
    executablePath: exe,
    env: {
      ...(process.env as Record<string, string>),
      FONTCONFIG_FILE: path.join(dir, 'fonts', 'fonts.conf'),
      ...(bare ? { LD_LIBRARY_PATH: path.join(dir, 'al2023', 'lib') } : {}),
    },
  });
}
