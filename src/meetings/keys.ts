import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from '#kernel/context.ts';
import { deriveKey } from '#kernel/secrets.ts';
import type { Meeting } from './meetings.ts';

type Keys = Pick<Context, 'secretKey'>;
type Of = Pick<Meeting, 'id'>;

/** What a key of a meeting opens. */
const PURPOSES = { invitation: 'invitations to meetings', wall: 'walls of meetings' } as const;
type KeyPurpose = keyof typeof PURPOSES;

/** A key that a link carries: it proves that its reader was given the link, not who they are. */
export const meetingKey = ({ secretKey }: Keys, purpose: KeyPurpose, { id }: Of): string =>
  createHmac('sha256', deriveKey(secretKey, PURPOSES[purpose])).update(id).digest('base64url').slice(0, 22);

/** Whether a text is this key of a meeting. */
export function isMeetingKey(ctx: Keys, purpose: KeyPurpose, meeting: Of, text: string): boolean {
  const [given, own] = [Buffer.from(text), Buffer.from(meetingKey(ctx, purpose, meeting))];
  return given.length === own.length && timingSafeEqual(given, own);
}

/** An address of a meeting as it stands in mails and letters, which opens for whoever was invited. */
export const invitedPath = (ctx: Keys, meeting: Of, path: string): string =>
  `${path}?i=${meetingKey(ctx, 'invitation', meeting)}`;

/** The wall of a meeting for a projector in the hall, on which nobody is signed in. */
export const keyedWallPath = (ctx: Keys, meeting: Of, path: string): string =>
  `${path}?k=${meetingKey(ctx, 'wall', meeting)}`;
