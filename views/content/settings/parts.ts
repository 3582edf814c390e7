import { type Html, html } from '#kernel/html.ts';
import { PARTS, type Part } from '#kernel/settings/parts.ts';
import { isTicked } from '#views/components/entered.ts';
import { tickBox } from '#views/components/fields.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import type { SettingsPageProps } from './props.ts';

/** The texts for each part: its name, what belongs to it, and the environment variables that it needs. */
const WORDS: Record<Part, { label: string; note: string; needs: string }> = {
  voting: {
    label: 'Elections and polls',
    note: 'On the front page. Links that were mailed work all the same.',
    needs: '',
  },
  screens: {
    label: 'Screens',
    note: 'The TVs, what’s on, opening hours, who is behind the bar',
    needs: '',
  },
  music: { label: 'Music', note: 'What is playing, the setlist, lyrics', needs: 'SETLIST_DB on' },
  requests: { label: 'Song requests', note: 'Patrons ask for songs', needs: 'SETLIST_REQUESTS_ENABLED on' },
  sports: { label: 'Sports', note: 'Live scores', needs: 'SPORTS_ENABLED or NOW_SHOWING_ENABLED on' },
  films: {
    label: 'Films',
    note: 'What is showing, and the archive',
    needs: 'NOW_SHOWING_ENABLED and SCREENINGS_ENABLED on',
  },
  lights: { label: 'Lights', note: 'On the staff’s page', needs: 'SETLIST_DB on' },
  sound: { label: 'Sound', note: 'On the staff’s page', needs: 'SETLIST_DB on' },
  calendar: { label: 'Calendar', note: 'The programme, and subscriptions to it', needs: '' },
  feedback: { label: 'Feedback', note: 'Visitors send messages to the club', needs: 'FEEDBACK_ENABLED on' },
};

export const PART_LABELS = Object.fromEntries(
  PARTS.map((part) => [`parts.${part}`, WORDS[part].label]),
) as Record<`parts.${Part}`, string>;

/** Says which variables a part needs besides its tick. */
export const needsWords = (part: Part): string =>
  `${WORDS[part].label} also ${part.endsWith('s') ? 'need' : 'needs'} ${WORDS[part].needs} in the environment.`;

/** A checkbox for each part; a hidden input sends `false` where it is not ticked. */
export function partFields({ settings, broken, refused }: SettingsPageProps): Html {
  const boxes = PARTS.map((part) => {
    const { label, note, needs } = WORDS[part];
    const name = `parts.${part}`;
    const checked = isTicked(refused?.entered ?? {}, name, settings.parts[part]);
    const whole = broken.has(part) ? html`${note}. It also needs ${needs} in the environment.` : note;
    return html`${hiddenInputs({ [name]: 'false' })}${tickBox({ name, id: `part-${part}`, label, note: whole, checked })}`;
  });
  return html`<fieldset><legend>What is not ticked is in no menu, on no screen and not on the staff’s page.</legend>
  <div class="choices choices-plain">${boxes}</div></fieldset>`;
}
