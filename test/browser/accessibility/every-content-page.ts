// Every page of the club's own content, each with the steps that open it.
import type { Page } from 'playwright-core';
import { GROUPS, groupPath } from '#kernel/settings/setting.ts';
import {
  file,
  onTv,
  PUB_DATABASES,
  type PubPages,
  pubDatabases,
  record,
  when,
} from '#test/stand-ins/pub-workspace.ts';
import { KEY, startWorkspace } from '#test/stand-ins/workspace-server.ts';
import type { TestApp } from '#test/support/app.ts';
import { listeningService } from '#test/support/browser/browser-service.ts';
import { editorAt } from '#test/support/content.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { smallPicture, upload } from '#test/support/pictures.ts';
import { type AuditedPage, at, form } from './page-audit.ts';

export interface EveryContentPage extends AsyncDisposable {
  pages: AuditedPage[];
  origins: string[];
}

const LONG = 'unbreakable'.repeat(6);
const TODAY = '2026-11-21';

export async function everyContentPage(): Promise<EveryContentPage> {
  const full = await listeningService();
  const empty = await listeningService();
  const eve = await editorAt(full);
  const nobody = await editorAt(empty);
  const viewer = await appoint(full, 'vic@club.example', 'viewer');
  const workspace = await startWorkspace(pubDatabases(toImport()));
  const settings = { WORKSPACE_API_KEY: KEY, WORKSPACE_API_URL: workspace.url, ...PUB_DATABASES };
  const importing = await listeningService(settings);
  const owner = await appoint(importing, 'olga@club.example', 'owner');
  const ofFull = await appoint(full, 'olga@club.example', 'owner');
  const ids = await fill(full, eve);
  const pages = {
    content: '/admin/content',
    announcements: '/admin/content/announcement',
    'announcements, nothing found': '/admin/content/announcement?q=nobody&state=draft',
    'removed announcements': '/admin/content/announcement?state=removed',
    'opening hours': '/admin/content/hours',
    roster: '/admin/content/roster',
    'an announcement': `/admin/content/${ids.announcement}?done=published`,
    'a removed announcement': `/admin/content/${ids.removed}`,
    'versions of an announcement': `/admin/content/${ids.announcement}/history`,
    'versions of a removed announcement': `/admin/content/${ids.removed}/history`,
    'hours of a week': `/admin/content/${ids.hours}`,
    'a special day': `/admin/content/${ids.special}`,
    'a tender': `/admin/content/${ids.tender}`,
    'a section of the list': `/admin/content/${ids.section}`,
    pictures: '/admin/content/pictures?done=removed',
    'drinks and food': '/admin/content/menu_item',
    prices: '/admin/content/prices',
  };
  const kinds = [
    'announcement',
    'hours',
    'special',
    'roster',
    'tender',
    'menu_section',
    'menu_item',
    'offer',
  ];
  const blank = Object.fromEntries(kinds.map((kind) => [`new ${kind}`, `/admin/content/${kind}/new`]));
  const stale = { version: '1', title: `Mine ${LONG}`, text: 'At ten.', priority: 'normal' };
  const wrong = {
    title: ' ',
    'between.from': '25:00',
    'from.date': '2026-12-02',
    'until.date': '2026-12-01',
  };
  return {
    origins: [full.origin, empty.origin, importing.origin],
    pages: [
      ...as(eve.headers, [
        ...at(full, {
          ...pages,
          ...blank,
          'as last week': '/admin/content/roster?like=last-week',
          'drinks from a file': '/admin/content/menu-import?done=published',
        }),
        form(full, 'announcement refused', '/admin/content/announcement', wrong),
        form(full, 'drinks from a file, refused', '/admin/content/menu-import', {
          text: 'section,name,price\n,,dear',
        }),
        form(full, 'drinks from a file, looked at', '/admin/content/menu-import', {
          text: `section,name\n${LONG.slice(0, 60)},${LONG}`,
        }),
        form(full, 'hours refused', '/admin/content/hours', { from: TODAY, 'week.sat.0.opens': '26:00' }),
        form(full, 'special refused', '/admin/content/special', { from: TODAY, as: 'open' }),
        form(full, 'changed meanwhile', `/admin/content/${ids.announcement}`, stale),
        form(full, 'roster changed meanwhile', '/admin/content/roster/days', {
          first: TODAY,
          [`version.${TODAY}`]: '1',
          [`crew.${TODAY}`]: [],
        }),
      ]),
      ...as(
        nobody.headers,
        at(empty, { 'content, empty': '/admin/content', 'roster, empty': '/admin/content/roster' }),
      ),
      ...as(ofFull, at(full, { 'import without a workspace': '/admin/content/import' })),
      ...as(owner, [
        ...at(importing, { 'content of an owner': '/admin/content', import: '/admin/content/import' }),
        ...['true', 'false'].map((dry_run) => ({
          ...form(importing, `import, dry: ${dry_run}`, '/admin/content/import', { dry_run }),
          // The page of the workspace that is left out.
          entered: ['Not ticked'],
        })),
      ]),
      ...as(ofFull, [
        ...at(full, {
          settings: '/admin/settings?done=saved',
          ...Object.fromEntries(GROUPS.map((group) => [`settings of ${group}`, groupPath(group)])),
          health: '/admin/health',
          mails: '/admin/mails',
        }),
        form(full, 'settings refused', '/admin/settings', { accent: 'green', imprint_url: LONG }),
      ]),
      ...as(viewer, at(full, pages)).map((one) => ({ ...one, name: `${one.name}, to look at` })),
    ],
    async [Symbol.asyncDispose]() {
      for (const one of [full, empty, importing, workspace]) await one[Symbol.asyncDispose]();
    },
  };
}

