import { expect, it } from 'vitest';
import { html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { commas, sentences } from '#kernel/language/times.ts';
import { ENGLISH } from '#kernel/language/words.ts';

it('puts texts into a row without those that are not said, and escapes them in markup', () => {
  const row = commas([t('common.nav.drinks'), false, null, 'Tea & buns', undefined, '']);
  expect(row?.for(ENGLISH)).toBe('Drinks, Tea & buns');
  expect(html`<p>${row}</p>`.for(ENGLISH)).toBe('<p>Drinks, Tea &amp; buns</p>');
  expect(sentences(['One.', 'Two.'])?.for(ENGLISH)).toBe('One. Two.');
  expect(sentences([null, ''])).toBeUndefined();
});
