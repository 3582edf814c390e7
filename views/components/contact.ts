import { type Html, html } from '#kernel/html.ts';

/** Where a contact leads: to a mail where it is an address. */
export const contactAddress = (contact: string): string | undefined =>
  /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(contact) ? `mailto:${contact}` : undefined;

export function contactLink(contact: string): Html {
  const address = contactAddress(contact);
  return address === undefined ? html`${contact}` : html`<a href="${address}">${contact}</a>`;
}
