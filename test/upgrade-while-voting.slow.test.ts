// The upgrade with systemd of the README, while people vote: another version is checked out under the running service,
// which is then restarted on the same database and the same socket. The versions before are those at the end of each of
// the last three series of changes, and run with the packages of today, which have all that they import. So nothing is
// installed here; how packages are prepared and put in place is the matter of test/scripts/ensure.slow.test.ts. The
// version after is the last commit.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { FIXTURES, KEY } from '#test/fixtures/versions/versions.ts';
import { holdSocket, sendSteadily } from '#test/support/process/held-socket.ts';
import { tempFolder } from '#test/support/process/process.ts';

const ROOT = path.join(import.meta.dirname, '..');
/** The newest of the databases of earlier versions that each of these versions can open. */
const DATABASE = '042.db.gz';
const { version } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
/** Codes that are made at once, and enough for a minute. */
const VOTERS = 3_000;

test.each(['796c9062', '34df2915', '31d1a002'])(
  'an upgrade from %s while people vote loses no vote and leaves no request unanswered',
  async (before) => {
    const folder = tempFolder();
    const checkout = path.join(folder, 'checkout');
    git(ROOT, 'clone', '-q', '--shared', '--no-checkout', ROOT, checkout);
    const after = git(ROOT, 'rev-parse', 'HEAD');
    git(checkout, 'checkout', '-q', '--detach', before);
    fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(checkout, 'node_modules'));
    const database = path.join(folder, 'service.db');
    fs.writeFileSync(database, gunzipSync(fs.readFileSync(path.join(FIXTURES, DATABASE))));
    const held = await holdSocket(folder, {
      main: path.join(checkout, 'src/main.ts'),
      env: {
        NODE_COMPILE_CACHE: path.join(folder, 'compiled'),
        SECRET_KEY: KEY,
        LOCAL_BYPASS: 'on',
        RATE_LIMIT_GENERAL: '1000000',
        MAILER_URL: `file:${folder}/outbox`,
        SPORTS_API_URL: 'http://127.0.0.1:9',
        LYRICS_API_URL: '',
        GENRE_API_URL: '',
        WEATHER_API_URL: '',
      },
    });
    const ask = (method: string, url: string, body?: object) => request(held.port, method, url, body);
    await held.listening();
    const versionBefore = (await ask('GET', '/health')).body.version;
    const { id, codes } = await openElection(ask);
    const ballot = () => ask('POST', `/e/${id}/vote`, { token: codes.pop(), choice: 'yes' });

    const voting = sendSteadily(ballot);
    await expect.poll(voting.answered).toBeGreaterThan(50);
    git(checkout, 'checkout', '-q', '--detach', after);
    // The version before still serves, with the files of the other in its folder.
    const served = voting.answered();
    await expect.poll(voting.answered).toBeGreaterThan(served + 50);
    await held.end('SIGTERM', 0);
    const sent = voting.sent();
    await held.listening();
    const waited = voting.sent() - sent;
    const answered = voting.answered();
    await expect.poll(voting.answered).toBeGreaterThan(answered + waited + 50);
    const answers = await voting.stop();

    expect([versionBefore, (await ask('GET', '/health')).body.version]).toEqual(['0.1.0', version]);
    expect(waited).toBeGreaterThan(20);
    expect(codes.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect((await ask('POST', `/admin/elections/${id}/close`, {})).status).toBe(200);
    const sealed = async () => (await ask('GET', '/admin/audit-logs?action=election.sealed')).body.logs;
    await expect.poll(sealed).toContainEqual(expect.objectContaining({ election_id: id }));
    const all = answers.length;
    expect((await ask('GET', `/e/${id}/results`)).body).toMatchObject({
      total_ballots: all,
      results: { yes: all },
      books: { ballots: all, tokens_used: all, vote_entries: all, balanced: true },
      result_matches: true,
    });
  },
);

type Ask = (method: string, url: string, body?: object) => ReturnType<typeof request>;

async function openElection(ask: Ask): Promise<{ id: string; codes: string[] }> {
  const now = Date.now();
  const made = await ask('POST', '/admin/elections', {
    title: 'Shall we upgrade?',
    ballot_type: 'SIMPLE_TRIPLE',
    open_at: isoTime(now - HOUR),
    close_at: isoTime(now + 24 * HOUR),
  });
  const { id } = made.body;
  const codes: string[] = [];
  while (codes.length < VOTERS)
    codes.push(...(await ask('POST', `/admin/elections/${id}/tokens`, { count: 1_000 })).body.tokens);
  return { id, codes };
}

/** Sends one request over its own connection; rejects when it is refused or cut off. */
function request(port: number, method: string, url: string, body?: object) {
  // biome-ignore lint/suspicious/noExplicitAny: each answer has fields of its own
  return new Promise<{ status: number; body: any }>((resolve, reject) => {
    const headers = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) };
    http
      .request({ port, host: '127.0.0.1', method, path: url, headers, agent: false }, (answer) =>
        json(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject),
      )
      .once('error', reject)
      .end(body && JSON.stringify(body));
  });
}

const git = (folder: string, ...words: string[]): string =>
  execFileSync('git', words, { cwd: folder, encoding: 'utf8' }).trim();
