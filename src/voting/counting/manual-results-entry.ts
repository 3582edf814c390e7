import { nestForm } from '#kernel/http/form.ts';
import { fieldsOf } from '#kernel/http/validation.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { parseTimestamp, toLocalInput } from '#kernel/local-time.ts';
import { clubReader } from '#kernel/locale.ts';
import { ownValue } from '#kernel/own-value.ts';
import type { ElectionJson } from '#voting/elections/elections.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';
import { LABEL_AT_MOST, type ManualResults } from './manual-results.ts';
import type { ComputedResultsJson } from './results.ts';

/** Certified results as texts in the form, valid or not. */
export interface ManualResultsEntry {
  certified_at: string;
  certified_by: string;
  notes: string;
  /** Of a question of a meeting. */
  reason: string;
  contests: { label: string; items: { label: string; votes: string }[] }[];
}

/** Converts stored results to an entry of the form. */
export function toEntry(stored: ManualResults, zone: string): ManualResultsEntry {
  const at = stored.certified_at ? parseTimestamp(stored.certified_at, zone) : undefined;
  return {
    certified_at: at === undefined ? '' : toLocalInput(at, zone),
    certified_by: stored.certified_by ?? '',
    notes: stored.notes ?? '',
    reason: stored.reason ?? '',
    contests: stored.results.contests.map(({ label, items }) => ({
      label,
      items: items.map((item) => ({ label: item.label, votes: String(item.votes) })),
    })),
  };
}

/**
 * Proposes an entry if nothing is stored: the question, with a row for each answer. The votes are those counted here,
 * if there are any and they are visible.
 */
export function proposeEntry(
  {
    title,
    ballot_type,
    candidates = [],
    options = [],
  }: Pick<ElectionJson, 'title' | 'ballot_type' | 'candidates' | 'options'>,
  counted: ComputedResultsJson | undefined,
): ManualResultsEntry {
  const tally = counted && counted.total_ballots > 0 ? counted.results : undefined;
  const rows = rulesOf(ballot_type).answers([...candidates, ...options], tally);
  const named = rulesOf(ballot_type).options === null ? inClubsLanguage : (label: string) => label;
  const items = rows.map(({ label, votes }) => ({
    label: named(label),
    votes: votes === undefined ? '' : String(votes),
  }));
  return {
    certified_at: '',
    certified_by: '',
    notes: '',
    reason: '',
    contests: [{ label: title.slice(0, LABEL_AT_MOST), items }],
  };
}

/** The answers of a motion as the club names them; what is stored and published says the same. */
const inClubsLanguage = (answer: string): string => ownValue(ANSWERS, answer)?.for(clubReader()) ?? answer;

const ANSWERS: Readonly<Record<string, Words>> = {
  Yes: t('voting.simple_triple.yes'),
  No: t('voting.simple_triple.no'),
};

/** Reads the submitted form from its flat fields. Empty rows and contests are left out. */
export function readEntry(fields: Record<string, unknown>): ManualResultsEntry {
  const form = nestForm(fields);
  const contests = list(fieldsOf(form.results).contests).map((contest) => ({
    label: text(contest.label),
    items: list(contest.items)
      .map((item) => ({ label: text(item.label), votes: text(item.votes) }))
      .filter(({ label, votes }) => label || votes),
  }));
  return {
    certified_at: text(form.certified_at),
    certified_by: text(form.certified_by),
    notes: text(form.notes),
    reason: text(form.reason),
    contests: contests.filter(({ label, items }) => label || items.length > 0),
  };
}

/** Converts an entry to the body of PUT manual-results; votes that are not digits stay unchanged. */
export function toManualResultsBody({
  contests,
  ...certification
}: ManualResultsEntry): Record<string, unknown> {
  const counted = contests.map(({ label, items }) => ({
    label,
    items: items.map((item) => ({
      ...item,
      votes: /^\d{1,16}$/.test(item.votes) ? Number(item.votes) : item.votes,
    })),
  }));
  return { ...certification, results: { contests: counted } };
}

/** Adds empty rows, as a button of the form asks: `contest` adds a contest, `item.2` adds two rows to the third one. */
export function withMoreRows(entry: ManualResultsEntry, more: unknown): ManualResultsEntry {
  const blank = { label: '', votes: '' };
  if (more === 'contest') return { ...entry, contests: [...entry.contests, { label: '', items: [blank] }] };
  const index = Number(/^item\.(\d{1,3})$/.exec(text(more))?.[1] ?? -1);
  const contests = entry.contests.map((contest, place) =>
    place === index ? { ...contest, items: [...contest.items, blank, blank] } : contest,
  );
  return { ...entry, contests };
}

function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
