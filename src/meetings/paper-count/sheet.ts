import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { build, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import { conflict } from '#kernel/http/errors.ts';
import { wholeNumber } from '#kernel/http/validation.ts';
import { type Pressed, recordAct } from '#meetings/item-acts.ts';
import { closeDueItems } from '#meetings/item-states.ts';
import { getItem, type Item } from '#meetings/items.ts';
import { areMinutesSigned, getMeeting } from '#meetings/meetings.ts';
import { getElection } from '#voting/elections/elections.ts';
import { type Channels, channelsOf, getTurnout } from '#voting/elections/turnout.ts';
import { noteNoMore } from './awaited.ts';

/** The papers of an item: how many there are, where they went, and what tellers found on them. */
export interface PaperSheet {
  printed: number | null;
  /** Cards that died for a paper. */
  handed_out: number;
  /** Handed back instead of put into the box. */
  returned: number | null;
  in_box: number | null;
  /** Of the batches that have joined. */
  valid: number;
  blank: number;
  invalid: number;
  /** Why more papers than were handed out do not change the result. */
  note?: string;
  /** Why the chair did not wait for more papers. */
  no_more?: string;
}

/** Null, or an emptied field, takes a number back. */
const papers = z.preprocess(
  (value) => (value === '' ? null : value),
  wholeNumber(0, 100_000).nullable().optional(),
);

export const SheetInput = z.object({ printed: papers, returned: papers, in_box: papers });

const sheetRow = prepare((item: { id: string }) =>
  build.selectFrom('paper_sheets').selectAll().where('item_id', '=', item.id),
);

const sumsOf = prepare((item: { id: string }) =>
  build
    .selectFrom('paper_batch_questions')
    .select((of) => [
      of.fn.coalesce(of.fn.sum<number>('valid'), of.lit(0)).as('valid'),
      of.fn.coalesce(of.fn.sum<number>('blank'), of.lit(0)).as('blank'),
      of.fn.coalesce(of.fn.sum<number>('invalid'), of.lit(0)).as('invalid'),
    ])
    .where('item_id', '=', item.id),
);

/** The reconciliation sheet of an item; undefined where no paper was handed out or counted. */
export function findSheet(reader: Reader, item: Pick<Item, 'id' | 'note'>): PaperSheet | undefined {
  const row = reader.first(sheetRow(item));
  const joined = reader.first(sumsOf(item))!;
  if (!row && joined.valid + joined.blank + joined.invalid === 0) return undefined;
  const { printed = null, handed_out = 0, returned = null, in_box = null, no_more = null } = row ?? {};
  return {
    printed,
    handed_out,
    returned,
    in_box,
    ...joined,
    ...(item.note !== null && { note: item.note }),
    ...(no_more !== null && { no_more }),
  };
}

/** An empty sheet is one with zeros: pages show it for every item. */
export const sheetOf = (reader: Reader, item: Pick<Item, 'id' | 'note'>): PaperSheet =>
  findSheet(reader, item) ?? {
    printed: null,
    handed_out: 0,
    returned: null,
    in_box: null,
    valid: 0,
    blank: 0,
    invalid: 0,
  };

/** How many cards died for a paper of an item. */
export const countHandedOut = (reader: Reader, { id }: Pick<Item, 'id'>): number =>
  reader.first(build.selectFrom('paper_sheets').select('handed_out').where('item_id', '=', id))?.handed_out ??
  0;

/** How many voted online and how many on paper; undefined without ballots on paper. */
export function findChannels(
  reader: Reader,
  { election_id }: Pick<Item, 'election_id'>,
): Channels | undefined {
  if (election_id === null) return undefined;
  return channelsOf(getElection(reader, election_id), getTurnout(reader, election_id));
}

/** More papers than were handed out: declaring waits until it is noted why that does not change the result. */
export interface PaperAlarm {
  papers: number;
  handed_out: number;
}

export function findPaperAlarm(reader: Reader, item: Pick<Item, 'id' | 'note'>): PaperAlarm | undefined {
  const sheet = findSheet(reader, item);
  if (!sheet) return undefined;
  const { handed_out, in_box, valid, blank, invalid } = sheet;
  const papers = Math.max(in_box ?? 0, valid + blank + invalid);
  return papers > handed_out ? { papers, handed_out } : undefined;
}

/**
 * Notes what was counted of the papers themselves; an absent number stays as it was, and null takes one back.
 * @throws 404, 409 once the minutes are signed, whose annex it is
 */
export function fillSheet(
  ctx: Context,
  { meetingId, itemId, actor }: Pressed,
  input: z.output<typeof SheetInput>,
): Promise<void> {
  return ctx.write((tx) => {
    closeDueItems(tx, actor.at);
    if (areMinutesSigned(tx, getMeeting(tx, meetingId))) throw conflict('minutes_signed');
    const item = getItem(tx, itemId, meetingId);
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    const { printed, returned, in_box } = sheetOf(tx, item);
    storeSheet(tx, item, given);
    if (input.in_box !== undefined) noteNoMore(tx, item, null);
    recordAct(tx, item, 'paper.sheet_filled', { from: { printed, returned, in_box }, to: given }, actor);
  });
}

function storeSheet(
  tx: Tx,
  { id: item_id }: Pick<Item, 'id'>,
  given: Partial<Record<'printed' | 'returned' | 'in_box', number | null>>,
): void {
  const { printed = null, returned = null, in_box = null } = given;
  const row = { item_id, printed, returned, in_box };
  tx.run(
    build
      .insertInto('paper_sheets')
      .values(row)
      .onConflict((of) =>
        Object.keys(given).length === 0 ? of.doNothing() : of.column('item_id').doUpdateSet(given),
      ),
  );
}
