import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { linkOrigin } from '#kernel/access/link-origin.ts';
import type { Context } from '#kernel/context.ts';
import { wholeNumber } from '#kernel/http/validation.ts';
import { formatShort, zoneInFull, zoneName } from '#kernel/language/times.ts';
import { toLocalInput } from '#kernel/local-time.ts';
import { listFoldedAudit } from '#people/folded-log.ts';
import { type FormProblem, noticeOf } from '#views/voting/admin/sections/forms.ts';
import type { Ask, SharedProps } from '#views/voting/admin/sections/props.ts';
import { ASKED_IN, calledOf, type Named, PAGE_OF, type SubPage, votersPath } from '#views/voting/words.ts';
import { type Election, electionStatus, endTime } from '#voting/elections/elections.ts';
import type { Issuer } from '#voting/elections/issuers.ts';
import { auditReader } from '#voting/elections/visibility.ts';
import { countByStatus } from '#voting/invitations/invites.ts';
import { loadBatches, loadInvitations } from './codes-and-invitations.ts';

/** The query of the officers' page of an election or a ballot paper. */
export const pageQuery = z.object({
  done: z.string().max(40).optional(),
  ask: z.string().max(40).optional(),
  batch: z.string().max(200).optional(),
  /** The mailing that was just started; `said` is the kind of one that had no recipients. */
  mailing: z.string().max(64).optional(),
  said: z.string().max(20).optional(),
  /** The one into which texts are to be translated. */
  language: z.string().max(35).optional().catch(undefined),
  /** Of the list on a sub-page, from 1. */
  page: wholeNumber(1, 1_000_000).optional().catch(undefined),
});

/** What that page is asked to show. */
export interface Asked extends Omit<z.output<typeof pageQuery>, 'page'> {
  page: SubPage;
  listPage?: number | undefined;
  problem?: FormProblem | undefined;
  /** The fields of the invitation form, on the way back from the check page. */
  enteredInvitation?: Record<string, unknown> | undefined;
}

/** What the query of a sub-page asks for. */
export const askedOf = ({ page: listPage, ...asked }: z.output<typeof pageQuery>, page: SubPage): Asked => ({
  ...asked,
  page,
  listPage,
});

/** Loads what the pages of an election and of a ballot paper share. @param issuer what issues its codes, if it does */
export function loadShared(
  ctx: Context,
  of: Pick<Election, 'open_at' | 'close_at' | 'closed_at'> & Named,
  issuer: Issuer | undefined,
  request: FastifyRequest,
  asked: Asked,
) {
  const { page, ask, batch, done, problem } = asked;
  const status = electionStatus(of, ctx.now());
  const zone = ctx.config.TIME_ZONE;
  const { open_at, close_at } = of;
  return {
    page,
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
    mayInvite: issuer !== undefined && ctx.mailer.needed().length === 0,
    unsent: issuer && status === 'open' ? countByStatus(ctx.db, issuer.id) : undefined,
    batches: issuer && page === 'codes' ? loadBatches(ctx, issuer, request) : undefined,
    listPage: asked.listPage ?? 1,
    invitations: issuer && page === 'mails' ? loadInvitations(ctx, issuer, asked) : undefined,
    history: page === 'history' ? readHistory(ctx, of.id, request) : undefined,
    ask: readAsk(page, ask, batch),
    ...noticeOf(done, calledOf(of)),
    problem,
    translating: asked.language ?? ctx.config.settings.second_language ?? undefined,
    clockJumped: ctx.clockWatch.jumped,
    viewer: request.viewer,
  } satisfies Partial<SharedProps>;
}

/** Entries of the audit log that the page shows. */
const HISTORY_ENTRIES = 20;
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

const isAsk = (kind: string): kind is Ask['kind'] => Object.hasOwn(ASKED_IN, kind);

function readAsk(page: SubPage, kind = '', batch: string | undefined): Ask | undefined {
  if (!isAsk(kind) || pageOfAsk(kind) !== page) return undefined;
  return kind === 'batch' ? { kind, batch_name: batch || null } : { kind };
}

const pageOfAsk = (kind: Ask['kind']): SubPage => PAGE_OF[ASKED_IN[kind]];

/** The sub-page at the first address, which once had all of them: it still shows what was asked for there. */
export const firstPage = ({ ask = '', mailing, said }: z.output<typeof pageQuery>): SubPage =>
  isAsk(ask) ? pageOfAsk(ask) : (mailing ?? said) === undefined ? 'overview' : 'mails';
