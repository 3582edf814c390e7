import { type Html, html } from '#kernel/html.ts';
import type { Stories, Story } from '#pub/setlist/rollups/stories.ts';
import { count } from '#views/components/numbers.ts';
import { box, column, PAINT, serif, words } from '#views/pub/share-picture.ts';
import type { SurfaceView } from './view.ts';

const NONE = 'An evening like any other, so far.';

export const storiesView: SurfaceView<Stories> = {
  name: 'stories',
  title: 'Stories',
  about: 'Records, debuts and comebacks of the latest evening.',
  sentence({ data: { items } }) {
    return items[0] ? `${items[0].headline}.` : NONE;
  },
  body({ data: { items } }) {
    return items.length === 0
      ? html`<p>Records, debuts, comebacks and streaks are listed here as they happen.</p>`
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
            words(count(item.metric.value), { ...serif(56), color: PAINT.brass }),
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

function story({ headline, body, metric, artUrl }: Story): Html {
  return html`<li class="story card"><p class="story-metric"><strong>${count(metric.value)}</strong> ${metric.unit}</p>
<div><h2>${headline}</h2><p>${body}</p></div>
${
  artUrl &&
  html`<img class="cover cover-large" src="${artUrl}" alt="" width="120" height="120" loading="lazy">`
}</li>\n`;
}
