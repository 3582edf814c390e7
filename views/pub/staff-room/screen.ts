import { actorWords } from '#kernel/access/actors.ts';
import type { Permission } from '#kernel/access/roles.ts';
import { type Child, type Html, html } from '#kernel/html.ts';
import { namesItsTime } from '#pub/display/shared/game-note.js';
import type { Game } from '#pub/screen/games.ts';
import { nextMorning, type Override } from '#pub/screen/override.ts';
import type { ScreeningRecord } from '#pub/screen/screenings.ts';
import type { Overview } from '#pub/staff-room/overview.ts';
import { field } from '#views/components/forms.ts';
import { badge } from '#views/components/status.ts';
import { actButton, type ControlButton, controls, formFold, part } from './parts.ts';
import { ago, clock, type Moment, roomPath, SHOWN } from './words.ts';

const SHOWING = '/admin/pub/showing';

/** The big screen: what it shows, why, and the controls. */
export function screenPart(
  overview: Overview,
  moment: Moment,
  may: (permission: Permission) => boolean,
): Html | null {
  const { card, override, games } = overview;
  if (!card || !override) return null;
  const says = card.showing
    ? html`<p class="room-actual">The screens show <strong>${card.title}</strong>${
        card.subtitle && html`, ${card.game ? gameWords(card.game, moment) : card.subtitle}`
      }. <span class="small soft">${SOURCES[card.source]}</span></p>`
    : html`<p class="room-actual">The screens show <strong>no film or game</strong>.${
        card.source === 'override' && html` <span class="small soft">${SOURCES.override}</span>`
      }</p>`;
  const inFront = coverNote(overview, moment);
  return part({
    id: 'screen',
    title: 'Big screen',
    state: html`${says}${askedFor(override, moment)}${card.showing && inFront}`,
    controls: may('now_showing:write') && screenControls(override, games ?? [], { inFront, moment }),
  });
}

/** A note about what covers a film or a game on the projector; null for nothing. */
function coverNote(
  { controls: { projectorLyrics }, takeovers, screens }: Overview,
  moment: Moment,
): Html | null {
  const projectors = screens
    .filter(({ page }) => page === 'projector')
    .flatMap(({ screen, name, groups }) => [screen ?? name, name, ...groups]);
  const takeover = takeovers?.find(
    ({ screens: named }) => named.length === 0 || named.some((name) => projectors.includes(name)),
  );
  if (!projectorLyrics && !takeover) return null;
  return html`<p class="small">${
    takeover && html`A notice fills the projector until ${clock(takeover.expiresAt, moment)}. `
  }${
    projectorLyrics &&
    html`Lyrics are on for the projector: it shows them in front while a song with lyrics plays. <a href="${roomPath('displays')}">Turn them off under Displays</a>.`
  }</p>`;
}

const SOURCES = {
  override: 'The staff decided it.',
  verdict: 'The listener heard it.',
  schedule: 'The listener heard sports, and this is the likely game.',
} as const;

function askedFor({ mode, label, setAt, setBy, expiresAt }: Override, moment: Moment): Html | null {
  if (mode === 'automatic' || !setAt) return null;
  return html`<p class="room-asked">Asked ${ago(setAt, moment)}: <strong>${SHOWN[mode]}${
    label && html` “${label}”`
  }</strong>${
    setBy && html`, by ${actorWords(setBy)}`
  }${expiresAt && `, ${untilWords(expiresAt, moment)}`}.</p>`;
}

/** Until when it applies: the end of the evening at five in the morning, or a quarter of an hour after a game. */
function untilWords(expiresAt: string, moment: Moment): string {
  const time = clock(expiresAt, moment);
  const morning = Date.parse(expiresAt) === nextMorning(moment.now, moment.zone);
  return morning ? `until closing, ${time} at the latest` : `until ${time}`;
}

