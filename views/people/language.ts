import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { firstOffered, offeredLanguages, readerIn } from '#kernel/language/readers.ts';
import { selectField } from '#views/components/forms.ts';

/** The form with the language of a person; null while there is only one. @param chosen null: none */
export function ownLanguage(chosen: string | null): Html | null {
  const offered = offeredLanguages();
  if (offered.length < 2) return null;
  const options = [
    { value: '', label: t('people.language.none') },
    ...offered.map((value) => ({ value, label: t('common.language.name').for(readerIn(value)) })),
  ];
  return html`<form method="post" action="/me/language">
${selectField({
  name: 'language',
  label: t('people.language.label'),
  hint: t('people.language.hint'),
  options,
  value: firstOffered([chosen]) ?? '',
})}
<button class="button button-quiet">${t('people.language.save')}</button></form>`;
}
