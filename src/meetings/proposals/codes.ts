import { createHmac } from 'node:crypto';
import type { Context } from '#kernel/context.ts';
import { deriveKey } from '#kernel/secrets.ts';

/**
 * The code in the link of a nominee, of the author of a motion or of a seconder, by the id of their row: always the same
 * one, so that only its hash is stored.
 */
export const proposalCode = ({ secretKey }: Pick<Context, 'secretKey'>, id: string): string =>
  createHmac('sha256', deriveKey(secretKey, 'nominations')).update(id).digest('base64url');
