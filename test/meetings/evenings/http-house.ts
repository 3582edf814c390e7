import { SECOND } from '#kernel/clock.ts';
import { mailTo, type TestApp } from '#test/support/app.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { openClub } from '#test/support/people/roll.ts';
import { listDifferences } from '#voting/counting/recheck.ts';
import { getElection } from '#voting/elections/elections.ts';
import type { House, Marks, Reply } from './house.ts';
import type { Settings } from './world.ts';

/** Links need a mail server; nobody here has an address, and all get letters. */
const LIMITS = {
  ...mailTo('smtp://127.0.0.1:9'),
  ELECTIONS_NEED_ROLE: 'on',
  RATE_LIMIT_GENERAL: '1000000',
  RATE_LIMIT_VOTE: '1000000',
};
const MEMBERS = 9;
/** Groups of the roll that are classes of cards where a meeting has them. */
const GROUPS = [undefined, 'Board', 'Cellar'] as const;

export interface Member {
  id: string;
  name: string;
  group: string | undefined;
}

/** A service with members on its roll, in which many meetings are held. */
export interface Hall extends AsyncDisposable {
  service: TestApp;
  members: Member[];
  hold(settings: Settings): Promise<House>;
}

/** The headers of those who run meetings. */
interface Officers {
  chair: Record<string, string>;
  tellers: [Record<string, string>, Record<string, string>];
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export async function openHall(): Promise<Hall> {
  const club = await openClub(LIMITS);
  const { service } = club;
  const appointed = (name: string, ...roles: string[]) => appoint(service, `${name}@club.example`, ...roles);
  const officers: Officers = {
    // Letters have names of the roll.
    chair: await appointed('olga', 'officer', 'secretary'),
    tellers: [await appointed('tess', 'chair'), await appointed('tom', 'chair')],
  };
  const members: Member[] = [];
  for (let at = 0; at < MEMBERS; at++) {
    const name = `Member ${at + 1}`;
    const group = GROUPS[at % GROUPS.length];
    const standing = { kind: 'full', first_day: '2020-01-01' };
    const { id } = await club.add({ name, standing, ...(group && { groups: [group] }) });
    members.push({ id, name, group });
  }
  return {
    service,
    members,
    hold: (settings) => openHouse(service, settings, officers),
    [Symbol.asyncDispose]: () => club[Symbol.asyncDispose](),
  };
}

/** Makes a meeting, and reaches it over HTTP. */
async function openHouse(service: TestApp, settings: Settings, officers: Officers): Promise<House> {
  let requests = 0;
  const call = async (
    method: Method,
    url: string,
    payload?: object,
    headers: object = {},
  ): Promise<Reply> => {
    // Each request from another phone: codes that do not work are counted by address.
    const client = `198.51.${(++requests >> 8) & 255}.${requests & 255}`;
    const answer = await service.request({
      method,
      url,
      ...(payload && { payload }),
      headers: {
        accept: 'application/json',
        'edge-connecting-ip': client,
        ...(url.startsWith('/admin') && officers.chair),
        ...headers,
      },
    });
    const isJson = answer.headers['content-type']?.toString().startsWith('application/json') ?? false;
    return { status: answer.statusCode, body: isJson ? answer.json() : answer.body };
  };
  const made = await call('POST', '/admin/meetings', {
    title: 'AGM',
    held_at: '2026-11-21T19:00',
    ...settings,
  });
  const { id } = made.body;
  const base = `/admin/meetings/${id}`;
  const read = () => call('GET', base);
  let paper: string | undefined;
  const paperOf = async (): Promise<string> => (paper ??= (await read()).body.meeting.paper_id as string);
  const ofPaper = async (method: Method, url: string, payload?: object) =>
    call(method, `/admin/papers/${await paperOf()}/${url}`, payload);
  const inviteOf = async (name: string): Promise<string | undefined> => {
    const { body } = await ofPaper('GET', 'invites');
    return body.invites.find((row: { name?: string }) => row.name === name)?.id;
  };
  const codeOf = async (name: string): Promise<string | undefined> => {
    const { body } = await ofPaper('POST', 'invites/slips');
    const [, code] = new RegExp(`For ${name}\\. .*?<p class="slip-code[^>]*>([^<]+)<`, 's').exec(body) ?? [];
    return code?.trim();
  };
  return {
    door: (press) => call('POST', `${base}/door`, press),
    seen: () => call('GET', `${base}/door`),
    scan: (codes) => call('POST', `${base}/door/return`, { codes }),
    replace: (stub) => call('POST', `${base}/door/replace`, { stub }),
    voidCard: (stub) => call('POST', `/m/${id}/void`, { stub }),
    printPack: async (name) => (await call('POST', `${base}/packs`, { class: name, packs: 1 })).body.packs[0],
    openPack: (pack) => call('POST', `${base}/packs/${pack}/open`),
    closeDoor: () => call('POST', `${base}/packs/void`),
    renew: () => call('POST', `${base}/packs/renew`, { confirm: true }),
    enterProxy: (giver, holder) => call('POST', `${base}/proxies`, { giver, holder }),
    removeProxy: (proxy) => call('DELETE', `${base}/proxies/${proxy}`),
    invite: async ({ id: person, name }) => {
      const answer = await ofPaper('POST', 'invite', { person_ids: [person] });
      const isMade = answer.status === 200 && answer.body.results?.[0]?.slip === true;
      const code = isMade ? await codeOf(name) : undefined;
      return { ...answer, ...(code !== undefined && { code }) };
    },
    withdraw: async ({ name }) => {
      const invite = await inviteOf(name);
      return ofPaper('POST', `invites/${invite}/withdraw`, { reason: 'Comes to the hall' });
    },
    replaceLink: async ({ name }) => {
      const answer = await ofPaper('POST', `invites/${await inviteOf(name)}/replace`, { reason: 'Lost it' });
      const code = answer.status === 200 ? await codeOf(name) : undefined;
      return { ...answer, ...(code !== undefined && { code }) };
    },
    here: (code) => call('POST', `/m/${id}/card/here`, undefined, { cookie: `house_card=${code}` }),
    showsBallot: async (code) => {
      const phone = { accept: 'text/html', cookie: `house_card=${code}` };
      const { body } = await call('GET', `/m/${id}/card`, undefined, phone);
      return body.includes(`action="/p/${await paperOf()}/vote/review"`);
    },
    cast: async (code, { election }) =>
      call('POST', `/p/${await paperOf()}/vote`, { token: code, answers: { [election]: { choice: 'yes' } } }),
    add: async (fields) => {
      const { body } = await call('POST', `${base}/items`, fields);
      return { item: body.id, election: body.election_id };
    },
    act: (item, name, payload) => call('POST', `${base}/items/${item}/${name}`, payload),
    countPapers: (item, marks) => {
      const ofBatches = (method: Method, url: string, payload?: object, who?: object) =>
        call(method, `${base}/items/${item}/batches${url}`, payload, who);
      return countPapers(ofBatches, officers.tellers, marks);
    },
    fillSheet: (item, in_box) => call('PUT', `${base}/items/${item}/sheet`, { in_box }),
    change: (fields) => call('PATCH', base, fields),
    read,
    shown: () => call('GET', `/m/${id}`),
    wall: async () => (await call('GET', `/m/${id}/wall`, undefined, { accept: 'text/html' })).body,
    minutes: () => call('GET', `${base}/minutes`),
    differences: async () => {
      // Pages compare facts again after ten seconds.
      service.clock.now += 11 * SECOND;
      const { differences = [], items } = (await read()).body;
      const found: string[] = [...differences];
      for (const { election_id } of items)
        if (election_id !== null)
          found.push(...(await listDifferences(service.ctx, getElection(service.ctx.db, election_id))));
      return found;
    },
  };
}

/** Two people who enter papers: what joins, or the first answer that is no 200. */
async function countPapers(
  call: (method: Method, url: string, payload?: object, who?: object) => Promise<Reply>,
  tellers: readonly [object, object],
  marks: Marks,
): Promise<Reply> {
  const blank = marks.filter((mark) => mark === 'blank').length;
  const control = { valid: marks.length - blank, blank, invalid: 0 };
  const papers = marks.map((mark, at) => ({
    number: at + 1,
    ...(mark === 'blank' ? { blank: true } : { choice: mark }),
  }));
  const made = await call('POST', '', { control });
  if (made.status !== 200) return made;
  for (const [at, teller] of tellers.entries()) {
    const entered = await call('PUT', `/${made.body.id}/entries/${at + 1}`, { papers }, teller);
    if (entered.status !== 200) return entered;
  }
  return call('POST', `/${made.body.id}/join`, undefined, tellers[0]);
}
