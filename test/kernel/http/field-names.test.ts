import { expect, it } from 'vitest';
import { html } from '#kernel/html.ts';
import { FieldProblem, withFieldNames } from '#kernel/http/field-names.ts';
import { t } from '#kernel/language/message.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { choice, choiceGroup, field, hiddenInputs, selectField } from '#views/components/forms.ts';

const TEXT = field({ name: 'reason', label: 'Why', optional: true });

const said = (path: string, ...fields: readonly ReturnType<typeof field>[]): string => {
  const problem = new FieldProblem(path, t('errors.empty'));
  const page = html`<p>${problem}</p><form method="post" action="/other?a=1&amp;b=2">${field({ name: 'reason', label: 'Elsewhere' })}</form><form method="post" action="/here?a=1&amp;b=2">${fields}</form>`;
  const [, shown] = /<p>(.*?)<\/p>/s.exec(withFieldNames(page.for(ENGLISH), '/here?a=1&b=2', ENGLISH)) ?? [];
  return shown ?? '';
};

const choices = (type: 'radio' | 'checkbox', values: readonly string[]) =>
  values.map((value) => choice({ type, name: 'kind', value, label: `The ${value}`, note: 'A note' }));

it.each([
  ['the label of the form that was sent', said('reason', TEXT), 'Why: this is needed'],
  ['that of another form, if this one has no such field', said('reason'), 'Elsewhere: this is needed'],
  [
    'the label of a part',
    said('sizes.0.label', field({ name: 'sizes.0.label', label: 'First <size>' })),
    'First &lt;size&gt;: this is needed',
  ],
  [
    'that of the whole for a part',
    said('lines.4', field({ name: 'lines', rows: 3, label: 'Lines:' })),
    'Lines: this is needed',
  ],
  [
    'a select box',
    said('part', selectField({ name: 'part', label: 'Part', options: [] })),
    'Part: this is needed',
  ],
  [
    'a select box inside its label',
    said(
      'part',
      html`<label class="small">For <select name="part"><option>An hour</option></select></label>`,
    ),
    'For: this is needed',
  ],
  [
    'a field without a label of its own',
    said('part', html`<input name="part" aria-label="A part">`),
    'A part: this is needed',
  ],
  [
    'a choice of one',
    said(
      'kind',
      choiceGroup({ name: 'kind', label: 'Which kind', rows: choices('radio', ['beer', 'wine']) }),
    ),
    'Which kind: this is needed',
  ],
  [
    'a choice of several',
    said(
      'kind.1',
      choiceGroup({ name: 'kind', label: 'Which kinds', rows: choices('checkbox', ['beer', 'wine']) }),
    ),
    'Which kinds: this is needed',
  ],
  ['a checkbox', said('kind', ...choices('checkbox', ['beer'])), 'The beer: this is needed'],
  [
    'a group of fields',
    said(
      'week',
      html`<fieldset><legend>The week</legend>${field({ name: 'week.mon', label: 'Monday' })}</fieldset>`,
    ),
    'The week: this is needed',
  ],
  ['a field that nobody sees', said('version', ...hiddenInputs({ version: '3' })), 'This is needed'],
  ['no such field', said('nothing', TEXT), 'This is needed'],
])('a problem is said with the label of its field: %s', (_what, shown, expected) => {
  expect(shown.replaceAll(/<\/?span[^>]*>/g, '')).toBe(expected);
});

it('plain text names the field as JSON does', () => {
  expect(new FieldProblem('reason', t('errors.empty')).for(ENGLISH)).toBe('reason: this is needed');
});
