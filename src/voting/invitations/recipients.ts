import { z } from 'zod';
import type { Reader } from '#kernel/db/queries.ts';
import { badField } from '#kernel/http/errors.ts';
import { listOf } from '#kernel/http/validation.ts';
import { normalizeAddress } from '#kernel/mail/addresses.ts';
import { listAddresses } from './distribution-lists.ts';

export const RECIPIENTS_PER_REQUEST = 2_000;

/** Whom a mail goes to: addresses, lists, or both. */
export const RecipientsInput = z.object({
  emails: listOf(z.string(), RECIPIENTS_PER_REQUEST).optional(),
  distribution_list_ids: listOf(z.string(), 100).optional(),
});

export interface MailResult {
  email: string;
  success: boolean;
  error?: string;
  /** Of an invitation that waits until voting opens. */
  queued?: boolean;
}

/** Addresses in the order they were named, each once, and a row for each that is not an address. */
export interface Recipients {
  emails: string[];
  invalid: MailResult[];
}

/** @throws 400 without any recipient or past the limit, 404 for an unknown list */
export function readRecipients(reader: Reader, input: z.output<typeof RecipientsInput>): Recipients {
  const given = [...(input.emails ?? []), ...listAddresses(reader, input.distribution_list_ids ?? [])];
  const emails = new Set<string>();
  const invalid: MailResult[] = [];
  for (const text of given) {
    const read = normalizeAddress(text);
    if (read.ok) emails.add(read.email);
    else invalid.push({ email: text.trim().slice(0, 254), success: false, error: read.reason });
  }
  if (given.length === 0) throw badField('emails', 'name at least one recipient or distribution list');
  if (emails.size + invalid.length > RECIPIENTS_PER_REQUEST) {
    throw badField(
      'emails',
      `at most ${RECIPIENTS_PER_REQUEST.toLocaleString('en-US')} recipients in one request`,
    );
  }
  return { emails: [...emails], invalid };
}
