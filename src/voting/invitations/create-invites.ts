import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { badRequest } from '#kernel/http/errors.ts';
import { newId, newRandomId } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { localDate } from '#kernel/local-time.ts';
import { clubReader } from '#kernel/locale.ts';
import type { OutboxMail } from '#kernel/mail/outbox.ts';
import { sentenceOf } from '#kernel/messages/messages.ts';
import { findToken, hashToken, storedBatchName, storeTokens, UNUSED } from '#voting/ballots/tokens.ts';
import { newShortCode } from '#voting/ballots/voting-code.ts';
import { findCodeEnd } from '#voting/ballots/withdrawn-codes.ts';
import { electionStatus, type RollSource } from '#voting/elections/elections.ts';
import { codeHolders, ensureTakesLinks, getIssuer, type Issuer } from '#voting/elections/issuers.ts';
import { openIfBegun } from '#voting/elections/lifecycle.ts';
import { ensureTrialRoom } from '#voting/elections/trials.ts';
import { addElector } from '#voting/electors/electors.ts';
import { putInvitation } from './invite-mails.ts';
import { type Invite, type InviteMode, sealToken } from './invites.ts';
import { keepClass, linkRefusals, votersOfMeeting } from './meeting-links.ts';
import type { Invitee, MailResult } from './recipients.ts';

/** Who is invited to which elections and ballot papers, and how. */
export interface InvitePlan {
  elections: Issuer[];
  invitees: Invitee[];
  /** Entries that are not valid addresses. */
  invalid: MailResult[];
  mode: InviteMode;
  /** Whether invitations to elections that have not opened wait for the opening. */
  queue: boolean;
  /** Whether the mails are sent in the background after the answer, because a whole roll takes long. */
  inBackground: boolean;
  batch_name: string | null;
  /** The kinds of membership and the groups by which members were chosen, if they were. */
  roll?: RollSource | undefined;
  /** The mailing that shows the progress. */
  mailing_id?: string | undefined;
}

export interface CreatedInvites {
  /** To be sent now, and their mails, which this process has claimed. */
  now: Invite[];
  mails: OutboxMail<'invitation'>[];
  /** Sent in the background: soon, or when their election opens. */
  queued: Invite[];
  /** Recipients that were invited before, per election, with the invite they have. */
  before: Invite[];
  /** Invites of people without an address, who get printed slips. */
  unaddressed: Invite[];
  /** People and addresses that get no link of a meeting. */
  refused: MailResult[];
}

/** Invites stored in one transaction if they are sent in the background. */
const SLICE = 500;

/**
 * Stores an invite with its own token for every recipient and election without one, and the people among them as
 * electors. A failed invite is used again, with its token. Everything is stored before the first mail is sent, so a
 * crash loses nobody.
 * @throws 400 when an election is closed
 */
export async function createInvites(ctx: Context, plan: InvitePlan, actor: Actor): Promise<CreatedInvites> {
  const created = nothingCreated();
  const work = plan.elections.flatMap((election) =>
    slicesOf(plan, election, actor.at).map((slice) => ({ election_id: election.id, slice })),
  );
  // Invites that the request itself sends are stored in one transaction.
  for (const together of plan.inBackground ? work.map((one) => [one]) : [work]) {
    const stored = await ctx.write((tx) =>
      together.map(({ election_id, slice }) => inviteSlice(ctx, tx, plan, election_id, slice, actor)),
    );
    for (const one of stored) {
      created.mails.push(...one.mails);
      created.refused.push(...one.refused);
      for (const key of ['now', 'queued', 'before', 'unaddressed'] as const) created[key].push(...one[key]);
    }
    await ctx.queue.turn();
  }
  return created;
}

const nothingCreated = (): CreatedInvites => ({
  now: [],
  mails: [],
  queued: [],
  before: [],
  unaddressed: [],
  refused: [],
});

/** Splits the invitees. Not if the election opens with its first tokens: later ones would count as added after it. */
function slicesOf({ inBackground, invitees }: InvitePlan, election: Issuer, now: number): Invitee[][] {
  const opensNow = election.opened_at === null && election.open_at <= now;
  if (!inBackground || opensNow) return [invitees];
  const count = Math.ceil(invitees.length / SLICE);
  return Array.from({ length: count }, (_, at) => invitees.slice(at * SLICE, (at + 1) * SLICE));
}

