// The pages on which tellers enter papers and correct them: keys can be pressed as buttons too, and what they say is shown
// in words. The buttons write into the fields that are sent.
import { moveFocus } from '../base/replace-main.js';
import { t } from '../base/texts.js';

/** @typedef {import('#views/meetings/admin/paper-count/batch.ts').PaperQuestion} Question */
/** @typedef {{ label: (part: string) => string, isOn: (part: string) => boolean, press: (part: string) => string }} Mark */

const form = document.querySelector('form[data-questions]');
const lines = form?.querySelector('textarea');
const shown = form?.querySelector('[data-read]');
const count = form?.querySelector('[data-count]');
/** @type {Question[]} */
const questions = JSON.parse(form?.getAttribute('data-questions') ?? '[]');
const expected = Number(form?.getAttribute('data-papers') ?? 0);

/** @type {Record<string, string>} */
const ANSWERS = {
  y: t('meetings-admin.papers_page.yes'),
  n: t('meetings-admin.papers_page.no'),
  a: t('meetings-admin.papers_page.abstain'),
};
/** The same on a button. @type {Record<string, string>} */
const BUTTONS = {
  y: t('meetings-admin.papers_page.button_yes'),
  n: t('meetings-admin.papers_page.button_no'),
  a: t('meetings-admin.papers_page.button_abstain'),
};
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
  if (keys === 'b') return t('meetings-admin.papers_page.blank');
  if (keys === 'x') return t('meetings-admin.papers_page.invalid');
  if (marks === 'answer') return ANSWERS[keys] ?? null;
  if (marks === 'answers') {
    const given = [...keys.replaceAll(/\s+/g, '')];
    if (given.length > names.length) return null;
    if (given.some((key) => !NO_MARK.test(key) && !(key in ANSWERS))) return null;
    return given
      .flatMap((key, at) =>
        key in ANSWERS
          ? t('meetings-admin.papers_page.answer', { name: names[at] ?? '', answer: ANSWERS[key] ?? '' })
          : [],
      )
      .join(', ');
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
 * What the keys of a paper say; undefined where they are not read.
 * @param {string} keys
 */
function paperInWords(keys) {
  const typed = keys.trim().toLowerCase();
  const parts = typed.split('/').map((part) => part.trim());
  if (typed === 'b' || typed === 'x')
    return typed === 'b' ? t('meetings-admin.papers_page.blank') : t('meetings-admin.papers_page.invalid');
  const said = parts.map((part, at) => (questions[at] ? inWords(questions[at], part) : null));
  return typed !== '' && parts.length === questions.length && said.every(Boolean)
    ? said.join(' / ')
    : undefined;
}

/** @param {string} line */
function readLine(line) {
  const [, number, rest = ''] = /^(\d{1,6})(?:\s*[:.)]\s*|\s+|$)(.*)$/.exec(line) ?? [];
  const said = number === undefined ? undefined : paperInWords(rest);
  const keys = rest.trim();
  const text =
    number === undefined || keys === ''
      ? line
      : t('common.named', {
          name: number,
          value: said ?? t('meetings-admin.papers_page.not_read', { keys }),
        });
  return { text, number, keys, isRead: said !== undefined };
}

/** A key that is the whole answer. @param {string} key @param {string} label @returns {Mark} */
const whole = (key, label) => ({
  label: () => label,
  isOn: (part) => part === key,
  press: (part) => (part === key ? '' : key),
});

/** The marks beside the names, `-` where there is none. @param {string} part @param {number} names */
function marksIn(part, names) {
  const given = /^[bx]$/.test(part) ? [] : partsOf(part, names);
  return Array.from({ length: names }, (_, at) =>
    NO_MARK.test(given[at] ?? '-') ? '-' : (given[at] ?? '-'),
  );
}

/** @param {string[]} marks @param {string} between */
const written = (marks, between) => (marks.every((mark) => mark === '-') ? '' : marks.join(between));