function gameWords({ detail, state, startIso }: Pick<Game, 'detail' | 'state' | 'startIso'>, moment: Moment) {
  if (!namesItsTime(detail)) return detail;
  return state === 'pre' ? `Starts at ${clock(startIso, moment)}` : '';
}

function screenControls(
  { mode, gameId }: Override,
  games: NonNullable<Overview['games']>,
  { inFront, moment }: { inFront: Html | null; moment: Moment },
): Html {
  const button = (value: 'automatic' | 'off'): ControlButton => ({
    name: 'mode',
    value,
    label: value === 'automatic' && mode !== value ? 'Back to the schedule' : SHOWN[value],
    state: mode === value ? 'on' : undefined,
  });
  const labelled = (value: 'movie' | 'generic', summary: string, label: string, ask: string) =>
    formFold({
      id: `show-${value}`,
      group: 'show',
      summary: html`${summary}${mode === value && html` ${badge('chosen', 'open')}`}`,
      action: SHOWING,
      hidden: { mode: value },
      fields: html`${field({
        name: 'label',
        id: `label-${value}`,
        label,
        optional: true,
        maxlength: 80,
        autocomplete: 'off',
      })}${inFront}
<p>${actButton({ id: `do-show-${value}`, action: SHOWING, label: ask }, moment)}</p>`,
      open: moment.undo.has(`do-show-${value}`),
    });
  return html`${controls({
    action: SHOWING,
    label: 'Big screen',
    buttons: [button('automatic'), button('off')],
    moment,
  })}
${
  games.length > 0 &&
  html`<h3>Games</h3>${controls({
    action: SHOWING,
    label: 'Games',
    hidden: { mode: 'game' },
    buttons: games.map(({ id, shortName, ...game }) => ({
      name: 'gameId',
      value: id,
      label: shortName,
      note: gameWords(game, moment),
      state: mode === 'game' && gameId === id ? ('on' as const) : undefined,
    })),
    moment,
  })}`
}
${labelled('movie', 'A film', 'Its title', 'Show the film')}${labelled(
  'generic',
  'Something else',
  'What it is',
  'Show it',
)}`;
}

/** Recent films: the running one can be ended, and the songs of another one can be counted as music again. */
export function filmsPart({ screenings }: Overview, moment: Moment): Html | null {
  if (!screenings || screenings.length === 0) return null;
  return part({
    id: 'films',
    title: 'Films of late',
    controls: html`<ul class="switches" role="list">${screenings.map((film) => filmRow(film, moment))}</ul>`,
  });
}

function filmRow(film: ScreeningRecord, moment: Moment): Html {
  const { title, state, openedAt, closedAt, taggedCount } = film;
  const songs = taggedCount === 1 ? '1 song' : `${taggedCount} songs`;
  const when =
    state === 'open' ? `since ${clock(openedAt, moment)}` : `until ${clock(closedAt ?? openedAt, moment)}`;
  return html`<li><span class="switch-label">${
    title ?? 'A film without a name'
  }<span class="small soft">${when}, ${songs}${wordOf(film)}</span></span>${filmControl(film, moment)}</li>`;
}

function wordOf({ state, shadow, revertedAt }: ScreeningRecord): Child {
  if (revertedAt) return ', its songs count as music again';
  if (state === 'open') return ', under way';
  return shadow ? ', not in the archive' : ', in the archive';
}

function filmControl({ id, state, revertedAt, title }: ScreeningRecord, moment: Moment): Html | null {
  const ended = moment.undo.has(`do-close-${id}`);
  if (revertedAt && !moment.undo.has(`do-revert-${id}`)) return null;
  const [act, label] =
    state === 'open' || ended ? (['close', 'End it'] as const) : (['revert', 'It was not a film'] as const);
  const action = `/admin/pub/films/${id}/${act}`;
  const about = title ?? 'the film without a name';
  return html`<form method="post" action="${action}" data-quiet>${actButton(
    { id: `do-${act}-${id}`, action, label, about, look: 'button-quiet' },
    moment,
  )}</form>`;
}