function inviteSlice(
  ctx: Context,
  tx: Tx,
  { queue, inBackground, mode, ...plan }: InvitePlan,
  electionId: string,
  invitees: Invitee[],
  actor: Actor,
): CreatedInvites {
  const election = getIssuer(tx, electionId);
  const status = electionStatus(election, actor.at);
  if (status === 'closed') throw badRequest('election_closed');
  ensureTakesLinks(tx, electionId);
  if (plan.roll) {
    const invited_from = JSON.stringify(plan.roll);
    const of = build.updateTable('elections').set({ invited_from });
    tx.run(of.where((is) => is.or([is('id', '=', electionId), is('paper_id', '=', electionId)])));
  }
  const named =
    plan.batch_name ??
    t('voting-admin.tokens.invited_on', {
      date: localDate(actor.at, ctx.config.TIME_ZONE),
    }).for(clubReader());
  const batch_name = storedBatchName(tx, electionId, named);
  const waits = queue && status === 'scheduled';
  const leave = waits || inBackground;
  const state: InviteState = {
    mode,
    status: 'QUEUED',
    sent_at: null,
    error: null,
    mailing_id: plan.mailing_id ?? null,
  };
  const created = nothingCreated();
  const known = new KnownInvites(tx, electionId);
  const voters = votersOfMeeting(tx, electionId, ctx.config.TIME_ZONE);
  const refusalOf = linkRefusals(tx, electionId, voters);
  let electors = 0;
  for (const invitee of invitees) {
    const refusal = refusalOf(invitee);
    if (refusal !== undefined) {
      const { email, person } = invitee;
      created.refused.push({
        email: email ?? '',
        ...(person && { name: person.name }),
        success: false,
        error: sentenceOf(refusal),
      });
      continue;
    }
    const earlier = known.find(invitee);
    if (invitee.person && addElector(tx, election, { ...invitee, person: invitee.person }, actor))
      electors += 1;
    if (earlier && isInvited(tx, earlier, invitee)) {
      created.before.push(earlier);
      continue;
    }
    const unaddressed = { ...state, status: 'SLIP', mailing_id: null } as const;
    const set = invitee.email === null ? unaddressed : state;
    const invite = storeInvite(ctx, tx, { electionId, invitee, earlier, batch_name, set }, actor);
    keepClass(tx, invite, voters);
    known.add(invite);
    if (invitee.email === null) {
      created.unaddressed.push(invite);
      continue;
    }
    const mail = putInvitation(tx, invite, {
      opens: waits ? election.open_at : undefined,
      now: actor.at,
      run: leave ? undefined : ctx.run,
    });
    if (!leave) created.mails.push(mail);
    (leave ? created.queued : created.now).push(invite);
  }
  ensureTrialRoom(tx, election, 'emails');
  const { now, queued, unaddressed } = created;
  const late = election.opened_at !== null;
  if (now.length + queued.length + unaddressed.length > 0) openIfBegun(tx, electionId, actor.at);
  const record = (action: string, metadata: object) =>
    recordAudit(tx, actor, { action, election_id: electionId, metadata: { ...metadata } });
  if (electors > 0) record('electors.added', { count: electors, late });
  if (queued.length > 0) record('invite.queued', { count: queued.length });
  return created;
}

/** The invites of an election, by person and by address. */
class KnownInvites {
  readonly #byPerson = new Map<string, Invite>();
  readonly #byEmail = new Map<string, Invite[]>();
  readonly #tx: Tx;

  constructor(tx: Tx, electionId: string) {
    this.#tx = tx;
    const all = tx.all(build.selectFrom('invites').selectAll().where('election_id', '=', electionId));
    for (const invite of all) this.add(invite);
  }

  add(invite: Invite): void {
    if (invite.person_id !== null) this.#byPerson.set(invite.person_id, invite);
    const others = this.#byEmail.get(invite.email)?.filter(({ id }) => id !== invite.id) ?? [];
    this.#byEmail.set(invite.email, [...others, invite]);
  }

