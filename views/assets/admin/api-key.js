// A page that was opened by API key: links and forms of the officers' area go through fetch with that key, and the
// answer replaces the content of the page. The key stays in this page's memory; it is never stored.

import { moveFocus, parsePage, replaceMain } from '../base/replace-main.js';
import { formFields } from '../base/request.js';
import { addTexts, t } from '../base/texts.js';

/** The URL of the page that is shown, without the fragment. */
let shown = pageOf(location.href);
/** Whether the page is the response to a form, which is another page than the one at its URL. */
let isAnswer = false;
let busy = false;

/**
 * Handles the links and forms of the page.
 * @param {Record<string, string>} headers sent with the officer's requests
 */
export function followByKey(headers) {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || !isPlain(event)) return;
    if (link.target || !isOfficers(link.href)) return;
    if (isWithinPage(link)) return;
    event.preventDefault();
    if (mayLeave()) void go(link.href, { headers });
  });

  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || event.defaultPrevented) return;
    const { submitter } = event;
    const button = submitter instanceof HTMLButtonElement ? submitter : null;
    const action = button?.hasAttribute('formaction') ? button.formAction : addressOf(form);
    if (!isOfficers(action)) return;
    event.preventDefault();
    void send(form, action, formFields(form, button), headers);
  });

  addEventListener('popstate', () => {
    if (pageOf(location.href) === shown) return;
    if (mayLeave()) void go(location.href, { headers }, { push: false });
    else history.pushState(null, '', shown);
  });
}

/**
 * @param {HTMLFormElement} form
 * @param {string} action
 * @param {URLSearchParams} fields
 * @param {Record<string, string>} headers
 */
function send(form, action, fields, headers) {
  if (busy) return;
  // A new tab cannot send the key: it is opened now, while the browser allows it, and filled with the response.
  const tab = form.getAttribute('target') === '_blank' ? open('', '_blank') : null;
  if (!tab && !form.hasAttribute('data-keeps') && !mayLeave()) return;
  if (form.getAttribute('method') === 'get') {
    const url = new URL(action);
    url.search = fields.toString();
    return go(url.href, { headers });
  }
  return go(action, { method: 'POST', body: fields, headers }, { tab });
}

/**
 * Requests a page and shows the response.
 * @param {string} url
 * @param {RequestInit} request
 * @param {{ push?: boolean, tab?: Window | null }} how
 */
async function go(url, request, { push = true, tab = null } = {}) {
  if (busy) return;
  busy = true;
  document.querySelector('main')?.setAttribute('aria-busy', 'true');
  try {
    const response = await fetch(url, { ...request, headers: { ...request.headers, Accept: 'text/html' } });
    const disposition = response.headers.get('content-disposition') ?? '';
    const isPage = (response.headers.get('content-type') ?? '').startsWith('text/html');
    const isFile = disposition.startsWith('attachment');
    if (isFile || !isPage) tab?.close();
    if (isFile) return save(await response.blob(), disposition);
    if (!isPage) return complain(t('voting-admin.by_key.answered', { said: await sayingOf(response) }));
    if (tab) return fill(tab, await response.text());
    const answersForm = request.method === 'POST' && !response.redirected;
    const { hash } = new URL(url);
    // The response to a form gets no history entry.
    const address = push && !answersForm ? response.url + hash : undefined;
    show(await response.text(), { address, hash, answersForm });
  } catch {
    tab?.close();
    complain(t('voting-admin.by_key.unreachable'));
  } finally {
    busy = false;
    document.querySelector('main')?.removeAttribute('aria-busy');
  }
}

/**
 * Replaces this page's content with the response's.
 * @param {string} text
 * @param {{ address: string | undefined, hash: string, answersForm: boolean }} how
 */
function show(text, { address, hash, answersForm }) {
  const next = parsePage(text);
  if (!next.querySelector('main')) return complain(t('voting-admin.by_key.no_page'));
  // A tab that was filled from here (about:blank) has no URL to change.
  if (address && address !== location.href && location.protocol !== 'about:')
    history.pushState(null, '', address);
  shown = pageOf(location.href);
  isAnswer = answersForm;
  const nav = next.querySelector('.site-nav');
  if (nav) document.querySelector('.site-nav')?.replaceWith(document.adoptNode(nav));
  addTexts(next);
  loadScripts(next);
  replaceMain(next);
  arrive(hash);
}

/**
 * Loads the modules of the new page that are missing here; the others listen for main-replaced.
 * @param {Document} next
 */
function loadScripts(next) {
  const loaded = new Set([...document.scripts].map((script) => script.src));
  for (const { src } of next.scripts) {
    const absolute = new URL(src, location.href).href;
    if (src === '' || loaded.has(absolute)) continue;
    const script = document.createElement('script');
    script.type = 'module';
    script.src = absolute;
    document.head.append(script);
  }
}

/**
 * Moves the focus to the errors, else to the part that the hash names, else to the heading.
 * @param {string} hash
 */
function arrive(hash) {
  const part = document.getElementById('errors') ?? (hash ? document.getElementById(hash.slice(1)) : null);
  const target = part ?? document.querySelector('main h1');
  if (!target) return;
  moveFocus(target);
  if (part) part.scrollIntoView();
  else scrollTo(0, 0);
}

/**
 * @param {Blob} blob
 * @param {string} disposition
 */
function save(blob, disposition) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = /filename="([^"]+)"/.exec(disposition)?.[1] ?? 'download';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/**
 * @param {Window} tab
 * @param {string} text
 */
function fill(tab, text) {
  tab.document.open();
  tab.document.write(text);
  tab.document.close();
}

/** @param {Response} response */
async function sayingOf(response) {
  const answer = await response.json().catch(() => ({}));
  return String(
    answer.message ?? answer.error ?? t('voting-admin.by_key.error', { status: response.status }),
  );
}

/** @param {string} words */
function complain(words) {
  document.getElementById('key-problem')?.remove();
  const notice = document.createElement('p');
  notice.id = 'key-problem';
  notice.className = 'notice notice-danger';
  notice.setAttribute('role', 'alert');
  notice.textContent = words;
  document.querySelector('main .wrap')?.prepend(notice);
  notice.scrollIntoView({ block: 'center' });
}

function mayLeave() {
  return document.dispatchEvent(new Event('main-leave', { cancelable: true }));
}

/**
 * The URL of a form, read from its attribute: a field named “action” would hide the property.
 * @param {HTMLFormElement} form
 */
function addressOf(form) {
  return new URL(form.getAttribute('action') ?? '', location.href).href;
}

/** @param {string} href */
function isOfficers(href) {
  const { origin, pathname } = new URL(href);
  return origin === location.origin && (pathname === '/admin' || pathname.startsWith('/admin/'));
}

/** @param {HTMLAnchorElement} link */
function isWithinPage(link) {
  if (link.getAttribute('href')?.startsWith('#')) return true;
  return link.hash !== '' && !isAnswer && pageOf(link.href) === shown;
}

/** @param {MouseEvent} event */
function isPlain({ button, altKey, ctrlKey, metaKey, shiftKey }) {
  return button === 0 && !altKey && !ctrlKey && !metaKey && !shiftKey;
}

/** @param {string} href */
function pageOf(href) {
  return href.replace(/#.*$/, '');
}
