// npm run bench:fanout [-- streams] [--stand-in]: measures how soon a track reaches many streams through nginx with
// nchan and the files of deploy/nginx-nchan. `--stand-in` replaces nginx by a small server, to check the bench itself.
import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readConfig } from '#kernel/config.ts';
import { openContext } from '#kernel/open-context.ts';
import { CHANNELS } from '#pub/stream/published.ts';
import { FanOutEngine } from '#test/stand-ins/fan-out-engine.ts';
import { freePort } from '#test/support/process/free-port.ts';
import { buildApp } from '../../src/app.ts';
import { figure } from './figures.ts';

const STAND_IN = process.argv.includes('--stand-in');
const STREAMS = Number(
  process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? (STAND_IN ? 2_000 : 20_000),
);
const ROUNDS = 10;
/** Streams of one client process; more would delay each other. */
const OF_ONE_PROCESS = 5_000;
/** File descriptors that nginx and a client process need besides those of the streams. */
const FILES_TO_SPARE = 200;
const DEPLOY = path.join(import.meta.dirname, '../../deploy/nginx-nchan');

/** Where Debian, Alpine and Fedora install the nchan module; `--module=` gives another path. */
const MODULES = ['/usr/lib/nginx/modules', '/usr/lib64/nginx/modules', '/usr/share/nginx/modules'].map(
  (folder) => `${folder}/ngx_nchan_module.so`,
);
const INSTALL = `This bench needs nginx with its nchan module, which is not installed here:
  Debian, Ubuntu:  apt install nginx libnginx-mod-nchan
  Alpine:          apk add nginx nginx-mod-http-nchan
or give the file of the module: npm run bench:fanout -- --module=/path/ngx_nchan_module.so
Without them: npm run bench:fanout -- --stand-in`;

/** A server of streams, with the ids of its processes to measure their memory. */
interface Engine extends AsyncDisposable {
  port: number;
  publishUrl: string;
  pids(): number[];
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fanout-bench-'));
try {
  const module = STAND_IN ? undefined : findModule();
  if (!STAND_IN && !module) {
    console.log(INSTALL);
    process.exitCode = 2;
  } else await measure(module);
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}

async function measure(module: string | undefined): Promise<void> {
  const files = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }));
  const needed = Math.min(STREAMS, OF_ONE_PROCESS) + FILES_TO_SPARE;
  if (files < needed) {
    console.log(`A process may open ${files} files here, and the bench needs ${needed}: ulimit -n ${needed}`);
    process.exitCode = 2;
    return;
  }
  await using engine = module ? await startNginx(module) : await startStandIn();
  const { service, port, publisher } = await startService(engine.publishUrl);
  const groups: ChildProcess[] = [];
  try {
    const before = memoryOf(engine.pids());
    for (let first = 0; first < STREAMS; first += OF_ONE_PROCESS) {
      const count = Math.min(OF_ONE_PROCESS, STREAMS - first);
      const group = fork(path.join(import.meta.dirname, 'processes/fanout-clients.ts'), [
        ...[engine.port, count, first].map(String),
      ]);
      groups.push(group);
      await once(group, 'message');
    }
    const open = (await reports(groups)).reduce((sum, report) => sum + report.open, 0);
    const held = (memoryOf(engine.pids()) - before) / open;
    console.log(
      `${open.toLocaleString('en-US')} streams of ${STREAMS.toLocaleString('en-US')} are open, ${(held / 1024).toFixed(1)} KB resident for each`,
    );
    const delays: number[] = [];
    for (let round = 0; round < ROUNDS; round++) delays.push(...(await publish(port, round, groups, open)));
    delays.sort((a, b) => a - b);
    const at = (share: number) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? 0;
    console.log(
      `a track after p50 ${at(0.5)}, p99 ${at(0.99)}, last ${at(1)} ms; the service published ${publisher.state.published} events, ${publisher.state.failed} failed`,
    );
    const share = (100 * delays.length) / (open * ROUNDS);
    figure({ name: 'streams opened', value: (100 * open) / STREAMS, unit: '%', target: { atLeast: 100 } });
    figure({ name: 'streams that got each track', value: share, unit: '%', target: { atLeast: 100 } });
    figure({ name: 'track through the engine, p99', value: at(0.99), unit: 'ms', target: { atMost: 2_000 } });
  } finally {
    for (const group of groups) group.kill('SIGKILL');
    await service[Symbol.asyncDispose]();
  }
}

