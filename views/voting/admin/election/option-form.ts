import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { openField } from '#views/components/fields.ts';
import { errorText, field } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { inputsOf } from '#views/components/record-fields.ts';
import { sized } from '#views/components/structure.ts';
import { type FormPageProps, formPage } from '#views/voting/admin/form-page.ts';
import { lockedUnless } from '#views/voting/admin/frame.ts';
import { FORMS } from '#views/voting/admin/sections/forms.ts';
import { aboutOption } from '#views/voting/ballots/about-options.ts';
import { adminElectionPath, OPTION_WORDS, optionCode, sectionPath } from '#views/voting/words.ts';
import type { OptionJson } from '#voting/elections/elections.ts';
import type { OptionKind } from '#voting/shared/ballot-types.ts';

/** The data of the form that changes one candidate or option. */
export interface OptionFormProps extends FormPageProps {
  kind: OptionKind;
  election: { id: string; title: string };
  option: OptionJson;
  /** Whether it cannot be changed any more, because there are ballots. */
  isFixed: boolean;
  textAtMost: number;
}

const WORDS = {
  ...FORMS.options.words,
  picture: {
    label: t('voting-admin.option_form.picture'),
    hint: t('voting-admin.option_form.picture_files'),
  },
  remove_picture: { label: t('voting-admin.option_form.take_picture_away') },
};

/** The form for name, order, text and picture; only these values once there are ballots. */
export function optionFormPage(props: OptionFormProps): Html {
  const { kind, election, option, isFixed } = props;
  return formPage(props, {
    title: option.name,
    eyebrow: OPTION_WORDS[kind].one,
    crumbs: [{ href: sectionPath(election, `${kind}s`), label: election.title }],
    words: WORDS,
    refused: t('voting-admin.option_form.changed', { kind: optionCode(kind) }),
    body: isFixed
      ? html`${notice(
          'info',
          t('voting-admin.option_form.first_ballot_fixed_all_longer'),
          t('voting-admin.option_form.ballots'),
        )}${aboutOption(option)}`
      : lockedUnless(props, 'elections:write', form(props)),
    scripts: ['content/photo.js'],
  });
}

function form(props: OptionFormProps): Html {
  const { kind, election, option, textAtMost } = props;
  const { at } = inputsOf(WORDS, props);
  return html`<form class="card" method="post" enctype="multipart/form-data" action="${adminElectionPath(
    election.id,
    `${kind}s/${option.id}`,
  )}">
<div class="field-row">${field({ ...at('name', option.name), maxlength: 300, autocomplete: 'off' })}
${openField({ ...at('display_order', option.display_order), type: 'number', short: true })}</div>
${field({
  ...at('text', option.text),
  hint: t('voting-admin.option_form.voters_unfold_ballot_most_characters', { most: textAtMost }),
  optional: true,
  rows: 6,
  maxlength: textAtMost,
})}
${pictureField(props)}
<div class="actions"><button class="button">${t('voting-admin.option_form.save')}</button>
<a class="button button-quiet" href="${sectionPath(election, `${kind}s`)}">${t('voting-admin.option_form.back_without_saving')}</a></div></form>`;
}

function pictureField(props: OptionFormProps): Html {
  const { name, picture } = props.option;
  const { at, tick } = inputsOf(WORDS, props);
  const { label, hint, error } = at('picture');
  return html`<fieldset id="picture-group"><legend>${label} <span class="optional">${t('voting-admin.option_form.optional')}</span></legend>
${
  picture &&
  html`<p><img class="about-picture about-picture-large" src="${sized(picture.url, 480)}" alt="${name}" width="160" height="160"></p>`
}
<div class="field"><label for="picture">${picture ? t('voting-admin.option_form.another_picture_place') : t('voting-admin.option_form.choose_picture')}</label>
<p class="hint" id="picture-hint">${hint}</p>${errorText('picture', error)}
<input class="input" type="file" id="picture" name="picture" data-photo accept="image/jpeg,image/png,image/webp" aria-describedby="picture-hint${
    error && ' picture-error'
  }"${error && html` aria-invalid="true"`}></div>
${picture && html`<div class="choices choices-plain">${tick('remove_picture')}</div>`}</fieldset>`;
}
