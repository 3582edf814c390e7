// Every page of the pub and the calendar, each with the steps that open it.
import type { Page } from 'playwright-core';
import { SURFACES } from '#pub/setlist/rollups/surfaces.ts';
import { type SamplePub, startSamplePub } from '#test/browser/pub/pub-fixtures.ts';
import { listeningService } from '#test/support/browser/browser-service.ts';
import { type AuditedPage, at, form, toPrint } from './page-audit.ts';

export interface EveryPubPage extends AsyncDisposable {
  patron: AuditedPage[];
  /** The staff's page behind the bar, whose bottom bar covers a part of it. */
  room: AuditedPage[];
  staff: AuditedPage[];
  /** Screens without input. */
  screen: AuditedPage[];
  origins: string[];
}

type Where = { origin: string };

const SWITCHES = ['SETLIST_REQUESTS', 'FEEDBACK', 'NOW_SHOWING', 'SCREENINGS'];
const LIMITS = { RATE_LIMIT_GENERAL: '10000', RATE_LIMIT_ADMIN: '10000' };
const OPEN = { ...LIMITS, ...Object.fromEntries(SWITCHES.map((name) => [`${name}_ENABLED`, 'on'])) };
const TOKEN = { 'x-admin-token': 'a token of the pub' };

export async function everyPubPage(): Promise<EveryPubPage> {
  const full = await startSamplePub(OPEN);
  const screen = await addScreens(full);
  const empty = await listeningService({ ...OPEN, PUB_ADMIN_TOKEN: TOKEN['x-admin-token'] });
  const off = await listeningService({ SETLIST_DB: 'off', PUB_ADMIN_TOKEN: TOKEN['x-admin-token'] });
  await off.request({
    method: 'PATCH',
    url: '/api/admin/calendars/programs',
    headers: TOKEN,
    payload: { enabled: false },
  });
  return {
    patron: [...pubPages(full), ...musicPages(full), ...calendarPages(full), ...bareServices(empty, off)],
    room: roomPages(full, empty),
    staff: [...staffPages(full), ...screenPages(full, screen), ...emptyStaffPages(empty, full)],
    screen: [full, empty].flatMap((where) =>
      at(where, {
        'main TV': '/tv',
        'right TV': '/tv/bar-right',
        projector: '/tv/projector',
        'new TV': '/s',
      }),
    ),
    origins: [full, empty, off].map(({ origin }) => origin),
    async [Symbol.asyncDispose]() {
      for (const one of [full.pub, empty, off]) await one[Symbol.asyncDispose]();
    },
  };
}

function pubPages(full: SamplePub): AuditedPage[] {
  return [
    ...toPrint(
      at(full, {
        'what’s on': '/events',
        'opening hours': '/hours',
        menu: '/menu',
        'menu on paper': '/menu/print',
        tenders: '/tenders/',
        programme: '/programme',
      }),
    ),
    theEvent(full),
    ...at(full, {
      'tender, asked for': `/tenders/?tender=${full.tender}`,
      feedback: '/feedback?page=tv',
    }),
    form(full, 'feedback refused', '/feedback', { message: ' ', rating: '4', contact: 'x'.repeat(130) }),
    form(full, 'feedback, thanks', '/feedback', { message: 'More dark beer' }),
    ...at(full, { films: '/screen', 'films, earlier': '/screen?before=2026-11-01T00:00:00Z' }),
  ];
}