/** @type {Record<Question['marks'], (question: Question) => Mark[]>} */
const MARKS = {
  answer: () => Object.entries(BUTTONS).map(([key, label]) => whole(key, label)),
  crosses: ({ names, single }) =>
    names.map((name, at) => {
      const own = String(at + 1);
      const crosses = (/** @type {string} */ part) =>
        /^[bx]$/.test(part) ? [] : partsOf(part, names.length);
      return {
        label: () => name,
        isOn: (part) => crosses(part).includes(own),
        press(part) {
          const others = crosses(part).filter((cross) => cross !== own);
          if (crosses(part).includes(own)) return others.join(' ');
          return single ? own : [...others, own].sort((a, b) => Number(a) - Number(b)).join(' ');
        },
      };
    }),
  ranks: ({ names }) =>
    names.map((name, at) => ({
      label(part) {
        const rank = marksIn(part, names.length)[at] ?? '-';
        return rank === '-' ? name : `${rank}. ${name}`;
      },
      isOn: (part) => marksIn(part, names.length)[at] !== '-',
      // The next rank; pressed again, those behind it move up.
      press(part) {
        const marks = marksIn(part, names.length);
        const rank = Number(marks[at]);
        if (marks[at] === '-') {
          const last = Math.max(0, ...marks.map((mark) => Number(mark) || 0));
          return written(replaced(marks, at, String(last + 1)), ' ');
        }
        const left = replaced(marks, at, '-').map((mark) =>
          Number(mark) > rank ? String(Number(mark) - 1) : mark,
        );
        return written(left, ' ');
      },
    })),
  answers: ({ names }) =>
    names.flatMap((name, at) =>
      Object.entries(ANSWERS).map(([key, label]) => {
        const marks = (/** @type {string} */ part) =>
          marksIn(/^[bx]$/.test(part) ? '' : [...part.replaceAll(/\s+/g, '')].join(' '), names.length);
        return {
          label: () => t('meetings-admin.papers_page.answer', { name, answer: label }),
          isOn: (part) => marks(part)[at] === key,
          press: (part) => written(replaced(marks(part), at, marks(part)[at] === key ? '-' : key), ''),
        };
      }),
    ),
};

/** @param {string[]} marks @param {number} at @param {string} mark */
const replaced = (marks, at, mark) => marks.map((own, index) => (index === at ? mark : own));

/** The keys of each question of a paper. @param {string} keys */
function keysByQuestion(keys) {
  const parts = keys.split('/').map((part) => part.trim().toLowerCase());
  const [only = ''] = parts;
  if (parts.length === 1 && /^[bx]$/.test(only)) return questions.map(() => only);
  return questions.map((_, at) => parts[at] ?? '');
}

/**
 * The buttons for one paper.
 * @param {{ read: () => string, write: (keys: string, isWhole: boolean) => void }} paper
 * @returns {{ part: HTMLElement, refresh: () => void }}
 */
function buttonsFor({ read, write }) {
  const part = document.createElement('div');
  /** @type {(() => void)[]} */
  const updates = [];
  for (const [index, question] of questions.entries()) {
    const group = document.createElement('div');
    group.className = 'toolbar';
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', question.title);
    if (questions.length > 1) {
      const title = document.createElement('strong');
      title.textContent = question.title;
      group.append(title);
    }
    const marks = [
      ...MARKS[question.marks](question),
      whole('b', t('meetings-admin.papers_page.button_blank')),
      whole('x', t('meetings-admin.papers_page.button_invalid')),
    ];
    for (const [at, mark] of marks.entries()) {
      const button = document.createElement('button');
      button.type = 'button';
      button.addEventListener('click', () => {
        const parts = keysByQuestion(read());
        parts[index] = mark.press(parts[index] ?? '');
        const isOneKey = question.marks === 'answer' || question.single || at >= marks.length - 2;
        write(parts.every((one) => one === '') ? '' : parts.join(' / '), questions.length === 1 && isOneKey);
      });
      updates.push(() => {
        const keys = keysByQuestion(read())[index] ?? '';
        const isOn = mark.isOn(keys);
        button.className = isOn ? 'button' : 'button button-quiet';
        button.setAttribute('aria-pressed', String(isOn));
        button.textContent = mark.label(keys);
      });
      group.append(button);
    }
    part.append(group);
  }
  return {
    part,
    refresh() {
      for (const update of updates) update();
    },
  };
}

/** @param {string} label @param {string} full with what it is about, for those who do not see it @param {() => void} press */
function smallButton(label, full, press) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button button-quiet button-small';
  button.textContent = label;
  button.setAttribute('aria-label', full);
  button.addEventListener('click', press);
  return button;
}

