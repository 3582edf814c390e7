import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { enteredText, errorAt, isTicked } from '#views/components/entered.ts';
import { tickBox } from '#views/components/fields.ts';
import { errorText, hiddenInputs } from '#views/components/forms.ts';
import { entry, type FieldsProps, type FormPicture } from './parts.ts';

const PLACES = [
  ...[
    t('content-admin.fields.top_left'),
    t('content-admin.fields.top'),
    t('content-admin.fields.top_right'),
    t('content-admin.fields.left'),
    t('content-admin.fields.middle'),
    t('content-admin.fields.right'),
  ],
  ...[
    t('content-admin.fields.bottom_left'),
    t('content-admin.fields.bottom'),
    t('content-admin.fields.bottom_right'),
  ],
];

/**
 * The fields for a picture and its description; they are sent with the rest of the form.
 * @param altHint about the description
 */
export function pictureFields(
  props: FieldsProps,
  altHint = t('content-admin.fields.sentence_those_who_cannot_see'),
): Html {
  const { values, errors, picture } = props;
  const wasSent = 'picture.alt' in values;
  const words = wasSent ? values : { ...values, 'picture.alt': picture?.alt ?? '' };
  const focus = enteredText(values, 'picture.focus', String(picture?.focus ?? 5));
  const decorative = isTicked(values, 'picture.decorative', !wasSent && picture?.decorative);
  // An error of the description is shown at its own field.
  const error = errorAt(
    errors.filter(({ path }) => path === 'picture'),
    'picture',
  );
  return html`<fieldset class="content-picture" id="picture-group">
  <legend>${t('content-admin.fields.picture_optional', { span: (inside) => html`<span class="optional">${inside}</span>` })}</legend>
${hiddenInputs({ 'picture.id': picture?.id ?? '' })}<div class="content-two">${
    picture ? html`${focusGrid(picture, focus)}<div>` : hiddenInputs({ 'picture.focus': focus })
  }
<div class="field"><label for="picture">${picture ? t('content-admin.fields.another_picture_place') : t('content-admin.fields.choose_picture')}</label>
<p class="hint" id="picture-hint">${t('content-admin.fields.picture_files')}</p>
${errorText('picture', error)}
<input class="input" type="file" id="picture" name="picture"
data-photo accept="image/jpeg,image/png,image/webp" aria-describedby="picture-hint${error && ' picture-error'}"${
    error && html` aria-invalid="true"`
  }></div>
${entry({ values: words, errors }, { name: 'picture.alt', label: t('content-admin.fields.what_show'), hint: altHint })}
<div class="choices choices-plain">${tickBox({
    name: 'picture.decorative',
    label: t('content-admin.fields.decorative_description_needed'),
    checked: decorative,
  })}
${
  picture &&
  tickBox({
    name: 'picture.remove',
    label: t('content-admin.fields.remove_picture'),
    checked: isTicked(values, 'picture.remove'),
  })
}</div>${picture && html`</div>`}</div></fieldset>`;
}

/** Nine places on the picture; the chosen one stays visible when the picture is cropped. */
function focusGrid({ id, width, height }: FormPicture, chosen: string): Html {
  const place = (name: Words, index: number) =>
    html`<label class="content-place"><input type="radio" name="picture.focus" value="${index + 1}"${
      chosen === String(index + 1) && html` checked`
    }><span class="visually-hidden">${name}</span></label>`;
  return html`<fieldset class="content-focus"><legend>${t('content-admin.fields.what_matters_most')}</legend>
  <p class="hint">${t('content-admin.fields.stays_view_where_room_whole')}</p>
<div class="content-focus-grid"><img src="/api/admin/pictures/${id}/file?size=480" alt="" width="${width}" height="${height}">${PLACES.map(place)}</div></fieldset>`;
}
