// Counts the published ballots in the browser with the service's own tally, and compares
// with what the page shows.
import {
  ballotLines,
  ballotSetText,
  countBallotTexts,
  fileQuestion,
  listDifferences,
  spellBallots,
} from '../../../src/voting/shared/ballot-file.ts';
import { rulesOf, winnerIn } from '../../../src/voting/shared/ballot-types.ts';
import { formatNumber, t } from '../base/texts.js';
import { answerWord } from './answers.js';
import { sha256 } from './sha256.js';

/** Distinct ballots shown on the page: a longer list is for programs. */
const LISTED_AT_MOST = 1_000;
/** The parts of a result that say who won; all others are figures. */
const WINNER = [
  'winners',
  'outcome',
  'condorcet_winner',
  'tied',
  'carried',
  'elected',
  'tied_for_last',
  'awaiting_lot',
];

const part = document.querySelector('[data-recount]');
if (part instanceof HTMLElement) {
  part.querySelector('[data-recount-waiting]')?.removeAttribute('hidden');
  recount(part.dataset).then(
    (agrees) => conclude(agrees ? 'agrees' : 'differs'),
    () => conclude('failed'),
  );
}

/**
 * @param {DOMStringMap} addresses
 * @returns {Promise<boolean>} whether all agrees
 */
async function recount({ ballots = '', results = '' }) {
  /** @type {import('../../../src/voting/shared/ballot-file.ts').BallotFile} */
  const file = await getJson(ballots);
  const published = JSON.parse(results);
  const texts = spellBallots(file);
  list(file);
  const counted = countBallotTexts(file, texts);
  const differing = listDifferences(counted.results, published);
  const type = file.election.ballot_type;
  const winner = winnerIn(type, counted.results, t);
  const figures = rulesOf(type).figures(counted.results, t);
  const salt = shown('salt');
  const question = crypto.subtle && salt ? await sha256(fileQuestion(file)) : undefined;
  const hashed = ballotSetText(texts, { question_sha256: question, ballot_set_salt: salt });
  const fingerprint = crypto.subtle ? await sha256(hashed) : undefined;
  const agree = [
    put(
      'ballots',
      counted.total_ballots === Number(shown('ballots')?.replaceAll(/\D/g, '')),
      formatNumber(counted.total_ballots),
    ),
    put('winner', shown('winner') === winner && !differing.some((key) => WINNER.includes(key)), winner),
    put('figures', shown('figures') === figures && !differing.some((key) => !WINNER.includes(key)), figures),
    ...(salt ? [put('question', question && question === shown('question'), question)] : []),
    put('fingerprint', fingerprint && fingerprint === shown('fingerprint'), fingerprint),
  ];
  return !agree.includes(false);
}

/**
 * Lists the ballots as people read them, equal ones once with their count.
 * @param {import('../../../src/voting/shared/ballot-file.ts').BallotFile} file
 */
function list({ ballots }) {
  /** @type {Map<string, number>} */
  const times = new Map();
  for (const ballot of ballots) {
    const text = ballotLines(ballot, answerWord).join(', ');
    times.set(text, (times.get(text) ?? 0) + 1);
  }
  const items = [...times].slice(0, LISTED_AT_MOST).map(([text, count]) => {
    const item = document.createElement('li');
    item.textContent = count === 1 ? text : t('voting.recount.ballot_times', { ballot: text, times: count });
    return item;
  });
  const part = document.querySelector('[data-ballot-list]');
  part?.querySelector('ul')?.replaceChildren(...items);
  part?.querySelector('[data-more]')?.toggleAttribute('hidden', times.size <= LISTED_AT_MOST);
  part?.removeAttribute('hidden');
}

/**
 * What the page shows as published.
 * @param {string} key
 * @returns {string | undefined}
 */
const shown = (key) => document.querySelector(`[data-shown="${key}"]`)?.textContent?.trim();

/** @param {string} address */
async function getJson(address) {
  const answer = await fetch(address, { headers: { Accept: 'application/json' } });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

/**
 * Shows what was counted, and whether it agrees.
 * @param {string} key
 * @param {boolean | undefined | ''} agrees undefined if it is not known
 * @param {string} [text]
 */
function put(key, agrees, text = '') {
  const cell = document.querySelector(`[data-counted="${key}"]`);
  const isHash = key === 'fingerprint' || key === 'question';
  const value = document.createElement(isHash ? 'code' : 'span');
  value.textContent = text;
  value.className = isHash ? 'hash' : '';
  cell?.replaceChildren(value, ' ', copyOf(agrees === undefined ? 'unknown' : agrees ? 'yes' : 'no'));
  return agrees;
}

/** @param {'agrees' | 'differs' | 'failed'} conclusion */
function conclude(conclusion) {
  document.querySelector('[data-recount-result]')?.replaceChildren(copyOf(conclusion));
}

/** @param {string} name */
function copyOf(name) {
  const template = document.querySelector(`[data-recount-${name}]`);
  return template instanceof HTMLTemplateElement ? template.content.cloneNode(true) : '';
}
