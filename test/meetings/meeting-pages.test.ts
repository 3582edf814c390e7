// The officers' pages of a meeting: each section on a page of its own, below the same head.
import { describe, expect, it } from 'vitest';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { page, send } from '#test/support/factories.ts';
import { formAt, press } from '#test/support/forms.ts';
import { signedIn } from '#test/support/people/people.ts';
import { hold, openRoom } from './a-meeting.ts';

const section = (id: string) => new RegExp(`<section[^>]* id="${id}"`);

async function meeting(items = 1, fields: object = {}) {
  const service = await testApp();
  const made = await service.post('/admin/meetings', {
    title: 'AGM',
    held_at: '2026-12-04T19:00',
    ...fields,
  });
  const url = `/admin/meetings/${made.json().id}`;
  const ids: string[] = [];
  for (let n = 1; n <= items; n += 1)
    ids.push((await service.post(`${url}/items`, { kind: 'text', title: `Item ${n}.` })).json().id);
  return Object.assign(service, { url, ids });
}

const bodyOf = async (service: TestApp, url: string, who: Record<string, string> = {}) =>
  (await page(service, url, who)).body;

describe('the sub-pages of a meeting', () => {
  it.each([
    ['', 'agenda', ['invite', 'end']],
    ['/mails', 'invite', ['agenda', 'details']],
    ['/details', 'details', ['agenda', 'invite']],
    ['/end', 'end', ['details', 'agenda']],
  ])('%s has its section; the links to the others hold the ids of theirs', async (under, here, elsewhere) => {
    await using service = await meeting();
    const body = await bodyOf(service, service.url + under);
    // The ways on and the figures stand on the first one, to which the title of the others leads.
    for (const words of ['Chair the meeting', 'May vote'])
      expect([words, body.includes(words)]).toEqual([words, under === '']);
    expect(/<h1[^>]*><a [^>]*href="([^"]*)">/.exec(body)?.[1]).toBe(under === '' ? undefined : service.url);
    expect(body).toContain(`href="${service.url}${under}" aria-current="page"`);
    expect(body).toMatch(section(here));
    for (const one of elsewhere) {
      expect(body).not.toMatch(section(one));
      expect(body).toContain(`<span id="${one}"></span>`);
    }
  });

  it('are those that an officer can use, and other names are none', async () => {
    await using service = await meeting();
    const auditor = { accept: 'text/html', ...(await signedIn(service, 'auditor')) };
    const statuses = async (who: Record<string, string>) => {
      const all = ['', '/mails', '/details', '/end', '/agenda', '/nothing'];
      return Promise.all(all.map(async (under) => (await service.get(service.url + under, who)).statusCode));
    };
    expect(await statuses({ accept: 'text/html' })).toEqual([200, 200, 200, 200, 404, 404]);
    expect(await statuses(auditor)).toEqual([200, 200, 404, 404, 404, 404]);
    await send(service, 'PATCH', service.url, { state: 'closed' });
    expect(await statuses({ accept: 'text/html' })).toEqual([200, 404, 404, 404, 404, 404]);
    expect(await bodyOf(service, service.url)).not.toContain('Pages of this meeting');
    expect((await service.get(service.url)).json().meeting.title).toBe('AGM');
  });

  it('redraw a refused form where it stands', async () => {
    await using service = await meeting();
    const refused = async (address: string, fields: Record<string, string>) =>
      (await service.submit(service.url + address, fields)).body;
    expect(await refused('?_method=PATCH', { title: '' })).toMatch(section('details'));
    expect(await refused('?_method=DELETE', { confirm: 'ABC' })).toMatch(section('end'));
    expect(await refused('/invite', { emails: 'nobody' })).toMatch(section('invite'));
    const added = await refused('/items', { kind: 'election', title: '' });
    expect(added).toContain(`action="${service.url}/items"`);
    expect(added).toContain('<title>Error: ');
    const changed = await refused(`/items/${service.ids[0]}?_method=PATCH`, { title: '' });
    expect(changed).toContain(`action="${service.url}/items/${service.ids[0]}?_method=PATCH"`);
    expect(changed).toContain(`id="title-${service.ids[0]}"`);
  });

  it('change an item on a page of its own, as long as nobody voted on it', async () => {
    await using service = await meeting(0);
    const made = await service.post(`${service.url}/items`, { kind: 'motion', title: 'New lamps' });
    const path = `${service.url}/items/${made.json().id}`;
    expect(await bodyOf(service, service.url)).toContain(`href="${path}"`);
    expect(await bodyOf(service, path)).toContain(`action="${path}?_method=PATCH"`);
    await service.post(`${path}/void`, { reason: 'Wrong' });
    await send(service, 'PATCH', service.url, { state: 'closed' });
    expect(await bodyOf(service, path)).not.toContain(`action="${path}`);
    expect((await page(service, `${service.url}/items/nothing`)).statusCode).toBe(404);
  });

  it('show a long agenda in pages, and lead to the page that an item is on', async () => {
    await using service = await meeting(12);
    const first = await bodyOf(service, service.url);
    const second = await bodyOf(service, `${service.url}?page=2`);
    expect([first.includes('>1. Item 1.'), first.includes('Item 11.')]).toEqual([true, false]);
    expect([second.includes('>11. Item 11.'), second.includes('>1. Item 1.')]).toEqual([true, false]);
    expect(second).toContain('11 to 12 of 12 items');
    const [, , , , , , , , , tenth, eleventh] = service.ids;
    const moved = await service.submit(`${service.url}/items/${eleventh}/move`, { direction: 'up' });
    expect(moved.headers.location).toBe(`${service.url}?done=moved#item-${eleventh}`);
    const back = await service.submit(`${service.url}/items/${eleventh}/move`, { direction: 'down' });
    expect(back.headers.location).toBe(`${service.url}?done=moved&page=2#item-${eleventh}`);
    expect(await bodyOf(service, service.url)).toContain(`id="item-${tenth}"`);
  });
});

