import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { type Entered, enteredText, errorAt, isTicked, namedErrors } from '#views/components/entered.ts';
import { openField, tickBox } from '#views/components/fields.ts';
import { errorText, field } from '#views/components/forms.ts';
import { errorSummary, notice } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import { lockedUnless, type OfficerProps, officerPage } from '#views/voting/admin/frame.ts';
import { aboutOption } from '#views/voting/ballots/about-options.ts';
import { adminElectionPath, OPTION_WORDS } from '#views/voting/words.ts';
import type { OptionJson } from '#voting/elections/elections.ts';
import type { OptionKind } from '#voting/shared/ballot-types.ts';

/** The data of the form that changes one candidate or option. */
export interface OptionFormProps extends OfficerProps {
  kind: OptionKind;
  election: { id: string; title: string };
  option: OptionJson;
  /** Whether it cannot be changed any more, because there are ballots. */
  isFixed: boolean;
  textAtMost: number;
  /** The entered values; empty for a new form. */
  entered: Entered;
  /** Why the form was refused, where the reason belongs to no field. */
  message?: string | undefined;
  errors: readonly FieldError[];
}

const LABELS = { name: 'Name', display_order: 'Order', text: 'Text', picture: 'Picture' };

/** The form for name, order, text and picture; only these values once there are ballots. */
export function optionFormPage(props: OptionFormProps): Html {
  const { kind, election, option, isFixed, message, errors, viewer } = props;
  const listed =
    errors.length > 0 || message === undefined ? namedErrors(errors, LABELS) : [{ path: 'name', message }];
  const body = html`${errorSummary(listed, (path) => path, `The ${kind} was not changed`)}
${pageHeader({
  title: option.name,
  eyebrow: OPTION_WORDS[kind].one,
  crumbs: [
    { href: '/admin', label: 'Elections' },
    { href: `${adminElectionPath(election.id)}#${kind}s`, label: election.title },
  ],
})}
${
  isFixed
    ? html`${notice(
        'info',
        'The first ballot has fixed all of this: it can no longer be changed.',
        'Ballots are in',
      )}${aboutOption(option)}`
    : lockedUnless(props, 'elections:write', form(props))
}`;
  const title = `${listed.length > 0 ? 'Please check: ' : ''}${option.name}`;
  return officerPage({ title, body, nav: '/admin', viewer, scripts: ['content/photo.js'] });
}

function form({ kind, election, option, textAtMost, entered, errors }: OptionFormProps): Html {
  const at = (name: 'name' | 'display_order' | 'text', stored: string | number | null) => ({
    name,
    label: LABELS[name],
    value: enteredText(entered, name, String(stored ?? '')),
    error: errorAt(errors, name),
  });
  return html`<form class="card" method="post" enctype="multipart/form-data" action="${adminElectionPath(
    election.id,
    `${kind}s/${option.id}`,
  )}">
<div class="field-row">${field({ ...at('name', option.name), maxlength: 300, autocomplete: 'off' })}
${openField({ ...at('display_order', option.display_order), type: 'number', short: true })}</div>
${field({
  ...at('text', option.text),
  hint: `Voters unfold it on the ballot. At most ${textAtMost} characters.`,
  optional: true,
  rows: 6,
  maxlength: textAtMost,
})}
${pictureField(option, entered, errorAt(errors, 'picture'))}
<div class="actions"><button class="button">Save</button>
<a class="button button-quiet" href="${adminElectionPath(election.id)}#${kind}s">Back without saving</a></div></form>`;
}

function pictureField({ name, picture }: OptionJson, entered: Entered, error: string | undefined): Html {
  return html`<fieldset id="picture-group"><legend>Picture <span class="optional">(optional)</span></legend>
${
  picture &&
  html`<p><img class="about-picture about-picture-large" src="${picture.url}" alt="${name}" width="160" height="160"></p>`
}
<div class="field"><label for="picture">${picture ? 'Another picture in its place' : 'Choose a picture'}</label>
<p class="hint" id="picture-hint">JPEG, PNG or WebP, at most 10 MB. Everybody who has the address of the election
sees it.</p>${errorText('picture', error)}
<input class="input" type="file" id="picture" name="picture" data-photo accept="image/jpeg,image/png,image/webp" aria-describedby="picture-hint${
    error && ' picture-error'
  }"${error && html` aria-invalid="true"`}></div>
${
  picture &&
  html`<div class="choices choices-plain">${tickBox({
    name: 'remove_picture',
    label: 'Take the picture away',
    checked: isTicked(entered, 'remove_picture'),
  })}</div>`
}</fieldset>`;
}
