import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { t } from '#kernel/language/message.ts';
import type { Note, Words } from '#kernel/language/words.ts';
import type { MissingDoor } from '#meetings/door/heard.ts';
import type { MeetingFigures } from '#meetings/figures.ts';
import type { MeetingJson, MeetingState } from '#meetings/meetings.ts';
import type { ItemWithResult } from '#meetings/room/results.ts';
import type { RoomQuestion } from '#meetings/room/room.ts';
import { type Speaker, speakingNow } from '#meetings/room/speakers.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { openField } from '#views/components/fields.ts';
import { hiddenInputs, selectField } from '#views/components/forms.ts';
import { hidden, strong } from '#views/components/slots.ts';
import { disclosure } from '#views/components/structure.ts';
import { itemBadge } from '#views/meetings/words.ts';
import { mayDo, type OfficerProps } from '#views/voting/admin/frame.ts';
import type { FollowUpKind } from '#voting/elections/elections.ts';
import type { Voters } from '#voting/elections/ways-to-vote.ts';
import type { Question } from './agenda.ts';

/** The data of the page with which the chair leads a meeting. */
export interface ChairProps extends OfficerProps {
  meeting: MeetingJson & MeetingFigures;
  items: readonly ItemWithResult[];
  /** A sentence for each thing that is not stored as the log has it. */
  differences?: readonly Note[] | undefined;
  current: ItemWithResult | undefined;
  /** The question of the current item. */
  question: RoomQuestion | null;
  /** The same as it is set up. */
  asked: Question | undefined;
  /** The votes of it as they are now. */
  voters: Voters | undefined;
  /** The votes that can follow the one of the current item, the most usual first. */
  next: readonly { kind: FollowUpKind; names: readonly string[]; seats: number | null }[];
  /** Doors whose presses may be missing. */
  missingDoors: readonly MissingDoor[];
  /** Whether the minutes are signed: then nobody says any more whether they accept. */
  areMinutesSigned: boolean;
  /** Whether the door checks nobody in, so that the chair counts the votes in the room. */
  countsPresent: boolean;
  speakers: readonly Speaker[];
  /** The names of TVs and their groups, and whether one shows the wall. */
  screens: readonly string[];
  isWallShown: boolean;
  /** The wall for a projector, on which nobody has to be signed in. */
  wall: string;
  now: number;
  /** The id of the person who looks at the page; undefined for a key. */
  person: string | undefined;
  done: Words | string | undefined;
  refused: RefusedForm | undefined;
}

interface WallProps {
  meeting: { id: string };
  /** The names of TVs and their groups, and whether one shows the wall. */
  screens: readonly string[];
  isWallShown: boolean;
}

interface AgendaProps {
  meeting: { id: string; state: MeetingState };
  items: readonly ItemWithResult[];
  current: ItemWithResult | undefined;
}

/** Hands the TVs to the wall, and back. */
export function tvs({ meeting, screens, isWallShown }: WallProps): Html | null {
  const at = `/admin/meetings/${meeting.id}/screens`;
  if (isWallShown)
    return html`<form method="post" action="${at}/end"><button class="button button-quiet">${t('meetings-admin.chair_side.tvs_show_wall_until_meeting', { hidden })}</button></form>`;
  if (screens.length === 0) return null;
  return html`<form class="room-tvs" method="post" action="${at}"><select class="input" name="screens"
aria-label="${t('meetings-admin.chair_side.tvs')}"><option value="">${t('meetings-admin.chair_side.all_tvs')}</option>
${screens.map((name) => html`<option>${name}</option>`)}</select><button class="button button-quiet">${t('meetings-admin.chair_side.show')}</button></form>`;
}

/** All items with their states, the current one marked, and the way to the others. */
export function agenda({ meeting, items, current }: AgendaProps): Html {
  return html`<section aria-labelledby="agenda"><h2 id="agenda">${t('meetings-admin.shared.agenda')}</h2><ol class="room-agenda" role="list">${items.map(
    (item) =>
      html`<li${item.id === current?.id && html` aria-current="step"`}><span>${item.number}. ${item.title} ${itemBadge(item)}</span>${
        meeting.state !== 'closed' &&
        item.id !== current?.id &&
        html`<form method="post" action="${actAddress(meeting.id, item, 'call')}"><button class="button button-quiet">${t('meetings-admin.chair_side.go', { hidden, title: item.title })}</button></form>`
      }</li>`,
  )}</ol></section>`;
}

/** The address of an act with an item. */
export const actAddress = (meetingId: string, { id }: { id: string }, name: string): string =>
  `/admin/meetings/${meetingId}/items/${id}/${name}`;

