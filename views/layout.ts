import { actorWords } from '#kernel/access/actors.ts';
import type { Viewer } from '#kernel/access/permissions.ts';
import { type Html, html, withForms } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { type Banner, Page, type Site } from '#kernel/site.ts';
import { BUILD } from '#kernel/version.ts';
import { adminHome, adminMenu, SEARCH } from './admin-nav.ts';
import { asset } from './assets.ts';
import { appTitle, clubLines, siteIcons, siteSign, siteTheme } from './components/club.ts';
import { hereOnlyNotice } from './components/here-only.ts';
import { icon } from './components/icons.ts';
import { languageSwitch, PAGE_LANGUAGE } from './components/language.ts';
import { notice } from './components/notices.ts';
import { linkTo, strong } from './components/slots.ts';
import { joinedModules } from './joined-modules.ts';
import { modules } from './modules.ts';
import { type PatronLink, patronNav } from './patron-nav.ts';
import { type Joined, stylesheets } from './stylesheets.ts';

/** The parts of a page. */
export interface PageProps {
  /** Without the name of the site, which is added. */
  title: Words | string;
  /** A function where the content depends on the site. */
  body: Html | ((site: Site) => Html);
  /** `club` for what is printed or hung up for everybody; by default the area decides. */
  readers?: 'club' | undefined;
  /** Names of browser modules in views/assets. */
  scripts?: readonly string[] | undefined;
  /** The joined style sheet. */
  styles?: Joined | undefined;
  /** Further elements for the head. */
  head?: Html | ((site: Site) => Html) | undefined;
  area?: 'voter' | 'officer' | 'staff' | undefined;
  /** Whether a wide window shows a second column, see `withSide`. */
  wide?: boolean | undefined;
  /** The signed-in officer or staff member; the navigation holds only the pages that they may open. */
  viewer?: Viewer | undefined;
  /**
   * Set if the page gives away an address for other devices, which may work on this computer only: where the switch for
   * the house leads back to, or true on a page that is shown only once.
   */
  givesAddress?: string | true | undefined;
  /** The address of the navigation link to mark as current: that of this page, or of the one it belongs under. */
  nav?: string | undefined;
}

const FONTS = ['fraunces-latin-600-normal.woff2', 'inter-latin-400-normal.woff2'];

/** A whole document: head, header, the body inside main, footer. */
export const page = (props: PageProps): Page =>
  new Page(
    (site) => documentOf(props, site),
    props.readers ?? (props.area === undefined || props.area === 'voter' ? 'visitors' : 'officers'),
  );

function documentOf(props: PageProps, site: Site): Html {
  const { title, body, scripts = [], styles = 'house', head, area = 'voter', wide, viewer, nav } = props;
  const { home, links } = area === 'voter' ? membersNav(site, nav) : staffNav(site, viewer, nav);
  const content = withOwnWords(typeof body === 'function' ? body(site) : body);
  return html`<!doctype html>
<html${PAGE_LANGUAGE}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${t(isRefusal(content) ? 'common.head.title_refused' : 'common.head.title', { title, club: site.name })}</title>
${appTitle(site)}
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#faf7f1" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#14130f" media="(prefers-color-scheme: dark)">
${viewer?.apiKey !== undefined && html`<meta name="admin-api-key" content="${viewer.apiKey}">`}
${siteIcons(site, area === 'voter' ? 'inline' : 'linked')}
${FONTS.map(
  (file) => html`<link rel="preload" href="${asset(`fonts/${file}`)}" as="font" type="font/woff2"
crossorigin>\n`,
)}
${stylesheets(styles)}
${siteTheme(site)}
${area === 'voter' ? joinedModules(scripts) : modules(['base/officers.js', ...scripts])}
${typeof head === 'function' ? head(site) : head}
</head>
<body class="area-${area}${wide && ' wide'}">
<a class="skip" href="#main">${t('common.head.skip')}</a>
<header class="site-header">
${site.needsSetUp && nav !== '/set-up' && SET_UP_LINE}
<div class="wrap">
<a class="wordmark" href="${home}">${siteSign(site)}<span>${site.name}</span></a>
${links}
</div>
</header>
<main id="main" tabindex="-1">
<div class="wrap">
${site.banner && bannerOf(site.banner)}${props.givesAddress && hereOnlyNotice(site, viewer, props.givesAddress === true ? undefined : props.givesAddress)}${content}
</div>
</main>
<footer class="site-footer">
<div class="wrap">${clubLines(site)}${
    viewer
      ? html`<p>${t('settings.frame.who', { who: actorWords(viewer.who), page: linkTo('/me'), members: linkTo('/') })}</p><p>${programLine()}</p>`
      : html`<p><a href="/me">${t('common.foot.own_page')}</a> <a href="/admin">${t('common.foot.for_officers')}</a></p>${site.address !== undefined && props.readers !== 'club' && languageSwitch(site.address)}`
  }</div>
</footer>
</body>
</html>`;
}