const theEvent = ({ origin }: Where): AuditedPage => ({
  name: 'an event',
  async open(page) {
    await page.goto(`${origin}/events`);
    await page.getByRole('link', { name: 'Knitting', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Knitting', exact: true }).waitFor();
    await page.waitForLoadState();
  },
});

function musicPages(full: Where): AuditedPage[] {
  const surfaces = SURFACES.map(({ name }) => [`setlist, ${name}`, `/setlist/${name}`]);
  return [
    ...at(full, {
      'now playing': '/now',
      'played earlier': '/now?before=2026-11-20T20:00:00Z',
      requests: '/requests',
    }),
    ...at(full, { 'a time that is none': '/now?before=long+ago' }, 400),
    form(full, 'request refused', '/requests', { title: 'Heroes', artist: ' ' }),
    form(full, 'request, not now', '/requests', { title: '9 to 5', artist: 'Dolly Parton' }),
    form(full, 'request taken', '/requests', { title: 'Heroes', artist: 'David Bowie' }),
    ...at(full, { setlist: '/setlist', ...Object.fromEntries(surfaces) }),
    ...at(full, { 'no surface': '/setlist/smell' }, 404),
  ];
}

function calendarPages(full: SamplePub): AuditedPage[] {
  const { links, leaving } = full;
  return [
    ...at(full, {
      'sign-up': '/subscribe-programs',
      'sign-up, no address': '/subscribe-programs?error=email',
      'sign-up, sent': '/subscribe-programs?sent=1',
      'link in the mail': '/subscribe-programs/confirm?v=x',
      'calendar programs': links,
      'stop?': leaving,
    }),
    form(full, 'stopped', leaving, {}),
    ...at(
      full,
      {
        'link in the mail, incomplete': '/subscribe-programs/confirm',
        'link in the mail, unknown': '/api/subs/verify?calendar_id=programs&v=x',
        'calendar programs, unknown': '/subscribe-programs?token=unknown',
        'calendar programs, stopped': links,
        'stop, unknown': '/api/subs/unsubscribe?u=x',
      },
      404,
    ),
  ];
}

/** Pages of a service without data, and of one with all optional parts switched off. */
function bareServices(empty: Where, off: Where): AuditedPage[] {
  const empties = {
    'what’s on': '/events',
    'opening hours': '/hours',
    tenders: '/tenders/?tender=nobody',
    'now playing': '/now',
    requests: '/requests',
    films: '/screen',
    setlist: '/setlist',
    programme: '/programme',
  };
  const closed = {
    'now playing': '/now',
    requests: '/requests',
    feedback: '/feedback',
    films: '/screen',
  };
  return [
    ...at(empty, empties).map((audited) => ({ ...audited, name: `${audited.name}, empty` })),
    ...at(empty, { 'setlist, counting': '/setlist/tonight' }, 503),
    ...at(off, closed, 404).map((audited) => ({ ...audited, name: `${audited.name}, switched off` })),
    ...at(off, { 'sign-up, off': '/subscribe-programs', 'programme, off': '/programme' }),
  ];
}

function roomPages(full: SamplePub, empty: Where): AuditedPage[] {
  const pages = {
    'the room': '/admin/pub?done=menu',
    'the room, lights and sound': '/admin/pub/room?done=lights',
    'the room, heard last': '/admin/pub/heard?done=setlist',
    'last night': '/admin/pub/last-night',
    'tonight so far': '/admin/pub/last-night?day=2026-11-21',
  };
  return [
    ...as(full.owner, [
      ...at(full, { ...pages, 'a tap': '/admin/pub/taps/1' }),
      form(full, 'lights refused', '/admin/pub/lights', { action: 'scene', name: ' ' }),
    ]),
    ...as(full.viewer, at(full, pages)).map((audited) => ({
      ...audited,
      name: `${audited.name}, to look at`,
    })),
    ...as(TOKEN, at(empty, pages)).map((audited) => ({ ...audited, name: `${audited.name}, empty` })),
  ];
}

function staffPages(full: SamplePub): AuditedPage[] {
  const { owner, viewer } = full;
  const desk = {
    roles: '/admin/pub/roles?done',
    'staff’s audit log': '/admin/pub/audit',
    'messages of patrons': '/admin/feedback?done',
    'calendar desk': '/admin/calendar?done=stopped',
  };
  return [
    ...as(owner, [
      ...at(full, {
        ...desk,
        'messages in a state without any': '/admin/feedback?state=spam',
        'calendar desk, nobody found': '/admin/calendar?q=nobody',
      }),
      ...at(full, { 'no such desk': '/admin/pub/cellar' }, 404),
      form(full, 'roles refused', '/admin/pub/roles', { email: 'nobody', roles: 'dj' }),
      form(full, 'last owner', '/admin/pub/roles', { email: 'olga@club.example', roles: 'dj' }),
    ]),
    ...as(viewer, at(full, desk)).map((audited) => ({ ...audited, name: `${audited.name}, to look at` })),
  ];
}

/** Adds an upright screen with long names and a landscape one, both in groups. @returns the id of the last listed */
async function addScreens({ pub: { service }, owner }: SamplePub): Promise<string> {
  const beat = { version: 'x', uptime_s: 5, page: 'tv', showing: 'Unbreakable'.repeat(9) };
  const long = { ...beat, screen: 'w'.repeat(40), viewport: '1080x1920' };
  for (const one of [long, { ...beat, screen: 'bar', viewport: '1920x1080' }])
    await service.post('/api/screens/heartbeat', one);
  const { screens } = (await service.get('/api/admin/screens', owner)).json();
  for (const { id, revision } of screens)
    await service.request({
      method: 'PATCH',
      url: `/api/admin/screens/${id}`,
      payload: {
        revision,
        groups: ['downstairs', 'g'.repeat(40)],
        mix: { crew: false },
        times: [
          { days: ['fri', 'sat'], between: { from: '22:00', to: '02:00' }, mix: 'pictures_only' },
          { days: ['mon'], between: null, mix: { layout: 'slides', events: false } },
        ],
      },
      headers: owner,
    });
  return screens.at(-1).id;
}

function screenPages(full: SamplePub, id: string): AuditedPage[] {
  const list = '/admin/pub/screens';
  const one = {
    name: 'a screen',
    async open(page: Page) {
      await page.goto(`${full.origin}${list}/${id}?done=renamed`);
      // Leaving before the screen in the frame has loaded would count as a problem of the page.
      await page.frameLocator('iframe').getByText('Knitting').first().waitFor();
    },
  };
  return [
    ...as(full.owner, [
      ...at(full, { screens: `${list}?done=forgotten`, 'how a TV is paired, for paper': `${list}/print` }),
      one,
      ...at(full, {
        'what a screen shows': `${list}/${id}/shows`,
        'where a screen is': `${list}/${id}/place`,
      }),
    ]),
    ...as(full.viewer, at(full, { 'screens, to look at': list })),
  ];
}

function emptyStaffPages(empty: Where, full: Where): AuditedPage[] {
  const nobody = { 'edge-access-authenticated-user-email': 'nobody@club.example' };
  const desk = {
    'roles, none': '/admin/pub/roles',
    'screens, none': '/admin/pub/screens',
    'messages, none': '/admin/feedback',
    'calendar desk, empty': '/admin/calendar',
  };
  return [...as(TOKEN, at(empty, desk)), ...as(nobody, at(full, { 'without a role': '/admin/pub' }, 403))];
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
