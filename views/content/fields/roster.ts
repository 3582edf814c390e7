import { type Html, html } from '#kernel/html.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { choiceGroup, field } from '#views/components/forms.ts';
import { crewTicks, type FieldsProps, NO_TENDERS, rangeFields } from './parts.ts';

export function rosterFields(props: FieldsProps): Html {
  const { values, errors } = props;
  return html`${field({
    name: 'date',
    label: 'Date',
    type: 'date',
    value: enteredText(values, 'date'),
    error: errorAt(errors, 'date'),
  })}
<fieldset><legend>Hours of work</legend><p class="hint">Empty: as long as it is open</p>
${rangeFields(props, 'range', 'Work', ['begins', 'ends'])}</fieldset>
${
  props.tenders.length === 0
    ? NO_TENDERS
    : choiceGroup({
        name: 'tenders',
        label: 'Who works',
        plain: true,
        error: errorAt(errors, 'tenders'),
        rows: crewTicks(props, 'tenders'),
      })
}`;
}
