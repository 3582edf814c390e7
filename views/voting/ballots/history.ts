import { type Child, type Html, html } from '#kernel/html.ts';
import { formatShort } from '#kernel/local-time.ts';
import { ownValue } from '#kernel/own-value.ts';
import { hashText } from '#views/components/codes.ts';
import { nameText } from '#views/components/names.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted, listed } from '#views/components/numbers.ts';
import { disclosure } from '#views/components/structure.ts';
import { SETTINGS_LABELS } from '#views/voting/words.ts';
import type { HistoryEvent } from '#voting/elections/history.ts';
import type { Turnout } from '#voting/elections/turnout.ts';

/** An event with its times, already formatted. */
export type ShownEvent = HistoryEvent & {
  when: string;
  /** The dates before and after a change, each `opens – closes`. */
  dates?: { from: string; to: string } | undefined;
};

/** Formats the times of an event. */
export function shownEvent(event: HistoryEvent, zone: string): ShownEvent {
  const { from, to } = event.metadata as { from?: Partial<Dates>; to?: Partial<Dates> };
  const span = (dates: Partial<Dates> | undefined) =>
    dates?.open_at !== undefined && dates.close_at !== undefined
      ? `${formatShort(Date.parse(dates.open_at), zone)} to ${formatShort(Date.parse(dates.close_at), zone)}`
      : undefined;
  const [before, after] = [span(from), span(to)];
  const dates = before !== undefined && after !== undefined ? { from: before, to: after } : undefined;
  return { ...event, when: formatShort(event.at, zone), dates };
}

interface Dates {
  open_at: string;
  close_at: string;
}

/** Says on ballot and result that the document was changed after the first ballot; null if it was not. */
export function documentChanges(events: readonly ShownEvent[]): Html | null {
  if (events.length === 0) return null;
  const lines = events.map(({ when, metadata }) => {
    const state =
      metadata.while === 'open'
        ? 'voting was open'
        : `voting was ${metadata.while === 'closed' ? 'over' : 'paused'}`;
    return html`<p>The document was changed on ${when} while ${state}. ${addresses(metadata)}</p>`;
  });
  return notice('attention', html`${lines}`, 'Another document than before');
}

/** The old and the new address of the document. */
function addresses({ from, to }: Record<string, unknown>): Html {
  const shown = (url: unknown) => (typeof url === 'string' ? html`<code>${url}</code>` : 'none');
  return html`Before: ${shown(from)}. Since then: ${shown(to)}.`;
}

/** The history of an election, collapsed; a reopening is shown in a notice too. */
export function historyView(
  electionId: string,
  events: readonly ShownEvent[],
  madeSinceOpening: number | null,
): Html | null {
  if (events.length === 0) return null;
  return disclosure(
    'History of this election',
    html`<ol class="history" role="list">${events.map(
      (event) => html`
  <li><span class="soft">${event.when}:</span> ${describe(event, electionId)}</li>\n`,
    )}</ol>
${
  madeSinceOpening !== null &&
  madeSinceOpening > 0 &&
  html`
<p>${counted(madeSinceOpening, 'voting code')} made after opening.</p>`
}`,
  );
}

/** What happened after the close and changed the result: nobody has to unfold it. */
export function historyNotices(events: readonly ShownEvent[]): Html {
  const reopened = events.filter(({ action }) => action === 'election.reopened');
  const late = events.filter(({ action, metadata }) => action === 'paper.joined' && metadata.late === true);
  return html`${reopened.map(reopenedNotice)}${late.map(latePapersNotice)}`;
}

function reopenedNotice({ when, by, metadata }: ShownEvent): Html {
  const { reason, set_aside } = metadata as { reason?: string; set_aside?: SetAside };
  return notice(
    'attention',
    html`${when}, by ${by ?? 'an officer'}: “${reason}”. ${
      set_aside
        ? html`The result that was set aside had ${counted(
            set_aside.total_ballots,
            'ballot',
          )} and the check number ${hashText(set_aside.ballot_set_sha256)}.`
        : 'No result was settled before.'
    }`,
    'Voting was opened again after it had closed',
  );
}

function latePapersNotice({ when, by, metadata }: ShownEvent): Html {
  const { reason, set_aside, ballots } = metadata as {
    reason?: string;
    set_aside?: SetAside;
    ballots: number;
  };
  return notice(
    'attention',
    html`${when}, by ${by ?? 'an officer'}: “${reason}”. ${counted(ballots, 'ballot')} on paper ${
      ballots === 1 ? 'was' : 'were'
    } added.${
      set_aside &&
      html` The result that was announced before had ${counted(
        set_aside.total_ballots,
        'ballot',
      )} and the check number ${hashText(set_aside.ballot_set_sha256)}.`
    }`,
    'The announced result was corrected',
  );
}

interface SetAside {
  total_ballots: number;
  ballot_set_sha256: string;
}

/** The labels of the settings that an entry of the log names. */
function settingNames(settings: object): string[] {
  const labels = Object.keys(settings).map((key) => ownValue(SETTINGS_LABELS, `settings.${key}`) ?? key);
  return [...new Set(labels)];
}

const changedDates = (dates: ShownEvent['dates']): string =>
  dates === undefined ? '' : `, from ${dates.from} before to ${dates.to} since then`;

