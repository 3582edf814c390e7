import { type Html, html } from '#kernel/html.ts';
import { Page } from '#kernel/site.ts';
import { PAGE_LANGUAGE } from '#views/components/language.ts';
import { stylesheets } from '#views/stylesheets.ts';

/**
 * The document of a screen whose picture is turned: its page in a frame, so that every size and every question for the
 * orientation is that of the turned picture. @param address of the page
 */
export const turnedScreen = ({ turn, address }: { turn: 90 | 180 | 270; address: string }): Page =>
  new Page(
    (site): Html => html`<!doctype html>
<html${PAGE_LANGUAGE}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${site.name}</title>
<meta name="color-scheme" content="dark">
<meta name="robots" content="noindex">
${stylesheets('tv/styles/turned.css')}
</head>
<body class="turned turned-${turn}"><iframe src="${address}" title="${site.name}" allow="screen-wake-lock"></iframe></body>
</html>`,
    'club',
  );
