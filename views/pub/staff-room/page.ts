import type { Identity } from '#kernel/access/permissions.ts';
import type { Permission } from '#kernel/access/roles.ts';
import { type Child, type Html, html } from '#kernel/html.ts';
import { formatPercent } from '#kernel/locale.ts';
import type { Parts } from '#kernel/settings/parts.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import type { ScreenJson } from '#pub/devices/screens.ts';
import type { SendingState } from '#pub/plays/scrobble-queue.ts';
import type { Overview } from '#pub/staff-room/overview.ts';
import { notice } from '#views/components/notices.ts';
import { counted, listed } from '#views/components/numbers.ts';
import { definitionList, pageHeader } from '#views/components/structure.ts';
import { type Refusal, refusalSentence } from '#views/pub/refusal.ts';
import { doneNotice, staffPage, tryNow } from '#views/pub/staff-frame.ts';
import { menuPart } from './menu.ts';
import { part } from './parts.ts';
import { requestsPart } from './requests.ts';
import { displaysPart, lightsPart, soundPart } from './room.ts';
import { filmsPart, screenPart } from './screen.ts';
import { setlistPart } from './setlist.ts';
import { takeoverPart } from './takeover.ts';
import { tonight } from './tonight.ts';
import {
  ago,
  clock,
  type Moment,
  ROOM_PAGE_OF,
  ROOM_PAGES,
  type RoomPage,
  type RoomPart,
  roomPath,
  SCREENS,
} from './words.ts';

export interface StaffRoomProps {
  page: RoomPage;
  overview: Overview;
  identity: Identity | undefined;
  zone: string;
  /** What the person can undo now: ids by those of the buttons. */
  undo: ReadonlyMap<string, string>;
  /** The parts that are on: the others are left out. */
  parts: Readonly<Parts>;
  /** What is searched among food and bottles. */
  q: string;
  done?: string | undefined;
  refused?: Refusal | undefined;
}

const LABELS = {
  mode: 'The mode',
  gameId: 'The game',
  name: 'The name',
  label: 'The title',
  reason: 'The reason',
  title: 'The title',
  artist: 'The artist',
  text: 'The text',
  minutes: 'The minutes',
};

/** The overview without the data of parts that are off. */
function withParts(overview: Overview, has: Readonly<Parts>): Overview {
  const { requests, feedback, card, takeovers, plays, screenings } = overview;
  return {
    ...overview,
    requests: has.requests ? requests : null,
    feedback: has.feedback ? feedback : null,
    card: has.sports || has.films ? card : null,
    takeovers: has.screens ? takeovers : null,
    plays: has.music ? plays : null,
    screenings: has.films ? screenings : null,
  };
}

/** After this time without a heartbeat a screen counts as taken down and is not reported as missing any more. */
const MISSED_FOR_MS = 24 * 3_600_000;

/** One page of the room: its state, and the controls that this person may use. */
export function staffRoomPage(props: StaffRoomProps): Html {
  const { page, identity, zone, undo, parts: has, done, refused } = props;
  const overview = withParts(props.overview, has);
  const moment = { now: Date.parse(overview.now), zone, undo, page };
  const may = (permission: Permission) => identity?.permissions.has(permission) ?? false;
  const { menu, requests, plays, hiddenNames } = overview;
  const contents: Record<RoomPart, Html | null | false> = {
    menu: menu && menuPart(menu, props.q, moment),
    requests: requests && requestsPart(requests, moment),
    takeover: takeoverPart(overview, moment),
    lights: has.lights && lightsPart(overview, moment, may),
    sound: has.sound && soundPart(overview, moment, may),
    screen: screenPart(overview, moment, may),
    displays: has.music && displaysPart(overview, moment, may),
    health: healthPart(overview, moment, may),
    setlist: plays && setlistPart(plays, hiddenNames ?? [], moment),
    films: filmsPart(overview, moment),
  };
  const shown = (Object.keys(ROOM_PAGE_OF) as RoomPart[]).filter((id) => contents[id]);
  const { title, path } = ROOM_PAGES[page];
  const head = {
    tonight: html`<div id="tonight" data-live>${tonight(overview, moment)}</div>`,
    room: null,
    heard: null,
  }[page];
  const body = html`${pageHeader({ title, ...(page !== 'tonight' && { crumbs: [BACK] }) })}
<div id="said" data-live aria-live="polite" tabindex="-1">${doneNotice(done)}${
    refused && notice('danger', refusalSentence(refused, LABELS), 'Nothing was changed')
  }</div>
${head}
<div id="well" data-live>${troubles(overview, moment, has)}</div>
${page !== 'room' && html`<div id="now" data-live>${has.music && playing(overview, moment)}</div>`}
<nav class="jump" id="jump" aria-label="Parts of the room" data-live><ul role="list">${shown.map((id) => jumpTo(id, page))}</ul></nav>
<div class="room-parts">${[false, true].map(
    (beside) =>
      html`<div>${shown.map(
        (id) => ROOM_PAGE_OF[id] === page && BESIDE.has(id) === beside && contents[id],
      )}</div>`,
  )}</div>`;
  return staffPage({
    area: 'staff',
    title,
    body,
    nav: '/admin/pub',
    identity,
    scripts: ['base/live.js', 'pub/hold.js'],
    head: html`<meta name="live-every" content="4"><meta name="live-at" content="${path}">`,
  });
}

