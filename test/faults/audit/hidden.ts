// Officers who request everything they may see after each ballot, to find out how the last voter voted.
import { HOUR, isoTime, systemClock } from '#kernel/clock.ts';
import { type Alone, type Outcome, statuses, unless } from '#test/faults/attacks/attack.ts';
import { Club, type Reply } from './club.ts';

const MEMBERS = Array.from({ length: 12 }, (_, index) => `member${index}@club.example`);
const HIDDEN = 'Results are hidden until voting closes';

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

/** Compares two elections with the same voters in the same order but different votes: nothing shown may differ. */
async function pollHidden(): Promise<Outcome> {
  await using club = await Club.open();
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
  const wrong = new Set<string>();
  const previews: Reply[] = [];
  for (let vote = 0; vote < 4; vote++) {
    for (const [twin, id] of ids.entries())
      await club.vote(id, [tokens[twin]![vote]!], () => ({ ranking: orders[twin] }));
    const [some = [], others = []] = await Promise.all(ids.map((id) => askAll(club, id)));
    for (const [at, reply] of some.entries()) {
      const address = surfaces(':id')[Math.floor(at / 2)];
      if (withoutNames(reply) !== withoutNames(others[at]!)) wrong.add(`${address} depends on the choices`);
    }
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

export const hidden: Alone[] = [['officers ask for hidden results after each ballot', pollHidden]];
