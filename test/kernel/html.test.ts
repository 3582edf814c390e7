import { expect, test } from 'vitest';
import { html } from '#kernel/html.ts';

test('markup escapes every value except markup', () => {
  const name = `<b>"O'Hara" & co</b>`;

  expect(html`<p title="${name}">${[html`<i>${1}</i>`, null, false, undefined, 'a<b']}</p>`.toString()).toBe(
    '<p title="&lt;b&gt;&quot;O&#39;Hara&quot; &amp; co&lt;/b&gt;"><i>1</i>a&lt;b</p>',
  );
});