it('the officers’ page of a question speaks of the room, and the agenda says its ballot and rule', async () => {
  await using one = await openRoom();
  const { service, base } = one;
  const question = { settings: { majority: { share: 'two_thirds', of: 'yes_no' } } };
  const motion = await one.add({ kind: 'motion', title: 'New lamps', question });
  const office = { ballot_type: 'POLL', options: ['Ivy', 'Lee'], settings: { seats: 1 } };
  await one.add({ kind: 'election', title: 'Treasurer', question: office });
  const agenda = await bodyOf(service, base);
  for (const said of ['two thirds of those who vote', 'One is elected. Ivy and Lee.'])
    expect(agenda).toContain(said);

  const path = `/admin/elections/${motion.election_id}`;
  const pages = async () =>
    Promise.all(['', '/rules', '/ballot'].map((under) => bodyOf(service, path + under)));
  const [overview = '', rules = ''] = await pages();
  expect(overview).toContain('The chair opens it in the meeting');
  expect(overview).toContain(`href="${base}/chair"`);
  expect(rules).not.toContain('name="open_at"');
  // The texts of its modules ride in a page, also those that are not shown.
  const shown = (await pages()).map((text) => text.replace(/<script[^>]*>[^<]*<\/script>/g, ''));
  for (const text of shown)
    expect(text).not.toMatch(/9999|question \d of|oting codes|Chair’s view|ask=close|ask=delete|follow-up/);
  expect(await bodyOf(service, `${path}?ask=close`)).not.toContain('Close this election now?');
  for (const [act, said] of [
    ['open', 'Voting is open. The chair closes it.'],
    ['close', 'The chair announces the result.'],
    ['declare', 'The chair has announced the result.'],
  ] as const) {
    await one.act(motion.id, act);
    const [after = ''] = await pages();
    expect(after).toContain(said);
    expect(after).not.toContain('Announce the result');
  }
});

