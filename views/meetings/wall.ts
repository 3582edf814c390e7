import { type Child, type Html, html } from '#kernel/html.ts';
import { Page } from '#kernel/site.ts';
import type { RoomJson } from '#meetings/room/room.ts';
import type { QrModules } from '#views/components/codes.ts';
import { counted } from '#views/components/numbers.ts';
import { byWhom } from '#views/voting/results/outcome.ts';
import { barsOf, documentOf, moreThanBars, sizeOf } from '#views/voting/wall.ts';
import { isItemCarried, itemBars, itemOutcome, itemRule } from './outcome.ts';

/** The data of a meeting's page for a projector. */
export interface MeetingWallProps extends RoomJson {
  now: number;
  way: { qr: QrModules; address: string } | '' | undefined;
}

/** How often the page looks for what the chair has done. */
const EVERY_MS = 1_500;

/** What the chair has come to: the item, that voting is open with turnout alone, and the announced result with its rule. */
export function meetingWallPage(props: MeetingWallProps): Page {
  const { meeting, question, way } = props;
  const item = meeting.state === 'closed' ? null : props.item;
  const outcome = item && !item.void ? itemOutcome(item) : null;
  const status = question?.state === 'open' ? 'open' : 'closed';
  const drawn = item && outcome ? itemBars(item) : null;
  const [speaker] = props.speakers;
  const said = html`${
    item && outcome
      ? html`<p class="wall-outcome ${sizeOf(outcome)}${isItemCarried(item) && ' wall-carried'}">${outcome}</p><p class="wall-facts">${itemRule(item)}</p>${
          drawn &&
          html`${barsOf(drawn)}${moreThanBars(drawn) > 0 && html`<p class="wall-facts">And ${moreThanBars(drawn)} more.</p>`}`
        }`
      : question?.state === 'open'
        ? html`${wording(item) ?? wording({ text: question.names.join(', ') })}<p class="wall-turnout"><strong>${question.voted}</strong> ${question.voters === null ? 'have voted' : `of ${counted(question.voters, 'vote')} cast`}</p>`
        : wording(item?.void ? { text: item.void.reason + byWhom(item.void.by) } : item)
  }${
    speaker?.began_at != null &&
    html`<p class="wall-speaker">Speaking now (${minutes(props.now - Date.parse(speaker.began_at))}): <strong>${speaker.name}</strong></p>`
  }`;
  const title = item?.title ?? meeting.title;
  return new Page((site) =>
    documentOf(
      {
        election: { id: meeting.id, title, status },
        opens: '',
        closes: '',
        left: null,
        turnout: { issued: 0, used: 0 },
        said,
        hasResult: outcome !== undefined && outcome !== null,
        leadsTo: 'the meeting',
        way,
        state: stateOf(props),
        foot: footOf(props),
        every: EVERY_MS,
      },
      site,
    ),
  );
}

/** The wording of an item, as far as there is room: its script counts the lines. */
function wording(item: Pick<NonNullable<MeetingWallProps['item']>, 'text'> | null): Html | null {
  if (!item?.text) return null;
  return html`<p class="wall-wording">${item.text}</p><p class="wall-more" data-wall-more hidden>The whole text is on your phone.</p>`;
}

function stateOf({ meeting, item, question, present, now }: MeetingWallProps): Child {
  if (meeting.state === 'closed') return 'The meeting is over';
  if (meeting.state === 'prepared') return 'The meeting has not begun';
  if (question?.state === 'open') {
    return html`Voting is open${
      question.closes_at !== null &&
      html` · <span class="wall-left">closing in ${timeLeft(question.closes_at, now)}</span>`
    }`;
  }
  if (item?.state === 'closed') return 'Voting has closed. The result will be announced';
  if (item?.state === 'void') return 'This vote is void';
  return `${counted(present, 'member')} present`;
}

function footOf({ question, way, meeting }: MeetingWallProps): Child {
  if (!way) return 'To vote, open the link in your mail.';
  if (question?.state === 'open')
    return html`Scan the square of your card, or this one, or open <strong class="wall-address">${way.address}</strong>`;
  return meeting.state === 'closed'
    ? 'Scan the square for the results.'
    : 'Scan the square to follow on your phone.';
}

/** The time that is left, which the script of a page counts down. */
export function timeLeft(closes_at: string | null, now: number): Html {
  const left = Math.max(0, Date.parse(closes_at ?? '') - now);
  return html`<span data-left="${left}">${inWords(left)}</span>`;
}

/** `30 s`, `4 min`: what can be read from the back of the room. */
export function inWords(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return seconds <= 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

function minutes(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
