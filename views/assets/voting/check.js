// Looks for a ballot by its code in the browser: the code is hashed here and compared with the published list. If
// that is not possible the form is sent, and the service does it.
import { ballotLines, receiptSpelling, spellBallots } from '../../../src/voting/shared/ballot-file.ts';
import { BLANK } from '../../../src/voting/shared/choice.ts';
import { parseCode } from '../../../src/voting/shared/receipts.ts';
import { answerWord, choiceWord } from './answers.js';
import { sha256 } from './sha256.js';

const form = document.querySelector('form[data-check]');
if (form instanceof HTMLFormElement && crypto.subtle) {
  form.addEventListener('submit', (event) => {
    const code = parseCode(String(new FormData(form).get('code') ?? ''));
    // The service says what is wrong.
    if (code === undefined) return;
    event.preventDefault();
    const { check: source = '', checkOf } = form.dataset;
    check(code, source, checkOf).catch(() => form.submit());
  });
}

/**
 * @param {string} code
 * @param {string} source the address of the list; empty for the lists of a paper's questions
 * @param {string | undefined} question the id of a paper's question
 */
async function check(code, source, question) {
  const shown =
    source === '' ? await checkPaper(code) : [resultIn(document, await lookUp(source, code, question))];
  document.querySelector('[data-check-result]')?.replaceChildren(...shown);
}

/** The result of each question of a paper. @param {string} code */
async function checkPaper(code) {
  const questions = /** @type {HTMLTemplateElement[]} */ ([
    ...document.querySelectorAll('template[data-check-question]'),
  ]);
  const checked = await Promise.all(
    questions.map(async ({ content, dataset: { checkQuestion: id, checkList: source } }) => {
      const shown = /** @type {DocumentFragment} */ (content.cloneNode(true));
      if (source === undefined) return { shown, found: false };
      const ballot = await lookUp(source, code, id);
      const result = resultIn(shown, ballot);
      for (const template of shown.querySelectorAll('template')) template.remove();
      shown.firstElementChild?.append(result);
      return { shown, found: ballot !== undefined };
    }),
  );
  const found = checked.filter((one) => one.found);
  if (found.length === 0) return [resultIn(document, undefined)];
  const others = document.querySelector('template[data-check-others]');
  if (!(others instanceof HTMLTemplateElement)) return checked.map(({ shown }) => shown);
  return [...found.map(({ shown }) => shown), others.content.cloneNode(true)];
}

/**
 * @param {string} source
 * @param {string} given
 * @param {string | undefined} question whose code is made from that of its paper
 * @returns {Promise<import('../../../src/voting/shared/ballot-file.ts').ReadableBallot | undefined>} the ballot found;
 * empty if codes do not cover it
 */
async function lookUp(source, given, question) {
  const codes = question ? [(await sha256(`${given}:${question}`)).slice(0, 32), given] : [given];
  const answer = await fetch(source, { headers: { Accept: 'application/json' } });
  if (!answer.ok) throw new Error(String(answer.status));
  const published = await answer.json();
  if (published.receipts) {
    for (const code of codes) {
      const ballot = await findBallot(published, code);
      if (ballot !== undefined) return ballot;
    }
    return undefined;
  }
  /** @type {string[] | undefined} */
  const hashes = published.inclusion_hashes ?? published.computed?.inclusion_hashes;
  if (!hashes) throw new Error('There is no list');
  const own = await Promise.all(codes.map((code) => sha256(code)));
  return own.some((hash) => hashes.includes(hash)) ? [] : undefined;
}

/**
 * The ballot whose receipt hashes this code and its choice: tries each distinct choice.
 * @param {import('../../../src/voting/shared/ballot-file.ts').BallotFile} file
 * @param {string} code
 * @returns {Promise<import('../../../src/voting/shared/ballot-file.ts').ReadableBallot | undefined>} as it was counted
 */
async function findBallot(file, code) {
  const receipts = new Map((file.receipts ?? []).map((receipt, at) => [receipt, at]));
  // By the names of the options; earlier versions made receipts from their numbers.
  for (const texts of [file.ballots.map(receiptSpelling), spellBallots(file)]) {
    for (const text of new Set(texts)) {
      const at = receipts.get(await sha256(`${code}:${text}`));
      if (at === undefined) continue;
      if (texts[at] !== text) throw new Error('The ballot was changed: the service says how');
      return file.ballots[at] ?? [];
    }
  }
  return undefined;
}

/**
 * @param {ParentNode} root has the templates
 * @param {import('../../../src/voting/shared/ballot-file.ts').ReadableBallot | undefined} ballot
 */
function resultIn(root, ballot) {
  const template = root.querySelector(ballot ? '[data-check-found]' : '[data-check-missing]');
  if (!(template instanceof HTMLTemplateElement)) throw new Error('There is no template');
  const shown = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
  if (ballot === BLANK) shown.querySelector('[data-check-unranked]')?.remove();
  const word = typeof ballot === 'string' ? choiceWord : answerWord;
  for (const line of ballotLines(ballot ?? [], word)) {
    const item = document.createElement('li');
    item.textContent = line;
    shown.querySelector('[data-check-ballot]')?.append(item);
  }
  return shown;
}
