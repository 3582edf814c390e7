// Every page of the roll of members, each with the steps that open it.
import type { Page } from 'playwright-core';
import { type ListeningService, listeningService } from '#test/support/browser/browser-service.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { type AuditedPage, at, form } from './page-audit.ts';

export interface EveryRollPage extends AsyncDisposable {
  pages: AuditedPage[];
  origins: string[];
}

const LONG = 'unbreakable'.repeat(6);

/** A list with rows of every kind. */
const LIST = `Number,Name,E-mail,Membership,Member since,Colour
1,Ann Doe-Featherstonehaugh,a.${LONG.slice(0, 60)}@home.example,full,2020-01-01,red
,Bob,bob@home.example,,,
8,${LONG},x@home.example,honorary,2026-01-01,
9,Eve,ann@home.example,royal,,
`;

export async function everyRollPage(): Promise<EveryRollPage> {
  const full = await listeningService();
  const empty = await listeningService();
  const owner = await appoint(full, 'olga@club.example', 'owner');
  const officer = await appoint(full, 'otto@club.example', 'officer');
  await appoint(empty, 'olga@club.example', 'owner');
  const ann = await fill(full, owner);
  const person = `/admin/people/${ann}`;
  const pages = {
    people: '/admin/people',
    'people, second page': '/admin/people?page=2',
    'people, filtered': '/admin/people?q=ann&kind=full&group=Board&on=2026-01-01',
    'people, nobody found': '/admin/people?q=nobody',
    'a person': `${person}?done=saved`,
    'kinds and groups': '/admin/people/kinds?done=added',
  };
  const toRead = as(officer, at(full, pages)).map((one) => ({ ...one, name: `${one.name}, to look at` }));
  const stale = { version: '1', name: 'Ann', addresses: 'ann@home.example' };
  const blank = { 'standing.kind': 'full', 'standing.first_day': '', addresses: 'nobody', name: ' ' };
  return {
    origins: [full.origin, empty.origin],
    pages: [
      ...as(owner, [
        ...at(full, { ...pages, 'new person': '/admin/people/new', import: '/admin/people/import' }),
        ...at(full, { 'people who may be erased': '/admin/people?past=1' }),
        ...at(full, { 'before erasing': `${person}/erase` }),
        ...at(full, { 'no such person': '/admin/people/nobody' }, 404),
        ...at(full, { 'devices of a person': `${person}/devices` }),
        form(full, 'sign-in link', `${person}/sign-in-link`, {}),
        form(full, 'new person refused', '/admin/people', blank),
        form(full, 'person changed meanwhile', person, stale),
        form(full, 'kind refused', '/admin/people/kinds', { form: 'new-kind', name: 'Full', votes: 'true' }),
        imported(full, 'import refused', 'colour\nred'),
        imported(full, 'import compared', LIST),
        imported(
          full,
          'import, what is in a column',
          'Name,Colour,Joined\nAda,red,03/04/2020\nBea,blue,05/06/2021',
        ),
        imported(full, 'import, unknown kinds', 'Name,Membership\nAda,Gold\nBea,Guest of the house'),
        ...at(empty, {
          'people, empty': '/admin/people',
          'new person without kinds': '/admin/people/new',
          'kinds and groups, none': '/admin/people/kinds',
        }),
      ]),
      ...toRead,
    ],
    async [Symbol.asyncDispose]() {
      for (const one of [full, empty]) await one[Symbol.asyncDispose]();
    },
  };
}

/** Fills the roll. @returns the id of a person with every field filled */
async function fill(service: ListeningService, owner: Record<string, string>): Promise<string> {
  const send = async (url: string, payload: object) => {
    const answer = await service.post(`/api/admin/${url}`, payload, owner);
    if (answer.statusCode !== 200) throw new Error(answer.body);
    return answer.json();
  };
  for (const name of ['full', 'honorary', 'suspended'])
    await send('kinds', { name, votes: name !== 'suspended' });
  for (const name of ['Board', LONG]) await send('groups', { name });
  const { id } = await send('people', {
    name: 'Ann Doe-Featherstonehaugh',
    called: 'Annie',
    number: '1',
    note: 'Has the key.\nSince May.',
    addresses: [{ email: 'ann@home.example' }, { email: `a.${LONG.slice(0, 60)}@home.example` }],
    standings: [
      { kind: 'full', first_day: '2020-01-01' },
      { kind: 'suspended', first_day: '2024-01-01', last_day: '2024-02-01' },
    ],
    groups: ['Board', LONG],
  });
  await service.request({
    method: 'PATCH',
    url: `/api/admin/people/${id}`,
    headers: owner,
    payload: { version: 1, called: 'Nan' },
  });
  const csv = `name,number\n${Array.from({ length: 60 }, (_, n) => `Person ${n},${n + 100}\n`).join('')}`;
  const { check } = await send('people/import', { csv, dry_run: true });
  await send('people/import', { csv, dry_run: false, check });
  await send('people', { name: 'Bob' });
  const past = { kind: 'full', first_day: '2010-01-01', last_day: '2012-12-31' };
  await send('people', { name: 'Zoe', standing: past });
  await importOnPage(service, owner, `${LIST.split('\n')[0]}\n,Yves,,,,\n`);
  return id;
}

/** Imports a list through the page, which remembers how these headers were read. */
async function importOnPage(service: ListeningService, who: Record<string, string>, csv: string) {
  const compared = await service.submit('/admin/people/import', { csv, dry_run: 'true' }, who);
  const [, check = ''] = /name="check" value="(\w+)"/.exec(compared.body) ?? [];
  const applied = await service.submit('/admin/people/import', { csv, check, dry_run: 'false' }, who);
  if (applied.statusCode !== 303) throw new Error(applied.body);
}

/** The import page's response to a pasted list. */
function imported({ origin }: ListeningService, name: string, list: string): AuditedPage {
  return {
    name,
    entered: [list],
    async open(page) {
      await page.goto(`${origin}/admin/people/import`);
      await page.fill('textarea[name="csv"]', list);
      await page.click('main form button');
      await page.waitForLoadState();
    },
  };
}

/** The same pages, opened with these headers. */
function as(who: Record<string, string>, pages: AuditedPage[]): AuditedPage[] {
  return pages.map((audited) => ({
    ...audited,
    async open(page: Page) {
      await page.setExtraHTTPHeaders(who);
      await audited.open(page);
    },
  }));
}
