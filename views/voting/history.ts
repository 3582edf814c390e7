import { type Child, type Html, html } from '#kernel/html.ts';
import { ownValue } from '#kernel/own-value.ts';
import { hashText } from '#views/components/codes.ts';
import { notice } from '#views/components/notices.ts';
import { counted } from '#views/components/numbers.ts';
import { disclosure } from '#views/components/structure.ts';
import type { HistoryEvent } from '#voting/elections/history.ts';
import { SETTINGS_LABELS } from './admin/settings-fields.ts';

/** An event with its time, already formatted. */
export type ShownEvent = HistoryEvent & { when: string };

/** The history of an election, collapsed; a reopening is shown in a notice too. */
export function historyView(events: readonly ShownEvent[], madeSinceOpening: number | null): Html | null {
  if (events.length === 0) return null;
  const reopened = events.filter(({ action }) => action === 'election.reopened');
  return html`${reopened.map(reopenedNotice)}
${disclosure(
  'History of this election',
  html`<ol class="history" role="list">${events.map((event) => html`<li><span class="soft">${event.when}:</span> ${describe(event)}</li>\n`)}</ol>
${madeSinceOpening !== null && madeSinceOpening > 0 && html`<p>${counted(madeSinceOpening, 'voting code')} made after opening.</p>`}`,
)}`;
}

function reopenedNotice({ when, by, metadata }: ShownEvent): Html {
  const { reason, set_aside } = metadata as { reason?: string; set_aside?: SetAside };
  return notice(
    'attention',
    html`${when}, by ${by ?? 'an officer'}: “${reason}”. ${
      set_aside
        ? html`The result that was set aside had ${counted(set_aside.total_ballots, 'ballot')} and the check number ${hashText(set_aside.ballot_set_sha256)}.`
        : 'No result was settled before.'
    }`,
    'Voting was opened again after it had closed',
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

function describe({ action, by, metadata }: ShownEvent): Child {
  switch (action) {
    case 'election.created':
      return 'The election was made.';
    case 'election.opened':
      return html`Voting opened with ${counted(Number(metadata.electors), 'voting code')}. Check number of the codes: ${hashText(String(metadata.electors_sha256))}`;
    case 'electors.added':
      return `${counted(Number(metadata.count), 'elector of the roll was', 'electors of the roll were')} ${metadata.late ? `added after opening, by ${by ?? 'an officer'}` : 'invited'}.`;
    case 'election.text_changed':
      return 'The title or the description was corrected.';
    case 'election.dates_changed':
      return 'The dates were changed.';
    case 'election.settings_changed':
      return `Settings were changed: ${settingNames(metadata.settings ?? {}).join(', ')}.`;
    case 'election.closed':
      return by === 'clock' ? 'Voting closed at its time.' : 'An officer closed voting.';
    case 'election.reopened':
      return `Voting was opened again: “${metadata.reason}”.`;
    case 'code.replaced':
      return `The unused voting code of one elector was replaced by ${by ?? 'an officer'}.`;
    case 'code.withdrawn':
      return `The unused voting code of one elector was withdrawn by ${by ?? 'an officer'}.`;
    case 'batch.deleted':
      return `A batch of ${counted(Number(metadata.deleted), 'voting code')} was deleted, ${metadata.deleted_used} of them used.`;
    case 'results.settled':
      return html`The result was settled: ${counted(Number(metadata.total_ballots), 'ballot')}, check number ${hashText(String(metadata.ballot_set_sha256))}`;
    case 'election.sealed':
      return 'The election was sealed: nothing in its file tells any more in what order the ballots came.';
    case 'results.manual_set':
      return 'Certified figures were entered.';
    case 'results.manual_cleared':
      return 'The certified figures were removed.';
  }
}
