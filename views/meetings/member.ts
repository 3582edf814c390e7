import { type Html, html } from '#kernel/html.ts';
import type { RoomJson } from '#meetings/room/room.ts';
import { openField } from '#views/components/fields.ts';
import { notice } from '#views/components/notices.ts';
import { counted } from '#views/components/numbers.ts';
import { pageHeader, plainText } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { itemOutcome, itemRule } from './outcome.ts';
import { timeLeft } from './wall.ts';
import { itemBadge } from './words.ts';

/** The data of the page of a meeting for its members, while it is held. */
export interface MemberProps extends RoomJson {
  now: number;
  /** The card of this phone, and the questions that it answers. */
  code: { text: string; questions: readonly { id: string; used: boolean }[] } | undefined;
  /** Whether a code was given that is none of this meeting. */
  wrongCode: boolean;
  done: string | undefined;
  refused: string | undefined;
}

/** The seconds after which a browser without script loads the page again. */
const AGAIN_S = 5;

/** What is discussed now, the ballot as soon as voting opens, and the result once it is announced. */
export function memberPage(props: MemberProps): Html {
  const { meeting, item, present, code, done, refused, wrongCode } = props;
  const body = html`<div data-follow="/m/${meeting.id}/stream">${refused && notice('danger', refused)}${
    done === 'asked' && notice('success', 'You are on the list of speakers.')
  }
${pageHeader({ title: meeting.title, eyebrow: 'Meeting', lede: `${counted(present, 'member')} present` })}
<section class="card room-now" aria-labelledby="now" aria-live="polite"><p class="eyebrow">Now ${item && itemBadge(item)}</p>
<h2 id="now">${item?.title ?? 'The chair has not begun with an item yet'}</h2>
${item?.text && plainText(item.text)}${item?.mover && html`<p class="small soft">Proposed by ${item.mover}</p>`}
${voting(props)}${result(props)}</section>
${speakers(props)}
${
  code
    ? html`<p class="small"><a class="link-alone" href="/m/${meeting.id}?card=other">Vote with another card on this phone</a></p>`
    : html`<section aria-labelledby="card"><h2 id="card">Your voting card</h2>
${wrongCode && notice('danger', 'This is no card of this meeting, or it is void. Type it again, or ask at the door.')}
<form action="/m/${meeting.id}" method="get">${openField({
        name: 't',
        label: 'The code on your card',
        hint: 'Or scan its square with the camera.',
      })}<div class="actions"><button class="button">Use this card</button></div></form></section>`
}
<p class="small"><a class="link-alone" href="/m/${meeting.id}/void">I have lost my card</a></p></div>`;
  return page({
    title: meeting.title,
    body,
    scripts: ['meetings/follow.js'],
    head: html`${stylesheets('meetings/meetings.css')}<noscript><meta http-equiv="refresh" content="${AGAIN_S}"></noscript>`,
  });
}

function voting({ meeting, open, code, now }: MemberProps): Html | null {
  if (open.length === 0) return null;
  const own = open.map((question) => ({
    ...question,
    use: code?.questions.find(({ id }) => id === question.id),
  }));
  const waiting = own.filter(({ use }) => use && !use.used);
  const closing = open
    .filter(({ closes_at }) => closes_at !== null)
    .map(({ closes_at }) => html`<p><strong>Closing in ${timeLeft(closes_at, now)}.</strong></p>`);
  if (!code) return html`<p>Voting is open. Use your card below to vote.</p>${closing}`;
  if (waiting.length > 0)
    return html`${closing}<p><a class="button button-large" data-ballot href="/p/${meeting.paper_id}/vote?t=${encodeURIComponent(
      code.text,
    )}">Vote now</a></p>`;
  return own.some(({ use }) => use?.used)
    ? html`${notice('success', 'Please wait for the result.', 'Your vote is recorded')}${closing}`
    : html`<p>Your card does not vote on this item.</p>`;
}

function result({ item }: MemberProps): Html | null {
  if (!item) return null;
  const outcome = itemOutcome(item);
  if (outcome) return html`<p class="said">${outcome}</p><p class="small soft">${itemRule(item)}</p>`;
  if (item.state === 'closed') return html`<p>Voting has closed. The result will be announced.</p>`;
  if (item.state === 'void') return html`<p>This vote is void: ${item.void?.reason}</p>`;
  return null;
}

function speakers({ meeting, speakers: all, members_ask }: MemberProps): Html | null {
  if (all.length === 0 && !members_ask) return null;
  return html`<section aria-labelledby="speakers"><h2 id="speakers">Speakers</h2>${
    all.length > 0 &&
    html`<ol>${all.map(({ name, began_at }) => html`<li>${name}${began_at !== null && html` <strong>speaking now</strong>`}</li>`)}</ol>`
  }${
    members_ask &&
    html`<form method="post" action="/m/${meeting.id}/speakers">${openField({ name: 'name', label: 'Your name' })}
<div class="actions"><button class="button button-quiet">Ask to speak</button></div></form>`
  }</section>`;
}
