// Divides a text that is too long for a slide into parts that fit.

/** A part may end with a sentence if it is at least so full. */
const FULL = 0.6;
const SENTENCE_END = /[.!?…:;)"”»]\s*$|\n\s*$/;

/**
 * The parts of a text, about equally long, each ending with a sentence if that leaves little space.
 * @param {string} text
 * @param {(part: string, index: number) => boolean} fits whether a part fits at its index; called often
 * @returns {string[]} at least one; a single word is never divided
 */
export function textPages(text, fits) {
  const words = text.trim().match(/\S+\s*/g) ?? [''];
  const greedy = divide(words, fits, words.length);
  if (greedy.length < 2) return greedy;
  const even = divide(words, fits, Math.ceil((words.length / greedy.length) * 1.2));
  return even.length === greedy.length ? even : greedy;
}

/**
 * @param {string[]} words each with the space after it
 * @param {(part: string, index: number) => boolean} fits
 * @param {number} most words of one part
 */
function divide(words, fits, most) {
  /** @type {string[]} */
  const pages = [];
  for (let from = 0; from < words.length; ) {
    const left = words.slice(from, from + most);
    const space = longest(left, (part) => fits(part, pages.length));
    const count = from + space < words.length ? endOfSentence(left, space) : space;
    pages.push(join(left, count));
    from += count;
  }
  return pages;
}

/**
 * How many of the first words fit; at least one.
 * @param {string[]} words
 * @param {(part: string) => boolean} fits
 */
function longest(words, fits) {
  let low = 1;
  let high = words.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(join(words, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** @param {string[]} words @param {number} space */
function endOfSentence(words, space) {
  for (let count = space; count >= space * FULL; count--)
    if (SENTENCE_END.test(words[count - 1] ?? '')) return count;
  return space;
}

/** @param {string[]} words @param {number} count */
const join = (words, count) => words.slice(0, count).join('').trim();