it('the agenda says what was decided, and moves only what nobody voted on', async () => {
  await using one = await openRoom();
  const { service, base } = one;
  const motion = await one.add({ kind: 'motion', title: 'New lamps' });
  await one.add({ kind: 'text', title: 'Any other business' });
  const moves = async () =>
    [...(await bodyOf(service, base)).matchAll(/items\/([\w-]+)\/move/g)].map(([, id]) => id === motion.id);
  expect(await moves()).toEqual([true, false]);
  await one.act(motion.id, 'hands', { yes: 3, no: 1 });
  await one.act(motion.id, 'declare');
  expect(await moves()).toEqual([false]);
  expect(await bodyOf(service, base)).toContain('Carried: 3 yes to 1 no.');
  const form = await bodyOf(service, `${base}/items/new`);
  const [, ofMotion = ''] =
    /<div data-for="motion" data-of="kind">(.*?)<\/div>\s*<div data-for/s.exec(form) ?? [];
  for (const field of ['old_text', 'mover']) expect(ofMotion).toContain(`name="${field}"`);
  expect(ofMotion).not.toContain('name="title"');
});

describe('a new item', () => {
  const added = async (service: Awaited<ReturnType<typeof meeting>>, fields: Record<string, string>) => {
    const address = `${service.url}/items`;
    const form = formAt(await bodyOf(service, `${address}/new`), address);
    const { statusCode, headers } = await press(service, form, { ...form.fields, ...fields });
    return { statusCode, to: String(headers.location) };
  };

  it('leads back to its empty form by the second button, which says how many there are', async () => {
    await using service = await meeting();
    const rules = { kind: 'motion', title: 'New rules', text: 'Dogs may come in.' };
    expect((await added(service, rules)).to).toContain(`${service.url}?done=added`);
    for (const fields of [rules, { kind: 'election', title: 'Chair' }]) {
      const { statusCode, to } = await added(service, { ...fields, add: 'another' });
      expect([statusCode, to]).toEqual([303, `${service.url}/items/new?done=added`]);
    }
    const again = await bodyOf(service, `${service.url}/items/new?done=added`);
    expect(again).toContain('The item is on the agenda, which has 4 items now.');
    expect(formAt(again, `${service.url}/items`).fields).toMatchObject({ title: '', text: '' });
    expect(await bodyOf(service, `${service.url}/items/new`)).not.toContain('The item is on the agenda');
  });

  it('that is an election without candidates leads on to its call; with candidates, or once it runs, not', async () => {
    await using service = await meeting();
    const { to } = await added(service, {
      kind: 'election',
      title: 'Committee',
      type: 'RANKED_STV',
      seats: '3',
    });
    expect(to).toMatch(/\/items\/[^/]+\/nominations\?done=added$/);
    const shown = await bodyOf(service, to);
    expect(shown).toContain('The item is on the agenda');
    expect(shown).toContain('Call for them now');
    const back = /href="([^"]+)">Back to the agenda without a call/.exec(shown)?.[1] ?? '';
    expect(await bodyOf(service, back.split('#')[0]!)).toContain(`id="${back.split('#')[1]}"`);
    const call = formAt(shown, `${to.split('?')[0]}?_method=PUT`);
    const called = await press(service, call, call.fields);
    expect(called.headers.location).toContain('?done=called');
    expect(await bodyOf(service, to)).not.toContain('Call for them now');

    const named = { kind: 'election', title: 'Chair', type: 'RANKED_STV', names: 'Ann\nBob' };
    expect((await added(service, named)).to).toContain(`${service.url}?done=added`);
    const { id } = (await service.post(`${service.url}/items`, { kind: 'motion', title: 'Lamps' })).json();
    const opened = await service.post(`${service.url}/items/${id}/open`);
    expect(opened.statusCode).toBe(200);
    expect((await added(service, { kind: 'election', title: 'Auditor' })).to).toContain(
      `${service.url}?done=added`,
    );
  });
});

