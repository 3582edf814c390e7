// Measures the texts of a TV page: their size relative to the height of the screen, and whether they are cut off.
import type { Page } from 'playwright-core';

/** The smallest text: a thirtieth of the height; for a portrait screen, of its height when turned to landscape. */
const LEAST = 1 / 30;

/**
 * @returns a line for each visible text that is too small, cut off by its box or by the screen, or over another one.
 * Scrolling lyrics are checked only for their size. `least`: the smallest text, as a part of the height
 */
export function readingProblems(page: Page, least = LEAST): Promise<string[]> {
  return page.evaluate(problemsNow, least);
}

/** Runs in the page, with nothing from outside the function. */
function problemsNow(least: number): string[] {
  const { innerWidth: width, innerHeight: height } = window;
  const lying = width > height ? Math.min(height, (width * 9) / 16) : Math.min(width, (height * 9) / 16);
  const isShown = (element: Element) =>
    element.checkVisibility() &&
    element.closest('[data-slide]:not([data-shown])') === null &&
    (element.closest('[data-takeover]') !== null) === covered;
  const covered = document.querySelector('[data-takeover]:not([hidden])') !== null;
  const problems: string[] = [];
  /** The lines of all texts, without the space above and below their letters. */
  const lines: { words: string; node: Node; left: number; right: number; top: number; bottom: number }[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const words = node.textContent?.trim();
    if (!element || !words || !isShown(element)) continue;
    const say = (problem: string) => problems.push(`${problem}: ${words.slice(0, 40)}`);
    const size = Number.parseFloat(getComputedStyle(element).fontSize) / lying;
    if (size < least - 1e-4) say(`1/${Math.round(1 / size)} of the height`);
    if (element.closest('.tv-lyrics')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const space = 0.25 * Number.parseFloat(getComputedStyle(element).fontSize);
    for (const line of range.getClientRects())
      lines.push({
        ...{ words: words.slice(0, 40), node, left: line.left + 1, right: line.right - 1 },
        ...{ top: line.top + space, bottom: line.bottom - space },
      });
    const { left, right, top, bottom } = range.getBoundingClientRect();
    for (let box: Element | null = element; box; box = box.parentElement) {
      const edge = box.getBoundingClientRect();
      const clips = box === document.body || getComputedStyle(box).overflow !== 'visible';
      // Letters extend a little beyond a line with a small line height.
      const slack = 0.25 * Number.parseFloat(getComputedStyle(element).fontSize);
      // A space at the end of a line that keeps its spaces.
      const hanging = getComputedStyle(element).whiteSpace === 'pre-wrap' ? slack : 0;
      if (
        clips &&
        (left < edge.left - 2 ||
          right > edge.right + 2 + hanging ||
          top < edge.top - slack ||
          bottom > edge.bottom + slack)
      ) {
        say(`cut by ${box.className || box.tagName}`);
        break;
      }
    }
  }
  lines.sort((a, b) => a.top - b.top);
  for (const [index, one] of lines.entries()) {
    for (const other of lines.slice(index + 1)) {
      if (other.top > one.bottom - 1) break;
      if (one.node === other.node || Math.min(one.right, other.right) - Math.max(one.left, other.left) < 1)
        continue;
      problems.push(`over each other: ${one.words} and ${other.words}`);
    }
  }
  return problems;
}

/** What the screen shows at one moment. */
export interface Turn {
  name: string;
  problems: string[];
  rows: string[];
  title: string;
  body: string;
  /** The height of the QR code as a fraction of the slide's. */
  code: number | null;
}

/**
 * Shows every slide, every part of its text, and every page of the programme. Call `startTurns` before; the page's own
 * clock must stand still. @returns what was shown each time
 */
export const everyTurn = (page: Page): Promise<Turn[]> => page.evaluate('turns.everyOne()');

/** Runs in the page, with nothing from outside the function. */
function wordsNow(): Omit<Turn, 'name' | 'problems'> {
  const shown = document.querySelector<HTMLElement>('[data-slide][data-shown]');
  const code = shown?.querySelector<HTMLElement>('[data-part=qr]');
  const height = document.querySelector<HTMLElement>('[data-stage]')?.clientHeight ?? 0;
  const rows = [...document.querySelectorAll<HTMLElement>('[data-day] li:not([hidden])')];
  return {
    rows: rows.map((row) => row.querySelector('.tv-what > :first-child')?.textContent ?? ''),
    title: shown?.querySelector('h1')?.textContent ?? '',
    body: shown?.querySelector('[data-part=body]')?.textContent ?? '',
    code: code?.checkVisibility() ? code.clientHeight / height : null,
  };
}

/** Takes control of the slides and the programme of the main screen. */
export const startTurns = (page: Page): Promise<void> => page.evaluate(START);

const START = `(async () => {
  const script = document.querySelector('script[src*="tv/main"]').src;
  const of = (name) => import(script.replace('tv/main', 'tv/' + name));
  const modules = ['slides', 'model', 'programme', 'slide'];
  const [{ slideshow }, { screenModel }, { programmeView }, { withCrew }] = await Promise.all(modules.map(of));
  const feed = await (await fetch('/api/events')).json();
  const at = Date.now();
  const zone = document.body.dataset.zone;
  const model = screenModel({ ...feed, slides: withCrew(feed.slides) }, at, { zone, readAt: at, fresh: true });
  const show = slideshow(document.querySelector('[data-stage]'));
  const draw = programmeView(document.querySelector('[data-day]'));
  const round = [...model.slides, ...model.codes];
  show.set(round, model.welcome, model.codes);
  draw(model, 0);
  const now = (name) => ({ name, problems: (${problemsNow})(${LEAST}), ...(${wordsNow})() });
  async function advance() {
    await show.advance();
    const shown = document.querySelector('[data-slide][data-shown]');
    return ['pages', 'title', 'body'].map((name) => shown.querySelector('[data-part=' + name + ']').textContent).join(' ').slice(0, 150);
  }
  window.turns = {
    refit: () => show.refit(),
    async everyOne() {
      const pages = Number(/(\\d+)\\D*$/.exec(document.querySelector('[data-show=turn]').getAttribute('aria-label'))?.[1] ?? 1);
      const turns = [];
      for (let index = 0; index < pages; index++) {
        draw(model, index * 12_000);
        turns.push(now('programme ' + (index + 1)));
      }
      const seen = new Set();
      // Urgent slides come again, and a long text has several parts: the end is a whole round without anything new.
      for (let old = 0; old <= round.length; ) {
        const name = await advance();
        old = seen.has(name) ? old + 1 : 0;
        if (old === 0) turns.push(now(name));
        seen.add(name);
      }
      return turns;
    },
  };
})()`;

/** Shows slides of every kind in turn, without pauses. @returns how many kinds were seen */
export const showSlides = (page: Page, changes: number): Promise<number> =>
  page.evaluate(`(${TURNS})(${changes})`);

const TURNS = `async (changes) => {
  const script = document.querySelector('script[src*="tv/main"]').src;
  const { slideshow } = await import(script.replace('tv/main', 'tv/slides'));
  const stage = document.querySelector('[data-stage]');
  const drawing = (colour) =>
    '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="160"><rect width="90" height="160" fill="' + colour + '"/></svg>';
  const picture = (colour) => 'data:image/svg+xml,' + encodeURIComponent(drawing(colour));
  const slides = [
    { type: 'announcement', title: 'Ale', body: 'On tap.' },
    { type: 'announcement', title: 'Long', body: 'Word after word. '.repeat(80) },
    { type: 'announcement', title: 'Poster', imageUrl: picture('#733') },
    { type: 'announcement', title: 'Band', body: 'At nine.', imageUrl: picture('#373') },
    { type: 'tender', title: 'Meet your Tender', name: 'Ada', qrImageUrl: picture('#337') },
  ];
  const turns = slideshow(stage);
  turns.set(slides, { type: 'welcome', title: 'Public House', week: [] });
  const seen = new Set();
  // Each time it ends with the same slide in the same place, however many parts the long text has.
  const first = stage.querySelector('[data-slide]');
  const isEnd = () => first.hasAttribute('data-shown') && first.querySelector('h1').textContent === 'Ada';
  for (let change = 0; change < changes || !isEnd(); change++) {
    await turns.advance();
    seen.add(stage.querySelector('[data-shown] h1').textContent);
  }
  return seen.size;
}`;
