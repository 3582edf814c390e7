import type { FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import type { Tx } from '#kernel/db/queries.ts';
import type { Html } from '#kernel/html.ts';
import { OtherAnswer } from '#kernel/http/act.ts';
import { sentence } from '#kernel/messages/messages.ts';
import {
  requireApproval,
  type SensitiveAct,
  type TwoPeople,
  type Waits,
} from '#people/approvals/approvals.ts';
import { askedPage } from '#views/people/approvals.ts';

/** What is said of an act that waits, if it is more than of others, and how it is tried out. */
export interface Waiting {
  json?: () => object | Promise<object>;
  /** Instead of the page that says so. */
  page?: () => Html | string;
  /**
   * The act again, with the context of a rehearsal, whose first change is undone: what cannot be done is refused before
   * somebody else is asked. It must have no effect before that change.
   */
  tried?: (ctx: Context, two: TwoPeople) => Promise<unknown>;
}

/**
 * Does a grave act, and then notifies the others who may do it; where two people are needed, stores it until one of them
 * confirms it. Without `sensitive` it is an ordinary act.
 * @param run does the act, by two people if there are two
 * @returns the result of `run`, or the answer that says that the act waits
 */
export async function withApproval<Done>(
  ctx: Context,
  request: FastifyRequest,
  sensitive: SensitiveAct | undefined,
  run: (two?: TwoPeople) => Promise<Done>,
  waiting: Waiting = {},
): Promise<Done | OtherAnswer> {
  if (!sensitive) return run();
  const { tried } = waiting;
  const asked = await requireApproval(
    ctx,
    request,
    sensitive,
    async (two) => tried && rehearse(ctx, (on) => tried(on, two)),
  );
  if (!('tell' in asked)) return pendingAnswer(request, asked, waiting);
  const done = await run(asked.two);
  asked.tell();
  return done;
}

/** Says that an act waits for the confirmation of a second person. */
export async function pendingAnswer(
  { viewer }: FastifyRequest,
  { act, json: approval }: Waits,
  { json, page }: Waiting = {},
): Promise<OtherAnswer> {
  const answer = {
    ...(await json?.()),
    waiting: true,
    what: approval.act,
    approval,
    message: sentence('waits_for_second_person', { act: approval.act }),
  };
  return new OtherAnswer(202, answer, page ?? (() => askedPage({ act, viewer })));
}

/** Undoes the first change of a rehearsal, and ends it. */
class Rehearsed extends Error {}

/** Runs an act up to its first change, which is undone. @throws whatever refuses the act */
export async function rehearse(ctx: Context, run: (ctx: Context) => Promise<unknown>): Promise<void> {
  const write: Context['write'] = (work) =>
    ctx.write((tx: Tx) => {
      work(tx);
      throw new Rehearsed();
    });
  const rehearsal: Context = Object.create(ctx, { write: { value: write } });
  await run(rehearsal).catch((error: unknown) => {
    if (!(error instanceof Rehearsed)) throw error;
  });
}
