import { endSessions, listSessions, type Session } from '#kernel/access/sessions.ts';
import type { Context } from '#kernel/context.ts';
import { recordAudit } from '#kernel/db/audit.ts';
import { forbidden, notFound } from '#kernel/http/errors.ts';
import { type Editor, getPerson } from '#people/roll/people.ts';
import { CODE_LIVES } from './sign-in.ts';
import { makeOfficerLink } from './sign-in-links.ts';

/** Protects staff: a sign-in link or control of their sessions would give the editor their roles. @throws 404, 403 */
function ensureMay(ctx: Context, id: string, editor: Editor): { name: string } {
  const { name, roles } = getPerson(ctx, id);
  if (roles.length > 0 && editor.person !== id && !editor.mayChangeRoles)
    throw forbidden('staff_change_own_devices');
  return { name };
}

/** Returns the sessions of another person. @throws 404, and 403 for staff */
export function listDevicesOf(
  ctx: Context,
  id: string,
  editor: Editor,
): { name: string; devices: Session[] } {
  const { name } = ensureMay(ctx, id, editor);
  return { name, devices: listSessions(ctx, id) };
}

/** Ends one or all sessions of another person. @returns how many. @throws 404, and 403 for staff */
export async function endDevicesOf(
  ctx: Context,
  id: string,
  device: string | undefined,
  editor: Editor,
): Promise<number> {
  ensureMay(ctx, id, editor);
  const ended = await ctx.write((tx) => {
    const count = endSessions(tx, id, device === undefined ? {} : { id: device });
    if (count > 0)
      recordAudit(tx, editor.actor, { action: 'session.ended', metadata: { person: id, ended: count } });
    return count;
  });
  if (ended === 0 && device !== undefined) throw notFound('session_not_found');
  return ended;
}

/** Creates a single-use sign-in link for another person. @throws 404, and 403 for staff */
export async function linkFor(
  ctx: Context,
  id: string,
  editor: Editor,
): Promise<{ name: string; path: string; expires_at: number }> {
  const { name } = ensureMay(ctx, id, editor);
  const path = await makeOfficerLink(ctx, id, editor.actor);
  return { name, path, expires_at: editor.actor.at + CODE_LIVES };
}
