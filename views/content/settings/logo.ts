import { type Html, html } from '#kernel/html.ts';
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
    )}" alt="The logo as it is now" width="${width}" height="${height}"></p>`;
  return html`<h2>Logo</h2>
<p>In the head of pages, on screens, in mails, and as the icon. Without one they show a hanging sign.</p>${shown}
<form method="post" action="/admin/settings/logo" enctype="multipart/form-data">
<div class="field"><label for="picture">${logo === null ? 'Choose a picture' : 'Another picture in its place'}</label>
<p class="hint" id="picture-hint">JPEG, PNG or WebP, at most 10 MB. It is shown on a light background, also in the
dark theme.</p>${errorText('picture', error)}
<input class="input" type="file" id="picture" name="picture" accept="image/jpeg,image/png,image/webp"
required aria-describedby="picture-hint${error && ' picture-error'}"${error && html` aria-invalid="true"`}></div>
<p><button class="button">Use as the logo</button></p></form>
${
  logo !== null &&
  html`
<form method="post" action="/admin/settings/logo/remove"><button class="button button-quiet">Take the logo
away</button></form>`
}`;
}
