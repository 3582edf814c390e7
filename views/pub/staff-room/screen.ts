import { actorWords } from '#kernel/access/actors.ts';
import type { Permission } from '#kernel/access/roles.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { commas } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { namesItsTime } from '#pub/display/shared/game-note.js';
import type { Game } from '#pub/screen/games.ts';
import { nextMorning, type Override } from '#pub/screen/override.ts';
import type { ScreeningRecord } from '#pub/screen/screenings.ts';
import type { Overview } from '#pub/staff-room/overview.ts';
import { field } from '#views/components/forms.ts';
import { badge } from '#views/components/status.ts';
import { stateWords } from '#views/pub/games.ts';
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
  const source =
    card.showing || card.source === 'override'
      ? html` <span class="small soft">${SOURCES[card.source]}</span>`
      : null;
  const about = card.game ? gameWords(card.game, moment) : card.subtitle;
  const title = html`<strong>${card.title}</strong>`;
  const shown = !card.showing
    ? t('pub-staff.screen.screens_show_nothing', { strong: (inside) => html`<strong>${inside}</strong>` })
    : card.subtitle
      ? t('pub-staff.screen.screens_show_about', { title, about: about ?? '' })
      : t('pub-staff.screen.screens_show', { title });
  const says = html`<p class="room-actual">${shown}${source}</p>`;
  const inFront = coverNote(overview, moment);
  return part({
    id: 'screen',
    title: t('pub-staff.screen.big_screen'),
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
    takeover &&
    html`${t('pub-staff.screen.notice_fills_projector_until', { time: clock(takeover.expiresAt, moment) })} `
  }${
    projectorLyrics &&
    html`${t('pub-staff.screen.lyrics_projector_shows_front_while', { link: (inside) => html`<a href="${roomPath('displays')}">${inside}</a>` })}`
  }</p>`;
}

const SOURCES = {
  override: t('pub-staff.screen.staff_decided'),
  verdict: t('pub-staff.screen.listener_heard'),
  schedule: t('pub-staff.screen.listener_heard_sports_likely_game'),
} as const;

function askedFor({ mode, label, setAt, setBy, expiresAt }: Override, moment: Moment): Html | null {
  if (mode === 'automatic' || !setAt) return null;
  const what = html`<strong>${SHOWN[mode]}${label && html` ${t('common.quoted', { text: label })}`}</strong>`;
  const facts = commas([
    what,
    setBy && t('pub-staff.screen.by', { name: actorWords(setBy) }),
    expiresAt && untilWords(expiresAt, moment),
  ]);
  return html`<p class="room-asked">${t('pub-staff.screen.asked', { ago: ago(setAt, moment), what: facts ?? '' })}</p>`;
}

/** Until when it applies: the end of the evening at five in the morning, or a quarter of an hour after a game. */
function untilWords(expiresAt: string, moment: Moment): Words {
  const time = clock(expiresAt, moment);
  const morning = Date.parse(expiresAt) === nextMorning(moment.now, moment.zone);
  return morning ? t('pub-staff.screen.until_closing', { time }) : t('pub-staff.screen.until', { time });
}

function gameWords(game: Pick<Game, 'sport' | 'detail' | 'state' | 'startIso'>, moment: Moment) {
  const { detail, state, startIso } = game;
  if (!namesItsTime(detail)) return detail && stateWords(game);
  return state === 'pre' ? t('pub-staff.screen.starts', { time: clock(startIso, moment) }) : '';
}

function screenControls(
  { mode, gameId }: Override,
  games: NonNullable<Overview['games']>,
  { inFront, moment }: { inFront: Html | null; moment: Moment },
): Html {
  const button = (value: 'automatic' | 'off'): ControlButton => ({
    name: 'mode',
    value,
    label: value === 'automatic' && mode !== value ? t('pub-staff.screen.back_schedule') : SHOWN[value],
    state: mode === value ? 'on' : undefined,
  });
  const labelled = (value: 'movie' | 'generic', summary: Words, label: Words, ask: Words) =>
    formFold({
      id: `show-${value}`,
      group: 'show',
      summary: html`${summary}${mode === value && html` ${badge(t('pub-staff.parts.chosen'), 'open')}`}`,
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
    label: t('pub-staff.screen.big_screen'),
    buttons: [button('automatic'), button('off')],
    moment,
  })}
${
  games.length > 0 &&
  html`<h3>${t('pub-staff.screen.games')}</h3>${controls({
    action: SHOWING,
    label: t('pub-staff.screen.games'),
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
${labelled('movie', t('pub-staff.screen.film'), t('pub-staff.screen.title'), t('pub-staff.screen.show_film'))}${labelled(
  'generic',
  t('pub-staff.screen.something_else'),
  t('pub-staff.screen.what'),
  t('pub-staff.screen.show'),
)}`;
}

/** Recent films: the running one can be ended, and the songs of another one can be counted as music again. */
export function filmsPart({ screenings }: Overview, moment: Moment): Html | null {
  if (!screenings || screenings.length === 0) return null;
  return part({
    id: 'films',
    title: t('pub-staff.screen.films_late'),
    controls: html`<ul class="switches" role="list">${screenings.map((film) => filmRow(film, moment))}</ul>`,
  });
}

function filmRow(film: ScreeningRecord, moment: Moment): Html {
  const { title, state, openedAt, closedAt, taggedCount } = film;
  const when =
    state === 'open'
      ? t('pub-staff.screen.since', { time: clock(openedAt, moment) })
      : t('pub-staff.screen.until', { time: clock(closedAt ?? openedAt, moment) });
  const facts = commas([when, t('pub-staff.screen.songs', { songs: taggedCount }), wordOf(film)]);
  return html`<li><span class="switch-label">${
    title ?? t('pub-staff.screen.film_without_name')
  }<span class="small soft">${facts}</span></span>${filmControl(film, moment)}</li>`;
}

function wordOf({ state, shadow, revertedAt }: ScreeningRecord): Words {
  if (revertedAt) return t('pub-staff.screen.reverted');
  if (state === 'open') return t('pub-staff.screen.under_way');
  return shadow ? t('pub-staff.screen.not_in_archive') : t('pub-staff.screen.in_archive');
}

function filmControl({ id, state, revertedAt, title }: ScreeningRecord, moment: Moment): Html | null {
  const ended = moment.undo.has(`do-close-${id}`);
  if (revertedAt && !moment.undo.has(`do-revert-${id}`)) return null;
  const [act, label] =
    state === 'open' || ended
      ? (['close', t('pub-staff.screen.end')] as const)
      : (['revert', t('pub-staff.screen.not_film')] as const);
  const action = `/admin/pub/films/${id}/${act}`;
  const about = title ?? t('pub-staff.screen.the_film_without_name');
  return html`<form method="post" action="${action}" data-quiet>${actButton(
    { id: `do-${act}-${id}`, action, label, about, look: 'button-quiet' },
    moment,
  )}</form>`;
}
