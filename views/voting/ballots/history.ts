import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { allOf, commas, formatShort, sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { ownValue } from '#kernel/own-value.ts';
import { hashText } from '#views/components/codes.ts';
import { nameText } from '#views/components/names.ts';
import { notice } from '#views/components/notices.ts';
import { linkTo } from '#views/components/slots.ts';
import { disclosure } from '#views/components/structure.ts';
import { SETTINGS_LABELS } from '#views/voting/words.ts';
import type { HistoryEvent } from '#voting/elections/history.ts';
import type { Turnout } from '#voting/elections/turnout.ts';

/** An event with its times, already formatted. */
export type ShownEvent = HistoryEvent & {
  when: Words;
  /** The dates before and after a change, each `opens – closes`. */
  dates?: { from: Words; to: Words } | undefined;
};

/** Formats the times of an event. */
export function shownEvent(event: HistoryEvent, zone: string): ShownEvent {
  const { from, to } = event.metadata as { from?: Partial<Dates>; to?: Partial<Dates> };
  const span = (dates: Partial<Dates> | undefined) =>
    dates?.open_at !== undefined && dates.close_at !== undefined
      ? t('voting.history.to', {
          from: formatShort(Date.parse(dates.open_at), zone),
          to: formatShort(Date.parse(dates.close_at), zone),
        })
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
    const state = metadata.while === 'open' || metadata.while === 'closed' ? metadata.while : 'other';
    return html`<p>${t('voting.history.document_changed_while', { when, state })} ${addresses(metadata)}</p>`;
  });
  return notice('attention', html`${lines}`, t('voting.history.another_document_before'));
}

/** The old and the new address of the document. */
function addresses({ from, to }: Record<string, unknown>): Html {
  const shown = (url: unknown) =>
    typeof url === 'string' ? html`<code>${url}</code>` : t('voting.history.none');
  return html`${t('voting.history.before_since', { from: shown(from), to: shown(to) })}`;
}

