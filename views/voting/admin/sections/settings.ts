import { type Html, html } from '#kernel/html.ts';
import { lockedUnless } from '#views/voting/admin/frame.ts';
import { formOf, type Section } from './forms.ts';
import type { SharedProps } from './props.ts';
import { type SettingsFieldsProps, settingsFields } from './settings-fields.ts';

/** The settings, as far as they can be changed. */
export function settingsSection(
  props: SharedProps,
  { action, button, stored, above, fields, ...section }: SettingsParts,
): Section {
  const { entered = { settings: stored }, errors, prefix } = formOf(props, 'settings');
  const closed = props.election.status === 'closed';
  return {
    id: 'settings',
    ...section,
    work: html`${above}${lockedUnless(
      props,
      'elections:write',
      html`<form method="post" action="${action}" data-election-form>
${settingsFields({ prefix, entered, errors, closed, ...fields })}
<button class="button button-quiet">${button}</button></form>`,
    )}`,
  };
}

interface SettingsParts {
  title: string;
  about?: string;
  action: string;
  button: string;
  stored: object;
  /** Above the form. */
  above?: Html;
  fields: Omit<SettingsFieldsProps, 'prefix' | 'entered' | 'errors' | 'closed'>;
}
