import { sql } from 'kysely';
import { needsToken } from '#kernel/access/sender-tokens.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Query, type Reader, type Tx } from '#kernel/db/queries.ts';
import { isSwitchedOff, type Part } from '#kernel/settings/parts.ts';

/** The first things that a founder does, in the order of the page. */
export const STEPS = [
  'hours',
  'tenders',
  'event',
  'menu',
  'screen',
  'music',
  'mail',
  'members',
  'vote',
] as const;

export type StepName = (typeof STEPS)[number];

export interface Step {
  name: StepName;
  state: 'open' | 'done' | 'skipped';
  /** How many there are of what it is about. */
  found: number;
}

type Counted = Pick<Context, 'db' | 'config' | 'mailer'>;

/** How far each step is, counted in what the club really has, and the part of the service that it belongs to. */
const SOURCES: Record<StepName, { found(ctx: Counted): number; part?: Part }> = {
  hours: { found: (ctx) => published(ctx, 'hours') },
  tenders: { found: (ctx) => published(ctx, 'tender') },
  event: {
    found: (ctx) => published(ctx, 'event') + rows(ctx, build.selectFrom('ical_sources').select(count)),
  },
  menu: { found: (ctx) => published(ctx, 'menu_item') },
  screen: { found: (ctx) => rows(ctx, build.selectFrom('screens').select(count)), part: 'screens' },
  music: {
    found: (ctx) => (needsToken(ctx) || hasPlay(ctx) ? 1 : 0),
    part: 'music',
  },
  mail: { found: (ctx) => (isMailReady(ctx) && hasSentMail(ctx) ? 1 : 0) },
  members: { found: membersOf },
  vote: { found: (ctx) => rows(ctx, build.selectFrom('elections').select(count)), part: 'voting' },
};

/** The steps with their state. What is there is done, also if it was skipped before. */
export function listSteps(ctx: Counted): Step[] {
  const { skipped } = findChoices(ctx.db);
  return STEPS.map((name) => {
    const { found, part } = SOURCES[name];
    const count = found(ctx);
    const isSkipped = skipped.includes(name) || (part !== undefined && isSwitchedOff(ctx, part));
    return { name, state: count > 0 ? 'done' : isSkipped ? 'skipped' : 'open', found: count };
  });
}

/** Whether an owner has put the list away. */
export const isDismissed = (ctx: Pick<Context, 'db'>): boolean => findChoices(ctx.db).dismissed;

/** Skips a step, or takes that back. */
export const skipStep = (ctx: Context, name: StepName, skip: boolean): Promise<void> =>
  choose(ctx, ({ skipped }) => {
    const others = skipped.filter((one) => one !== name);
    return { skipped: skip ? [...others, name] : others };
  });

/** Puts the list away, or brings it back. */
export const dismissSteps = (ctx: Context, dismissed: boolean): Promise<void> =>
  choose(ctx, () => ({ dismissed }));

interface Choices {
  skipped: readonly string[];
  dismissed: boolean;
}

/** They lie beside the settings: they are the club's, not those of one owner. */
const NAME = 'first_steps';

const choices = build.selectFrom('settings').select('value').where('name', '=', NAME).compile();

function findChoices(reader: Reader): Choices {
  const row = reader.first(choices);
  return { skipped: [], dismissed: false, ...(row && (JSON.parse(row.value) as Partial<Choices>)) };
}

async function choose(ctx: Context, change: (before: Choices) => Partial<Choices>): Promise<void> {
  await ctx.write((tx: Tx) => {
    const before = findChoices(tx);
    const value = JSON.stringify({ ...before, ...change(before) });
    tx.run(build.replaceInto('settings').values({ name: NAME, value, sealed: 0, set_at: ctx.now() }));
  });
}

const count = sql<number>`count(*)`.as('rows');

function rows({ db }: Counted, counted: Query<{ rows: number }>): number {
  return db.first(counted)?.rows ?? 0;
}

function published(ctx: Counted, kind: string): number {
  return rows(
    ctx,
    build
      .selectFrom('content_records')
      .select(count)
      .where('kind', '=', kind)
      .where('published_version', 'is not', null)
      .where('removed_at', 'is', null),
  );
}

/** Members on the roll, also those who run the club, and everybody else there who does not. */
function membersOf(ctx: Counted): number {
  return rows(
    ctx,
    build
      .selectFrom('persons')
      .select(count)
      .where('erased_at', 'is', null)
      .where(({ eb, or }) =>
        or([
          eb('id', 'in', build.selectFrom('standings').select('person_id')),
          eb('id', 'not in', build.selectFrom('person_roles').select('person_id')),
        ]),
      ),
  );
}

const hasPlay = ({ db }: Counted): boolean =>
  db.first(build.selectFrom('plays').select('id').limit(1)) !== undefined;

const isMailReady = ({ mailer }: Counted): boolean => mailer.needed().length === 0 && !mailer.isFolder;

/** Whether a mail left, or arrived: who signed in with a mailed code had one. Most rows of mails live for days alone. */
function hasSentMail({ db, mailer }: Counted): boolean {
  if (mailer.outcomes().sent > 0) return true;
  const sent = build.selectFrom('outbox').select('id').where('state', '=', 'SENT').limit(1);
  const mailed = build.selectFrom('mailings').select('id').where('sent', '>', 0).limit(1);
  const arrived = build.selectFrom('sessions').select('id').where('method', 'in', ['code', 'link']).limit(1);
  return [sent, mailed, arrived].some((query) => db.first(query) !== undefined);
}