/** The turnout at the moment of the change; empty before the first code was used, and in earlier entries. */
function turnoutThen({ turnout }: Record<string, unknown>): string {
  const { issued = 0, used = 0 } = (turnout ?? {}) as Partial<Turnout>;
  return used === 0 ? '' : ` ${count(used)} of ${counted(issued, 'voting code')} had been used by then.`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `2026-11-21T17:00:00.000Z` as `2026-11-21 17:00 UTC`. */
const utcMinute = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

function describe({ action, by, metadata, dates }: ShownEvent, id: string): Child {
  const officer = by ?? 'an officer';
  switch (action) {
    case 'election.created':
      return 'The election was created.';
    case 'election.opened':
      return html`Voting opened${
        metadata.in_room === true
          ? `. ${counted(Number(metadata.electors), 'card or link was valid', 'cards and links were valid')}, handed out or not`
          : ` with ${counted(Number(metadata.electors), 'voting code')}`
      }. Check number of the codes: ${hashText(String(metadata.electors_sha256))}`;
    case 'election.opening_taken_back':
      return `The opening was taken back by ${officer}, before anybody had voted.`;
    case 'electors.added':
      return `${counted(Number(metadata.count), 'elector of the roll was', 'electors of the roll were')} ${
        metadata.late ? `added after opening, by ${officer}` : 'invited'
      }.`;
    case 'election.text_changed':
      return 'The title or the description was corrected.';
    case 'election.dates_changed':
      return `${
        metadata.paused
          ? `Voting was paused with ${counted(Number(metadata.ballots), 'ballot')} in it`
          : 'The dates were changed'
      } by ${officer}${changedDates(dates)}.${turnoutThen(metadata)}`;
    case 'election.attachment_changed':
      return 'from' in metadata
        ? html`The document was changed by ${officer}. ${addresses(metadata)}`
        : html`The document was changed by ${officer}.`;
    case 'election.settings_changed':
      return `Settings were changed: ${settingNames(metadata.settings ?? {}).join(', ')}.`;
    case 'election.closed':
      if (by === 'clock') return 'Voting closed at its time.';
      return `${capital(officer)} closed voting${metadata.through === 'dates' ? ' by changing the dates' : ''}.`;
    case 'election.voided':
      return `The election was declared void by ${by ?? 'an officer'}: “${metadata.reason}”.${
        typeof metadata.figures_before === 'string'
          ? ` Figures that were public before, and do not count: ${metadata.figures_before}.`
          : ''
      }`;
    case 'candidate.withdrawn':
    case 'option.withdrawn':
      return html`${nameText(String(metadata.name ?? 'A name'))} was withdrawn, by ${officer}: “${String(metadata.note ?? '')}”. It is taken off all
ballots before the count.`;
    case 'election.lot_drawn': {
      const { drawn_by, witnesses = [] } = metadata as { drawn_by?: string; witnesses?: string[] };
      const who = drawn_by ? ` by ${drawn_by}` : '';
      return `A lot was drawn${who}${witnesses.length > 0 ? `, seen by ${listed(witnesses)}` : ''}. The result has its order.`;
    }
    case 'paper.joined':
      return metadata.late
        ? `${counted(Number(metadata.ballots), 'ballot')} on paper ${
            metadata.ballots === 1 ? 'was' : 'were'
          } added after the announcement by ${officer}: “${metadata.reason}”.`
        : `${counted(Number(metadata.ballots), 'ballot')} on paper ${metadata.ballots === 1 ? 'was' : 'were'} added by ${officer}.`;
    case 'election.followed_up':
      return html`<a href="/e/${String(metadata.follow_up)}">A follow-up</a> with the same electors was made by ${officer}.`;
    case 'election.reopened':
      return `Voting was opened again by ${officer}${changedDates(dates)}: “${metadata.reason}”.`;
    case 'code.replaced':
      return `The unused voting code of one elector was replaced by ${officer}.`;
    case 'code.withdrawn':
      return `The unused voting code of one elector was withdrawn by ${officer}.`;
    case 'batch.deleted':
      return `A batch of ${counted(
        Number(metadata.deleted),
        'voting code',
      )} was deleted, ${metadata.deleted_used} of them used.`;
    case 'results.settled':
      return html`The result was settled: ${counted(
        Number(metadata.total_ballots),
        'ballot',
      )}, check number ${hashText(String(metadata.ballot_set_sha256))}`;
    case 'election.sealed':
      return 'The election was sealed: nothing in its file tells any more in what order the ballots came.';
    case 'results.shown':
      return `The figures that were hidden because few ballots had come in were shown by ${officer}.`;
    case 'results.announced':
      return `The result was announced by ${officer}.`;
    case 'results.manual_set':
      return html`Certified figures were entered by ${officer}.${
        typeof metadata.figures_sha256 === 'string' &&
        html` <a href="/e/${id}/certified/${metadata.figures_sha256}">These figures</a>, SHA-256 ${hashText(
          metadata.figures_sha256,
        )}`
      }`;
    case 'database.restored':
      return `The database was restored from a copy made ${utcMinute(
        String(metadata.made_at),
      )}: what happened between the copy and the restore is not known here.`;
    case 'results.manual_cleared':
      return `The certified figures were removed by ${officer}.`;
  }
}
