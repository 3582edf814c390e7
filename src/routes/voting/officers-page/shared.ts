import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { linkOrigin } from '#kernel/access/link-origin.ts';
import type { Context } from '#kernel/context.ts';
import { formatShort, toLocalInput, zoneInFull, zoneName } from '#kernel/local-time.ts';
import { listFoldedAudit } from '#people/folded-log.ts';
import { type FormProblem, noticeOf } from '#views/voting/admin/sections/forms.ts';
import type { Ask, SharedProps } from '#views/voting/admin/sections/props.ts';
import { calledOf, type Named, votersPath } from '#views/voting/words.ts';
import { type Election, endTime } from '#voting/elections/elections.ts';
import type { Issuer } from '#voting/elections/issuers.ts';
import { auditReader } from '#voting/elections/visibility.ts';
import { loadBatches, loadInvitations } from './codes-and-invitations.ts';

/** The query of the officers' page of an election or a ballot paper. */
export const pageQuery = z.object({
  done: z.string().max(40).optional(),
  ask: z.string().max(40).optional(),
  batch: z.string().max(200).optional(),
  /** The mailing that was just started; `said` is the kind of one that had no recipients. */
  mailing: z.string().max(64).optional(),
  said: z.string().max(20).optional(),
});

/** What that page is asked to show. */
export interface Asked extends z.output<typeof pageQuery> {
  problem?: FormProblem | undefined;
  /** The fields of the invitation form, on the way back from the check page. */
  enteredInvitation?: Record<string, unknown> | undefined;
}

/** Loads what the pages of an election and of a ballot paper share. @param issuer what issues its codes, if it does */
export function loadShared(
  ctx: Context,
  of: Pick<Election, 'open_at' | 'close_at' | 'closed_at'> & Named,
  issuer: Issuer | undefined,
  request: FastifyRequest,
  { ask, batch, done, problem, mailing, said, enteredInvitation }: Asked,
) {
  const zone = ctx.config.TIME_ZONE;
  const { open_at, close_at } = of;
  return {
    times: {
      opens: formatShort(open_at, zone),
      closes: formatShort(close_at, zone),
      ends: formatShort(endTime(of), zone),
      opensInput: toLocalInput(open_at, zone),
      closesInput: toLocalInput(close_at, zone),
      zone: zoneName(zone),
      zoneInFull: zoneInFull(ctx.now(), zone),
    },
    publicUrl: `${linkOrigin(ctx, request) ?? ''}${votersPath(of)}`,
    batches: issuer ? loadBatches(ctx, issuer, request) : [],
    invitations: issuer && loadInvitations(ctx, issuer, { mailing, said }),
    enteredInvitation,
    history: readHistory(ctx, of.id, request),
    ask: readAsk(ask, batch),
    ...noticeOf(done, calledOf(of)),
    problem,
    clockJumped: ctx.clockWatch.jumped,
    viewer: request.viewer,
  } satisfies Partial<SharedProps>;
}

/** Entries of the audit log that the page shows. */
const HISTORY_ENTRIES = 10;
/** Entries that are read for this, at most: the page is loaded often, and the log has an entry for each ballot. */
const HISTORY_SPAN = 1_000;

/** The newest entries of the audit log about it, for officers who may read them. */
function readHistory(ctx: Context, id: string, { granted }: FastifyRequest): SharedProps['history'] {
  if (!granted?.has('audit:read')) return undefined;
  const query = { election_id: id, action: undefined, limit: HISTORY_ENTRIES, offset: 0 };
  const reader = auditReader(ctx, granted);
  const { entries, shown, total } = listFoldedAudit(ctx, query, reader, true, HISTORY_SPAN);
  return { entries, ...(shown >= HISTORY_SPAN && shown < total && { span: shown }) };
}

function readAsk(kind: string | undefined, batch: string | undefined): Ask | undefined {
  if (kind === 'batch') return { kind, batch_name: batch || null };
  return kind === 'close' || kind === 'delete' || kind === 'computed' ? { kind } : undefined;
}