/** The history of an election, collapsed; a reopening is shown in a notice too. */
export function historyView(
  electionId: string,
  events: readonly ShownEvent[],
  madeSinceOpening: number | null,
): Html | null {
  if (events.length === 0) return null;
  return disclosure(
    t('voting.history.history_election'),
    html`<ol class="history" role="list">${events.map(
      (event) => html`
  <li><span class="soft">${t('common.label', { label: event.when })}</span> ${describe(event, electionId)}</li>\n`,
    )}</ol>
${
  madeSinceOpening !== null &&
  madeSinceOpening > 0 &&
  html`
<p>${t('voting.history.voting_codes_made_after_opening', { codes: madeSinceOpening })}</p>`
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
  const { reason = '', set_aside } = metadata as { reason?: string; set_aside?: SetAside };
  return notice(
    'attention',
    sentences([
      by === null
        ? t('voting.history.officer', { when, reason })
        : t('voting.history.by', { when, by, reason }),
      set_aside
        ? t('voting.history.result_set_aside_ballots_check', {
            ballots: set_aside.total_ballots,
            sha256: hashText(set_aside.ballot_set_sha256),
          })
        : t('voting.history.result_settled_before'),
    ]),
    t('voting.history.voting_opened_again_after_closed'),
  );
}

function latePapersNotice({ when, by, metadata }: ShownEvent): Html {
  const {
    reason = '',
    set_aside,
    ballots,
  } = metadata as {
    reason?: string;
    set_aside?: SetAside;
    ballots: number;
  };
  return notice(
    'attention',
    sentences([
      by === null
        ? t('voting.history.officer_ballots_paper_added', { when, reason, ballots })
        : t('voting.history.paper_ballots_added_because', { when, by, reason, ballots }),
      set_aside &&
        t('voting.history.result_announced_before_ballots_check', {
          ballots: set_aside.total_ballots,
          sha256: hashText(set_aside.ballot_set_sha256),
        }),
    ]),
    t('voting.history.announced_result_corrected'),
  );
}

interface SetAside {
  total_ballots: number;
  ballot_set_sha256: string;
}

/** The labels of the settings that an entry of the log names. */
function settingNames(settings: object): (Words | string)[] {
  const labels = Object.keys(settings).map((key) => ownValue(SETTINGS_LABELS, `settings.${key}`) ?? key);
  return [...new Set(labels)];
}

/** The turnout at the moment of the change; null before the first code was used, and in earlier entries. */
function turnoutThen({ turnout }: Record<string, unknown>): Words | null {
  const { issued = 0, used = 0 } = (turnout ?? {}) as Partial<Turnout>;
  return used === 0 ? null : t('voting.history.voting_codes_used', { used, issued });
}

/** `2026-11-21T17:00:00.000Z` as `2026-11-21 17:00 UTC`. */
const utcMinute = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

function datesChanged(
  metadata: Record<string, unknown>,
  officer: Words | string,
  dates: ShownEvent['dates'],
): Words {
  const ballots = Number(metadata.ballots);
  if (metadata.paused)
    return dates
      ? t('voting.history.voting_paused_with_dates', { ballots, officer, ...dates })
      : t('voting.history.voting_paused', { ballots, officer });
  return dates
    ? t('voting.history.dates_changed_with_dates', { officer, ...dates })
    : t('voting.history.dates_changed', { officer });
}

function describe({ action, by, metadata, dates }: ShownEvent, id: string): Child {
  const officer = by ?? t('voting.history.an_officer');
  const reason = String(metadata.reason ?? '');
  switch (action) {
    case 'election.created':
      return t('voting.history.election_created');
    case 'election.opened':
      return metadata.in_room === true
        ? t('voting.history.voting_opened_cards_links_valid', {
            electors: Number(metadata.electors),
            hash: hashText(String(metadata.electors_sha256)),
          })
        : t('voting.history.voting_opened_voting_codes_check', {
            electors: Number(metadata.electors),
            hash: hashText(String(metadata.electors_sha256)),
          });
    case 'election.opening_taken_back':
      return t('voting.history.opening_taken_back_before_anybody', { officer });
    case 'electors.added':
      return metadata.late
        ? t('voting.history.electors_roll_added_after_opening', { electors: Number(metadata.count), officer })
        : t('voting.history.electors_roll_invited', { electors: Number(metadata.count) });
    case 'election.text_changed':
      return 'translations' in metadata && Object.keys(metadata.to ?? {}).length === 0
        ? t('voting.history.translations_changed')
        : t('voting.history.title_description_corrected');
    case 'election.dates_changed':
      return sentences([datesChanged(metadata, officer, dates), turnoutThen(metadata)]);
    case 'election.attachment_changed':
      return 'from' in metadata
        ? html`${t('voting.history.document_changed', { officer })} ${addresses(metadata)}`
        : t('voting.history.document_changed', { officer });
    case 'election.settings_changed':
      return t('voting.history.settings_changed', {
        names: commas(settingNames(metadata.settings ?? {})) ?? '',
      });
    case 'election.closed':
      if (by === 'clock') return t('voting.history.voting_closed_time');
      if (metadata.through === 'dates')
        return by === null
          ? t('voting.history.officer_closed_voting_changing_dates')
          : t('voting.history.closed_voting_changing_dates', { officer: by });
      return by === null
        ? t('voting.history.officer_closed_voting')
        : t('voting.history.closed_voting', { officer: by });
    case 'election.voided':
      return by === null
        ? typeof metadata.figures_before === 'string'
          ? t('voting.history.election_declared_void_officer_figures', {
              reason,
              before: metadata.figures_before,
            })
          : t('voting.history.election_declared_void_officer', { reason })
        : typeof metadata.figures_before === 'string'
          ? t('voting.history.election_declared_void_figures_public', {
              by,
              reason,
              before: metadata.figures_before,
            })
          : t('voting.history.election_declared_void', { by, reason });
    case 'candidate.withdrawn':
    case 'option.withdrawn':
      return t('voting.history.name_withdrawn', {
        name: metadata.name === undefined ? t('voting.history.a_name') : nameText(String(metadata.name)),
        officer,
        note: String(metadata.note ?? ''),
      });
    case 'election.lot_drawn': {
      const { drawn_by, witnesses = [] } = metadata as { drawn_by?: string; witnesses?: string[] };
      const names = allOf(witnesses);
      if (drawn_by)
        return witnesses.length > 0
          ? t('voting.history.lot_drawn_by_seen', { by: drawn_by, witnesses: names })
          : t('voting.history.lot_drawn_by', { by: drawn_by });
      return witnesses.length > 0
        ? t('voting.history.lot_drawn_seen', { witnesses: names })
        : t('voting.history.lot_drawn');
    }
    case 'paper.joined':
      return metadata.late
        ? t('voting.history.ballots_paper_added_after_announcement', {
            ballots: Number(metadata.ballots),
            officer,
            reason,
          })
        : t('voting.history.paper_ballots_added_by', {
            ballots: Number(metadata.ballots),
            officer,
          });
    case 'election.followed_up':
      return t('voting.history.follow_up_same_electors_made', {
        link: linkTo(`/e/${String(metadata.follow_up)}`),
        officer,
      });
    case 'election.reopened':
      return dates
        ? t('voting.history.voting_opened_again_with_dates', { officer, ...dates, reason })
        : t('voting.history.voting_opened_again', { officer, reason });
    case 'code.replaced':
      return t('voting.history.unused_voting_code_elector_replaced', { officer });
    case 'code.withdrawn':
      return t('voting.history.unused_voting_code_elector_withdrawn', { officer });
    case 'batch.deleted':
      return t('voting.history.batch_voting_codes_deleted_used', {
        deleted: Number(metadata.deleted),
        used: Number(metadata.deleted_used),
      });
    case 'results.settled':
      return t('voting.history.result_settled_ballots_check_number', {
        ballots: Number(metadata.total_ballots),
        hash: hashText(String(metadata.ballot_set_sha256)),
      });
    case 'election.sealed':
      return t('voting.history.election_sealed_nothing_file_tells');
    case 'results.shown':
      return t('voting.history.figures_hidden_because_few_ballots', { officer });
    case 'results.announced':
      return t('voting.history.result_announced', { officer });
    case 'results.manual_set':
      return sentences([
        t('voting.history.certified_figures_entered', { officer }),
        typeof metadata.figures_sha256 === 'string' &&
          t('voting.history.these_figures', {
            link: linkTo(`/e/${id}/certified/${metadata.figures_sha256}`),
            sha256: hashText(metadata.figures_sha256),
          }),
      ]);
    case 'database.restored':
      return t('voting.history.database_restored_copy_made_what', {
        minute: utcMinute(String(metadata.made_at)),
      });
    case 'results.manual_cleared':
      return t('voting.history.certified_figures_removed', { officer });
  }
}
