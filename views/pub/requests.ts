import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { namedErrors } from '#views/components/entered.ts';
import { field } from '#views/components/forms.ts';
import { icon } from '#views/components/icons.ts';
import { empty, errorSummary, notice } from '#views/components/notices.ts';
import { inputsOf, labelsOf } from '#views/components/record-fields.ts';
import { badge } from '#views/components/status.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { describeRefusal, type Refusal } from './refusal.ts';

/** A song request on the page; times are already formatted. */
export interface RequestRow {
  id: string;
  artist: string;
  title: string;
  votes: number;
  status: 'pending' | 'approved' | 'played' | 'declined' | 'expired';
  /** When it was played. */
  played: Words | null;
  mine: boolean;
  voted: boolean;
  reason?: string | undefined;
}

export interface RequestsPageProps {
  /** The song that is playing; null for none. `cover` is an address on this site. */
  playing: { artist: string; title: string; cover: string | null } | null;
  /** The open ones in the order of play, then those that are settled. */
  requests: readonly RequestRow[];
  /** Whether songs can be requested at all; `turn` says when, or how many. */
  open: boolean;
  /** Whether this browser may request one now. */
  mayAsk: boolean;
  turn: Words;
  /** What was just done. */
  done?: Words | undefined;
  /** Why a request or a vote was refused. */
  refused?: Refusal | undefined;
  /** The submitted fields of the request that was refused. */
  entered?: Readonly<Record<string, unknown>> | undefined;
}

const WORDS = {
  title: { label: t('pub.requests.song') },
  artist: { label: t('pub.requests.artist') },
  note: { label: t('pub.requests.message_bar'), hint: t('pub.requests.only_people_behind_bar_read') },
};
const LABELS = labelsOf(WORDS);

/** The page to request a song, to vote for other requests, and to see the queue. */
export function requestsPage(props: RequestsPageProps): Html {
  const { playing, requests, done } = props;
  const { errors, sentence } = describeRefusal(props.refused, LABELS);
  const waiting = requests.filter(({ status }) => status === 'pending' || status === 'approved');
  const settled = requests.filter((one) => !waiting.includes(one));
  const body = html`${pageHeader({ title: t('pub.requests.ask_for_song') })}
<div id="said" data-live aria-live="polite" tabindex="-1">${
    done !== undefined &&
    html`
<div class="notice notice-success">${icon('check')}<div class="notice-body"><p>${done}</p></div></div>`
  }${sentence !== undefined && notice('attention', sentence, t('pub.requests.time'))}</div>
${errorSummary(namedErrors(errors, LABELS))}
<div id="playing" data-live>${playing && nowPlaying(playing)}</div>
<p id="turn" data-live>${props.turn}</p>
<div id="ask" data-live>${props.open && askForm(props, errors)}</div>
<section aria-labelledby="queue-title"><h2 id="queue-title">${t('pub.requests.coming_up')}</h2>
<div id="queue" data-live>${
    waiting.length === 0
      ? empty(
          t('pub.requests.asked_yet'),
          props.open ? t('pub.requests.next_song_yours') : t('pub.requests.when_pub_opens_queue_too'),
        )
      : html`<ol class="queue" role="list">${waiting.map((row, index) => waitingRow(row, index + 1, props.open))}</ol>`
  }</div></section>
<div id="settled" data-live>${
    settled.length > 0 &&
    html`<section><h2>${t('pub.requests.earlier_tonight')}</h2><ul class="queue queue-quiet" role="list">${settled.map(settledRow)}</ul>
    </section>`
  }</div>`;
  return page({
    title: t('pub.requests.ask_for_song'),
    body,
    nav: '/requests',
    scripts: ['base/live.js', 'pub/song-search.js'],
    styles: 'guests',
    head: html`<meta name="live-every" content="15"><meta name="live-at" content="/requests">`,
  });
}

function nowPlaying({ artist, title, cover }: NonNullable<RequestsPageProps['playing']>): Html {
  return html`<div class="playing">${cover !== null && html`<img src="${cover}" alt="" width="64" height="64">`}
  <p><span class="eyebrow">${t('pub.requests.playing_now')}</span><span class="song-title">${title}</span><br><span class="song-artist">${artist}</span></p></div>`;
}

function askForm({ entered = {}, mayAsk }: RequestsPageProps, errors: readonly FieldError[]): Html {
  const { at } = inputsOf(WORDS, { entered, errors });
  // A browser that may not request now can still search: voting is always allowed.
  return html`<form class="card ask-song" method="post" action="/requests" data-quiet>
<div data-song-search hidden>
<label class="label" for="song-search">${t('pub.requests.search_songs_played_here')}</label>
<input class="input" id="song-search" type="search" autocomplete="off" spellcheck="false" autocapitalize="none"
maxlength="80" aria-describedby="song-count">
<p class="hint" id="song-count" role="status"></p>
<ul class="found" id="songs-found" role="list"></ul>
</div>
${
  mayAsk
    ? html`<details data-song-own open><summary>${t('pub.requests.ask_own_words')}</summary><div class="fold">
${field({ ...at('title'), maxlength: 160, autocomplete: 'off' })}
${field({ ...at('artist'), maxlength: 120, autocomplete: 'off' })}
${field({ ...at('note'), optional: true, maxlength: 80, autocomplete: 'off' })}
<p><button class="button">${t('pub.requests.ask_for_this_song')}</button></p></div></details>`
    : html`<p class="hint" data-out-of-turn>${t('pub.requests.meanwhile_vote_what_others_asked')}</p>`
}</form>`;
}

function waitingRow(row: RequestRow, place: number, open: boolean): Html {
  const { id, artist, title, votes, status, mine, voted } = row;
  const button = {
    title,
    votes,
    sign: icon(voted ? 'check' : 'up'),
    hidden: (inside: Words) => html`<span class="visually-hidden">${inside}</span>`,
  };
  return html`<li class="${mine && 'queue-mine'}"><span class="queue-place">${place}</span>
<div class="queue-song"><span class="song-title">${title}</span><span class="song-artist">${artist}</span>
${
  (mine || status === 'approved') &&
  html`<span class="queue-marks">${mine && badge(t('pub.requests.yours'), 'open')}${
    status === 'approved' && badge(t('pub.requests.house_says_yes'), 'open')
  }</span>`
}</div>
${
  open
    ? html`<form method="post" action="/requests/${id}/vote"
    data-quiet><button class="button vote${
      !voted && ' button-quiet'
    }" id="vote-${id}" name="value" value="${voted ? 0 : 1}">${
      voted ? t('pub.requests.take_vote_back', button) : t('pub.requests.vote', button)
    }</button></form>`
    : html`<span class="numbers">${t('pub.requests.vote_count', { votes })}</span>`
}</li>\n`;
}

function settledRow({ artist, title, status, played, mine, reason }: RequestRow): Html {
  const what =
    status === 'played'
      ? t('pub.requests.played', { time: played ?? '' })
      : status === 'declined'
        ? t('pub.requests.tonight')
        : t('pub.requests.reached');
  return html`<li><div class="queue-song"><span class="song-title">${title}</span><span class="song-artist">${artist}</span></div>
<span class="small soft">${reason ? t('common.named', { name: what, value: reason }) : what}${mine && html` · ${t('pub.requests.is_yours')}`}</span></li>\n`;
}
