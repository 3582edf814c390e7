import { type Html, html } from '#kernel/html.ts';

/** The `mailto:` link of a contact that is an e-mail address; undefined for any other text. */
export const contactAddress = (contact: string): string | undefined =>
  /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(contact) ? `mailto:${contact}` : undefined;

export function contactLink(contact: string): Html {
  const address = contactAddress(contact);
  return address === undefined ? html`${contact}` : html`<a href="${address}">${contact}</a>`;
}
