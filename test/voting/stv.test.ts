import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, test } from 'vitest';
import type { TestApp } from '#test/support/app.ts';
import { addElection, castAll, page } from '#test/support/factories.ts';
import { sharedApp } from '#test/support/shared-app.ts';

const open = sharedApp();
const script = fileURLToPath(new URL('../../scripts/recount.ts', import.meta.url));
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'stv-'));
afterAll(() => fs.rmSync(dir, { recursive: true }));

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Counts a file with `npm run recount`. */
function recount(file: unknown): Promise<string> {
  const name = path.join(dir, `${sha256(JSON.stringify(file)).slice(0, 8)}.json`);
  fs.writeFileSync(name, JSON.stringify(file));
  return new Promise((resolve) => {
    execFile(process.execPath, [script, name], (_error, out, err) => resolve(out + err));
  });
}

/** An open election of candidates A, B, C ... @returns its id and the ids by name */
async function addStv(service: TestApp, names: string[], settings: object) {
  const id = await addElection(service, { ballot_type: 'RANKED_STV', candidates: names, settings });
  const { election } = (await service.get(`/e/${id}`)).json();
  const ids: Record<string, string> = Object.fromEntries(
    election.candidates.map((one: { id: string; name: string }) => [one.name, one.id]),
  );
  return { id, ids };
}

/** Casts ballots such as `4 AB` and `2 C`. */
const castStv = (service: TestApp, id: string, ids: Record<string, string>, ...ballots: string[]) =>
  castAll(
    service,
    id,
    ballots.flatMap((text) => {
      const [times, names = ''] = text.split(' ');
      return Array.from({ length: Number(times) }, () => ({ ranking: [...names].map((name) => ids[name]) }));
    }),
  );