/** Pages that are imported, one imported with a note, and one that is not imported. */
const toImport = (): PubPages => ({
  announcements: [record(`Quiz ${LONG}`, onTv), record('Not ticked', {})],
  tenders: [record(LONG, { QR: file('https://files.example/qr.png') })],
  shifts: [record('Tonight', { Shift: when(`${TODAY}T11:00:00-05:00`, `${TODAY}T23:00:00-05:00`) })],
});

/** Creates records with every field filled. @returns their `kind/id` */
async function fill(service: TestApp, eve: Awaited<ReturnType<typeof editorAt>>) {
  const send = async (colour: string) =>
    (await upload(service, eve.headers, { bytes: await smallPicture(colour, 300, 200) })).json().id as string;
  const picture = await send('#336699');
  await send('#993366');
  const ann = await eve.publish('tender', {
    full_name: 'Ann Doe-Featherstonehaugh',
    bio: 'Pours.',
    meet: true,
    picture,
  });
  await eve.publish('tender', { full_name: LONG });
  const evening = { opens: '17:00', closes: '01:00', before: 30, tenders: [ann] };
  const week = { fri: [{ opens: '11:00', closes: '14:00' }, evening], sat: [evening] };
  const hours = await eve.publish('hours', { from: '2026-01-01', week });
  const special = await eve.publish('special', { from: '2026-11-26', closed: true, reason: 'Thanksgiving' });
  const roster = await eve.publish('roster', { date: TODAY, tenders: [ann] });
  await eve.patch(`roster/${roster}`, { version: 1, body: { tenders: [] } });
  await eve.publish('roster', {
    date: '2026-11-22',
    range: { opens: '17:00', closes: '20:00' },
    tenders: [ann],
  });
  const section = await eve.publish('menu_section', { title: LONG.slice(0, 60) });
  const sizes = [
    { label: 'Pint', price: 450 },
    { label: 'A very large glass', price: null },
  ];
  await eve.publish('menu_item', { section, name: LONG, sizes });
  const announcement = await eve.publish('announcement', { title: `Quiz ${LONG}`, text: 'At eight.\nPens.' });
  await eve.patch(`announcement/${announcement}`, {
    version: 1,
    body: { title: `Big quiz ${LONG}`, picture, days: ['mon'], screens: ['bar', LONG.slice(0, 40)] },
  });
  const removed = await eve.create('announcement', { title: 'Removed' });
  await eve.post(`${removed}/remove`);
  return {
    removed,
    tender: `tender/${ann}`,
    hours: `hours/${hours}`,
    special: `special/${special}`,
    announcement: `announcement/${announcement}`,
    section: `menu_section/${section}`,
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