/** A batch: the buttons write a line of the field, the next one or one that is changed. @param {HTMLTextAreaElement} field */
function enterBatch(field) {
  const pad = form?.querySelector('[data-pad]');
  const number = pad?.querySelector('input');
  if (!(pad instanceof HTMLElement) || !(number instanceof HTMLInputElement)) return;
  const typed = () =>
    field.value
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
  /** The line that the buttons write; behind the last one, a new one. */
  let current = typed().length;
  const next = () => String(Math.max(0, ...typed().map((line) => Number(readLine(line).number) || 0)) + 1);
  const store = (/** @type {string[]} */ all) => {
    field.value = all.map((line) => `${line}\n`).join('');
    show();
  };
  /** @param {number} at */
  const turnTo = (at) => {
    current = at;
    number.value = readLine(typed()[at] ?? '').number ?? next();
  };
  const { part, refresh } = buttonsFor({
    read: () => readLine(typed()[current] ?? '').keys,
    write(keys, isWhole) {
      const all = typed();
      const line = `${number.value.trim() || next()} ${keys}`.trim();
      if (keys === '') all.splice(current, 1);
      else all.splice(current, 1, line);
      const isNew = current >= all.length - 1;
      store(all);
      // The next paper lies on top.
      if (isWhole && keys !== '' && isNew && all.length < expected) turnTo(all.length);
      show();
    },
  });
  pad.querySelector('[data-pad-buttons]')?.append(part);
  pad.hidden = false;

  function show() {
    const all = typed();
    if (count) count.textContent = t('meetings-admin.papers_page.count', { n: all.length, expected });
    shown?.replaceChildren(
      ...all.map((line, at) => {
        const { text, number: own, isRead } = readLine(line);
        const item = document.createElement('li');
        const words = document.createElement('span');
        words.textContent = text;
        item.append(words, ' ');
        if (!isRead) item.className = 'paper-wrong';
        const paper = { number: own ?? '' };
        item.append(
          smallButton(
            t('meetings-admin.papers_page.change'),
            t('meetings-admin.papers_page.change_paper', paper),
            () => {
              turnTo(at);
              show();
              pad?.scrollIntoView({ block: 'nearest' });
              moveFocus(part.querySelector('button'));
            },
          ),
          ' ',
          smallButton(
            t('meetings-admin.papers_page.remove'),
            t('meetings-admin.papers_page.remove_paper', paper),
            () => {
              store(all.filter((_, index) => index !== at));
              turnTo(typed().length);
              show();
              moveFocus(number);
            },
          ),
        );
        return item;
      }),
    );
    refresh();
  }
  pad.querySelector('[data-pad-next]')?.addEventListener('click', () => {
    turnTo(typed().length);
    show();
  });
  number.addEventListener('change', () => {
    const all = typed();
    const { keys } = readLine(all[current] ?? '');
    if (keys !== '' && number.value.trim() !== '')
      store(all.map((line, at) => (at === current ? `${number.value.trim()} ${keys}` : line)));
  });
  number.addEventListener('keydown', (event) => {
    // It is no field of the form.
    if (event.key === 'Enter') event.preventDefault();
  });
  field.addEventListener('input', () => {
    turnTo(typed().length);
    show();
  });
  turnTo(current);
  show();
}

/** A paper on which two tellers differ. @param {HTMLInputElement} field */
function correct(field) {
  const said = document.createElement('p');
  said.setAttribute('role', 'status');
  const { part, refresh } = buttonsFor({
    read: () => field.value,
    write(keys) {
      field.value = keys;
      show();
    },
  });
  function show() {
    const words = paperInWords(field.value);
    const keys = field.value.trim();
    said.textContent = words ?? (keys === '' ? '' : t('meetings-admin.papers_page.not_read', { keys }));
    said.className = words === undefined ? 'paper-wrong' : '';
    refresh();
  }
  field.after(part, said);
  field.addEventListener('input', show);
  show();
}

if (lines instanceof HTMLTextAreaElement) enterBatch(lines);
for (const field of form?.querySelectorAll('input[name^="keys."]') ?? [])
  if (field instanceof HTMLInputElement) correct(field);
