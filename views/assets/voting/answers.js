// How the answers of ballots are said.
import { t } from '../base/texts.js';

/** Within a line. */
const WORDS = /** @type {const} */ ({
  yes: 'voting.answers.yes',
  no: 'voting.answers.no',
  abstain: 'voting.answers.abstain',
  blank: 'voting.answers.blank',
});

/** Alone. */
const CHOICES = /** @type {const} */ ({
  yes: 'voting.words.yes',
  no: 'voting.words.no',
  abstain: 'voting.words.abstain',
  blank: 'voting.words.blank',
});

/** @param {string} answer @returns {answer is keyof typeof WORDS} */
const isWord = (answer) => Object.keys(WORDS).includes(answer);

/** An answer within a line. @param {string} answer as it is stored */
export const answerWord = (answer) => (isWord(answer) ? t(WORDS[answer]) : answer);

/** An answer that stands alone. @param {string} answer as it is stored */
export const choiceWord = (answer) => (isWord(answer) ? t(CHOICES[answer]) : answer);