/** The parts of the second column, where there is room: none moves when another one grows. */
const BESIDE: ReadonlySet<RoomPart> = new Set([
  'requests',
  'takeover',
  'screen',
  'displays',
  'health',
  'films',
]);

const BACK = { href: ROOM_PAGES.tonight.path, label: ROOM_PAGES.tonight.title };

const JUMPS: Record<RoomPart, string> = {
  menu: 'Taps',
  requests: 'Requests',
  takeover: 'Notice',
  lights: 'Lights',
  sound: 'Sound',
  screen: 'Big screen',
  displays: 'Displays',
  health: 'Devices',
  setlist: 'Setlist',
  films: 'Films',
};

/** A link to a part. Its id stands in the link where the part is on another page: `officers.js` follows it there. */
const jumpTo = (id: RoomPart, page: RoomPage): Html =>
  ROOM_PAGE_OF[id] === page
    ? html`<li><a href="#${id}">${JUMPS[id]}</a></li>`
    : html`<li><a href="${roomPath(id)}">${JUMPS[id]}<span id="${id}"></span></a></li>`;

function playing({ track, source }: Overview, moment: Moment): Html {
  const song = track
    ? html`<p class="room-song"><span class="song-title">${track.title}</span> <span class="song-artist">${track.artist}</span>
<span class="small soft">${
        track.kind === 'video' ? 'Heard from the screen' : 'Playing'
      } since ${clock(track.startedAt, moment)}${source === 'player' && ', from the player'}${
        track.requested && ', somebody asked for it'
      }</span></p>`
    : html`<p class="room-song"><span class="song-title">No music</span> <span class="small soft">${
        source === 'player' ? 'The player plays none.' : 'The listener hears none.'
      }</span></p>`;
  return html`<div class="room-now">${song}</div>`;
}

function troubles(
  { listener: device, player, source, sources, scrobbling, screens }: Overview,
  moment: Moment,
  has: Readonly<Parts>,
): Html {
  const needing = [
    has.music && source !== 'player' && 'songs',
    has.lights && 'lights',
    has.sound && 'sound',
  ].filter((name) => name !== false);
  const [need, wait] = needing.join() === 'sound' ? ['needs', 'waits'] : ['need', 'wait'];
  const missed = screens.filter((screen) => isMissed(screen, moment));
  const found: Child[] = [
    needing.length > 0 &&
      !device.online &&
      (device.lastSeenAt === null
        ? player === null && html`<li>The listener was never heard: ${listed(needing)} ${need} it.</li>`
        : html`<li>The listener was last heard ${ago(
            device.lastSeenAt,
            moment,
          )}: ${listed(needing)} ${wait} for it.</li>`),
    scrobbling?.stopped &&
      html`<li>Songs are not sent on any more: the token was refused. An owner enters
      another one in <a href="${groupPath('music')}">the settings</a>.</li>`,
    has.sound && device.qsysDown && html`<li>The sound system does not answer.</li>`,
    ...sources.map(
      ({ name, title, text }) =>
        html`<li><strong>${title}</strong>: ${text} ${tryNow(name, title, ROOM_PAGES[moment.page].path)}</li>`,
    ),
    ...missed.map(
      (screen) => html`<li>${nameOf(screen)} was last seen ${ago(screen.lastSeenAt, moment)}.</li>`,
    ),
    ...screens
      .filter(({ online, offlineSince }) => online && offlineSince !== null)
      .map((screen) => html`<li>${nameOf(screen)} shows stored content: it cannot reach the server.</li>`),
    ...screens
      .filter(({ online, failedPictures = 0 }) => online && failedPictures > 0)
      .map(
        (screen) =>
          html`<li>${nameOf(screen)} cannot show ${counted(
            screen.failedPictures ?? 0,
            'picture',
            'pictures',
          )} of its slides.</li>`,
      ),
  ].filter(Boolean);
  if (found.length > 0) return notice('attention', html`<ul>${found}</ul>`, 'Needs a look');
  const on = screens.filter(({ online }) => online).length;
  const listens = needing.length > 0 || source === 'player';
  return html`<p class="small soft">All is well${listens && `: ${SOURCES[source ?? 'none']}`}${
    on > 0 && html`${listens ? ',' : ':'} ${on === 1 ? 'one screen is on' : `${on} screens are on`}`
  }.</p>`;
}

