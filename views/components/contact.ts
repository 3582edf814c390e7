import { type Html, html } from '#kernel/html.ts';
import { contactAddress } from '#kernel/settings/inputs.ts';

export function contactLink(contact: string): Html {
  const address = contactAddress(contact);
  return address === undefined ? html`${contact}` : html`<a href="${address}">${contact}</a>`;
}
