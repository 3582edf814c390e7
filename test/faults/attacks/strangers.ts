// Limits that strangers fill: they slow down, and lock nobody out.
import { setTimeout } from 'node:timers/promises';
import { DAY, isoTime, systemClock } from '#kernel/clock.ts';
import { multipart, smallPicture } from '#test/support/pictures.ts';
import { type Attack, count, type Outcome, statuses, unless } from './attack.ts';
import { type Answer, each, freshAddress } from './request.ts';
import type { Target } from './target.ts';

/** The longest wait that a limit of all clients together may ask for, in seconds. */
const WAIT_AT_MOST = 10;

const waitOf = ({ status, headers }: Answer): number => (status === 429 ? Number(headers['retry-after']) : 0);

const asOwner = async (target: Target, method: string, path: string, body: object) => {
  const answer = await target.ask(path, { method, body, headers: target.seed.owner.fresh });
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`);
  return JSON.parse(answer.body);
};

/** A meeting on which members ask to speak, with an election for which members call for candidates. */
async function openHall(target: Target) {
  const post = (path: string, body: object) => asOwner(target, 'POST', path, body);
  const now = systemClock();
  const hall = await post('/admin/meetings', {
    title: `AGM ${freshAddress()}`,
    held_at: isoTime(now + 14 * DAY),
  });
  await asOwner(target, 'PATCH', `/admin/meetings/${hall.id}`, { members_ask: true });
  const item = await post(`/admin/meetings/${hall.id}/items`, { kind: 'election', title: 'Chair' });
  const period = { opens_at: isoTime(now), closes_at: isoTime(now + DAY) };
  const call = { ...period, who: 'members', seconders: 0, picture: true };
  await asOwner(target, 'PUT', `/admin/meetings/${hall.id}/items/${item.id}/nominations`, call);
  return { id: hall.id as string, item: item.id as string };
}

async function addMember(target: Target, name: string): Promise<string> {
  const email = `${name.toLowerCase()}@members.example`;
  const addresses = [{ email, primary: true }];
  const kinds = await target.ask('/api/admin/kinds', { headers: target.seed.owner.fresh });
  if (!kinds.body.includes('"full"'))
    await asOwner(target, 'POST', '/api/admin/kinds', { name: 'full', votes: true });
  const standing = { kind: 'full', first_day: '2020-01-01' };
  await asOwner(target, 'POST', '/api/admin/people', { name, addresses, standing });
  return email;
}

const nominate = (target: Target, { id, item }: Hall, email: string, from?: string) =>
  target.ask(`/m/${id}/nominate/${item}`, {
    method: 'POST',
    body: { name: 'Somebody', email, text: '' },
    ...(from !== undefined && { from }),
  });

type Hall = Awaited<ReturnType<typeof openHall>>;

async function fillNominations(target: Target): Promise<Outcome> {
  const hall = await openHall(target);
  const email = await addMember(target, 'Nora');
  const clients = Array.from({ length: 15 }, () => freshAddress());
  const flood = await each(clients, (from, client) =>
    each(
      Array.from({ length: 60 }),
      (_, at) => nominate(target, hall, `made-up-${client}-${at}@nowhere.example`, from),
      8,
    ),
  );
  const member = await nominate(target, hall, email);
  const stored = target.query<{ n: number }>(
    'SELECT count(*) AS n FROM nominations WHERE item_id = ?',
    hall.item,
  )[0]!.n;
  return {
    saw: `900 made-up nominees from 15 addresses: ${statuses(flood.flat())}; then a member ${member.status}; ${stored} stored`,
    wrong: [
      ...unless(member.status === 202, `the member got ${member.status}`),
      ...unless(stored === 1, `${stored} nominations are stored`),
      ...unless(count(flood.flat(), 429) > 0, 'one client enters as many addresses as it likes'),
    ],
  };
}

/** The link that a nominee is mailed: the queue sends it within seconds. */
async function mailedLink(target: Target, email: string): Promise<string> {
  for (let times = 0; times < 60; times += 1) {
    const texts = target.mails().map((text) => text.replace(/=\r\n/g, ''));
    const mail = texts.find((text) => text.includes(email) && text.includes('/nominations/')) ?? '';
    const [link] = /\/m\/[\w-]+\/nominations\/[\w-]+/.exec(mail) ?? [];
    if (link !== undefined) return link;
    await setTimeout(500);
  }
  throw new Error('The nominee got no link');
}

async function fillPictures(target: Target): Promise<Outcome> {
  const hall = await openHall(target);
  const email = await addMember(target, 'Pia');
  await nominate(target, hall, email);
  const link = await mailedLink(target, email);
  const pictures = () => target.query<{ n: number }>('SELECT count(*) AS n FROM pictures')[0]!.n;
  const before = pictures();
  const answers = await each(
    Array.from({ length: 20 }, (_, at) => `#${(at + 16).toString(16)}0000`),
    async (color) => {
      const form = await multipart({ action: 'consent' }, { picture: { bytes: await smallPicture(color) } });
      const { payload, headers } = form;
      return target.ask(link, { method: 'POST', bytes: payload, headers });
    },
    1,
  );
  const added = pictures() - before;
  return {
    saw: `20 pictures by one link: ${statuses(answers)}; ${added} stored`,
    wrong: [
      ...unless(added === 1, `${added} pictures are stored`),
      ...unless(answers[0]!.status === 200, `the first consent got ${answers[0]!.status}`),
    ],
  };
}