/**
 * Forms are checked by the service: a browser would stop at the first field, in its own language, with a bubble that is
 * gone after seconds. But it sends half a date as none, so a form with such a field is left to it until a script, which
 * says in our words what could not be read, takes over: see officers.js.
 */
const withOwnWords = (body: Html): Html =>
  withForms(body, (form) => (CAN_BE_UNREAD.test(form) ? form : form.replace('>', ' novalidate>')));

const CAN_BE_UNREAD = /type="(?:number|date|time|datetime-local|month)"/;

/** Whether a page says, in an alert that is shown, that something was refused: its title begins with that. */
const isRefusal = (body: Html): boolean => /role="alert"(?![^>]*hidden)[^>]*>(?!<\/)/.test(body.outline);

/** On top of every page until there is an owner. */
const SET_UP_LINE = html`<p class="set-up-line"><span class="wrap">${t('common.set_up.line', {
  link: linkTo('/set-up'),
})}</span></p>`;

/** The version for a report of a fault. */
const programLine = (): Words =>
  BUILD.commit === undefined
    ? t('settings.frame.version', { version: BUILD.version })
    : t('settings.frame.version_commit', { version: BUILD.version, commit: BUILD.commit });

const bannerOf = ({ title, text }: Banner): Html =>
  notice('attention', html`<p>${t('common.head.banner', { title, text, strong })}</p>`);

interface Nav {
  /** The address that the name in the header links to. */
  home: string;
  links: Html | null;
}

/** A menu that opens without script; a wide window shows its most used pages beside it too. */
function membersNav(site: Site, current: string | undefined): Nav {
  const { home, row, menu } = patronNav(site);
  const groups = menu.map(
    ({ label, links }, index) =>
      html`<div class="menu-group"><p id="menu-${index}">${label}</p>
      ${linkList(links, current, html` aria-labelledby="menu-${index}"`)}</div>`,
  );
  return {
    home,
    links: html`<nav class="site-menu" aria-label="${t('common.nav.main')}"><div class="menu-row">${linkList(row, current)}</div>
<details class="menu"><summary>${t('common.nav.more')}</summary><div class="menu-pages">${groups}</div></details></nav>`,
  };
}

/** The groups of pages, each leading to its first one, and below them the pages of the current group. */
function staffNav({ off }: Site, viewer: Viewer | undefined, current: string | undefined): Nav {
  const groups = adminMenu(viewer, off);
  const open = groups.find(({ links }) => links.some(({ href }) => href === current));
  const rows = groups.map(
    (group) =>
      html`<li><a href="${group.links[0]!.href}"${group === open && html` aria-current="true"`}>${
        group.label
      }</a></li>`,
  );
  return {
    home: adminHome(viewer, off)?.href ?? '/',
    links:
      groups.length > 0
        ? html`<nav class="site-nav" aria-label="${t('common.nav.main')}">${
            viewer &&
            viewer.permissions.size > 0 &&
            html`<a class="nav-search" href="${SEARCH}"${current === SEARCH && html` aria-current="page"`}>${icon(
              'search',
            )}<span>${t('settings.search.title')}</span></a>`
          }<ul role="list" class="nav-groups">${rows}</ul>
${open && linkList(open.links, current, html` class="nav-pages" aria-label="${open.label}"`)}</nav>`
        : null,
  };
}

function linkList(links: readonly PatronLink[], current: string | undefined, attributes?: Html): Html {
  return html`<ul role="list"${attributes}>${links.map((link) => navLink(link, current))}</ul>`;
}

function navLink({ href, label }: PatronLink, current: string | undefined): Html {
  return html`<li><a href="${href}"${href.split('#')[0] === current && html` aria-current="page"`}>${label}</a></li>`;
}
