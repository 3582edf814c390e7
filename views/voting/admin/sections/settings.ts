import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { lockedUnless } from '#views/voting/admin/frame.ts';
import { formOf, type Section } from './forms.ts';
import type { Sections } from './page.ts';
import type { SharedProps } from './props.ts';
import { type SettingsFieldsProps, settingsFields } from './settings-fields.ts';

/** The settings, as far as they can be changed: those of most elections, and apart those that few change. */
export function settingsSections(
  props: SharedProps,
  { above, checksAbove, fields, ...parts }: SettingsParts,
): Pick<Sections, 'settings' | 'checks'> {
  const { fixed, listFixed } = fields;
  return {
    settings: () => section(props, 'settings', { ...parts, above, fields: { ...fields, rarely: 'out' } }),
    // Ballots and the close fix these.
    ...(!(fixed && listFixed && props.election.status === 'closed') && {
      checks: () =>
        section(props, 'checks', {
          ...parts,
          title: t('voting-admin.settings.result_checks'),
          about: t('voting-admin.settings.who_sees_result_first_what'),
          above: checksAbove,
          fields: { ...fields, rarely: 'alone' },
        }),
    }),
  };
}

function section(
  props: SharedProps,
  id: 'settings' | 'checks',
  { action, button, stored, above, fields, ...words }: Omit<SettingsParts, 'checksAbove'>,
): Section {
  const { entered = { settings: stored }, errors, prefix } = formOf(props, id);
  const closed = props.election.status === 'closed';
  return {
    id,
    ...words,
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
  title: Words;
  about?: Words;
  action: string;
  button: Words;
  stored: object;
  /** Above the form. */
  above?: Html | undefined;
  /** The same above those that few change. */
  checksAbove?: Html | undefined;
  fields: Omit<SettingsFieldsProps, 'prefix' | 'entered' | 'errors' | 'closed'>;
}
