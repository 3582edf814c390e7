import type { Identity } from '#kernel/access/permissions.ts';
import type { Permission } from '#kernel/access/roles.ts';
import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { allOf, commas, formatPercent } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import type { Parts } from '#kernel/settings/parts.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import type { ScreenJson } from '#pub/devices/screens.ts';
import type { SendingState } from '#pub/plays/scrobble-queue.ts';
import type { Overview } from '#pub/staff-room/overview.ts';
import { refusalSentence } from '#views/components/entered.ts';
import { notice } from '#views/components/notices.ts';
import { definitionList, pageHeader } from '#views/components/structure.ts';
import type { Refusal } from '#views/pub/refusal.ts';
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
  done?: Words | undefined;
  refused?: Refusal | undefined;
}

const LABELS = {
  mode: t('pub-staff.staff_room.mode'),
  gameId: t('pub-staff.staff_room.game'),
  name: t('pub-staff.staff_room.name'),
  label: t('pub-staff.staff_room.title'),
  reason: t('pub-staff.staff_room.reason'),
  title: t('pub-staff.staff_room.title'),
  artist: t('pub-staff.staff_room.artist'),
  text: t('pub-staff.staff_room.text'),
  minutes: t('pub-staff.staff_room.minutes'),
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
    refused && notice('danger', refusalSentence(refused, LABELS), t('pub-staff.staff_room.nothing_changed'))
  }</div>
${head}
<div id="well" data-live>${troubles(overview, moment, has)}</div>
${page !== 'room' && html`<div id="now" data-live>${has.music && playing(overview, moment)}</div>`}
<nav class="jump" id="jump" aria-label="${t('pub-staff.staff_room.parts_room')}" data-live><ul role="list">${shown.map((id) => jumpTo(id, page))}</ul></nav>
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

const JUMPS: Record<RoomPart, Words> = {
  menu: t('pub-staff.staff_room.taps'),
  requests: t('pub-staff.staff_room.requests'),
  takeover: t('pub-staff.staff_room.notice'),
  lights: t('pub-staff.staff_room.lights'),
  sound: t('pub-staff.staff_room.sound'),
  screen: t('pub-staff.staff_room.big_screen'),
  displays: t('pub-staff.staff_room.displays'),
  health: t('pub-staff.staff_room.devices'),
  setlist: t('pub-staff.staff_room.setlist'),
  films: t('pub-staff.staff_room.films'),
};

/** A link to a part. Its id stands in the link where the part is on another page: `officers.js` follows it there. */
const jumpTo = (id: RoomPart, page: RoomPage): Html =>
  ROOM_PAGE_OF[id] === page
    ? html`<li><a href="#${id}">${JUMPS[id]}</a></li>`
    : html`<li><a href="${roomPath(id)}">${JUMPS[id]}<span id="${id}"></span></a></li>`;

function playing({ track, source }: Overview, moment: Moment): Html {
  const song = track
    ? html`<p class="room-song"><span class="song-title">${track.title}</span> <span class="song-artist">${track.artist}</span>
<span class="small soft">${commas([
        track.kind === 'video'
          ? t('pub-staff.staff_room.heard_from_screen', { time: clock(track.startedAt, moment) })
          : t('pub-staff.staff_room.playing_since', { time: clock(track.startedAt, moment) }),
        source === 'player' && t('pub-staff.staff_room.from_player'),
        track.requested && t('pub-staff.staff_room.asked_for'),
      ])}</span></p>`
    : html`<p class="room-song"><span class="song-title">${t('pub-staff.staff_room.music')}</span> <span class="small soft">${
        source === 'player'
          ? t('pub-staff.staff_room.player_plays_none')
          : t('pub-staff.staff_room.listener_hears_none')
      }</span></p>`;
  return html`<div class="room-now">${song}</div>`;
}

function troubles(
  { listener: device, player, source, sources, scrobbling, screens }: Overview,
  moment: Moment,
  has: Readonly<Parts>,
): Html {
  const needing = [
    has.music && source !== 'player' && t('pub-staff.staff_room.the_songs'),
    has.lights && t('pub-staff.staff_room.the_lights'),
    has.sound && t('pub-staff.staff_room.the_sound'),
  ].filter((name) => name !== false);
  // Sound alone is one thing; songs and lights are several.
  const who = {
    number: needing.length === 1 && has.sound ? 'one' : 'other',
    things: allOf(needing),
  } as const;
  const missed = screens.filter((screen) => isMissed(screen, moment));
  const found: Child[] = [
    needing.length > 0 &&
      !device.online &&
      (device.lastSeenAt === null
        ? player === null && html`<li>${t('pub-staff.staff_room.listener_never_heard', who)}</li>`
        : html`<li>${t('pub-staff.staff_room.listener_last_heard', {
            ...who,
            ago: ago(device.lastSeenAt, moment),
          })}</li>`),
    scrobbling?.stopped &&
      html`<li>${t('pub-staff.staff_room.songs_sent_any_more_token', { link: (inside) => html`<a href="${groupPath('music')}">${inside}</a>` })}</li>`,
    has.sound && device.qsysDown && html`<li>${t('pub-staff.staff_room.sound_system_answer')}</li>`,
    ...sources.map(
      ({ name, title, text }) =>
        html`<li>${t('common.named', { name: html`<strong>${title}</strong>`, value: text })} ${tryNow(name, title, ROOM_PAGES[moment.page].path)}</li>`,
    ),
    ...missed.map(
      (screen) =>
        html`<li>${t('pub-staff.staff_room.last_seen', { screen: nameOf(screen), ago: ago(screen.lastSeenAt, moment) })}</li>`,
    ),
    ...screens
      .filter(({ online, offlineSince }) => online && offlineSince !== null)
      .map(
        (screen) =>
          html`<li>${t('pub-staff.staff_room.shows_stored_content_cannot_reach', { screen: nameOf(screen) })}</li>`,
      ),
    ...screens
      .filter(({ online, failedPictures = 0 }) => online && failedPictures > 0)
      .map(
        (screen) =>
          html`<li>${t('pub-staff.staff_room.cannot_show_pictures_slides', { screen: nameOf(screen), pictures: screen.failedPictures ?? 0 })}</li>`,
      ),
  ].filter(Boolean);
  if (found.length > 0)
    return notice('attention', html`<ul>${found}</ul>`, t('pub-staff.staff_room.needs_look'));
  const on = screens.filter(({ online }) => online).length;
  const listens = needing.length > 0 || source === 'player';
  const well = commas([
    listens && SOURCES[source ?? 'none'],
    on > 0 && t('pub-staff.staff_room.screens_on', { screens: on }),
  ]);
  return html`<p class="small soft">${
    well ? t('pub-staff.staff_room.all_well_because', { facts: well }) : t('pub-staff.staff_room.all_well')
  }</p>`;
}

