import { RECORDED_OTHERWISE } from '#kernel/db/facts/compare.ts';
import { html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { atLineStart } from '#kernel/language/times.ts';
import { formatted, type Words } from '#kernel/language/words.ts';
import { DIFFERENCES, NAMED_DIFFERENCES } from '#voting/counting/differences.ts';

const WORDS: Readonly<Record<keyof typeof DIFFERENCES, Words>> = {
  question: t('voting.difference.question'),
  missing: t('voting.difference.missing'),
  no_entry: t('voting.difference.no_entry'),
  lots: t('voting.difference.lots'),
  on_paper: t('voting.difference.on_paper'),
  repeated: t('voting.difference.repeated'),
  not_anchored: t('voting.difference.not_anchored'),
  altered: t('voting.difference.altered'),
  codes_since_opening: t('voting.difference.codes_since_opening'),
  codes_since_close: t('voting.difference.codes_since_close'),
  receipts: t('voting.difference.receipts'),
};
const BY_SENTENCE = new Map(
  Object.entries(DIFFERENCES).map(([name, said]) => [
    said as string,
    WORDS[name as keyof typeof DIFFERENCES],
  ]),
);

/** By how they begin; what they name stays as the log and JSON have it, in English. */
const NAMED: readonly [begins: string, words: (what: Words) => Words][] = [
  [RECORDED_OTHERWISE, (what) => t('voting.difference.recorded', { what })],
  [NAMED_DIFFERENCES.stored, (what) => t('voting.difference.stored', { what })],
  [NAMED_DIFFERENCES.unreadable, (what) => t('voting.difference.unreadable', { what })],
];

const LOST =
  /^a result of (\d+) ballots, settled (.+) with the check number ([0-9a-f]*), is not known to this database/;

/** A difference between what is stored and the log, as a sentence. @param said as JSON has it */
export function differenceText(said: string): Words {
  const words = BY_SENTENCE.get(said);
  if (words !== undefined) return words;
  const [, ballots, when, number] = LOST.exec(said) ?? [];
  if (ballots !== undefined && when !== undefined && number !== undefined)
    return withStop(atLineStart(t('voting.difference.lost', { ballots, when, number })));
  const [begins, named] = NAMED.find(([begin]) => said.startsWith(begin)) ?? [];
  return begins === undefined || named === undefined
    ? withStop(atLineStart(said))
    : named(html`<span lang="en">${said.slice(begins.length)}</span>`);
}

const withStop = (text: Words): Words => formatted((reader) => `${text.for(reader)}.`);
