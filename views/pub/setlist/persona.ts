import { html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { formatPercent } from '#kernel/language/times.ts';
import {
  characterInWords,
  evidenceInWords,
  type Persona,
  type Traits,
} from '#pub/setlist/rollups/persona.ts';
import { definitionList } from '#views/components/structure.ts';
import { type Share, shareBars, sharePictures } from '#views/pub/charts/shares.ts';
import { box, column, PAINT, serif, words } from '#views/pub/share-picture.ts';
import type { SurfaceView } from './view.ts';

export const personaView: SurfaceView<Persona> = {
  name: 'persona',
  title: t('pub.setlist.house_persona'),
  about: t('pub.setlist.what_music_says_about_pub'),
  sentence({ data: { id } }) {
    return t('pub.setlist.persona_and_line', characterInWords(id));
  },
  body({ data: { id, traits, evidence, runnerUp } }) {
    return html`${runnerUp && html`<p>${t('pub.setlist.touch_more', { name: html`<strong>${characterInWords(runnerUp.id).name}</strong>` })}</p>`}
${
  id !== null &&
  html`<section><h2>${t('pub.setlist.why')}</h2>
${shareBars(t('pub.setlist.traits_pub'), traitShares(traits), strongest(traits))}</section>`
}
<section><h2>${t('pub.setlist.figures')}</h2>${definitionList(evidenceInWords(evidence))}</section>`;
  },
  picture({ data: { id, name, line, traits } }) {
    return [
      box(
        { alignItems: 'center', justifyContent: 'space-between' },
        column(
          { width: 560 },
          words(t('pub.setlist.house'), { fontSize: 28, color: PAINT.soft }),
          words(name, { ...serif(76), color: PAINT.green, lineHeight: 1.05 }, 2),
          words(line, { fontSize: 29, marginTop: 16, lineHeight: 1.35 }, 3),
        ),
        id !== null && column({ width: 440 }, ...sharePictures(traitShares(traits), 440)),
      ),
    ];
  },
};

/** The traits as shares from 0 to 1; energy, from -1 (mellow) to 1 (hype), is converted. */
function traitShares({ variety, novelty, repeat, nightOwl, energy }: Traits): Share[] {
  return [
    { label: t('pub.setlist.variety'), share: variety, note: t('pub.setlist.variety_note') },
    { label: t('pub.setlist.novelty'), share: novelty, note: t('pub.setlist.novelty_note') },
    { label: t('pub.setlist.repeats'), share: repeat, note: t('pub.setlist.repeats_note') },
    { label: t('pub.setlist.night_owl'), share: nightOwl, note: t('pub.setlist.night_owl_note') },
    {
      label: t('pub.setlist.energy'),
      share: (energy + 1) / 2,
      note: t('pub.setlist.energy_note'),
      value: formatPercent((energy + 1) / 2),
    },
  ];
}

function strongest(traits: Traits): number {
  const shares = traitShares(traits).map(({ share }) => share);
  return shares.indexOf(Math.max(...shares));
}
