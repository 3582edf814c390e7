// The page on which a teller enters papers: shows in words what each line says, and how many papers are in.

/** @typedef {import('#views/meetings/admin/paper-count/batch.ts').EntryProps['questions'][number]} Question */

const form = document.querySelector('form[data-paper-entry]');
const lines = form?.querySelector('textarea');
const shown = form?.querySelector('[data-read]');
const count = form?.querySelector('[data-count]');
/** @type {Question[]} */
const questions = JSON.parse(form?.getAttribute('data-questions') ?? '[]');
const expected = Number(form?.getAttribute('data-papers') ?? 0);

/** @type {Record<string, string>} */
const ANSWERS = { y: 'yes', n: 'no', a: 'abstain' };
const NO_MARK = /^[-.0]$/;

/**
 * @param {string} keys
 * @param {number} options
 */
function partsOf(keys, options) {
  const parts = keys.split(/[\s,]+/).filter(Boolean);
  const [only = ''] = parts;
  return parts.length === 1 && only.length > 1 && options <= 9 ? [...only] : parts;
}

/**
 * What the keys of one question say; null where they are not read. The service decides.
 * @param {Question} question
 * @param {string} keys
 */
function inWords({ marks, names }, keys) {
  if (keys === 'b') return 'blank';
  if (keys === 'x') return 'invalid';
  if (marks === 'answer') return ANSWERS[keys] ?? null;
  if (marks === 'answers') {
    const given = [...keys.replaceAll(/\s+/g, '')];
    if (given.length > names.length) return null;
    if (given.some((key) => !NO_MARK.test(key) && !(key in ANSWERS))) return null;
    return given.flatMap((key, at) => (key in ANSWERS ? `${names[at]}: ${ANSWERS[key]}` : [])).join(', ');
  }
  const parts = partsOf(keys, names.length);
  if (marks === 'crosses') {
    const chosen = parts.map((part) => names[Number(part) - 1]);
    return chosen.length === 0 || chosen.includes(undefined) ? null : chosen.join(', ');
  }
  if (parts.length > names.length || parts.some((part) => !NO_MARK.test(part) && !/^\d+$/.test(part)))
    return null;
  const ranked = parts.flatMap((part, at) =>
    NO_MARK.test(part) ? [] : [{ rank: Number(part), name: names[at] }],
  );
  // Without a single first preference it is no valid ranking.
  if (ranked.filter(({ rank }) => rank === 1).length !== 1) return null;
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .map(({ rank, name }) => `${rank}. ${name}`)
    .join(', ');
}

/**
 * @param {string} line
 * @returns {{ text: string, isRead: boolean }}
 */
function readLine(line) {
  const [, number, rest = ''] = /^(\d{1,6})(?:\s*[:.)]\s*|\s+|$)(.*)$/.exec(line) ?? [];
  const typed = rest.trim().toLowerCase();
  if (number === undefined || typed === '') return { text: line, isRead: false };
  const parts = typed.split('/').map((part) => part.trim());
  const isWhole = parts.length === 1 && (typed === 'b' || typed === 'x');
  const said = isWhole
    ? [typed === 'b' ? 'blank' : 'invalid']
    : parts.map((part, at) => (questions[at] ? inWords(questions[at], part) : null));
  const isRead = (isWhole || parts.length === questions.length) && said.every(Boolean);
  return { text: `${number}: ${isRead ? said.join(' / ') : `“${rest.trim()}” is not read`}`, isRead };
}

function show() {
  if (!(lines instanceof HTMLTextAreaElement) || !shown || !count) return;
  const typed = lines.value
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  count.textContent = `${typed.length} of ${expected} papers`;
  shown.replaceChildren(
    ...typed.map(readLine).map(({ text, isRead }) => {
      const item = document.createElement('li');
      item.textContent = text;
      if (!isRead) item.className = 'paper-wrong';
      return item;
    }),
  );
}

lines?.addEventListener('input', show);
show();
