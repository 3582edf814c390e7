import type { Identity, Viewer } from '#kernel/access/permissions.ts';
import { type Html, html } from '#kernel/html.ts';
import type { Made } from '#kernel/http/once.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { hiddenInputs } from './components/forms.ts';
import { pageHeader } from './components/structure.ts';
import { page } from './layout.ts';

/** Answers a form that was sent twice, when the secrets in its first answer are lost. */
export function madePage({
  made: { page: href, remove },
  message,
  identity,
  viewer,
}: {
  made: Made;
  message: Words | undefined;
  identity?: Identity | undefined;
  viewer?: Viewer | undefined;
}): Html {
  const body = html`${pageHeader({ title: t('errors.made.title'), lede: message })}
${
  remove &&
  html`<form method="post" action="${remove.action}">${hiddenInputs(remove.fields)}
<button class="button button-danger">${remove.label}</button></form>`
}
<p><a class="button button-quiet" href="${href}">${t('errors.made.next')}</a></p>`;
  return page({
    title: t('errors.made.title'),
    body,
    area: identity ? 'staff' : 'officer',
    viewer,
  });
}
