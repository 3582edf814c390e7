// An auditor who keeps the public figures after each vote, and reads the audit log later: with live results the log
// must not say which person a change of the figures belongs to.

import { systemClock } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import { type Alone, type Outcome, unless } from '#test/faults/attacks/attack.ts';
import { Club, pause } from './club.ts';

const VOTERS = 12;

interface Entry {
  id: string;
  ip_address: string | null;
  timestamp: number;
}

/** What the auditor knows of each member: the address at home, and when they signed in or were seen voting. */
interface Member {
  address: string;
  from: number;
  to: number;
}

async function join(): Promise<Outcome> {
  await using club = await Club.open();
  const id = await club.election();
  const tokens = await club.tokens(id, VOTERS);
  const members: Member[] = [];
  const choices: string[] = [];
  let before = { yes: 0, no: 0 };
  for (const [index, token] of tokens.entries()) {
    const address = `198.51.100.${index + 1}`;
    await pause(20);
    const from = systemClock();
    const choice = Math.random() < 0.5 ? 'yes' : 'no';
    const headers = { 'edge-connecting-ip': address };
    const cast = await club.ask('POST', `/e/${id}/vote`, { token, choice }, 'application/json', headers);
    if (cast.status !== 200) throw new Error(`A ballot was refused: ${cast.text}`);
    members.push({ address, from, to: systemClock() });
    const { yes, no } = (await club.get(`/e/${id}/results?refresh=1`)).body.results;
    choices.push(yes > before.yes ? 'yes' : 'no');
    before = { yes, no };
  }
  const { body } = await club.get(`/admin/audit-logs?limit=200&action=vote.submitted&election_id=${id}`);
  const entries: Entry[] = body.logs.toReversed();
  const page = await club.page(`/admin/audit-logs?fold=off&limit=200`);
  // As earlier versions recorded votes.
  const told = members.map(({ address, to }) => ({ id: newId(to), ip_address: address, timestamp: to }));
  const named = entries.filter((entry, index) => findMember(entry, members) === index).length;
  const control = told.filter((entry, index) => findMember(entry, members) === index).length;
  return {
    saw: `${VOTERS} votes with live figures: ${choices.length} choices known, ${named} of ${entries.length} entries name their voter`,
    wrong: [
      ...unless(entries.length === VOTERS, 'the log lacks votes'),
      ...unless(named === 0, `${named} votes are named`),
      ...unless(control === VOTERS, 'the attack itself names nobody'),
      ...unless(!page.includes('198.51.100.'), 'the page of the log shows an address'),
    ],
  };
}

/** The only member whom an entry fits by address, time, or the time in its id. */
function findMember({ id, ip_address, timestamp }: Entry, members: readonly Member[]): number | undefined {
  const idTime = id[14] === '7' ? Number.parseInt(id.replace('-', '').slice(0, 12), 16) : Number.NaN;
  const fits = members.flatMap(({ address, from, to }, index) => {
    const isAt = (time: number) => time >= from && time <= to;
    return address === ip_address || isAt(timestamp) || isAt(idTime) ? [index] : [];
  });
  return fits.length === 1 ? fits[0] : undefined;
}

export const liveJoin: Alone[] = [['an auditor joins the log with live figures', join]];
