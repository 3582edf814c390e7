// Looks for the order of arrival of ballots in the database file and its write-ahead log after the close: with a
// long-running reader, and after a kill between the result and the seal.
import fs from 'node:fs';
import Sqlite from 'better-sqlite3';
import { sha256 } from '#kernel/secrets.ts';
import { type Alone, type Outcome, unless } from '#test/faults/attacks/attack.ts';
import { crowd, end, start } from '#test/faults/service.ts';
import { shuffled } from '#voting/ballots/shown-order.ts';
import { type Ballot, Club, pause, rankCorrelation, until } from './club.ts';

const NAMES = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];
/** So few that they are on one page, whose bytes SQLite fills from the end as rows arrive. */
const FEW = 36;
/** More than are rewritten in one step. */
const MANY = 1_500;
/** Limits of the correlation: independent orders have about 0, with standard deviations of 0.12 and 0.017. */
const TAU = new Map([
  [FEW, 0.65],
  [MANY, 0.12],
]);
/** At most as many ballots as are on the pages at both ends of an election. */
const SHARED = 150;
/** From this number of ballots on the standard deviation is at most 0.13. */
const SOME = 30;
const TAU_OF_FEW = 0.65;

interface Cast {
  club: Club;
  id: string;
  /** The stored ballots in the order of their arrival, and the codes that cast them. */
  arrived: Ballot[];
  codes: string[];
}

/** Casts ballots that differ from each other, one after the other. */
async function castOneByOne(voters: number): Promise<Cast> {
  const club = await Club.open();
  const id = await club.election({ ballot_type: 'RANKED_CONDORCET', candidates: NAMES });
  const { candidates } = (await club.get(`/e/${id}`)).body.election;
  const ids: string[] = candidates.map((candidate: { id: string }) => candidate.id);
  const tokens: string[] = [];
  while (tokens.length < voters)
    tokens.push(...(await club.tokens(id, Math.min(1_000, voters - tokens.length))));
  const rankings = new Set<string>();
  while (rankings.size < voters) rankings.add(JSON.stringify(shuffled(ids.map((_, index) => index + 1))));
  const choices = [...rankings];
  await club.vote(id, tokens, (index) => ({
    ranking: JSON.parse(choices[index]!).map((number: number) => ids[number - 1]),
  }));
  const database = new Sqlite(club.file, { readonly: true });
  const idOf = new Map(database.prepare('SELECT choice, id FROM ballots').raw().all() as [string, string][]);
  database.close();
  return { club, id, codes: tokens, arrived: choices.map((choice) => ({ id: idOf.get(choice)!, choice })) };
}

/** Returns the positions of ballots in the write-ahead log, in order of arrival. */
function placesInLog({ club, arrived }: Cast): number[] {
  const log = fs.readFileSync(`${club.file}-wal`, 'latin1');
  return arrived.map(({ id }) => log.indexOf(id)).filter((place) => place >= 0);
}

/** Returns the number of ballots in the write-ahead log. */
const inLog = (cast: Cast): number => placesInLog(cast).length;

/** Reports whether the positions of the ballots in the file reveal their order of arrival. */
function complaintsAbout(cast: Cast): string[] {
  const bytes = fs.readFileSync(cast.club.file, 'latin1');
  const places = cast.arrived.map(({ id }) => bytes.indexOf(id));
  const twice = cast.arrived.filter(({ id }) => bytes.split(id).length !== 2).length;
  const tau = rankCorrelation(places);
  const tauOfCodes = rankCorrelation(cast.codes.map((code) => bytes.indexOf(sha256(code))));
  return [
    ...unless(twice === 0, `${twice} ballots are not exactly once in the file`),
    ...unless(
      Math.abs(tau) < TAU.get(places.length)!,
      `places in the file follow the arrival: ${tau.toFixed(3)}`,
    ),
    ...unless(
      Math.abs(tauOfCodes) < TAU.get(places.length)!,
      `places of the codes follow their use: ${tauOfCodes.toFixed(3)}`,
    ),
  ];
}

const isSealed = async ({ club, id }: Cast) => (await club.actions(id)).includes('election.sealed');

