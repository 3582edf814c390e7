import path from 'node:path';
import { expect } from 'vitest';
import { SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import type { TestApp } from '#test/support/app.ts';
import { INHERITED } from '#test/support/process/process.ts';
import { type Ended, runScript } from '#test/support/process/script-runner.ts';
import { recheckRecentResults } from '#voting/counting/recheck.ts';

const VERIFY = path.join(import.meta.dirname, '../../scripts/audit-verify.ts');

/** Runs `npm run audit:verify` on a file. */
export function runVerify(file: string): Promise<Ended> {
  const env = { ...INHERITED, DATABASE_URL: `file:${file}` };
  return runScript({ script: VERIFY, args: [], cwd: path.dirname(file), env });
}

/** What `npm run audit:verify` says of a file, without the lines of an agreeing one. */
export async function verify(file: string): Promise<{ code: number; said: string }> {
  const { code, stderr } = await runVerify(file);
  return { code, said: stderr };
}

/** What `audit:verify` and the answers of a service say does not agree of its database and its log. */
export async function accusations(service: TestApp, file: string): Promise<string[]> {
  // What is compared at each look is kept for some seconds.
  service.clock.now += 11 * SECOND;
  const found: string[] = [];
  for (const url of looks(service)) {
    const { body } = await service.get(url);
    if (/"differences":\[[^\]]|"result_matches":false|"logged":/.test(body)) found.push(`${url}: ${body}`);
  }
  const { code, said } = await verify(file);
  return code === 0 && said === '' ? found : [...found, `audit:verify: ${code} ${said}`];
}

/** The pages on which something is said not to agree to an owner, after results were counted again as at a start. */
export async function accusingPages(service: TestApp, owner: Record<string, string>): Promise<string[]> {
  await recheckRecentResults(service.ctx);
  const found: string[] = [];
  for (const url of [...looks(service), '/', '/admin', '/admin/health']) {
    const { body, statusCode } = await service.get(url, { accept: 'text/html', ...owner });
    // A meeting that is called off, and results that are not shown or not there yet, have other statuses.
    if (url === '/admin/health') expect(statusCode).toBe(200);
    if (/recorded otherwise|does not agree|database has lost|not know results/.test(body)) found.push(url);
  }
  return found;
}

function looks({ ctx }: TestApp): string[] {
  const ids = (table: 'meetings' | 'elections') =>
    ctx.db.all(build.selectFrom(table).select('id')).map(({ id }) => id);
  return [
    ...ids('meetings').flatMap((id) => [
      `/m/${id}`,
      `/admin/meetings/${id}`,
      `/admin/meetings/${id}/minutes`,
    ]),
    ...ids('elections').flatMap((id) => [`/e/${id}/results`, `/admin/elections/${id}`]),
  ];
}

/** Asserts the status of an answer, and returns its JSON. */
// biome-ignore lint/suspicious/noExplicitAny: each answer has fields of its own
export function answered(answer: { statusCode: number; body: string }, status = 200): any {
  expect([answer.statusCode, answer.statusCode === status ? '' : answer.body]).toEqual([status, '']);
  return JSON.parse(answer.body);
}
