import { type Child, type Html, html } from '#kernel/html.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { openField } from '#views/components/fields.ts';
import { selectField } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import { refusedNotice } from '#views/content/frame.ts';
import { doneNotice, staffPage } from '#views/pub/staff-frame.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { logoForm } from './logo.ts';
import { PART_LABELS, partFields } from './parts.ts';
import type { SettingsPageProps, ShownSettings } from './props.ts';

const LABELS = {
  base_url: 'The address of this service',
  club_name: 'The name',
  short_name: 'The short name',
  contact: 'The contact',
  imprint_url: 'The address of the imprint',
  privacy_url: 'The address of the privacy notice',
  picture: 'The logo',
  accent: 'The accent',
  locale: 'How dates and numbers are written',
  time_zone: 'The time zone',
  sports_leagues: 'The list of leagues',
  ...PART_LABELS,
};

/** The settings of the club: its name and look, the formats of dates and times, and the parts that it uses. */
export function settingsPage(props: SettingsPageProps): Html {
  const { settings, sample, missing, refused, done, identity } = props;
  const at = fieldsOf(props);
  const body = html`${refusedNotice(refused, LABELS, (path) => path.replace(/^parts\./, 'part-'))}
${pageHeader({ title: 'Settings', lede: 'How the club is named, what it looks like, and what it uses. Every page, screen and new mail has a change within a minute.' })}
${doneNotice(done)}
${missing.length > 0 && notice('attention', noMailWords(missing), 'No mail can be sent')}
<form class="card settings" method="post" action="/admin/settings">
<section aria-labelledby="the-club"><h2 id="the-club">The club</h2>
${at('club_name', 'Name', 'On every page and screen, in mails, and in the calendars of members.')}
${at('short_name', 'Short name', 'Under the icon on a phone. Left empty: the name.')}
${at('contact', 'Contact', 'An e-mail address or any other words, at the foot of pages and mails.')}
${at('base_url', 'Address of this service', 'Links in mails, on slips and in calendars begin with it. Passkeys work under this address alone: change it only when the service moves.')}
${at('imprint_url', 'Address of the imprint', 'Begins with https://')}
${at('privacy_url', 'Address of the privacy notice', 'Begins with https://')}</section>
<section aria-labelledby="the-look"><h2 id="the-look">Look</h2>
${at(
  'accent',
  'Accent',
  html`A colour such as #1f4d3a, for buttons and links. Each theme uses the nearest shade
that can be read: ${swatch(settings.accent_light)} in the light one, ${swatch(settings.accent_dark)} in the dark
one and on screens.`,
)}</section>
<section aria-labelledby="the-formats"><h2 id="the-formats">Dates and times</h2>
<p>It is now <strong>${sample}</strong>.</p>
${at(
  'locale',
  'How dates and numbers are written',
  html`A language tag, such as en-US, en-GB, en-IE, de-DE or
fr-FR. Texts stay English.`,
)}
${zoneField(props)}</section>
<section aria-labelledby="the-parts"><h2 id="the-parts">What the club uses</h2>${partFields(props)}
${at('sports_leagues', 'Leagues', 'Names of the source of scores, such as football/nfl, the preferred first. Separate with commas.')}</section>
<div class="actions"><button class="button button-large">Save</button></div></form>
${logoForm(props)}`;
  return staffPage({
    title: refused ? 'Please check: Settings' : 'Settings',
    body,
    nav: '/admin/settings',
    identity,
    head: stylesheets('content'),
  });
}

/** Says what to do before mail can be sent; the address alone can be entered on this page. */
function noMailWords(missing: readonly string[]): Html {
  if (missing.join() === 'BASE_URL') return html`Enter the address of this service below.`;
  return html`Set ${missing.join(', ')} in the environment and start the service again.`;
}

/** Returns a function that renders a setting as a text field, or as text where the environment decides it. */
function fieldsOf({ settings, overruled, refused }: SettingsPageProps) {
  return (name: Exclude<keyof ShownSettings, 'parts'>, label: string, hint: Child): Html => {
    const variable = overruled[name];
    if (variable !== undefined) return decidedField(label, settings[name] ?? '', variable);
    const { entered = {}, errors = [] } = refused ?? {};
    const value = enteredText(entered, name, settings[name] ?? '');
    return openField({ name, label, hint, value, error: errorAt(errors, name) });
  };
}

const decidedField = (label: string, value: string, variable: string): Html =>
  html`<div class="field"><p class="settings-decided"><strong>${label}</strong><br>${value}</p>
  <p class="hint">The environment decides this: ${variable}.</p></div>`;

function zoneField({ settings: { time_zone }, overruled, refused }: SettingsPageProps): Html {
  if (overruled.time_zone !== undefined)
    return decidedField('Time zone', time_zone.replaceAll('_', ' '), overruled.time_zone);
  const zones = [...new Set([...Intl.supportedValuesOf('timeZone'), time_zone])].sort();
  return selectField({
    name: 'time_zone',
    label: 'Time zone',
    hint: 'Of every time on pages, screens and in mails.',
    value: enteredText(refused?.entered ?? {}, 'time_zone', time_zone),
    options: zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
  });
}

const swatch = (colour: string): Html =>
  html`<svg class="settings-swatch" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false"><rect width="16" height="16" rx="3" fill="${colour}"/></svg> <code>${colour}</code>`;
