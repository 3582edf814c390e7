import { type Html, html } from '#kernel/html.ts';
import type { ShareNode } from '#kernel/images/share-image.ts';
import { t } from '#kernel/language/message.ts';
import { formatted, type Words } from '#kernel/language/words.ts';
import { hasTwelveHours } from '#kernel/locale.ts';
import { formatHour } from '#pub/setlist/rollups/story-format.ts';
import { box, column, PAINT, words } from '#views/pub/share-picture.ts';

interface Hour {
  hour: number;
  plays: number;
}

/** A column chart: one column for each hour, with the number of plays above and the hour below. */
export function hourColumns(label: Words, hours: readonly Hour[]): Html {
  const most = Math.max(1, ...hours.map(({ plays }) => plays));
  return html`<ol class="hours" role="list" aria-label="${label}">${hours.map(
    ({
      hour,
      plays,
    }) => html`<li class="hour"><span aria-hidden="true" class="hour-plays">${plays === 0 ? '' : plays}</span>
<svg class="hour-column" aria-hidden="true" focusable="false"><rect class="hour-bar"
y="${100 - heightOf(plays, most)}%" width="100%" height="${heightOf(plays, most)}%"/></svg>
<span aria-hidden="true" class="hour-name">${shortHour(hour)}</span><span class="visually-hidden">${t('pub.setlist.hour_songs', { hour: formatHour(hour), songs: plays })}</span></li>\n`,
  )}</ol>`;
}

/** The same chart for a share picture, in the given height. */
export function hourPicture(hours: readonly Hour[], height: number): ShareNode {
  const most = Math.max(1, ...hours.map(({ plays }) => plays));
  return box(
    { alignItems: 'flex-end', height, gap: 6 },
    ...hours.map(({ hour, plays }) =>
      column(
        { flexGrow: 1, flexBasis: 0, maxWidth: 96, alignItems: 'center' },
        words(plays === 0 ? '' : String(plays), { fontSize: 21, color: PAINT.ink }),
        box({
          width: '100%',
          height: Math.max(2, ((height - 66) * plays) / most),
          marginTop: 4,
          backgroundColor: PAINT.green,
          borderRadius: '4px 4px 0 0',
        }),
        words(shortHour(hour), { fontSize: 20, color: PAINT.soft, marginTop: 6 }),
      ),
    ),
  );
}

const heightOf = (plays: number, most: number) => Math.round((1000 * plays) / most) / 10;

/** With a 12-hour clock the text below the chart says which half of the day it is. */
const shortHour = (hour: number): Words => formatted(() => String(hasTwelveHours() ? hour % 12 || 12 : hour));
