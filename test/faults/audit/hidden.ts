// Officers who request everything they may see after each ballot, to find out how the last voter voted.
import { HOUR, isoTime, systemClock } from '#kernel/clock.ts';
import { type Alone, type Outcome, statuses, unless } from '#test/faults/attacks/attack.ts';
import { message } from '#test/support/messages.ts';
import { Club, type Reply, until } from './club.ts';

const MEMBERS = Array.from({ length: 12 }, (_, index) => `member${index}@club.example`);
const HIDDEN = message('results_hidden');

/** All addresses of an election that can be requested while it is open. */
const surfaces = (id: string) => [
  `/admin/elections/${id}/results-preview`,
  `/admin/elections/${id}/results-preview?refresh=1`,
  `/admin/elections/${id}/invites`,
  `/admin/elections/${id}/tokens`,
  `/admin/elections/${id}/published-status`,
  `/admin/elections/${id}/export`,
  `/admin/elections/${id}/export?format=json`,
  `/admin/elections/${id}/export?format=cef`,
  `/admin/elections/${id}/manual-results`,
  `/admin/elections/${id}`,
  `/admin/audit-logs?limit=200&election_id=${id}`,
  `/e/${id}`,
  `/e/${id}/results`,
  `/e/${id}/results?refresh=1`,
  `/e/${id}/results/matrix`,
  `/e/${id}/ballots.json`,
  `/e/${id}/ballots.csv`,
  `/e/${id}/recount`,
];

async function askAll(club: Club, id: string): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (const address of surfaces(id)) {
    for (const accept of ['application/json', 'text/html'])
      replies.push(await club.ask('GET', address, undefined, accept));
  }
  return replies;
}

/** Removes what differs between any two elections: ids, hashes, file names, times. */
function withoutNames({ status, text }: Reply): string {
  const same = text
    // The selected election in a list of all.
    .replaceAll(' selected', '')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replace(/(?:<wbr>|&shy;|[0-9a-f]){64,}/g, 'HASH')
    .replace(/\b[0-9a-f]{32,}\b/g, 'HASH')
    .replace(/[0-9a-f]{8}\.(csv|json|cef)/g, 'FILE')
    .replace(/\d{13}/g, 'TIME')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/\d{1,2}:\d\d(:\d\d)?/g, 'TIME');
  return `${status} ${same}`;
}

/** Two elections with hidden results, the same voters and opposite rankings. */
async function openTwins(club: Club) {
  const now = systemClock();
  const fields = {
    ballot_type: 'RANKED_CONDORCET',
    candidates: ['Ann', 'Ben', 'Cem'],
    settings: { hide_results_until_close: true, publish_results_to_home: true },
    open_at: isoTime(now - HOUR),
    close_at: isoTime(now + HOUR),
  };
  const ids = [await club.election(fields), await club.election(fields)];
  for (const id of ids) await club.post(`/admin/elections/${id}/invite`, { emails: MEMBERS });
  const tokens = await Promise.all(ids.map((id) => club.tokens(id, 4, 'slips')));
  const orders = await Promise.all(
    ids.map(async (id, twin) => {
      const { candidates } = (await club.get(`/e/${id}`)).body.election;
      const ranking = candidates.map((candidate: { id: string }) => candidate.id);
      return twin === 0 ? ranking : ranking.toReversed();
    }),
  );
  const voteNext = async (vote: number) => {
    for (const [twin, id] of ids.entries())
      await club.vote(id, [tokens[twin]![vote]!], () => ({ ranking: orders[twin] }));
  };
  return { ids, voteNext };
}

/** Asks every address of both elections. @returns those whose answers differ, and the answers of the first */
async function compareTwins(club: Club, ids: readonly string[]) {
  const [some = [], others = []] = await Promise.all(ids.map((id) => askAll(club, id)));
  const differing = some.flatMap((reply, at) =>
    withoutNames(reply) === withoutNames(others[at]!) ? [] : (surfaces(':id')[Math.floor(at / 2)] ?? ''),
  );
  return { some, differing };
}

/** Compares two elections with the same voters in the same order but different votes: nothing shown may differ. */
async function pollHidden(): Promise<Outcome> {
  await using club = await Club.open();
  const { ids, voteNext } = await openTwins(club);
  const wrong = new Set<string>();
  const previews: Reply[] = [];
  for (let vote = 0; vote < 4; vote++) {
    await voteNext(vote);
    const { some, differing } = await compareTwins(club, ids);
    for (const address of differing) wrong.add(`${address} depends on the choices`);
    previews.push(...some.slice(0, 4));
  }
  const home = await club.page('/');
  const refused = previews.every(({ status, text }) => status === 403 && text.includes(HIDDEN));
  return {
    saw: `${4 * surfaces('').length} addresses asked between votes; previews ${statuses(previews as never)}`,
    wrong: [
      ...wrong,
      ...unless(refused, `a preview is not refused with “${HIDDEN}”`),
      ...unless(!/\b(Ann|Ben|Cem) (wins|leads)/.test(home), 'the home page names a winner'),
    ],
  };
}

/** Stops both as void before their close, which one officer can do to look into them: nothing may tell the votes. */
async function stopAsVoid(): Promise<Outcome> {
  await using club = await Club.open();
  const { ids, voteNext } = await openTwins(club);
  for (let vote = 0; vote < 4; vote++) await voteNext(vote);
  const stopped = await Promise.all(
    ids.map((id) => club.post(`/admin/elections/${id}/void`, { reason: 'To look', repeat: false })),
  );
  await Promise.all(ids.map((id) => club.post(`/admin/elections/${id}/announce`, {})));
  for (const id of ids)
    await until('the seal', async () => (await club.actions(id)).includes('election.sealed'));
  const { some, differing } = await compareTwins(club, ids);
  const { status, body } = await club.get(`/e/${ids[0]}/results`);
  return {
    saw: `${stopped.map((one) => one.status)} for two votes that are stopped; ${some.length} answers compared`,
    wrong: [
      ...differing.map((address) => `${address} depends on the choices`),
      ...unless(
        stopped.every((one) => one.status === 200),
        'they were not stopped',
      ),
      ...unless(
        status === 200 && body.void?.reason === 'To look' && body.results === undefined,
        'the results are not turnout and reason alone',
      ),
    ],
  };
}

export const hidden: Alone[] = [
  ['officers ask for hidden results after each ballot', pollHidden],
  ['an officer stops a hidden vote as void to look into it', stopAsVoid],
];
