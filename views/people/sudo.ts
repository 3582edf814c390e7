import { type Html, html } from '#kernel/html.ts';
import { field, hiddenInputs } from '#views/components/forms.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';

/** What was interrupted, and goes on once the person has confirmed that it is them. */
export interface SudoTarget {
  /** A path of this service, with its query. */
  to: string;
  method: string;
  /** The fields of the form that was interrupted. */
  entered: Readonly<Record<string, unknown>>;
}

/** Asks for a code by mail before a dangerous act, and keeps the fields of its form. */
export function sudoPage({
  to,
  method,
  entered,
  sent,
  wrong = false,
}: SudoTarget & { sent?: string; wrong?: boolean }): Html {
  const kept = Object.fromEntries(
    Object.entries(entered).flatMap(([name, value]) => {
      if (name.startsWith('sudo_')) return [];
      const texts = [value].flat().filter((one) => typeof one === 'string');
      return texts.length > 0 ? [[name, texts] as const] : [];
    }),
  );
  const body = html`${pageHeader({ title: 'Confirm that it is you', lede: 'What you are doing cannot be taken back easily. A code comes to your address; then it goes on by itself.' })}
<form class="card" method="post" action="/me/sudo">${hiddenInputs({ ...kept, sudo_to: to, sudo_method: method })}
${sent !== undefined && html`<p role="status">A code is on its way to <strong>${sent}</strong>.</p>`}
${
  sent !== undefined || wrong
    ? html`${field({ name: 'sudo_code', label: 'Code', hint: 'Eight letters and digits, like K7P4-2MQX.', short: true, maxlength: 12, autocomplete: 'one-time-code', spellcheck: false, error: wrong ? 'This code does not fit. Ask for a new one.' : undefined })}
<div class="actions"><button class="button">Confirm and go on</button></div>
<p><button class="button button-quiet" formaction="/me/sudo/code" formnovalidate>Send another code</button></p>`
    : html`<div class="actions"><button class="button" formaction="/me/sudo/code" formnovalidate>Send me a code</button></div>`
}
</form>`;
  return page({ title: 'Confirm that it is you', body });
}
