import { type Child, type Html, html } from '#kernel/html.ts';
import { GROUPS, type Group } from '#kernel/settings/setting.ts';
import { SETTING_NAMES, type SettingName, settingOf } from '#kernel/settings/table.ts';
import { enteredText, errorAt, isTicked } from '#views/components/entered.ts';
import { openField, secretField, tickBox } from '#views/components/fields.ts';
import { hiddenInputs, selectField } from '#views/components/forms.ts';
import { notice, refusedNotice } from '#views/components/notices.ts';
import { listed } from '#views/components/numbers.ts';
import { disclosure, pageHeader } from '#views/components/structure.ts';
import { doneNotice, staffPage } from '#views/pub/staff-frame.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { FIELDS, GROUP_WORDS } from './fields.ts';
import { priceInField } from './menu.ts';
import type { SettingsPageProps } from './props.ts';

const LABELS = {
  picture: 'Logo',
  to: 'Send a test to',
  ...Object.fromEntries(SETTING_NAMES.map((name) => [name, FIELDS[name].label])),
};

/** The settings of the club: a form for each group of them. */
export function settingsPage(props: SettingsPageProps): Html {
  const { refused, done, identity } = props;
  const { missing } = props.mail;
  const groups = GROUPS.filter((group) => namesIn(group).length > 0);
  const body = html`${refusedNotice(refused, LABELS, idOf, 'saved')}
${pageHeader({
  title: 'Settings',
  lede: 'Save each group separately. Pages, screens and new mails show a change within a minute.',
})}
${doneNotice(done)}
${missing.length > 0 && notice('attention', html`<p>Enter ${listed([...missing])} <a href="#mail">below</a>.</p>`, 'No mail can be sent')}
<nav class="settings-groups" aria-label="Groups of settings"><ul>${groups.map(
    (group) => html`<li><a class="link-alone" href="#${group}">${GROUP_WORDS[group].title}</a></li>`,
  )}</ul></nav>
${groups.map((group) => groupSection(group, props))}`;
  return staffPage({
    title: 'Settings',
    body,
    nav: '/admin/settings',
    identity,
    scripts: ['base/copy.js'],
    head: stylesheets('content'),
  });
}

const namesIn = (group: Group): SettingName[] =>
  SETTING_NAMES.filter((name) => settingOf(name).group === group);

function groupSection(group: Group, props: SettingsPageProps): Html {
  const { title, lede, fields, after } = GROUP_WORDS[group];
  const words = said(lede, props);
  const shown = namesIn(group).filter((name) => FIELDS[name].kind !== null);
  const open = shown.some((name) => props.overruled[name] === undefined) || fields !== undefined;
  const folds = Map.groupBy(shown, (name) => FIELDS[name].fold);
  const inner = html`${fields?.(props)}${[...folds].map(([heading, names]) => {
    const all = names.map((name) => settingField(name, props));
    const isOpen = names.some((name) => errorAt(props.refused?.errors ?? [], name));
    return heading === undefined ? all : disclosure(heading, html`${all}`, isOpen);
  })}`;
  return html`<section class="card settings" id="${group}" aria-labelledby="${group}-title">
<h2 id="${group}-title">${title}</h2>${words && html`<p>${words}</p>`}
${
  open
    ? html`<form method="post" action="/admin/settings">${inner}
<p class="actions"><button class="button">Save</button></p></form>`
    : inner
}${after?.(props)}</section>`;
}

function settingField(name: SettingName, props: SettingsPageProps): Html {
  const { settings, overruled, refused } = props;
  const { label, kind, options, hint: words } = FIELDS[name];
  const { entered = {}, errors = [] } = refused ?? {};
  const hint = said(words, props);
  const variable = overruled[name];
  const id = idOf(name);
  const current = settings[name];
  if (variable !== undefined && kind === 'tick') return decidedTick(label, current === true, variable);
  if (variable !== undefined) return decidedField(label, inWords(name, props), variable);
  if (kind === 'secret')
    return secretField({ name, id, label, hint, error: errorAt(errors, name), isStored: current !== null });
  if (kind === 'tick') {
    const checked = isTicked(entered, name, current === true);
    return html`${hiddenInputs({ [name]: 'false' })}
<div class="choices-plain">${tickBox({ name, id, label, note: hint, checked })}</div>`;
  }
  const value = enteredText(
    entered,
    name,
    kind === 'price'
      ? priceInField(current)
      : Array.isArray(current)
        ? current.join(', ')
        : String(current ?? ''),
  );
  const shared = { name, id, label, hint, value, error: errorAt(errors, name) };
  if (options) return selectField({ ...shared, options: options(props) });
  return openField({
    ...shared,
    ...((kind === 'number' || kind === 'time') && { type: kind, short: true }),
    ...(kind === 'lines' && { rows: 4 }),
  });
}

const said = (words: Child | ((props: SettingsPageProps) => Child), props: SettingsPageProps): Child =>
  typeof words === 'function' ? words(props) : words;

/** The value of a setting as a person reads it; that of a secret is not shown. */
function inWords(name: SettingName, props: SettingsPageProps): string {
  const value = props.settings[name];
  const { kind, options } = FIELDS[name];
  if (kind === 'secret') return 'Set; it is not shown';
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '');
  return options?.(props).find((option) => option.value === text)?.label ?? (text || 'None');
}

const decidedField = (label: string, value: string, variable: string): Html =>
  html`<div class="field"><p class="settings-decided"><strong>${label}</strong><br>${value}</p>
  <p class="hint">${decidedWords(variable)}</p></div>`;

/** A tick that nobody can change here. */
const decidedTick = (label: string, on: boolean, variable: string): Html =>
  html`<div class="choices-plain"><label class="choice"><input type="checkbox" disabled${on && html` checked`}>
<span class="choice-body"><span class="choice-name">${label}</span>
<span class="choice-note">${decidedWords(variable)}</span></span></label></div>`;

const decidedWords = (variable: string): string => `Set by the server’s administrator: ${variable}.`;

/** Ids are used in selectors, in which a dot has a meaning. */
const idOf = (path: string): string => path.replaceAll('.', '-');
