import { type Html, html } from '#kernel/html.ts';
import type { Words } from '#kernel/language/words.ts';
import { field, hiddenInputs } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
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
  refused?: Words;
  /** As the square of the stub has it. */
  stub?: string | undefined;
  /** Whether the reader works at the door, and can hand out another card. */
  replaces?: boolean;
}): Html {
  const body = html`${refused && notice('danger', refused, 'Nothing was changed')}
${pageHeader({ title: 'A lost card', crumbs: [{ href: `/m/${meeting.id}`, label: meeting.title }] })}
${
  done
    ? html`<p><strong>The card is void.</strong> Whoever finds it cannot vote with it. What it has voted stays.</p>
<p>Show the stub at the door: you get another card.</p>`
    : html`<div class="stack">${
        replaces &&
        stub !== '' &&
        html`<form class="card" method="post" action="/admin/meetings/${meeting.id}/door/replace">${hiddenInputs({ stub })}
<p>You are at the door: make the lost card void and hand out another one.</p>
<div class="actions"><button class="button">Replace the card</button></div></form>`
      }<form class="card" method="post" action="/m/${meeting.id}/void"><p>The stub that you tore off your card has a code of its
own. It makes the card void, and does nothing else.</p>${field({
        name: 'stub',
        label: 'Code on the stub',
        value: stub,
        autocomplete: 'off',
        spellcheck: false,
        autocapitalize: 'characters',
      })}<div class="actions"><button class="button button-danger">Make the card void</button></div></form></div>`
}`;
  return page({ title: 'A lost card', body });
}
