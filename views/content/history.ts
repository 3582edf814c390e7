import { type Html, html } from '#kernel/html.ts';
import { ownValue } from '#kernel/own-value.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { count, counted } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { table } from '#views/components/tables.ts';

/** A version in the history of a record. */
export interface HistoryLine {
  version: number;
  /** In words. */
  when: string;
  by: string | null;
  reason: 'created' | 'changed' | 'undone' | 'restored' | 'imported';
  fields: readonly string[];
  shown: boolean;
  wasShown: boolean;
  newest: boolean;
  /** How often paired screens showed it; absent for what is counted nowhere. */
  screens?: readonly { screen: string; times: number }[];
}

const REASONS = {
  created: 'Written',
  changed: 'Changed',
  undone: 'Publication undone',
  restored: 'Restored',
  imported: 'Imported',
};

/** Who changed what, the newest first, each version with a button that restores it as a draft. */
export function historyTable(props: {
  history: readonly HistoryLine[];
  labels: Readonly<Record<string, string>>;
  path: string;
  write: boolean;
}): Html {
  const { history, labels, path, write } = props;
  const isCounted = history.some(({ screens }) => screens !== undefined);
  return table({
    caption: 'Versions, the newest first',
    columns: [
      { label: 'Version' },
      { label: 'When' },
      { label: 'Who' },
      { label: 'What' },
      ...(isCounted ? [{ label: 'On the screens' }] : []),
      ...(write ? [{ label: 'Go back', quiet: true }] : []),
    ],
    rows: history.map((line) => [
      String(line.version),
      line.when,
      line.by ?? 'Unknown',
      html`<span>${what(line, labels)}${
        line.shown ? html` ${badge('shown now', 'open')}` : line.wasShown && html` ${badge('was shown')}`
      }</span>`,
      ...(isCounted ? [shownWords(line.screens ?? [])] : []),
      ...(write
        ? [
            !line.newest &&
              html`<form method="post" action="${path}/restore">${hiddenInputs({
                version: String(line.version),
              })}<button class="button button-quiet button-small">Make it a draft<span class="visually-hidden">: version ${line.version}</span></button></form>`,
          ]
        : []),
    ]),
  });
}

function what({ reason, fields }: HistoryLine, labels: Readonly<Record<string, string>>): string {
  const names = fields.map((field) => ownValue(labels, field) ?? field).join(', ');
  return reason === 'changed' && names !== '' ? `${REASONS[reason]}: ${names}` : REASONS[reason];
}

/** `312 times: Bar 200, Snug 112` */
function shownWords(screens: readonly { screen: string; times: number }[]): string {
  const all = screens.reduce((sum, { times }) => sum + times, 0);
  if (all === 0) return '';
  const each = screens.map(({ screen, times }) => `${screen} ${count(times)}`).join(', ');
  return `${counted(all, 'time')}: ${each}`;
}
