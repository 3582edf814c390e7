import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { commas } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { ownValue } from '#kernel/own-value.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { hidden } from '#views/components/slots.ts';
import { badge } from '#views/components/status.ts';
import { table } from '#views/components/tables.ts';

/** A version in the history of a record. */
export interface HistoryLine {
  version: number;
  /** In words. */
  when: Words;
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
  created: t('content-admin.history.written'),
  changed: t('content-admin.history.changed'),
  undone: t('content-admin.history.publication_undone'),
  restored: t('content-admin.history.restored'),
  imported: t('content-admin.history.imported'),
};

/** Who changed what, the newest first, each version with a button that restores it as a draft. */
export function historyTable(props: {
  history: readonly HistoryLine[];
  labels: Readonly<Record<string, Words>>;
  path: string;
  write: boolean;
}): Html {
  const { history, labels, path, write } = props;
  const isCounted = history.some(({ screens }) => screens !== undefined);
  return table({
    caption: t('content-admin.history.versions_newest_first'),
    columns: [
      { label: t('content-admin.history.version') },
      { label: t('content-admin.history.when') },
      { label: t('content-admin.history.who') },
      { label: t('content-admin.history.what') },
      ...(isCounted ? [{ label: t('content-admin.history.screens') }] : []),
      ...(write ? [{ label: t('content-admin.history.go_back'), quiet: true }] : []),
    ],
    rows: history.map((line) => [
      String(line.version),
      line.when,
      line.by ?? t('content-admin.history.unknown'),
      html`<span>${what(line, labels)}${
        line.shown
          ? html` ${badge(t('content-admin.history.shown_now'), 'open')}`
          : line.wasShown && html` ${badge(t('content-admin.history.was_shown'))}`
      }</span>`,
      ...(isCounted ? [shownWords(line.screens ?? [])] : []),
      ...(write
        ? [
            !line.newest &&
              html`<form method="post" action="${path}/restore">${hiddenInputs({
                version: String(line.version),
              })}<button class="button button-quiet button-small">${t('content-admin.history.make_draft_version', { hidden, version: line.version })}</button></form>`,
          ]
        : []),
    ]),
  });
}

function what({ reason, fields }: HistoryLine, labels: Readonly<Record<string, Words>>): Words {
  const names = commas(fields.map((field) => ownValue(labels, field) ?? field));
  return reason === 'changed' && names ? t('content-admin.history.changed_what', { names }) : REASONS[reason];
}

/** `312 times: Bar 200, Snug 112` */
function shownWords(screens: readonly { screen: string; times: number }[]): Words | string {
  const all = screens.reduce((sum, { times }) => sum + times, 0);
  if (all === 0) return '';
  const each = screens.map(({ screen, times }) =>
    t('content-admin.history.screen_times', { screen, n: times }),
  );
  return t('content-admin.history.times', { n: all, each: commas(each) ?? '' });
}
