// Fills the set-up form: the code from the link that the service printed, and what the browser knows about the place.
import { t } from '../base/texts.js';

const form = document.querySelector('form[action="/set-up"]');
if (form instanceof HTMLFormElement) {
  fillCode(form);
  if ('preset' in form.dataset) presetPlace(form);
}

/** The code is behind the # of the link, which browsers do not send. It leaves the address, and so the history. */
function fillCode(/** @type {HTMLFormElement} */ form) {
  const code = /^#((?:[0-9a-z]{4}-){2}[0-9a-z]{4})$/i.exec(location.hash)?.[1];
  const field = form.elements.namedItem('code');
  if (code === undefined || !(field instanceof HTMLInputElement)) return;
  field.value = code.toUpperCase();
  history.replaceState(history.state, '', location.pathname + location.search);
  const next = form.querySelector('input[value=""]:not([name="code"])');
  if (next instanceof HTMLElement) next.focus();
}

/** The time zone says more about the place of a club than the language of the browser, which is often English. */
function presetPlace(/** @type {HTMLFormElement} */ form) {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const named = navigator.languages.flatMap(localeOf);
  choose(form, 'language', navigator.language.split('-')[0] ?? '');
  const country =
    countryOf(form, zone) ?? named.find(({ region }) => region)?.region ?? named[0]?.maximize().region;
  if (country !== undefined) choose(form, 'country', country);
  // A browser that does not know where it is names a zone that is none: nothing stands there until somebody chooses.
  if (zone === 'Etc/Unknown') return askFor(form, 'time_zone');
  // A browser that hides its place says UTC, where no club is.
  if (zone && zone !== 'UTC') choose(form, 'time_zone', zone, zone);
}

/** @param {HTMLFormElement} form @param {string} name */
function askFor(form, name) {
  const field = form.elements.namedItem(name);
  if (!(field instanceof HTMLSelectElement)) return;
  field.add(new Option(t('sign-in.set_up.please_choose'), ''), 0);
  field.required = true;
  choose(form, name, '');
}

/** A browser may name a language that is not well-formed, such as `en-US@posix`. @returns {Intl.Locale[]} */
function localeOf(/** @type {string} */ tag) {
  try {
    return [new Intl.Locale(tag)];
  } catch {
    return [];
  }
}

/** The country of a time zone, among those that can be chosen. */
function countryOf(/** @type {HTMLFormElement} */ form, /** @type {string} */ zone) {
  const field = form.elements.namedItem('country');
  if (!(field instanceof HTMLSelectElement)) return undefined;
  return [...field.options].find(({ value }) => value !== '' && zonesOf(value).includes(zone))?.value;
}

/** @returns {readonly string[]} */
function zonesOf(/** @type {string} */ country) {
  const place = /** @type {Intl.Locale & { timeZones?: string[], getTimeZones?(): string[] | undefined }} */ (
    new Intl.Locale(`und-${country}`)
  );
  return place.getTimeZones?.() ?? place.timeZones ?? [];
}

/**
 * Chooses a value of a select box, if it has that value and nobody chose another while this script was loaded. `label`
 * adds it otherwise: browsers may know a zone by another of its names.
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {string} value
 * @param {string} [label]
 */
function choose(form, name, value, label) {
  const field = form.elements.namedItem(name);
  if (!(field instanceof HTMLSelectElement)) return;
  const options = [...field.options];
  const atFirst = options.findIndex((option) => option.defaultSelected);
  if (field.selectedIndex !== Math.max(0, atFirst)) return;
  const isOffered = options.some((option) => option.value === value);
  if (!isOffered && label !== undefined) field.add(new Option(label.replaceAll('_', ' '), value));
  if (isOffered || label !== undefined) field.value = value;
}