async function fillSpeakers(target: Target): Promise<Outcome> {
  const { id } = await openHall(target);
  const ask = (name: string, from?: string) =>
    target.ask(`/m/${id}/speakers`, { method: 'POST', body: { name }, ...(from !== undefined && { from }) });
  const from = freshAddress();
  const one = await each(Array.from({ length: 120 }), (_, at) => ask(`Nobody ${at}`, from));
  const many = await each(Array.from({ length: 200 }), (_, at) => ask(`Somebody ${at}`));
  const added = await target.ask(`/admin/meetings/${id}/speakers`, {
    method: 'POST',
    body: { name: 'Real Member' },
    headers: target.seed.owner.fresh,
  });
  const member = await ask('Another Member');
  return {
    saw: `one client ${statuses(one)}, 200 clients ${statuses(many)}; the chair ${added.status}, a member ${member.status}`,
    wrong: [
      ...unless(count(one, 200) < 100, 'one client fills the list'),
      ...unless(added.status === 200, `the chair got ${added.status}`),
      ...unless(waitOf(member) <= WAIT_AT_MOST, `a member is told to wait for ${waitOf(member)} s`),
    ],
  };
}

async function typeCodes(target: Target): Promise<Outcome> {
  const type = (code: string) => target.ask('/api/screens/pairings', { method: 'POST', body: { code } });
  const wrong = await each(Array.from({ length: 260 }), (_, at) =>
    type(`WR${String(at).padStart(4, '2')}`.slice(0, 6)),
  );
  const another = await type('WRNG22');
  const shown = await target.ask('/api/screens/pairings', { method: 'POST', body: {} });
  return {
    saw: `260 wrong codes from as many addresses: ${statuses(wrong)}; another TV ${another.status}, a TV that shows its code ${shown.status}`,
    wrong: [
      ...unless(waitOf(another) <= WAIT_AT_MOST, `a TV is told to wait for ${waitOf(another)} s`),
      ...unless(shown.status === 201, `a TV that asks for a code got ${shown.status}`),
    ],
  };
}

export const strangers: Attack[] = [
  ['nominees that do not exist', fillNominations],
  ['pictures by the link of a nominee', fillPictures],
  ['names on the list of speakers', fillSpeakers],
  ['wrong codes of screens', typeCodes],
];
