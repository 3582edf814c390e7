import type { Context } from '#kernel/context.ts';
import { type Actor, SERVICE } from '#kernel/db/audit.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { mailClub } from '#kernel/mail/club.ts';
import { type OutboxMail, putMail } from '#kernel/mail/outbox.ts';
import { areMinutesSigned, findMeeting, getMeeting, type Meeting } from '#meetings/meetings.ts';
import { listAddresses } from '#people/persons.ts';
import {
  type Compose,
  draftHash,
  getMinutes,
  newestVersion,
  openDraft,
  SIGNED_BEFORE,
  SIGNER_ROLES,
  type SignerRole,
  signaturesOf,
  versionOf,
  voidSignature,
} from './versions.ts';

declare module '#kernel/mail/outbox.ts' {
  interface MailFacts {
    /** About a row of `meetings`. `again`: a signature was void. */
    'minutes-signature': { origin: string; as: SignerRole; version: number; again: boolean };
  }
}

/**
 * Mails the two persons whose signatures the minutes of a closed meeting wait for: once for each version, and again once
 * a change has made their signature void. Called by a job, so that a text that is saved several times is one mail.
 */
export async function askForSignatures(ctx: Context, compose: Compose): Promise<void> {
  if (ctx.config.BASE_URL === undefined) return;
  for (const meeting of listWaiting(ctx.db)) await askFor(ctx, meeting, compose, ctx.config.BASE_URL);
}

const listWaiting = (reader: Reader): Meeting[] =>
  reader
    .all(
      build
        .selectFrom('meetings')
        .selectAll()
        .where('state', '=', 'closed')
        .where('chair_id', 'is not', null)
        .where('secretary_id', 'is not', null),
    )
    .filter((meeting) => !areMinutesSigned(reader, meeting));

const namedAs = (meeting: Meeting, role: SignerRole): string | null => meeting[`${role}_id`];

async function askFor(ctx: Context, meeting: Meeting, compose: Compose, origin: string): Promise<void> {
  const before = newestVersion(ctx.db, meeting.id);
  const signed = before ? signaturesOf(ctx.db, before) : [];
  const hash = signed.length > 0 ? await draftHash(ctx, meeting, compose) : undefined;
  const stale = signed.filter((one) => one.sha256 !== hash);
  const waits = (role: SignerRole) =>
    before?.[`${role}_asked`] !== namedAs(meeting, role) && !signed.some((one) => one.role === role);
  if (stale.length === 0 && !SIGNER_ROLES.some(waits)) return;
  await ctx.write((tx) => {
    const actor: Actor = { ip: SERVICE, at: ctx.now() };
    const named = getMeeting(tx, meeting.id);
    if (areMinutesSigned(tx, named)) return;
    const opened = openDraft(tx, named, actor);
    for (const one of stale) voidSignature(tx, one, actor);
    const row = newestVersion(tx, meeting.id) ?? opened;
    const present = signaturesOf(tx, row);
    for (const role of SIGNER_ROLES) {
      const [person, asked] = [namedAs(named, role), row[`${role}_asked`]];
      if (person === null || asked === person || present.some((one) => one.role === role)) continue;
      const [address] = listAddresses(tx, person);
      if (!address) continue;
      const facts = { origin, as: role, version: row.version, again: asked === SIGNED_BEFORE };
      putMail(tx, { kind: 'minutes-signature', ref: meeting.id, email: address.email, facts }, actor.at);
      tx.run(versionOf('update', row).set({ [`${role}_asked`]: person }));
    }
  });
}

/** What the mail to somebody who signs is composed from; undefined if it is not needed any more. */
export async function prepareSignatureMail(
  ctx: Context,
  { ref, email, facts }: Pick<OutboxMail<'minutes-signature'>, 'ref' | 'email' | 'facts'>,
  compose: Compose,
) {
  const meeting = findMeeting(ctx.db, ref ?? '');
  const person = meeting && namedAs(meeting, facts.as);
  if (!meeting || !person || !listAddresses(ctx.db, person).some((one) => one.email === email))
    return undefined;
  const { version, state, reason, signatures } = await getMinutes(ctx, meeting, compose);
  const isSigned = state === 'signed' || signatures.some((one) => one.as === facts.as);
  if (isSigned || version !== facts.version) return undefined;
  return {
    club: mailClub(ctx.config),
    meeting: meeting.title,
    as: facts.as,
    reason,
    again: facts.again,
    link: `${facts.origin}/admin/meetings/${meeting.id}/minutes`,
  };
}