  /** Finds the invite of an invitee. An invite to their address that names no person is assigned to them. */
  find({ person, email }: Invitee): Invite | undefined {
    const atEmail = email === null ? [] : (this.#byEmail.get(email) ?? []);
    if (!person) return atEmail[0];
    const own = this.#byPerson.get(person.id);
    if (own) return own;
    const unnamed = atEmail.find(({ person_id }) => person_id === null);
    if (!unnamed) return undefined;
    const invite = { ...unnamed, person_id: person.id };
    this.#give(invite, person.id);
    this.add(invite);
    return invite;
  }

  #give({ id, email }: Invite, person_id: string): void {
    this.#tx.run(build.updateTable('invites').set({ person_id }).where('id', '=', id));
    const mail = build.updateTable('outbox').set({ bundle: person_id }).where('ref', '=', id);
    this.#tx.run(mail.where('bundle', 'is not', null));
    this.#tx.run(
      build
        .updateTable('magic_links')
        .set({ person_id })
        .where('email', '=', email)
        .where('person_id', 'is', null),
    );
  }
}

/**
 * Whether no new invitation is needed. A mail that seemed to fail may have arrived, and its link may be used. Somebody
 * with a slip who has an address now is mailed; somebody whose code was withdrawn gets a new one only one by one.
 */
function isInvited(tx: Tx, earlier: Invite, { email }: Invitee): boolean {
  const { status, withdrawn_at } = earlier;
  // The link of a meeting that ended when a card was handed out.
  const hasEnded = findCodeEnd(tx, earlier.election_id, earlier.token_hash ?? '') !== undefined;
  if (withdrawn_at === null && hasEnded) return false;
  if (withdrawn_at !== null || status === 'QUEUED' || status === 'SENT') return true;
  if (status === 'SLIP' && email === null) return true;
  return tokenState(tx, earlier) === 'used';
}

type InviteState = Pick<Invite, 'mode' | 'status' | 'sent_at' | 'error' | 'mailing_id'>;

interface NewInvite {
  electionId: string;
  invitee: Invitee;
  earlier: Invite | undefined;
  batch_name: string;
  set: InviteState;
}

function storeInvite(
  ctx: Context,
  tx: Tx,
  { electionId, invitee, earlier, batch_name, set }: NewInvite,
  actor: Actor,
): Invite {
  const recipient = {
    person_id: invitee.person?.id ?? earlier?.person_id ?? null,
    email: invitee.email ?? '',
    recipient_name: invitee.name ?? earlier?.recipient_name ?? null,
  };
  if (earlier?.token_plaintext && tokenState(tx, earlier) === 'unused') {
    tx.run(
      build
        .updateTable('invites')
        .set({ ...set, ...recipient })
        .where('id', '=', earlier.id),
    );
    return { ...earlier, ...set, ...recipient };
  }
  // The mail that seemed to fail may have arrived: one person must never have two valid tokens.
  if (earlier) {
    tx.run(
      build
        .deleteFrom('tokens')
        .where('election_id', 'in', codeHolders(tx, electionId))
        .where('token_hash', '=', earlier.token_hash ?? '')
        .where('used_at', 'is', null)
        .where('on_paper', '=', 0),
    );
  }
  // A person without an address types the code from a slip.
  const token = recipient.email === '' ? newShortCode() : newRandomId();
  const token_hash = hashToken(token);
  const invite: Invite = {
    ...set,
    ...recipient,
    id: earlier?.id ?? newId(actor.at),
    election_id: electionId,
    created_at: earlier?.created_at ?? actor.at,
    mailed_at: null,
    token_hash,
    token_plaintext: sealToken(ctx, token),
    slip_printed_at: null,
    withdrawn_at: null,
    room_number: earlier?.room_number ?? null,
  };
  const stored = { token_hash, election_id: electionId, batch_name, created_at: actor.at, ...UNUSED };
  storeTokens(tx, electionId, [stored]);
  if (earlier) tx.run(build.updateTable('invites').set(invite).where('id', '=', invite.id));
  else tx.run(build.insertInto('invites').values(invite));
  return invite;
}

/** `gone` if the token was deleted with its batch. */
function tokenState(tx: Tx, { election_id, token_hash }: Invite): 'unused' | 'used' | 'gone' {
  const token = findToken(tx, election_id, token_hash ?? '');
  if (!token) return 'gone';
  return token.used ? 'used' : 'unused';
}