const close = (service: TestApp, id: string) => service.post(`/admin/elections/${id}/close`);
const resultsOf = async (service: TestApp, id: string) => (await service.get(`/e/${id}/results`)).json();
const textOf = (html: string) =>
  html
    .replace(/<(style|script|svg)[\s\S]*?<\/\1>|<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(' .', '.');

describe('an election by the single transferable vote', () => {
  it('is counted, explained, exported and counted again', async () => {
    const service = await open();
    const { id, ids } = await addStv(service, ['A', 'B', 'C', 'D'], { seats: 2, publish_ballots: true });
    await castStv(service, id, ids, '7 AB', '3 BC', '3 C', '2 DC');
    const live = await resultsOf(service, id);
    await close(service, id);

    const { results, result_matches, ballot_set_sha256 } = await resultsOf(service, id);
    expect(live.results).toMatchObject({ elected: [ids.A, ids.C] });
    expect(results).toMatchObject({
      method: 'STV',
      variant: 'Scottish',
      seats: 2,
      quota: 6,
      uncontested: false,
      blank: 0,
      valid: true,
      elected: [ids.A, ids.C],
      ties: [],
    });
    expect(result_matches).toBe(true);
    const stage = (action: string, [candidate, ...votes]: (string | null)[], rest: object) => ({
      action,
      candidate: candidate && ids[candidate],
      votes: Object.fromEntries(votes.map((each, at) => [ids['ABCD'[at]!], each])),
      elected: [],
      excluded: action === 'exclude' ? [ids[candidate!]] : [],
      ...rest,
    });
    expect(results.stages).toEqual([
      stage('first', [null, '7.00000', '3.00000', '3.00000', '2.00000'], {
        non_transferable: '0.00000',
        elected: [ids.A],
      }),
      stage('surplus', ['A', '6.00000', '3.99995', '3.00000', '2.00000'], { non_transferable: '0.00005' }),
      stage('exclude', ['D', '6.00000', '3.99995', '5.00000', '0.00000'], { non_transferable: '0.00005' }),
      stage('exclude', ['B', '6.00000', '0.00000', '8.00000', '0.00000'], {
        non_transferable: '1.00000',
        elected: [ids.C],
      }),
    ]);

    const text = textOf((await page(service, `/e/${id}`)).body);
    for (const said of [
      'Elected: A and C.',
      'A has 7 votes, 1 more than the quota of 6.',
      'Nobody has a surplus, and a seat is open. D has the fewest votes (2)',
      'C has the quota and is elected.',
    ])
      expect(text).toContain(said);
    expect(textOf((await page(service, `/e/${id}/results?wall=1`)).body)).toContain('Elected: A and C.');

    const blt = (await service.get(`/admin/elections/${id}/export?format=blt`)).body.split('\n');
    expect(blt[0]).toBe('4 2');
    expect(blt.slice(1, 5).toSorted()).toEqual(['2 4 3 0', '3 2 3 0', '3 3 0', '7 1 2 0']);
    expect(blt.slice(5)).toEqual(['0', '"A"', '"B"', '"C"', '"D"', '"Shall we buy a piano?"', '']);
    const cef = (await service.get(`/admin/elections/${id}/export?format=cef`)).body;
    expect(cef).toContain('#/Number of Seats: 2');
    expect(cef).toContain('#/Implicit Ranking: false');

    for (const address of [`/e/${id}/ballots.json`, `/admin/elections/${id}/export?format=json`]) {
      const said = await recount((await service.get(address)).json());
      expect(said).toContain('Elected: A, C.');
      expect(said).toContain('Single transferable vote, Scottish rules: 2 seats, quota 6, 4 stages');
      expect(said).toContain(ballot_set_sha256);
      expect(said).toContain('The result in the file is confirmed.');
    }
  });

  it('decides lots by the check number of the ballots, once voting has closed', async () => {
    const service = await open();
    const tied = await addStv(service, ['A', 'B', 'C'], { publish_ballots: true });
    await castStv(service, tied.id, tied.ids, '5 A', '4 B', '4 C');
    expect((await resultsOf(service, tied.id)).results).toMatchObject({
      elected: [],
      awaiting_lot: [tied.ids.B, tied.ids.C],
    });

    await close(service, tied.id);

    const { results, ballot_set_sha256: set } = await resultsOf(service, tied.id);
    const [first] = [tied.ids.B!, tied.ids.C!].toSorted((a, b) =>
      sha256(`${set}:${a}`) < sha256(`${set}:${b}`) ? -1 : 1,
    );
    expect(results.ties).toEqual([
      {
        stage: 2,
        candidates: [tied.ids.B, tied.ids.C],
        by: 'lot',
        taken: first,
        lot_among: [tied.ids.B, tied.ids.C],
        same_elected: true,
      },
    ]);
    expect(results).toMatchObject({ elected: [tied.ids.A] });
    const text = textOf((await page(service, `/e/${tied.id}`)).body);
    expect(text).toContain('so a lot decided');
    expect(text).toContain('The other order gives the same persons.');
    const file = (await service.get(`/e/${tied.id}/ballots.json`)).json();
    expect(await recount(file)).toContain('The result in the file is confirmed.');
  });

  test.each([
    [{ seats: 0 }, 'settings.seats'],
    [{ seats: 1.5 }, 'settings.seats'],
    [{ lot: 'hash' }, 'settings.lot'],
    [{ max_choices: 2 }, 'settings.max_choices'],
    [{ threshold: { share: 'all' } }, 'settings.threshold'],
  ])('is refused with %j', async (settings, field) => {
    const service = await open();
    const fields = { ballot_type: 'RANKED_STV', candidates: ['A', 'B'], settings };
    const election = { title: 'Board', open_at: '2026-11-20T10:00:00Z', close_at: '2026-12-20T10:00:00Z' };
    const answer = await service.post('/admin/elections', { ...election, ...fields });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain(field);
  });

  it('takes rankings of one candidate or more, and nothing else', async () => {
    const service = await open();
    const { id, ids } = await addStv(service, ['A', 'B', 'C'], { seats: 2 });
    const [token] = (await service.post(`/admin/elections/${id}/tokens`, { count: 1 })).json().tokens;
    const cast = (ranking: unknown) => service.post(`/e/${id}/vote`, { token, ranking });
    for (const ranking of [[], [ids.A, ids.A], ['other'], undefined])
      expect((await cast(ranking)).statusCode).toBe(400);
    expect((await cast([ids.C])).statusCode).toBe(200);
  });
});