it('the pages that belong to a meeting lead to its others, the links of members at home too', async () => {
  const mails = await startMailServer();
  await using one = await openRoom({ remote: true }, undefined, mailTo(mails.url));
  const { service, base } = one;
  const election = await one.add({ kind: 'election', title: 'Chair' });
  await one.add({ kind: 'motion', title: 'Lamps' });
  const links = `/admin/papers/${await one.paper()}`;
  const navOf = (body: string) =>
    /<nav class="filter-links" aria-label="Pages of this meeting">(.*?)<\/nav>/s.exec(body)?.[1] ?? '';
  const NAMES = [
    'Agenda',
    'Invitations',
    'Members at home',
    'Documents',
    'Helpers',
    'Day, place and rules',
    'The door',
    'End the meeting',
  ];
  const namesIn = (body: string) =>
    [...navOf(body).matchAll(/<a [^>]*>(.*?)<\/a>/g)].map(([, label = '']) =>
      label.replaceAll(/<[^>]+>/g, ''),
    );
  const check = await service.submit(`${base}/invite/check`, { roll: 'on' });
  const nominees = `${base}/items/${election.id}/nominations`;
  const checked = await service.submit(`${links}/invite/check`, { emails: 'ann@club.example' });
  const form = formAt(checked.body, `${links}/invite`);
  const sent = await press(service, form, form.fields);
  expect(sent.statusCode).toBe(200);
  const pages = [
    check.body,
    checked.body,
    sent.body,
    (await service.submit(`${base}/packs`, { class: 'Members', packs: '1' })).body,
    ...(await Promise.all(
      [
        nominees,
        `${base}/motions`,
        `${base}/items/new`,
        `${base}/items/${election.id}`,
        `${base}/letters`,
        `${links}/mails`,
        `${links}/history`,
        `${links}/invitations`,
      ].map((url) => bodyOf(service, url)),
    )),
  ];
  for (const body of pages) {
    expect([/<h1[^>]*>(.*?)<\/h1>/.exec(body)?.[1], namesIn(body)]).toEqual([expect.anything(), NAMES]);
    expect(navOf(body)).toContain(`href="${base}/door"`);
  }
  for (const body of [checked.body, sent.body, ...pages.slice(-3)]) {
    expect(body).not.toContain('This ballot paper');
    expect(body).toMatch(new RegExp(`<nav class="crumbs".*?href="${base}">AGM</a>`, 's'));
  }

  // Those of an election of no meeting are as they were.
  await send(service, 'PATCH', base, { state: 'closed' });
  expect(namesIn(await bodyOf(service, nominees))).toEqual([]);
});

it('the pages about a question of a meeting lead back to the meeting, not to the list of elections', async () => {
  await using one = await openRoom();
  const { service, base } = one;
  const question = { ballot_type: 'POLL', options: ['Ivy', 'Lee'], settings: { seats: 1 } };
  const item = await one.add({ kind: 'election', title: 'Chair', question });
  const path = `/admin/elections/${item.election_id}`;
  const [option] = (await service.get(path)).json().election.options;
  await one.arrive(['Ann']);
  await hold(one, item, [{ selected_option: option.id }]);
  await one.act(item.id, 'declare');
  const under = [
    'results-preview',
    'results-preview/details',
    'lot',
    'follow-up',
    'manual-results',
    `options/${option.id}`,
    `options/${option.id}/withdraw`,
  ];
  for (const page of under) {
    const crumbs = /<nav class="crumbs".*?<\/nav>/s.exec(await bodyOf(service, `${path}/${page}`))?.[0];
    expect([page, crumbs?.includes(`href="${base}">AGM</a>`), crumbs?.includes('Elections')]).toEqual([
      page,
      true,
      false,
    ]);
  }
});