/** Sends one track and waits until all clients have it, at most ten seconds. @returns the delays in milliseconds */
async function publish(port: number, round: number, groups: ChildProcess[], open: number): Promise<number[]> {
  for (const group of groups) group.send({ round, at: Date.now() });
  await fetch(`http://127.0.0.1:${port}/api/now-playing/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ artist: 'The Bench', title: `Round ${round}`, album: 'Many streams' }),
  });
  for (let tries = 0; ; tries++) {
    await wait(200);
    const delays = (await reports(groups)).flatMap((report) => new Map(report.delays).get(round) ?? []);
    if (delays.length >= open || tries === 50) return delays;
  }
}

interface Report {
  open: number;
  delays: [round: number, delays: number[]][];
}

function reports(groups: ChildProcess[]): Promise<Report[]> {
  return Promise.all(
    groups.map(async (group) => {
      group.send('report');
      return (await once(group, 'message'))[0] as Report;
    }),
  );
}

async function startService(publishUrl: string) {
  const env = {
    DATABASE_URL: `file:${path.join(folder, 'fanout.db')}`,
    LOG_LEVEL: 'error',
    STREAM_PUBLISH_URL: publishUrl,
    OVERLOAD_DELAY_MS: '0',
  };
  const ctx = await openContext(readConfig(env, ''));
  const app = await buildApp(ctx);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { publisher } = ctx;
  if (!publisher) throw new Error('nothing is published');
  while (publisher.state.behind) await wait(10);
  const service = {
    async [Symbol.asyncDispose]() {
      await app.close();
      await ctx[Symbol.asyncDispose]();
    },
  };
  return { service, publisher, port: (app.server.address() as net.AddressInfo).port };
}

function findModule(): string | undefined {
  const given = process.argv.find((word) => word.startsWith('--module='))?.slice('--module='.length);
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  return [given, ...MODULES].find((file) => file !== undefined && fs.existsSync(file));
}

/** Starts nginx with the shipped configuration files, with only ports and paths replaced. */
async function startNginx(module: string): Promise<Engine> {
  const [port, publishing] = [await freePort(), await freePort()];
  const shipped = (name: string) =>
    fs
      .readFileSync(path.join(DEPLOY, name), 'utf8')
      .replaceAll('127.0.0.1:8081', `127.0.0.1:${publishing}`)
      .replaceAll('/var/log/nginx', folder);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const config = path.join(folder, 'nginx.conf');
  const most = Math.ceil(STREAMS * 1.1) + FILES_TO_SPARE;
  fs.writeFileSync(
    config,
    `load_module ${module};
pid ${folder}/nginx.pid;
error_log ${folder}/nginx.log warn;
daemon off;
worker_processes auto;
worker_rlimit_nofile ${most * 2};
events { worker_connections ${most}; }
http {
access_log off;
${temporary.join('\n')}
${shipped('publish.conf')}
server { listen 127.0.0.1:${port} backlog=4096; ${shipped('stream.conf')} }
}
`,
  );
  const nginx = spawn('nginx', ['-c', config, '-e', `${folder}/nginx.log`], { stdio: 'inherit' });
  while (!(await canConnect(port))) {
    if (nginx.exitCode !== null) throw new Error('nginx did not start');
    await wait(50);
  }
  return {
    port,
    publishUrl: `http://127.0.0.1:${publishing}/publish`,
    pids: () => childrenOf(nginx.pid ?? 0),
    async [Symbol.asyncDispose]() {
      nginx.kill('SIGTERM');
      await once(nginx, 'exit');
    },
  };
}

async function startStandIn(): Promise<Engine> {
  const engine = await FanOutEngine.open(CHANNELS);
  return {
    port: engine.port,
    publishUrl: engine.publishUrl,
    pids: () => [process.pid],
    [Symbol.asyncDispose]: () => engine.stop(),
  };
}

function childrenOf(pid: number): number[] {
  try {
    const file = `/proc/${pid}/task/${pid}/children`;
    return fs.readFileSync(file, 'utf8').trim().split(' ').map(Number);
  } catch {
    return [];
  }
}

/** Resident memory in bytes, on systems that report it (Linux). */
function memoryOf(pids: number[]): number {
  let bytes = 0;
  for (const pid of pids) {
    const status = fs.existsSync(`/proc/${pid}/status`) ? fs.readFileSync(`/proc/${pid}/status`, 'utf8') : '';
    bytes += 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  }
  return bytes;
}

async function canConnect(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1');
  const [connected] = await Promise.race([
    once(socket, 'connect').then(() => [true]),
    once(socket, 'error').then(() => [false]),
  ]).catch(() => [false]);
  socket.destroy();
  return connected === true;
}