const SOURCES = {
  device: t('pub-staff.staff_room.listener_heard'),
  player: t('pub-staff.staff_room.player_heard'),
  none: t('pub-staff.staff_room.player_silent'),
} as const;

const isMissed = ({ online, lastSeenAt }: ScreenJson, { now }: Moment) =>
  !online && now - Date.parse(lastSeenAt) < MISSED_FOR_MS;

const nameOf = ({ name, page }: ScreenJson): Words =>
  name === page ? SCREENS[page] : t('pub-staff.staff_room.screen_named', { screen: SCREENS[page], name });

function healthPart(
  { listener: device, player, scrobbling, screens }: Overview,
  moment: Moment,
  may: (permission: Permission) => boolean,
): Html {
  const { lastSeenAt, online, verdict, id, version, uptimeS } = device;
  const heard =
    lastSeenAt === null
      ? t('pub-staff.staff_room.never_heard')
      : t('pub-staff.staff_room.heard_ago', { ago: ago(lastSeenAt, moment) });
  const listener: [Words, Child][] = [
    [
      t('pub-staff.staff_room.listener'),
      online ? t('pub-staff.staff_room.on_heard', { heard }) : t('pub-staff.staff_room.off', { heard }),
    ],
    [
      t('pub-staff.staff_room.hears'),
      verdict
        ? t('pub-staff.staff_room.sure', {
            kind: verdict.kind,
            share: formatPercent(verdict.confidence),
          })
        : t('pub-staff.staff_room.nothing_certain'),
    ],
    ...(id
      ? [
          [
            t('pub-staff.staff_room.device'),
            version ? t('pub-staff.staff_room.version', { id, version }) : id,
          ] as [Words, Child],
        ]
      : []),
    ...(online && uptimeS !== null
      ? [
          [
            t('pub-staff.staff_room.running'),
            t('pub-staff.staff_room.h', { hours: Math.round(uptimeS / 3_600) }),
          ] as [Words, Child],
        ]
      : []),
  ];
  const facts: [Words, Child][] = [
    // A pub with a music player needs no listener.
    ...(lastSeenAt !== null || player === null ? listener : []),
    ...(player ? [[t('pub-staff.staff_room.player'), playerWords(player, moment)] as [Words, Child]] : []),
    ...(scrobbling
      ? [[t('pub-staff.staff_room.sent'), sendingWords(scrobbling, moment)] as [Words, Child]]
      : []),
    ...screens.map((screen): [Words, Child] => [nameOf(screen), screenWords(screen, moment)]),
  ];
  return part({
    id: 'health',
    title: t('pub-staff.staff_room.devices'),
    state: definitionList(facts),
    controls:
      may('now_showing:read') &&
      html`<p><a class="button button-quiet" href="/admin/pub/screens">${t('pub-staff.staff_room.screens_names_groups_what_each')}</a></p>`,
  });
}

function playerWords({ name, online, lastSeenAt }: NonNullable<Overview['player']>, moment: Moment): Words {
  return online
    ? name
      ? t('pub-staff.staff_room.name_heard', { name, ago: ago(lastSeenAt, moment) })
      : t('pub-staff.staff_room.heard', { ago: ago(lastSeenAt, moment) })
    : name
      ? t('pub-staff.staff_room.name_off_heard', { name, ago: ago(lastSeenAt, moment) })
      : t('pub-staff.staff_room.off_heard', { ago: ago(lastSeenAt, moment) });
}

function sendingWords({ waiting, error, stopped, nextAt }: SendingState, moment: Moment): Words {
  const songs = t('pub-staff.staff_room.songs_wait', { waiting });
  if (stopped) return t('pub-staff.staff_room.stopped', { songs, error: error ?? '' });
  return nextAt
    ? t('pub-staff.staff_room.again', { songs, time: clock(nextAt, moment), error: error ?? '' })
    : songs;
}

function screenWords({ online, current, lastSeenAt, offlineSince }: ScreenJson, moment: Moment): Words {
  if (!online) return t('pub-staff.staff_room.off_last_seen', { ago: ago(lastSeenAt, moment) });
  if (offlineSince !== null)
    return t('pub-staff.staff_room.cut_off_since', { time: clock(offlineSince, moment) });
  return current ? t('pub-staff.staff_room.on') : t('pub-staff.staff_room.about_load_new_version');
}
