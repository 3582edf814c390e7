import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { field, hiddenInputs } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { strong } from '#views/components/slots.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';

/** The page on which somebody makes a lost card void with its stub. */
export function voidCardPage({
  meeting,
  done = false,
  refused,
  stub = '',
  replaces = false,
}: {
  meeting: { id: string; title: string };
  done?: boolean;
  refused?: Words | string;
  /** As the square of the stub has it. */
  stub?: string | undefined;
  /** Whether the reader works at the door, and can hand out another card. */
  replaces?: boolean;
}): Html {
  const body = html`${refused && notice('danger', refused, t('meetings.motion_answer.nothing_changed'))}
${pageHeader({ title: t('meetings.lost_card.title'), crumbs: [{ href: `/m/${meeting.id}`, label: meeting.title }] })}
${
  done
    ? html`<p>${t('meetings.lost_card.is_void', { strong })}</p>
<p>${t('meetings.lost_card.show_stub')}</p>`
    : html`<div class="stack">${
        replaces &&
        stub !== '' &&
        html`<form class="card" method="post" action="/admin/meetings/${meeting.id}/door/replace">${hiddenInputs({ stub })}
<p>${t('meetings.lost_card.at_door')}</p>
<div class="actions"><button class="button">${t('meetings.lost_card.replace')}</button></div></form>`
      }<form class="card" method="post" action="/m/${meeting.id}/void"><p>${t('meetings.lost_card.what_stub_does')}</p>${field(
        {
          name: 'stub',
          label: t('meetings.lost_card.stub'),
          value: stub,
          autocomplete: 'off',
          spellcheck: false,
          autocapitalize: 'characters',
        },
      )}<div class="actions"><button class="button button-danger">${t('meetings.lost_card.make_void')}</button></div></form></div>`
}`;
  return page({ title: t('meetings.lost_card.title'), body });
}
