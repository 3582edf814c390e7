// Voters who rank a few favourites and leave the rest as shown on their page. Anyone who can recompute the shown orders
// from stored data can link ballots to voters.
import { createHmac } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { deriveKey, sha256 } from '#kernel/secrets.ts';
import { type Alone, type Outcome, unless } from '#test/faults/attacks/attack.ts';
import { each } from '#test/faults/attacks/request.ts';
import { shuffled } from '#voting/ballots/shown-order.ts';
import { Club } from './club.ts';

const VOTERS = 200;
const NAMES = Array.from({ length: 10 }, (_, index) => `Candidate ${String.fromCharCode(65 + index)}`);
/**
 * The limit of correct guesses: with five favourites the rest matches one voter in 120, so that at most 200 / 120 are
 * expected by chance. More than this limit occur by chance once in ten million times.
 */
const BY_CHANCE = 14;

interface Stored {
  /** Hashes of the tokens, in the order of the voters. */
  voters: string[];
  /** Ids of the candidates, best first. */
  ballots: string[][];
  candidates: string[];
  /** All possible seeds of an order, by token hash. */
  seeds: Map<string, string[]>;
  keys: (string | Buffer)[];
}

function attack(favourites: number): () => Promise<Outcome> {
  return async () => {
    await using club = await Club.open();
    const settings = { randomize_order: true };
    const id = await club.election({ ballot_type: 'RANKED_CONDORCET', candidates: NAMES, settings });
    const { candidates } = (await club.get(`/e/${id}`)).body.election;
    const idOf = new Map<string, string>(
      candidates.map((candidate: { id: string; name: string }) => [candidate.name, candidate.id]),
    );
    const tokens = await club.tokens(id, VOTERS);
    const castBy = new Map<string, string>();
    await each(tokens, async (token) => {
      const page = await club.ask('GET', `/e/${id}/vote?t=${token}`, undefined, 'text/html');
      const shown = [...page.text.matchAll(/class="rank-name"><label[^>]*>(?:<[^>]*>)*([^<]+)/g)].map(
        ([, name = '']) => name,
      );
      if (shown.length !== NAMES.length) throw new Error('The page shows other candidates');
      const best = shuffled(shown).slice(0, favourites);
      const ranking = [...best, ...shown.filter((name) => !best.includes(name))].map((name) =>
        idOf.get(name),
      );
      const cast = await club.post(`/e/${id}/vote`, { token, ranking });
      if (cast.status !== 200) throw new Error(`A ballot was refused: ${cast.text}`);
      castBy.set(sha256(token), ranking.join());
    });
    await club.close(id);
    const backup = await club.run('backup');
    const folder = path.join(club.folder, 'backups');
    const [copy = ''] = fs.readdirSync(folder);
    const stored = read(club.file, path.join(club.folder, 'service.key'), id);
    const fromFile = mostNamed(stored, castBy, favourites);
    const fromCopy = mostNamed(read(path.join(folder, copy), undefined, id), castBy, favourites);
    // One draw with five favourites names 38 of 200 on average, and 28 or fewer in one of forty.
    const control = Math.max(...[1, 2, 3, 4].map(() => namedAsBefore(stored, favourites)));
    return {
      saw: `${VOTERS} voters: ${fromFile} ballots named from the database with its key, ${fromCopy} from a backup`,
      wrong: [
        ...unless(backup.code === 0, `no backup was made: ${backup.said}`),
        ...unless(Math.max(fromFile, fromCopy) <= BY_CHANCE, 'more than guessing names'),
        ...unless(control > 2 * BY_CHANCE, 'the attack itself names nobody'),
      ],
    };
  };
}

