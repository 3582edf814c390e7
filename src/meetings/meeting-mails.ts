import type { Context } from '#kernel/context.ts';
import { formatWhen } from '#kernel/language/times.ts';
import { mailClub } from '#kernel/mail/club.ts';
import type { OutboxMail } from '#kernel/mail/outbox.ts';
import { type DoorNumber, doorNumberPath } from './door/numbers.ts';
import { type Item, itemJson, listItems } from './items.ts';
import { invitedPath } from './keys.ts';
import { findMeeting, type Meeting } from './meetings.ts';
import { findMotionCall, motionCallState, motionsPath } from './motions/calls.ts';
import { callState, findCall } from './nominations/calls.ts';
import { meetingFile, meetingPath } from './program.ts';
import type { Period } from './proposals/periods.ts';

/** Twice what the mail shows, for sharp screens. */
const SQUARE_WIDTH = 264;

/**
 * What the invitation to a meeting is composed from, and its files; undefined if the meeting is gone or over.
 * @param numbers for the door, of the people who have the address
 */
export async function prepareMeetingMail(
  ctx: Context,
  { ref, facts }: Pick<OutboxMail<'meeting-invitation'>, 'ref' | 'facts'>,
  numbers: readonly DoorNumber[],
) {
  const meeting = findMeeting(ctx.db, ref ?? '');
  if (!meeting || (meeting.state === 'closed' && meeting.called_off_at === null)) return undefined;
  const { title, held_at, place, notes, called_off_reason: calledOff } = meeting;
  // An invitation that was still waiting is not sent any more.
  if (calledOff !== null && facts.change !== 'called_off') return undefined;
  const { default: QRCode } = await import('qrcode');
  const squares = await Promise.all(
    (calledOff === null ? numbers : []).map(async ({ name, number }) => {
      const link = facts.origin + invitedPath(ctx, meeting, doorNumberPath(meeting.id, number));
      const content = await QRCode.toBuffer(link, { type: 'png', width: SQUARE_WIDTH, margin: 4 });
      return { name, number, link, content, cid: `door-${number}@club.invalid` };
    }),
  );
  const items = calledOff === null ? listItems(ctx.db, meeting.id) : [];
  const props = {
    club: mailClub(ctx.config),
    title,
    when: formatWhen(held_at, ctx.config.TIME_ZONE),
    place,
    notes: calledOff === null ? notes : null,
    calledOff,
    isMoved: facts.change === 'moved',
    added: items
      .filter(({ id }) => facts.added?.includes(id))
      .map((item) => ({ ...itemJson(item), title: `${item.number}. ${item.title}` })),
    message: calledOff === null ? facts.message : undefined,
    represents: calledOff === null ? meeting.proxies_per_person : 0,
    remote: calledOff === null && meeting.remote === 1,
    wordings: items.flatMap((item) =>
      item.old_text === null || item.text === null
        ? []
        : [{ title: `${item.number}. ${item.title}`, before: item.old_text, after: item.text }],
    ),
    calls: calledOff === null ? callsOf(ctx, meeting, items, facts.origin) : [],
    agenda: items.map((item) => ({ ...itemJson(item), title: `${item.number}. ${item.title}` })),
    numbers: squares.map(({ name, number, link, cid }) => ({ name, number, link, picture: `cid:${cid}` })),
    link: facts.origin + invitedPath(ctx, meeting, meetingPath(meeting)),
  };
  const content = meetingFile(ctx, meeting, facts.origin, true);
  const files = [
    { name: 'meeting.ics', type: 'text/calendar; charset=utf-8', content },
    ...squares.map((one) => ({
      name: `door-${one.number}.png`,
      type: 'image/png',
      content: one.content,
      cid: one.cid,
    })),
  ];
  return { props, files };
}

/** The calls for candidates and for motions that are open or will be, in the order of the agenda. */
function callsOf(ctx: Context, meeting: Meeting, items: readonly Item[], origin: string) {
  const zone = ctx.config.TIME_ZONE;
  const shown = (office: string | undefined, { opens_at, closes_at }: Period, path: string) => ({
    office,
    opens: opens_at > ctx.now() ? formatWhen(opens_at, zone) : undefined,
    closes: formatWhen(closes_at, zone),
    link: origin + invitedPath(ctx, meeting, path),
  });
  const offices = items.flatMap((item) => {
    const call = findCall(ctx.db, item.id);
    return call && callState(ctx.db, item, call, ctx.now()) !== 'over'
      ? [shown(`${item.number}. ${item.title}`, call, `/m/${meeting.id}/nominate/${item.id}`)]
      : [];
  });
  const motions = findMotionCall(ctx.db, meeting.id);
  return motions && motionCallState(meeting, motions, ctx.now()) !== 'over'
    ? [...offices, shown(undefined, motions, motionsPath(meeting.id))]
    : offices;
}
