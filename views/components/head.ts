import { type Html, html } from '#kernel/html.ts';
import { SHARE_SIZE } from '#kernel/images/share-image.ts';
import type { Words } from '#kernel/language/words.ts';
import type { Site } from '#kernel/site.ts';

/** The tags for the preview of a shared link. Addresses are absolute. */
export function shareTags(
  site: Site,
  props: {
    title: Words | string;
    sentence: Words | string;
    url: string;
    picture: string;
    alt: Words | string;
  },
): Html {
  const { title, sentence, url, picture, alt } = props;
  return html`<meta name="description" content="${sentence}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${site.name}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${sentence}">
<meta property="og:url" content="${url}">
<meta property="og:image" content="${picture}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${SHARE_SIZE.width}">
<meta property="og:image:height" content="${SHARE_SIZE.height}">
<meta property="og:image:alt" content="${alt}">
<meta name="twitter:card" content="summary_large_image">`;
}