function read(file: string, keyFile: string | undefined, election: string): Stored {
  const database = new Sqlite(file, { readonly: true });
  const all = <Row>(statement: string) => database.prepare(statement).all(election) as Row[];
  const options = all<{ id: string; number: number }>('SELECT * FROM options WHERE election_id = ?');
  const numbered = new Map(options.map(({ id, number }) => [number, id]));
  const ballots = all<{ id: string; choice: string }>('SELECT * FROM ballots WHERE election_id = ?');
  const tokens = all<{ token_hash: string; created_at: number; used_at: number }>(
    'SELECT * FROM tokens WHERE election_id = ?',
  );
  database.close();
  const key = keyFile && fs.readFileSync(keyFile, 'utf8').trim();
  return {
    voters: tokens.map(({ token_hash }) => token_hash),
    ballots: ballots.map(({ choice }) => JSON.parse(choice).map((number: number) => numbered.get(number))),
    candidates: options.map(({ id }) => id),
    seeds: new Map(
      tokens.map(({ token_hash, created_at, used_at }) => [
        token_hash,
        [
          token_hash,
          `${election} ${token_hash}`,
          `${token_hash} ${election}`,
          String(used_at),
          `${created_at}`,
        ],
      ]),
    ),
    keys: [
      '',
      election,
      ...(key ? [key, deriveKey(key, 'ballot order'), deriveKey(key, 'shown order')] : []),
    ],
  };
}

/** Returns how many ballots the best way to compute orders assigns to exactly one voter, correctly. */
function mostNamed(
  { voters, ballots, candidates, seeds, keys }: Stored,
  truth: Map<string, string>,
  favourites: number,
) {
  const ways: ((voter: string) => string[])[] = keys.flatMap((key) =>
    [0, 1, 2, 3, 4].flatMap((seed) => [
      (voter: string) => byHash(candidates, key, `${seeds.get(voter)?.[seed]} `),
      (voter: string) => byShuffle(candidates, key, seeds.get(voter)?.[seed] ?? ''),
    ]),
  );
  return Math.max(...ways.map((way) => named(way)));

  function named(way: (voter: string) => string[]): number {
    const orders = voters.map((voter) => ({ voter, order: way(voter) }));
    return ballots.filter((ballot) => {
      const rest = ballot.slice(favourites);
      const fitting = orders.filter(
        ({ order }) => order.filter((id) => rest.includes(id)).join() === rest.join(),
      );
      return fitting.length === 1 && truth.get(fitting[0]!.voter) === ballot.join();
    }).length;
  }
}

/** Returns how many ballots the attack names with the shown orders of an earlier version: 26 to 200. */
function namedAsBefore(stored: Stored, favourites: number): number {
  const { voters, candidates, seeds, keys } = stored;
  const castBy = new Map(
    voters.map((voter) => {
      const shown = byHash(candidates, keys.at(-1)!, `${seeds.get(voter)?.[0]} `);
      const best = shuffled(shown).slice(0, favourites);
      return [voter, [...best, ...shown.filter((id) => !best.includes(id))]];
    }),
  );
  const truth = new Map([...castBy].map(([voter, ballot]) => [voter, ballot.join()]));
  return mostNamed({ ...stored, ballots: shuffled([...castBy.values()]) }, truth, favourites);
}

const digest = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Sorts candidates by a keyed hash, as an earlier version did. */
function byHash(candidates: string[], key: string | Buffer, seed: string): string[] {
  const places = new Map(candidates.map((id) => [id, digest(key, seed + id).toString('hex')]));
  return candidates.toSorted((a, b) => (places.get(a)! < places.get(b)! ? -1 : 1));
}

/** Shuffles candidates (Fisher and Yates) with numbers from one keyed hash. */
function byShuffle(candidates: string[], key: string | Buffer, seed: string): string[] {
  const bytes = digest(key, seed);
  const order = [...candidates];
  for (let last = order.length - 1; last > 0; last--) {
    const pick = bytes.readUInt16BE(2 * last) % (last + 1);
    [order[last], order[pick]] = [order[pick]!, order[last]!];
  }
  return order;
}

export const shuffledOrder: Alone[] = [1, 3, 5].map((favourites) => [
  `naming ballots by the shuffled order, ${favourites} favourites`,
  attack(favourites),
]);
