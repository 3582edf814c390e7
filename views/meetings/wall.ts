import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { commas, sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { clubReader } from '#kernel/locale.ts';
import { Page } from '#kernel/site.ts';
import type { RoomJson } from '#meetings/room/room.ts';
import type { QrModules } from '#views/components/codes.ts';
import { strong } from '#views/components/slots.ts';
import { barsOf, documentOf, moreThanBars, sizeOf } from '#views/voting/wall.ts';
import { isItemCarried, itemBars, itemOutcome, itemRule, reasonBy } from './outcome.ts';

/** The data of a meeting's page for a projector. */
export interface MeetingWallProps extends RoomJson {
  /** What decides about the question, in sentences. */
  rule: readonly (Words | string)[];
  /** What was decided, in the order of the agenda, once the meeting is over. */
  decided: readonly { title: string; outcome: Words }[];
  /** The titles of the items that follow. */
  following: readonly string[];
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
  const isOpen = question?.state === 'open';
  const isDebated = item !== null && !item.void && item.state === 'prepared';
  const said = html`${
    item && outcome
      ? html`<p class="wall-outcome ${sizeOf(outcome.for(clubReader()))}${isItemCarried(item) && ' wall-carried'}">${outcome}</p><p class="wall-facts">${itemRule(item)}</p>${
          drawn &&
          html`${barsOf(drawn)}<p class="wall-facts" data-bars="${drawn.bars.length}"${moreThanBars(drawn) === 0 && html` hidden`}>${t('meetings.wall.and_more', { n: moreThanBars(drawn) })}</p>`
        }`
      : item?.void
        ? wording({ text: reasonBy(item.void), old_text: null })
        : html`${item && wording(item)}${isOpen && item?.text === null && wording({ text: commas(question.names) ?? null, old_text: null })}${
            (isOpen || isDebated) &&
            props.rule.length > 0 &&
            html`<p class="wall-facts">${sentences(props.rule)}</p>`
          }${isOpen && turnout(props, question)}`
  }${meeting.state === 'closed' && decisions(props)}${!isOpen && !outcome && speakers(props)}${!outcome && !isOpen && !item?.void && following(props)}`;
  const title = item ? `${item.number}. ${item.title}` : meeting.title;
  return new Page(
    (site) =>
      documentOf(
        {
          election: { id: meeting.id, title, status },
          opens: '',
          closes: '',
          left: null,
          turnout: { issued: 0, used: 0 },
          said,
          hasResult: outcome !== undefined && outcome !== null,
          leadsTo: 'meeting',
          way,
          state: stateOf(props),
          foot: footOf(props),
          every: EVERY_MS,
        },
        site,
      ),
    'club',
  );
}

/** How many have voted, and how long they still can where a timer runs. */
const turnout = (
  { now }: MeetingWallProps,
  { voted, voters, closes_at }: NonNullable<MeetingWallProps['question']>,
): Html =>
  html`<div class="wall-figures"><p class="wall-turnout">${
    voters === null
      ? t('meetings.wall.turnout_voted', { n: voted, strong })
      : t('meetings.wall.turnout_of', { n: voted, of: voters, strong })
  }</p>${
    closes_at !== null &&
    html`<p class="wall-turnout wall-timer">${t('meetings.wall.closing', { time: timeLeft(closes_at, now) })}</p>`
  }</div>`;

/** Who speaks, how long they have or how long they have spoken, and who is next. */
function speakers({ speakers: [first, second], now }: MeetingWallProps): Html | null {
  if (!first) return null;
  if (first.began_at === null)
    return html`<p class="wall-speaker">${t('meetings.wall.next_speaker', { name: first.name, strong })}</p>`;
  return html`<p class="wall-speaker">${speaking(first.name, first.began_at, first.ends_at, now)}</p>${
    second &&
    html`<p class="wall-speaker">${t('meetings.wall.next_speaker_quiet', { name: second.name })}</p>`
  }`;
}

function speaking(name: string, began: string, ends: string | undefined, now: number): Words {
  if (ends === undefined)
    return t('meetings.wall.speaking_since', { time: minutes(now - Date.parse(began)), name, strong });
  const left = Date.parse(ends) - now;
  return left > 0
    ? t('meetings.wall.speaking_left', { time: minutes(left), name, strong })
    : t('meetings.wall.speaking_over', { name, strong });
}

/** What follows on the agenda; before the beginning all of it, as far as there is room. */
function following({ following: titles, meeting, item }: MeetingWallProps): Html | null {
  if (titles.length === 0 || meeting.state === 'closed') return null;
  const shown = titles.slice(0, item ? THEN_AT_MOST : AGENDA_AT_MOST);
  const more = titles.length - shown.length;
  return html`<div class="wall-then"><h2>${item ? t('meetings.wall.then') : t('meetings.meeting.agenda')}</h2><ol${
    shown.length > IN_ONE_COLUMN && html` class="wall-columns"`
  }>${shown.map((title) => html`<li>${title}</li>`)}${
    more > 0 && !item && html`<li>${t('meetings.wall.and_more', { n: more })}</li>`
  }</ol></div>`;
}

/** What the meeting has decided, as far as there is room. */
const decisions = ({ decided }: MeetingWallProps): Html | false =>
  decided.length > 0 &&
  html`<ol class="wall-decided${decided.length > IN_ONE_COLUMN && ' wall-columns'}">${decided
    .slice(0, AGENDA_AT_MOST)
    .map(({ title, outcome }) => html`<li>${t('meetings.wall.decided', { title, outcome, strong })}</li>`)}${
    decided.length > AGENDA_AT_MOST &&
    html`<li>${t('meetings.wall.and_more', { n: decided.length - AGENDA_AT_MOST })}</li>`
  }</ol>`;

const THEN_AT_MOST = 3;
const AGENDA_AT_MOST = 15;
const IN_ONE_COLUMN = 5;

/** The wording of an item beside the one in force, as far as there is room: the script of the wall counts the lines. */
function wording({ text, old_text }: { text: Words | string | null; old_text: string | null }): Html | null {
  if (!text && !old_text) return null;
  const part = (of: Words | string | null) => of && html`<p class="wall-wording">${of}</p>`;
  return html`${
    old_text
      ? html`<div class="wall-beside"><div><h2>${t('meetings.wall.in_force')}</h2>${part(old_text)}</div><div><h2>${t('meetings.wall.new')}</h2>${part(text)}</div></div>`
      : part(text)
  }<p class="wall-more" data-wall-more hidden>${t('meetings.wall.text_on_phone')}</p>`;
}

function stateOf({ meeting, item, question, present }: MeetingWallProps): Child {
  if (meeting.state === 'closed') return t('meetings.wall.is_over');
  if (meeting.state === 'prepared') return t('meetings.wall.not_begun');
  if (question?.state === 'open') return t('meetings.wall.voting_open');
  if (item?.state === 'closed') return t('meetings.wall.voting_closed');
  if (item?.state === 'void') return t('meetings.wall.vote_void');
  return t('meetings.wall.present', { n: present });
}

function footOf({ question, way, meeting }: MeetingWallProps): Child {
  if (!way) return t('meetings.wall.link_in_mail');
  if (question?.state === 'open')
    return t('meetings.wall.scan_card', {
      address: html`<strong class="wall-address">${way.address}</strong>`,
    });
  return meeting.state === 'closed' ? t('meetings.wall.scan_results') : t('meetings.wall.scan_follow');
}

/** The time that is left, which the script of a page counts down. */
export function timeLeft(closes_at: string | null, now: number): Html {
  const left = Math.max(0, Date.parse(closes_at ?? '') - now);
  return html`<span data-left="${left}">${inWords(left)}</span>`;
}

/** `30 s`, `4 min`: what can be read from the back of the room. */
export function inWords(ms: number): Words {
  const seconds = Math.ceil(ms / 1_000);
  return seconds <= 90
    ? t('meetings.wall.seconds', { n: seconds })
    : t('meetings.wall.minutes', { n: Math.ceil(seconds / 60) });
}

function minutes(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