async function readerThatStays(): Promise<Outcome> {
  const cast = await castOneByOne(FEW);
  await using club = cast.club;
  const reader = new Sqlite(club.file, { readonly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM ballots').get();
  await club.close(cast.id);
  await pause(12_000);
  const [early, kept] = [await isSealed(cast), inLog(cast)];
  reader.close();
  await until('the seal', () => isSealed(cast));
  return {
    saw: `beside a reader ${kept} ballots stay in the log and the election is ${early ? '' : 'not '}sealed; ${inLog(cast)} after it has gone`,
    wrong: [
      ...unless(inLog(cast) === 0, 'ballots are in the log'),
      ...unless(!early, 'it was called sealed while the log held the ballots'),
      ...unless(kept > 0, 'the reader kept nothing: nothing was tried'),
      ...complaintsAbout(cast),
      ...unless(
        (await club.page(`/e/${cast.id}`)).includes('The election was sealed'),
        'the page does not say it',
      ),
    ],
  };
}

async function killBeforeSeal(): Promise<Outcome> {
  const cast = await castOneByOne(FEW);
  await using club = cast.club;
  const reader = new Sqlite(club.file, { readonly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM ballots').get();
  await club.close(cast.id);
  const early = await isSealed(cast);
  await end(club.service, 'SIGKILL');
  reader.close();
  const kept = inLog(cast);
  club.service = await start(club.folder);
  await until('the seal', () => isSealed(cast));
  const left = inLog(cast);
  const { total_ballots, result_matches } = (await club.get(`/e/${cast.id}/results`)).body;
  return {
    saw: `killed before the seal with ${kept} ballots in the log; ${left} after the next start`,
    wrong: [
      ...unless(left === 0, 'ballots are in the log'),
      ...unless(!early && kept > 0, 'it was sealed before the kill: nothing was tried'),
      ...unless(total_ballots === FEW && result_matches, 'the result is another'),
      ...complaintsAbout(cast),
    ],
  };
}

/** Casts ballots in another election while the log is overwritten: none of them may be lost. */
async function votesBesideSeal(): Promise<Outcome> {
  const cast = await castOneByOne(MANY);
  await using club = cast.club;
  const election = await club.election();
  const tokens = (await Promise.all([1, 2, 3].map(() => club.tokens(election, 1_000)))).flat();
  let isDone = false;
  const closing = club
    .close(cast.id)
    .then(() => until('the seal', () => isSealed(cast), 10))
    .finally(() => {
      isDone = true;
    });
  const so = await crowd(club.service, { election, tokens }, () => isDone);
  await closing;
  await end(club.service, 'SIGKILL');
  club.service = await start(club.folder);
  const database = new Sqlite(club.file, { readonly: true });
  const count = database.prepare('SELECT count(*) FROM ballots WHERE election_id = ?').pluck().get(election);
  const integrity = database.pragma('integrity_check', { simple: true });
  database.close();
  // A vote writes a page shared by ballots of two elections to the log again: its rows are the rewritten ones.
  const again = placesInLog(cast);
  const refused = Object.entries(so.refused).map(([status, times]) => `${times} x ${status}`);
  return {
    saw: `${so.ballots} votes elsewhere during the close, then kill -9: ${count} are there`,
    wrong: [
      ...unless(so.ballots > 0 && Number(count) >= so.ballots, 'acknowledged ballots are lost'),
      ...unless(refused.length === 0, `refused: ${refused.join(', ')}`),
      ...unless(
        again.length < SHARED && (again.length < SOME || Math.abs(rankCorrelation(again)) < TAU_OF_FEW),
        `${again.length} ballots are in the log, and their order follows the arrival`,
      ),
      ...unless(integrity === 'ok', `integrity: ${integrity}`),
      ...complaintsAbout(cast),
    ],
  };
}

export const arrival: Alone[] = [
  ['the order of arrival beside a reader that stays', readerThatStays],
  ['the order of arrival after a kill before the seal', killBeforeSeal],
  ['votes elsewhere while an election is sealed', votesBesideSeal],
];
