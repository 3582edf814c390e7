import { type Html, html } from '#kernel/html.ts';
import { asset } from './assets.ts';

/** What every page of the house is made of. */
export interface PageProps {
  /** Without the house's name, which is added. */
  title: string;
  body: Html;
  lang?: string | undefined;
  /** Names of browser modules in views/assets. */
  scripts?: readonly string[] | undefined;
  /** Further elements for the head. */
  head?: Html | undefined;
  area?: 'voter' | 'officer' | 'staff' | undefined;
  /** Given to officer pages whose request was authenticated by key. */
  apiKey?: string | undefined;
  /** The address of the navigation link that this page is, or belongs under. */
  nav?: string | undefined;
  /** Other links than those of the area: the ones this person may follow. */
  links?: readonly NavLink[] | undefined;
}

/** An entry of the navigation. */
export interface NavLink {
  href: string;
  label: string;
}

/** Where the house's name leads. */
const HOMES = { voter: '/', officer: '/admin', staff: '/admin/pub' } as const;

const VOTER_LINKS: readonly NavLink[] = [
  { href: '/', label: 'Elections' },
  { href: '/events', label: 'What’s on' },
  { href: '/tenders/', label: 'Tenders' },
  { href: '/now', label: 'Now playing' },
  { href: '/subscribe-programs', label: 'Calendar' },
];

const OFFICER_LINKS: readonly NavLink[] = [
  { href: '/admin', label: 'Elections' },
  { href: '/admin/elections/new', label: 'New election' },
  { href: '/admin/bulk-invites', label: 'Invitations' },
  { href: '/admin/distribution-lists', label: 'Lists' },
  { href: '/admin/audit-logs', label: 'Audit log' },
  { href: '/admin/pub', label: 'Pub' },
  { href: '/admin/feedback', label: 'Feedback' },
  { href: '/admin/calendar', label: 'Calendar' },
];

const STYLES = [
  'fonts',
  'tokens',
  'base',
  'layout',
  'forms',
  'components',
  'figures',
  'tables',
  'charts',
  'slips',
  'voting',
];
const FONTS = ['fraunces-latin-600-normal.woff2', 'inter-latin-400-normal.woff2'];

/** A whole document: head, header, the body inside main, footer. */
export function page({
  title,
  body,
  lang,
  scripts = [],
  head,
  area = 'voter',
  apiKey,
  nav,
  links = area === 'officer' ? OFFICER_LINKS : VOTER_LINKS,
}: PageProps): Html {
  return html`<!doctype html>
<html lang="${lang ?? 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Public House</title>
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#faf7f1" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#14130f" media="(prefers-color-scheme: dark)">
${apiKey !== undefined && html`<meta name="admin-api-key" content="${apiKey}">`}
<link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml">
${FONTS.map((file) => html`<link rel="preload" href="${asset(`fonts/${file}`)}" as="font" type="font/woff2" crossorigin>\n`)}
${STYLES.map((name) => html`<link rel="stylesheet" href="${asset(`${name}.css`)}">\n`)}
<link rel="stylesheet" href="${asset('print.css')}" media="print">
${scripts.map((name) => html`<script type="module" src="${asset(name)}"></script>\n`)}
${head}
</head>
<body class="area-${area}">
<a class="skip" href="#main">Skip to the content</a>
<header class="house-header">
<div class="wrap">
<a class="wordmark" href="${HOMES[area]}">${sign()}<span>Public House</span></a>
<nav class="house-nav" aria-label="Main"><ul>${links.map((link) => navLink(link, nav))}</ul></nav>
</div>
</header>
<main id="main" tabindex="-1">
<div class="wrap">
${body}
</div>
</main>
<footer class="house-footer">
<div class="wrap"><p>Public House: the club’s votes, screens and calendar.</p></div>
</footer>
</body>
</html>`;
}

function navLink({ href, label }: NavLink, current: string | undefined): Html {
  return html`<li><a href="${href}"${href === current && html` aria-current="page"`}>${label}</a></li>`;
}

/** The house's mark: a hanging sign whose board carries a voter's tick. */
function sign(): Html {
  return html`<svg viewBox="0 0 34 34" aria-hidden="true" focusable="false">
<path class="sign-iron" d="M3 2v30M3 5h27M11 5v5M25 5v5"/>
<rect class="sign-board" x="7" y="10" width="22" height="19" rx="3"/>
<path class="sign-mark" d="M13 19.5l3.5 3.5 7-8"/>
</svg>`;
}