/** A field of a form on this page: what was entered in it stays when it is refused. */
export const kept = ({ refused }: ChairProps, props: Parameters<typeof openField>[0]): Html =>
  openField({
    ...props,
    value: enteredText(refused?.entered ?? {}, props.name, String(props.value ?? '')),
    error: refused && errorAt(refused.errors, props.name),
  });

/** Whether a form with this field was refused: then it stays unfolded. */
export const wasRefused = ({ refused }: ChairProps, name: string): boolean =>
  refused !== undefined && name in refused.entered;

/** Puts a motion of those present on the agenda. */
export const motionForm = (props: ChairProps): Html =>
  disclosure(
    t('meetings-admin.chair_side.motion_spot'),
    html`<form method="post" action="/admin/meetings/${props.meeting.id}/motion">${kept(props, {
      name: 'title',
      id: 'motion-title',
      label: t('meetings-admin.chair_side.motion'),
      hint: t('meetings-admin.chair_side.few_words_gets_number_such'),
    })}${kept(props, { name: 'text', id: 'motion-text', label: t('meetings-admin.chair_side.wording_optional'), rows: 3 })}${kept(
      props,
      {
        name: 'mover',
        id: 'motion-mover',
        label: t('meetings-admin.shared.proposed'),
      },
    )}${selectField({
      name: 'majority.share',
      id: 'motion-majority',
      label: t('meetings-admin.chair_side.needs'),
      value: enteredText(props.refused?.entered ?? {}, 'majority.share'),
      options: [
        { value: 'more_than_half', label: t('meetings-admin.chair_side.more_half_yes') },
        { value: 'two_thirds', label: t('meetings-admin.chair_side.two_thirds_yes') },
        { value: 'three_quarters', label: t('meetings-admin.chair_side.three_quarters_yes') },
      ],
    })}
<div class="toolbar"><button class="button">${t('meetings-admin.chair_side.put_vote_now')}</button>
<button class="button button-quiet" name="open" value="false">${t('meetings-admin.chair_side.put_wall_first')}</button></div></form>`,
    wasRefused(props, 'title'),
  );

/** What the chair can choose; requests may name any number of seconds. */
const SPEAKING_MINUTES = [1, 2, 3, 5, 10];

/** The seconds that somebody was given to speak: the next one gets as many. */
const timeOf = ({ began_at = null, ends_at }: Partial<Speaker> = {}): number | undefined =>
  began_at === null || ends_at === undefined
    ? undefined
    : Math.round((Date.parse(ends_at) - Date.parse(began_at)) / 1_000);

/** The list of speakers, and who speaks now. */
export function speakersPart(props: ChairProps): Html {
  const { meeting, speakers } = props;
  const at = `/admin/meetings/${meeting.id}/speakers`;
  return html`<section id="speakers" aria-labelledby="speakers-title"><h2 id="speakers-title">${t('meetings-admin.chair_side.speakers')}</h2>${
    speakers.length > 0 &&
    html`<ol class="room-speakers">${speakers.map(
      ({ id, name, began_at }) =>
        html`<li><form method="post" action="${at}/${id}?_method=DELETE">${name}${began_at !== null && html` ${t('meetings-admin.chair_side.speaking', { strong })}`} <button class="button button-quiet">${t('meetings-admin.chair_side.remove', { hidden, name })}</button></form></li>`,
    )}</ol><form method="post" action="${at}/next">${hiddenInputs({ from: speakingNow(speakers[0]) })}<button class="button button-quiet">${t('meetings-admin.chair_side.next_speaker')}</button>
<label class="small">${t('meetings-admin.chair_side.for')} <select class="input input-short" name="seconds"><option value="">${t('meetings-admin.chair_side.long_like')}</option>
${SPEAKING_MINUTES.map(
  (n) =>
    html`<option value="${n * 60}"${n * 60 === timeOf(speakers[0]) && html` selected`}>${t('meetings-admin.chair_side.minutes', { n })}</option>`,
)}</select></label></form>`
  }
<form class="room-act" method="post" action="${at}">${kept(props, { name: 'name', id: 'speaker', label: t('meetings-admin.chair_side.add_speaker') })}<button class="button button-quiet">${t('meetings-admin.chair_side.add')}</button></form>
${
  mayDo(props, 'elections:write') &&
  html`<form method="post" action="/admin/meetings/${meeting.id}?_method=PATCH"><input type="hidden" name="members_ask" value="${
    meeting.members_ask ? 'false' : 'true'
  }"><button class="button button-quiet">${
    meeting.members_ask
      ? t('meetings-admin.chair_side.members_longer_ask_phones')
      : t('meetings-admin.chair_side.let_members_ask_phones')
  }</button></form>`
}</section>`;
}