const SOURCES = {
  device: 'the listener is heard',
  player: 'the player is heard',
  none: 'the player is silent',
} as const;

const isMissed = ({ online, lastSeenAt }: ScreenJson, { now }: Moment) =>
  !online && now - Date.parse(lastSeenAt) < MISSED_FOR_MS;

const nameOf = ({ name, page }: ScreenJson) => (name === page ? SCREENS[page] : `${SCREENS[page]} “${name}”`);

function healthPart(
  { listener: device, player, scrobbling, screens }: Overview,
  moment: Moment,
  may: (permission: Permission) => boolean,
): Html {
  const { lastSeenAt, online, verdict, id, version, uptimeS } = device;
  const heard = lastSeenAt === null ? 'never heard' : `heard ${ago(lastSeenAt, moment)}`;
  const listener: [string, Child][] = [
    ['Listener', online ? `On, ${heard}` : `Off, ${heard}`],
    ['Hears', verdict ? `${verdict.kind}, ${formatPercent(verdict.confidence)} sure` : 'nothing certain'],
    ...(id ? [['Device', `${id}${version ? `, version ${version}` : ''}`] as [string, Child]] : []),
    ...(online && uptimeS !== null
      ? [['Running for', `${Math.round(uptimeS / 3_600)} h`] as [string, Child]]
      : []),
  ];
  const facts: [string, Child][] = [
    // A pub with a music player needs no listener.
    ...(lastSeenAt !== null || player === null ? listener : []),
    ...(player ? [['Player', playerWords(player, moment)] as [string, Child]] : []),
    ...(scrobbling ? [['Sent on', sendingWords(scrobbling, moment)] as [string, Child]] : []),
    ...screens.map((screen): [string, Child] => [nameOf(screen), screenWords(screen, moment)]),
  ];
  return part({
    id: 'health',
    title: 'Devices',
    state: definitionList(facts),
    controls:
      may('now_showing:read') &&
      html`<p><a class="button button-quiet" href="/admin/pub/screens">Screens: names, groups, what each shows</a></p>`,
  });
}

function playerWords({ name, online, lastSeenAt }: NonNullable<Overview['player']>, moment: Moment): string {
  return `${online ? 'On' : 'Off'}${name ? `, ${name}` : ''}, heard ${ago(lastSeenAt, moment)}`;
}

function sendingWords({ waiting, error, stopped, nextAt }: SendingState, moment: Moment): string {
  const songs = waiting === 1 ? '1 song waits' : `${waiting} songs wait`;
  if (stopped) return `Stopped, ${songs}: ${error}`;
  return nextAt ? `${songs}, again at ${clock(nextAt, moment)}: ${error}` : songs;
}

function screenWords({ online, current, lastSeenAt, offlineSince }: ScreenJson, moment: Moment): string {
  if (!online) return `Off, last seen ${ago(lastSeenAt, moment)}`;
  if (offlineSince !== null) return `On, cut off since ${clock(offlineSince, moment)}`;
  return current ? 'On' : 'On, about to load the new version';
}
