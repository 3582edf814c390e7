import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { formatNumber } from '#kernel/language/times.ts';
import type { Stories, Story } from '#pub/setlist/rollups/stories.ts';
import { asWritten, WRITTEN } from '#views/components/language.ts';
import { box, column, PAINT, serif, words } from '#views/pub/share-picture.ts';
import type { SurfaceView } from './view.ts';

const NONE = t('pub.setlist.evening_like_any_other_far');

export const storiesView: SurfaceView<Stories> = {
  name: 'stories',
  title: t('pub.setlist.stories'),
  about: t('pub.setlist.records_debuts_comebacks_latest_evening'),
  sentence({ data: { items } }) {
    return items[0] ? t('pub.setlist.story', { headline: asWritten(items[0].headline) }) : NONE;
  },
  body({ data: { items } }) {
    return items.length === 0
      ? html`<p>${t('pub.setlist.records_debuts_comebacks_streaks_listed')}</p>`
      : html`<ul class="stories" role="list">${items.map(story)}</ul>`;
  },
  picture({ data: { items } }) {
    if (items.length === 0) return [words(NONE, serif(56), 3)];
    return items
      .slice(0, 3)
      .map((item, index) =>
        box(
          { alignItems: 'center', marginTop: index === 0 ? 0 : 20 },
          column(
            { width: 210 },
            words(formatNumber(item.metric.value), { ...serif(56), color: PAINT.brass }),
            words(item.metric.unit, { fontSize: 21, color: PAINT.soft }),
          ),
          column(
            { width: 820 },
            words(item.headline, serif(36), 2),
            words(item.body, { fontSize: 22, color: PAINT.soft, marginTop: 2 }, 1),
          ),
        ),
      );
  },
};

/** The texts of a story are stored, in the language of the club. */
function story({ headline, body, metric, artUrl }: Story): Html {
  return html`<li class="story card"><p class="story-metric"><strong>${formatNumber(metric.value)}</strong> <span${WRITTEN}>${metric.unit}</span></p>
<div${WRITTEN}><h2>${headline}</h2><p>${body}</p></div>
${
  artUrl &&
  html`<img class="cover cover-large" src="${artUrl}" alt="" width="120" height="120" loading="lazy">`
}</li>\n`;
}
