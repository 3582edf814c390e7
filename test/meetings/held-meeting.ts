import { expect } from 'vitest';
import { send } from '#test/support/factories.ts';
import { addSession } from '#test/support/people/people.ts';
import { openRoom } from './a-meeting.ts';

type Room = Awaited<ReturnType<typeof openRoom>>;

const yes = { choice: 'yes' };
const no = { choice: 'no' };
const abstain = { choice: 'abstain' };
const TWO_THIRDS = { settings: { majority: { share: 'two_thirds', of: 'yes_no' } } };

/** The cookies of a member who signed in a moment ago. */
export async function session(one: Room, name: string): Promise<Record<string, string>> {
  const { service, ids } = one;
  const token = await addSession(service, ids[name]!);
  return { cookie: `publichouse=${token}`, 'sec-fetch-site': 'same-origin', host: 'club.example' };
}

/** A meeting with a motion on the rules, one by hands, one without opposition and an election, which is closed. */
export async function heldMeeting(
  fields: object = {},
  { isAnswered = true, env = {} }: { isAnswered?: boolean; env?: Record<string, string> } = {},
) {
  const limits = { RATE_LIMIT_GENERAL: '100000', RATE_LIMIT_VOTE: '100000' };
  const one = await openRoom({ place: 'The hall', quorum: 3, ...fields }, undefined, { ...limits, ...env });
  const { service, base } = one;
  await one.add({ kind: 'text', title: 'Report' });
  const rules = await one.add({
    kind: 'motion',
    title: 'Fees',
    old_text: 'The fee is 50.',
    text: 'The fee is 60.',
    mover: 'Ann',
    question: TWO_THIRDS,
  });
  await service.post(`${base}/invite`, { emails: ['ann@club.example', 'bob@club.example'] });
  const lamps = await one.add({ kind: 'motion', title: 'New lamps' });
  const thanks = await one.add({ kind: 'motion', title: 'Thanks' });
  const board = await one.add({
    kind: 'election',
    title: 'Treasurer',
    question: { ballot_type: 'POLL', options: ['Ivy Cole', 'Hugh Birch'], settings: { seats: 1 } },
  });
  await one.arrive(['Ann', 'Bob', 'Cid', 'Dee']);
  await service.post(`${base}/door`, { guest: 'Gus Guest', action: 'in' });
  const cast = async (item: { id: string; election_id: string }, ballots: object[]) => {
    await one.act(item.id, 'open');
    for (const [at, ballot] of ballots.entries())
      expect(await one.vote(one.codes[at]!, item.election_id, ballot)).toBe(200);
    await one.act(item.id, 'close');
    return (await one.act(item.id, 'declare')).body.item;
  };
  await cast(rules, [yes, yes, no, abstain]);
  await one.act(lamps.id, 'hands', { yes: 3, no: 1, invalid: 0 });
  await one.act(lamps.id, 'declare');
  await one.act(thanks.id, 'unopposed');
  await one.act(thanks.id, 'declare');
  const options = (await service.get(`/e/${board.election_id}`)).json().election.options;
  const [ivy, hugh] = options.map(({ id }: { id: string }) => id);
  await cast(board, [{ selected_option: ivy }, { selected_option: ivy }, { selected_option: hugh }]);
  if (isAnswered) await one.act(board.id, 'declare', { accepts: { [ivy]: true } });
  await service.post(`${base}/door`, { person_id: one.ids.Dee, action: 'out' });
  const patch = (payload: object, who: Record<string, string> = {}) =>
    service.request({
      method: 'PATCH',
      url: `${base}/minutes`,
      payload,
      headers: { accept: 'application/json', ...who },
    });
  const sign = (as: string, who: Record<string, string>, more: object = {}) =>
    service.post(`${base}/minutes/sign`, { as, ...more }, who);
  return {
    one,
    items: { rules, lamps, thanks, board },
    ivy,
    patch,
    sign,
    end: () => send(service, 'PATCH', base, { state: 'closed' }),
    minutes: async (query = '') => (await service.get(`${base}/minutes${query}`)).json(),
    markdown: async (query = '') => (await service.get(`${base}/minutes.md${query}`)).body,
  };
}
