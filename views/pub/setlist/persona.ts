import { html } from '#kernel/html.ts';
import { formatPercent } from '#kernel/locale.ts';
import type { Persona, Traits } from '#pub/setlist/rollups/persona.ts';
import { definitionList } from '#views/components/structure.ts';
import { type Share, shareBars, sharePictures } from '#views/pub/charts/shares.ts';
import { box, column, PAINT, serif, words } from '#views/pub/share-picture.ts';
import type { SurfaceView } from './view.ts';

export const personaView: SurfaceView<Persona> = {
  name: 'persona',
  title: 'House persona',
  about: 'What its music says about the pub.',
  sentence({ data: { name, line } }) {
    return `${name}. ${line}`;
  },
  body({ data: { id, traits, evidence, runnerUp } }) {
    return html`${runnerUp && html`<p>A touch more, and it would be a <strong>${runnerUp.name}</strong>.</p>`}
${
  id !== null &&
  html`<section><h2>Why</h2>
${shareBars('Traits of the pub', traitShares(traits), strongest(traits))}</section>`
}
<section><h2>In figures</h2>${definitionList(evidence.map(({ label, value }) => [label, value] as const))}</section>`;
  },
  picture({ data: { id, name, line, traits } }) {
    return [
      box(
        { alignItems: 'center', justifyContent: 'space-between' },
        column(
          { width: 560 },
          words('The house is a', { fontSize: 28, color: PAINT.soft }),
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
    { label: 'Variety', share: variety, note: 'how evenly the artists take turns' },
    { label: 'Novelty', share: novelty, note: 'songs that were new to the pub' },
    { label: 'Repeats', share: repeat, note: 'songs that came again' },
    { label: 'Night owl', share: nightOwl, note: 'songs after eleven' },
    {
      label: 'Energy',
      share: (energy + 1) / 2,
      note: 'from mellow to hype',
      value: formatPercent((energy + 1) / 2),
    },
  ];
}

function strongest(traits: Traits): number {
  const shares = traitShares(traits).map(({ share }) => share);
  return shares.indexOf(Math.max(...shares));
}
