/** A way to pay somebody, as a page can show it. */
export interface Payment {
  kind: 'mail' | 'phone' | 'link' | 'name';
  /** What to show and copy. */
  text: string;
  /** Only https, mailto or tel. */
  href?: string;
}

const MAIL = /^[\w.+'-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/i;
const PHONE = /^\+?[\d\s().-]{7,24}$/;

/**
 * Reads what somebody wrote into a payment field: an e-mail address, a phone number, a whole https link, or a name at
 * some service, which stays plain text. No other kind of link is ever made.
 */
export function readPayment(value: string): Payment | undefined {
  const text = value.trim();
  if (text === '') return undefined;
  const link = httpsUrl(text);
  if (link) return { kind: 'link', text: shown(link), href: link.href };
  if (MAIL.test(text)) return { kind: 'mail', text, href: `mailto:${text}` };
  const digits = text.replace(/\D/g, '');
  if (PHONE.test(text) && digits.length >= 7 && digits.length <= 15)
    return { kind: 'phone', text, href: `tel:${text.startsWith('+') ? '+' : ''}${digits}` };
  return { kind: 'name', text };
}

/** A link that may be shown to patrons; undefined for all but plain https addresses. */
export function safeLink(value: string): Payment | undefined {
  const link = httpsUrl(value.trim());
  return link && { kind: 'link', text: shown(link), href: link.href };
}

function httpsUrl(text: string): URL | undefined {
  if (!/^https:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  // `https://known.example@other.example` leads to other.example.
  return url.username || url.password ? undefined : url;
}

function shown({ host, pathname }: URL): string {
  return host.replace(/^www\./, '') + (pathname === '/' ? '' : pathname.replace(/\/$/, ''));
}
