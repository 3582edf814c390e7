import type { Identity } from '#kernel/access/permissions.ts';
import { type Child, type Html, html } from '#kernel/html.ts';
import type { ScreenJson } from '#pub/devices/screens.ts';
import { field } from '#views/components/forms.ts';
import { empty, notice } from '#views/components/notices.ts';
import { counted } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { definitionList, pageHeader } from '#views/components/structure.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { type Refusal, refusalSentence } from './refusal.ts';
import { doneNotice, staffPage } from './staff-frame.ts';
import { ago, clock, SCREENS, type When } from './staff-room/words.ts';

interface Common {
  now: number;
  zone: string;
  /** Whether the pub is closed, so that a screen that is off needs no one. */
  expectedOff: boolean;
  identity: Identity | undefined;
  done: string | undefined;
}

const NAV = '/admin/pub';
type Moment = When & Pick<Common, 'expectedOff'>;

const LIST = '/admin/pub/screens';
const ADDRESSES = { tv: '/tv', 'bar-right': '/tv/bar-right', projector: '/tv/projector' } as const;

/** All screens that have a name: whether each is on, and what it shows. */
export function screensPage(props: Common & { screens: readonly ScreenJson[]; visitors: number }): Html {
  const { screens, visitors, identity, done, ...moment } = props;
  const body = html`${pageHeader({ title: 'Screens', lede: 'The TVs that have a name, and what each shows.' })}
${doneNotice(done)}
${
  screens.length === 0
    ? empty('No screen has a name yet', 'Open /tv?screen=bar on a TV: it is listed here within a minute.')
    : html`<ul class="action-list" role="list">${screens.map((screen) => row(screen, moment))}</ul>`
}
${
  visitors > 0 &&
  html`
<p class="small soft">${counted(visitors, 'browser')} without a name ${
    visitors === 1 ? 'shows' : 'show'
  } such a page too: visitors, whom nobody misses.</p>`
}
<p class="small soft">A TV gets its name
by its address: <code>/tv?screen=bar</code>, <code>/tv/bar-right?screen=snug</code>. Announcements and notices
may be for some screens only: by a name, or by a group that several belong to.</p>
<p><a class="button button-quiet" href="${NAV}">Tonight</a></p>`;
  return staffPage({ title: 'Screens', body, nav: NAV, identity });
}

function row(screen: ScreenJson, moment: Moment): Html {
  return html`<li><p><strong><a href="${LIST}/${screen.id}">${screen.name}</a></strong> ${badge(...light(screen))}<br>
<span class="soft small">${SCREENS[screen.page]}${
    screen.groups.length > 0 && html`, in ${screen.groups.join(', ')}`
  }. ${
    screen.online && screen.showing ? html`Shows: ${screen.showing}.` : stateWords(screen, moment)
  }${troubleWords(screen)}</span></p></li>\n`;
}

function light({ online, offlineSince }: ScreenJson): [string, ('open' | 'danger')?] {
  if (!online) return ['Off'];
  return offlineSince === null ? ['On', 'open'] : ['Cut off', 'danger'];
}

function stateWords({ online, current, lastSeenAt, offlineSince }: ScreenJson, moment: Moment): string {
  if (!online)
    return `${moment.expectedOff ? 'Off: expected, the pub is closed. ' : ''}Last seen ${ago(lastSeenAt, moment)}.`;
  if (offlineSince !== null) return `Cut off since ${clock(offlineSince, moment)}.`;
  return current ? '' : 'About to load the new version.';
}

/** Screens may report how many pictures failed to load. */
function troubleWords(screen: ScreenJson & { failedPictures?: number }): string {
  const { failedPictures = 0 } = screen;
  return failedPictures > 0 ? ` ${counted(failedPictures, 'picture')} did not come.` : '';
}

export interface ScreenPageProps extends Common {
  screen: ScreenJson;
  refused?: (Refusal & { entered: Record<string, unknown> }) | undefined;
}

/** One screen: a preview of its page, its name and groups, and the actions of staff. */
export function screenPage({ screen, identity, done, refused, ...moment }: ScreenPageProps): Html {
  const { name, page, showing, viewport, lastSeenAt, startedAt } = screen;
  const facts: [string, Child][] = [
    ['Page', SCREENS[page]],
    ['State', html`${badge(...light(screen))} ${stateWords(screen, moment)}${troubleWords(screen)}`],
    ...(showing ? [['Shows', showing] as [string, Child]] : []),
    ['Last seen', ago(lastSeenAt, moment)],
    ['Page loaded', clock(startedAt, moment)],
    ['Size', viewport],
    ['Its own name', screen.screen],
  ];
  const mayChange = identity?.permissions.has('controls:write') ?? false;
  const body = html`${pageHeader({ title: name, eyebrow: 'Screen' })}
${doneNotice(done)}${
  refused &&
  html`
<div role="alert">${notice(
    'danger',
    refusalSentence(refused, { name: 'The name', groups: 'The groups' }),
    'Nothing was changed',
  )}</div>`
}
${preview(screen)}
${definitionList(facts)}
${mayChange && changes(screen, refused)}
<p><a class="button button-quiet" href="${LIST}">All screens</a></p>`;
  return staffPage({ title: name, body, nav: NAV, identity, head: stylesheets('pub/screens.css') });
}

/** The page that this screen shows, in a frame of the same orientation. A preview sends no heartbeat for the screen. */
function preview({ name, screen, page, viewport }: ScreenJson): Html {
  const [width = 16, height = 9] = viewport.split('x').map(Number);
  const address = `${ADDRESSES[page]}?screen=${encodeURIComponent(screen)}&preview`;
  return html`<div class="screen-preview${
    width < height && ' screen-preview-upright'
  }"><iframe src="${address}"
title="What ${name} shows" loading="lazy"></iframe></div>
<p class="small soft">The page as this screen gets it now; its slides may be at another one.</p>`;
}

function changes({ id, name, groups }: ScreenJson, refused: ScreenPageProps['refused']): Html {
  const entered = refused?.entered;
  const typed = (field: string, stored: string) => (entered ? String(entered[field] ?? '') : stored);
  return html`<section class="panel"><h2>Name and groups</h2><form method="post" action="${LIST}/${id}">
${field({
  name: 'name',
  label: 'Name',
  value: typed('name', name),
  maxlength: 40,
  optional: true,
  autocomplete: 'off',
  hint: 'Empty: the name that it gives itself.',
})}
${field({
  name: 'groups',
  label: 'Groups',
  value: typed('groups', groups.join(', ')),
  maxlength: 600,
  optional: true,
  autocomplete: 'off',
  hint: 'Separate with commas: downstairs, quiet.',
})}
<p class="actions"><button class="button">Save</button></p></form></section>
<section class="panel"><h2>Trouble</h2><form method="post" action="${LIST}/${id}/reload">
<p class="actions"><button class="button button-quiet">Load its page again</button></p></form>
<form method="post" action="${LIST}/${id}/forget">
<p class="actions"><button class="button button-quiet">Forget this screen</button></p></form>
<p class="small soft">One that is still on comes back to the list by itself.</p></section>`;
}
