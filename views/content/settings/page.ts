import { type Child, type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { typedNumber } from '#kernel/locale.ts';
import { GROUPS, type Group, groupPath } from '#kernel/settings/setting.ts';
import { SETTING_NAMES, type SettingName, settingOf } from '#kernel/settings/table.ts';
import { enteredText, errorAt, isTicked } from '#views/components/entered.ts';
import { openField, secretField, tickBox } from '#views/components/fields.ts';
import { hiddenInputs, selectField } from '#views/components/forms.ts';
import { refusedNotice } from '#views/components/notices.ts';
import {
  definitionList,
  disclosure,
  pageHeader,
  type SubPage,
  subPageLink,
  subPages,
} from '#views/components/structure.ts';
import { doneNotice, staffPage } from '#views/pub/staff-frame.ts';
import type { Found } from '#views/search.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { FIELDS, GROUP_WORDS, inWords } from './fields.ts';
import { mailTrouble } from './mail.ts';
import { priceInField } from './menu.ts';
import { NOW } from './now.ts';
import type { SettingsPageProps } from './props.ts';

const LABELS = {
  picture: t('settings.settings.logo'),
  to: t('settings.settings.send_test'),
  ...Object.fromEntries(SETTING_NAMES.map((name) => [name, FIELDS[name].label])),
};

const TITLE = t('settings.settings.settings');
/** The address of the page of all groups. */
export const SETTINGS_PAGE = '/admin/settings';

/** The groups of settings, each with what is set there. */
export function settingsOverview(props: SettingsPageProps): Html {
  const rows = PAGES.map((page) => [subPageLink(page), NOW[page.group](props)] as const);
  const header = pageHeader({
    title: TITLE,
    lede: t('settings.settings.pages_screens_new_mails_show'),
  });
  const body = html`${header}${doneNotice(props.done)}${mailTrouble(props)}
${definitionList(rows)}`;
  return framed(TITLE, body, props);
}

/** The settings of a group: one form. */
export function settingsPage(group: Group, props: SettingsPageProps): Html {
  const { title, lede, script } = GROUP_WORDS[group];
  const body = html`${refusedNotice(props.refused, LABELS, idOf, 'saved')}
${pageHeader({ title, crumbs: [{ href: SETTINGS_PAGE, label: TITLE }], lede: said(lede, props) })}
${doneNotice(props.done)}${group === 'mail' && mailTrouble(props)}
${subPages({
  label: t('settings.settings.groups_settings'),
  pages: PAGES,
  current: groupPath(group),
  content: groupSection(group, props),
})}`;
  return framed(t('settings.settings.group_title', { group: title }), body, props, {
    script,
    givesAddress: group === 'music' ? groupPath(group) : undefined,
  });
}

const framed = (
  title: Words | string,
  body: Html,
  { identity }: SettingsPageProps,
  { script, givesAddress }: { script?: string | undefined; givesAddress?: string | undefined } = {},
): Html =>
  staffPage({
    title,
    body,
    nav: SETTINGS_PAGE,
    givesAddress,
    identity,
    scripts: ['base/copy.js', ...(script === undefined ? [] : [script])],
    head: stylesheets('content'),
  });

const PAGES: readonly (SubPage & { group: Group; label: Words | string })[] = GROUPS.map((group) => ({
  group,
  href: groupPath(group),
  label: GROUP_WORDS[group].title,
  anchors: [group, ...(GROUP_WORDS[group].anchors ?? [])],
}));

const namesIn = (group: Group): SettingName[] =>
  SETTING_NAMES.filter((name) => settingOf(name).group === group);

function groupSection(group: Group, props: SettingsPageProps): Html {
  const { title, fields, after } = GROUP_WORDS[group];
  const shown = namesIn(group).filter((name) => FIELDS[name].kind !== null);
  const open = shown.some((name) => props.overruled[name] === undefined) || fields !== undefined;
  const folds = Map.groupBy(shown, (name) => FIELDS[name].fold);
  const inner = html`${fields?.(props)}${[...folds].map(([heading, names]) => {
    const all = names.map((name) => settingField(name, props));
    const isOpen = names.some((name) => errorAt(props.refused?.errors ?? [], name));
    return heading === undefined
      ? all
      : disclosure(heading, html`<div class="field-row">${all}</div>`, isOpen);
  })}`;
  return html`<section class="card settings" id="${group}" aria-label="${title}">
${
  open
    ? html`<form method="post" action="${SETTINGS_PAGE}">${inner}
<p class="actions"><button class="button">${t('settings.settings.save')}</button></p></form>`
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
      : kind === 'decimal' && typeof current === 'number'
        ? typedNumber(current)
        : Array.isArray(current)
          ? current.join(', ')
          : String(current ?? ''),
  );
  const shared = { name, id, label, hint, value, error: errorAt(errors, name) };
  if (options)
    return html`${selectField({ ...shared, options: options(props) })}${pricesQuestion(name, errors)}`;
  const shown = openField({
    ...shared,
    ...((kind === 'number' || kind === 'time') && { type: kind, short: true }),
    ...(kind === 'colour' && { short: true }),
    ...(kind === 'lines' && { rows: 4 }),
  });
  return kind === 'colour' ? html`<div data-colour="${settings.accent_light}">${shown}</div>` : shown;
}

/** The tick that answers what happens to the prices, where that is asked. */
function pricesQuestion(name: SettingName, errors: readonly FieldError[]): Html | false {
  const isAsked = errors.some(({ path, code }) => path === name && code.startsWith('confirm_currency'));
  return (
    isAsked &&
    html`<div class="choices-plain">${tickBox({
      name: 'confirm',
      id: 'confirm-currency',
      label: t('settings.settings.keep_prices_read'),
      value: 'currency',
      checked: false,
    })}</div>`
  );
}

const said = (words: Child | ((props: SettingsPageProps) => Child), props: SettingsPageProps): Child =>
  typeof words === 'function' ? words(props) : words;

const decidedField = (label: Words | string, value: Words | string, variable: string): Html =>
  html`<div class="field"><p class="settings-decided"><strong>${label}</strong><br>${value}</p>
  <p class="hint">${decidedWords(variable)}</p></div>`;

/** A tick that nobody can change here. */
const decidedTick = (label: Words | string, on: boolean, variable: string): Html =>
  html`<div class="choices-plain"><label class="choice"><input type="checkbox" disabled${on && html` checked`}>
<span class="choice-body"><span class="choice-name">${label}</span>
<span class="choice-note">${decidedWords(variable)}</span></span></label></div>`;

const decidedWords = (variable: string): Words =>
  t('settings.settings.set_servers_administrator', { variable });

/** Ids are used in selectors, in which a dot has a meaning. */
const idOf = (path: string): string => path.replaceAll('.', '-');

/** A link to each group and to each setting, for the search. */
export const SETTING_LINKS: readonly Found[] = [
  ...PAGES.map(({ href, label }) => ({ href, label })),
  ...SETTING_NAMES.map((name) => {
    const { group } = settingOf(name);
    const field = name === 'logo' ? 'picture' : idOf(name);
    return {
      href: `${groupPath(group)}#${field}`,
      label: FIELDS[name].label,
      note: GROUP_WORDS[group].title,
    };
  }),
];
