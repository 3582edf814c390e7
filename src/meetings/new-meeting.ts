import type { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { badField } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { forClub } from '#kernel/locale.ts';
import { putItem, storedClasses } from './agenda.ts';
import { type Item, LAST_ITEM, listItems, NO_MOTION, namedClasses } from './items.ts';
import { classesOf, createMeeting, findMeeting, type MeetingInput } from './meetings.ts';
import { readSigners } from './minutes/signers.ts';
import { ensurePaper, planItemQuestion, questionToCopy } from './questions.ts';

/** The agenda of most annual meetings, which is written in the club's language. */
const USUAL: readonly [kind: Item['kind'], title: Words][] = [
  ['text', t('meetings.usual_agenda.opening')],
  ['text', t('meetings.usual_agenda.minutes')],
  ['text', t('meetings.usual_agenda.report')],
  ['text', t('meetings.usual_agenda.accounts')],
  ['motion', t('meetings.usual_agenda.discharge')],
  ['text', t('meetings.usual_agenda.motions')],
  ['text', LAST_ITEM],
];

/** Creates a meeting with its paper, and with the agenda it begins with. @returns its id. @throws 400 */
export async function newMeeting(
  ctx: Context,
  { agenda_of, chair, secretary, ...input }: z.output<typeof MeetingInput>,
  actor: Actor,
): Promise<string> {
  const planned = await Promise.all(
    agendaOf(ctx, agenda_of).map(async ({ question, ...item }) => ({
      item,
      question: await planItemQuestion(
        ctx,
        { inclusion_codes: input.inclusion_codes ? 1 : 0 },
        item,
        question,
        actor,
      ),
    })),
  );
  const signers = readSigners(ctx.db, { chair_id: null, secretary_id: null }, { chair, secretary });
  return createMeeting(ctx, { ...input, ...signers }, actor, (tx, meeting) => {
    ensurePaper(tx, meeting, actor);
    for (const { item, question } of planned) {
      const kept = item.classes?.filter((name) => classesOf(meeting).includes(name)) ?? null;
      const written = { ...item, classes: storedClasses(meeting, kept) };
      putItem(ctx, tx, meeting, written, question, actor, 'end');
    }
  });
}

/**
 * The items that a new meeting begins with. The texts of an earlier one say what was reported then, so they are not
 * taken over; the wordings of what was voted on are. @throws 400
 */
function agendaOf(ctx: Context, of: string | null) {
  if (of === null) return [];
  const none = { text: null, ...NO_MOTION, classes: null, question: undefined };
  if (of === 'usual') return USUAL.map(([kind, title]) => ({ kind, title: forClub(title), ...none }));
  if (!findMeeting(ctx.db, of)) throw badField('agenda_of', 'no_such_agenda');
  return listItems(ctx.db, of).map((item) => ({
    ...none,
    kind: item.kind,
    title: item.title,
    text: item.kind === 'text' ? null : item.text,
    classes: namedClasses(item),
    question: item.election_id === null ? undefined : questionToCopy(ctx.db, item.election_id),
  }));
}
