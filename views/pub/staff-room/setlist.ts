import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { commas } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import type { HiddenName } from '#pub/requests/hidden-names.ts';
import type { StaffPlay } from '#pub/setlist/moderation.ts';
import { field } from '#views/components/forms.ts';
import { actButton, formFold, part } from './parts.ts';
import { clock, type Moment } from './words.ts';

/** The latest plays: hide one, correct it, never show its song or artist again, or download the list. */
export function setlistPart(
  plays: readonly StaffPlay[],
  names: readonly HiddenName[],
  moment: Moment,
): Html | null {
  return part({
    id: 'setlist',
    title: t('pub-staff.setlist.heard_last'),
    controls: html`${
      plays.length === 0
        ? html`<p>${t('pub-staff.setlist.nothing_yet')}</p>`
        : html`
    <ul class="switches" role="list">${plays.map((play) => playRow(play, moment))}</ul>`
    }
${names.length > 0 && html`<h3>${t('pub-staff.setlist.hidden_permanently')}</h3><ul class="switches" role="list">${names.map(nameRow)}</ul>`}
<p><a class="button button-quiet" href="/api/admin/setlist.csv" download>${t('pub-staff.setlist.last_31_days_csv')}</a></p>`,
  });
}

function playRow({ id, title, artist, album, startedAt, kind, hidden }: StaffPlay, moment: Moment): Html {
  const action = `/admin/pub/plays/${id}`;
  return html`<li><span class="switch-label">${title}<span class="small soft">${commas([
    artist,
    hidden && t('pub-staff.setlist.hidden'),
    kind === 'video' && t('pub-staff.setlist.from_screen'),
    clock(startedAt, moment),
  ])}</span></span>
<form method="post" action="${action}" data-quiet>${actButton(
    {
      id: `do-hide-${id}`,
      action,
      label: hidden ? t('pub-staff.setlist.show') : t('pub-staff.setlist.hide'),
      name: 'hidden',
      value: hidden ? 'off' : 'on',
      about: title,
      look: 'button-quiet',
    },
    moment,
  )}</form>
${formFold({
  id: `correct-${id}`,
  group: 'play',
  summary: t('pub-staff.setlist.correct', { hidden: hiddenText, title }),
  action,
  fields: html`${field({
    name: 'title',
    id: `title-${id}`,
    label: t('pub-staff.setlist.song'),
    value: title,
    maxlength: 300,
    autocomplete: 'off',
  })}${field({
    name: 'artist',
    id: `artist-${id}`,
    label: t('pub-staff.setlist.artist'),
    value: artist,
    maxlength: 300,
    autocomplete: 'off',
  })}${field({
    name: 'album',
    id: `album-${id}`,
    label: t('pub-staff.setlist.album'),
    value: album,
    maxlength: 300,
    optional: true,
    autocomplete: 'off',
  })}<p>${actButton({ id: `do-correct-${id}`, action, label: t('pub-staff.setlist.save') }, moment)}</p>`,
  open: moment.undo.has(`do-correct-${id}`),
})}
${formFold({
  id: `never-${id}`,
  group: 'play',
  summary: t('pub-staff.setlist.hide_permanently', { hidden: hiddenText, title }),
  action: '/admin/pub/names',
  hidden: { artist },
  fields: html`<p>${t('pub-staff.setlist.hides_wherever_names_shown_past')}</p>
  <p class="toolbar"><button class="button button-danger-quiet" name="title" value="${title}">${t('pub-staff.setlist.this_song')}</button><button class="button button-danger-quiet">${t('pub-staff.setlist.everything_artist')}</button></p>`,
})}</li>\n`;
}

const hiddenText = (inside: Words): Html => html`<span class="visually-hidden">${inside}</span>`;

function nameRow({ id, artist, title }: HiddenName): Html {
  const name = title ?? t('pub-staff.setlist.everything', { artist });
  return html`<li><span class="switch-label">${name}${
    title !== null && html`<span class="small soft">${artist}</span>`
  }</span>
<form method="post" action="/admin/pub/names/${id}/show"
data-quiet><button class="button button-quiet" id="do-name-${id}">${t('pub-staff.setlist.show_now', { hidden: hiddenText, name })}</button></form></li>\n`;
}
