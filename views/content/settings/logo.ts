import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { errorAt } from '#views/components/entered.ts';
import { errorText } from '#views/components/forms.ts';
import { LOGO_SIZES, logoAddress } from '#views/logo.ts';
import type { SettingsPageProps } from './props.ts';

/** The forms for the logo: one uploads a file, so they are separate from the other settings. */
export function logoForms({ settings: { logo }, refused }: SettingsPageProps): Html {
  const error = errorAt(refused?.errors ?? [], 'picture');
  const { width, height } = LOGO_SIZES.icon;
  const shown =
    logo !== null &&
    html`<p><img class="settings-logo" src="${logoAddress(
      logo,
      'icon',
    )}" alt="${t('settings.logo.logo_now')}" width="${width}" height="${height}"></p>`;
  return html`<h2>${t('settings.logo.logo')}</h2>
<p>${t('settings.logo.head_pages_screens_mails_icon')}</p>${shown}
<form method="post" action="/admin/settings/logo" enctype="multipart/form-data">
<div class="field"><label for="picture">${logo === null ? t('settings.logo.choose_picture') : t('settings.logo.another_picture_place')}</label>
<p class="hint" id="picture-hint">${t('settings.logo.picture_files')}</p>${errorText('picture', error)}
<input class="input" type="file" id="picture" name="picture" accept="image/jpeg,image/png,image/webp"
required aria-describedby="picture-hint${error && ' picture-error'}"${error && html` aria-invalid="true"`}></div>
<p><button class="button">${t('settings.logo.use_logo')}</button></p></form>
${
  logo !== null &&
  html`
<form method="post" action="/admin/settings/logo/remove"><button class="button button-quiet">${t('settings.logo.take_logo_away')}</button></form>`
}`;
}
