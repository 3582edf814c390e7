import { type Html, html } from '#kernel/html.ts';
import { errorAt } from '#views/components/entered.ts';
import { choiceGroup, field } from '#views/components/forms.ts';
import { at, crewTicks, type FieldsProps, NO_TENDERS, rangeFields } from './parts.ts';

export function rosterFields(props: FieldsProps): Html {
  const { errors } = props;
  return html`${field({ ...at(props, 'date'), type: 'date' })}
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
