import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { getLinkOrigin } from '#kernel/access/link-origin.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import { conflict } from '#kernel/http/errors.ts';
import { type OutboxMail, putMail } from '#kernel/mail/outbox.ts';

declare module '#kernel/mail/outbox.ts' {
  interface MailFacts {
    /** `ref` is the person. */
    welcome: { origin: string };
  }
}

/** The people whom an import added, who have an address and were not welcomed. */
const unwelcomed = prepare((p: { batch: number }) =>
  build
    .selectFrom('import_changes')
    .innerJoin('persons', 'persons.id', 'import_changes.person_id')
    .innerJoin('addresses', 'addresses.person_id', 'persons.id')
    .select(['persons.id', 'email'])
    .where('batch_id', '=', p.batch)
    .where('before', 'is', null)
    .where('is_primary', '=', sql.lit(1))
    .where('welcomed_at', 'is', null)
    .where('erased_at', 'is', null),
);

/** How many people of an import would get a welcome. */
export const countUnwelcomed = (reader: Reader, batch: number): number =>
  reader.all(unwelcomed({ batch })).length;

const markWelcomed = prepare((p: { id: string; at: number }) =>
  build.updateTable('persons').set({ welcomed_at: p.at }).where('id', '=', p.id),
);

/**
 * Mails everybody whom an import added, and who has an address, where they sign in: each of them once.
 * @returns how many mails will be sent
 * @throws 409 while no mail can be sent
 */
export async function sendWelcomes(
  ctx: Context,
  request: FastifyRequest,
  batch: number,
  actor: Actor,
): Promise<number> {
  const names = ctx.mailer.needed();
  if (names.length > 0) throw conflict('configuration_missing', { names });
  const origin = getLinkOrigin(ctx, request);
  return ctx.write((tx) => {
    const people = tx.all(unwelcomed({ batch }));
    for (const { id, email } of people) {
      putMail(tx, { kind: 'welcome', ref: id, email, facts: { origin } }, actor.at);
      tx.run(markWelcomed({ id, at: actor.at }));
    }
    if (people.length > 0)
      recordAudit(tx, actor, { action: 'people.welcomed', metadata: { batch, people: people.length } });
    return people.length;
  });
}

const nameOf = prepare((p: { id: string }) =>
  build
    .selectFrom('persons')
    .select(['name', 'called'])
    .where('id', '=', p.id)
    .where('erased_at', 'is', null),
);

/** The name of the person whom a welcome is for; undefined if they are not on the roll any more. */
export function findWelcomed(reader: Reader, { ref }: Pick<OutboxMail, 'ref'>): string | undefined {
  const person = reader.first(nameOf({ id: ref ?? '' }));
  return person && (person.called ?? person.name);
}
