// Finds what does not fit on a page: text that is cut or leaves its box, and parts that lie over each other.

/**
 * Runs in the page, with nothing from outside the function. The places of texts are those of their letters, without the
 * space above and below them that lines leave.
 * @param isMade whether the language is made: that its words are broken tells nothing
 * @returns a line for each problem: a page that scrolls sideways, a cut text, a text beyond its box, two that overlap,
 * a word that is broken without a hyphen
 */
export function findMisfits(isMade: boolean): string[] {
  interface Box {
    left: number;
    right: number;
    top: number;
    bottom: number;
  }
  interface Piece extends Box {
    node: Node;
    /** The element itself, or that of the text. */
    of: Element;
  }
  const { scrollWidth } = document.documentElement;
  const found = new Set<string>();
  const styles = new Map<Element, CSSStyleDeclaration>();
  const styleOf = (element: Element) => {
    const known = styles.get(element) ?? getComputedStyle(element);
    styles.set(element, known);
    return known;
  };
  const nameOf = (element: Element) =>
    `${element.localName}${[...element.classList].map((name) => `.${name}`).join('')}`;
  if (scrollWidth > innerWidth) {
    // What scrolls within the page makes it no wider.
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      element !== document.body &&
      (styleOf(element).overflowX !== 'visible' || scrolls(element.parentElement));
    const widest = [...document.querySelectorAll('body *')].find(
      (element) =>
        Math.round(element.getBoundingClientRect().right) >= scrollWidth && !scrolls(element.parentElement),
    );
    found.add(
      `scrolls sideways by ${scrollWidth - innerWidth} px: ${widest && nameOf(widest)} ${widest?.textContent.trim().slice(0, 60)}`,
    );
  }
  const parentsOf = function* (element: Element) {
    for (let one = element.parentElement; one && one !== document.body; one = one.parentElement) yield one;
  };
  /** Boxes that let nothing out, and whether they scroll. A text for screen readers alone has no room at all. */
  const clips = new Map<Element, { cuts: boolean; hides: boolean } | undefined>();
  const clipOf = (element: Element) => {
    if (clips.has(element)) return clips.get(element);
    const { overflowX, overflowY, clipPath } = styleOf(element);
    const hides =
      (element.clientWidth <= 1 && element.clientHeight <= 1 && overflowX !== 'visible') ||
      /^inset/.test(clipPath);
    const clip =
      overflowX === 'visible' && overflowY === 'visible' && !hides
        ? undefined
        : { cuts: /^(hidden|clip)$/.test(overflowX) || /^(hidden|clip)$/.test(overflowY), hides };
    clips.set(element, clip);
    return clip;
  };
  const layers = new Map<Element, boolean>();
  /** Whether it lies over the page on purpose, as a bar that stays when the page is scrolled. */
  const isLayer = (element: Element): boolean => {
    const known = layers.get(element);
    if (known !== undefined) return known;
    const parent = element.parentElement;
    const own = /fixed|sticky/.test(styleOf(element).position) || (parent !== null && isLayer(parent));
    layers.set(element, own);
    return own;
  };
  /** What people write may end in dots where it is too long: a card and a wall have no more room. */
  const MAY_BE_CUT = '.slip-title, .slip-club, .wall-wording, .wall-speaker';
  const pieces: Piece[] = [];
  /** Notes the words of a text that are on two lines; names without a place to break them are longer than any line. */
  const lookAtWords = (node: Node, range: Range) => {
    for (const { 0: word, index } of (node.textContent ?? '').matchAll(
      /(?<![^\s(„“"])\p{L}{2,29}(?![^\s.,:;!?)“”"])/gu,
    )) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const [first, ...others] = range.getClientRects();
      if (first && others.some(({ top }) => top > first.bottom - 2))
        found.add(`broken without a hyphen: ${word}`);
    }
  };
  /** Notes a part where it is seen. */
  const take = (node: Node, of: Element, box: Box, words: string) => {
    let { left, right, top, bottom } = box;
    const around = [of, ...parentsOf(of)].flatMap((parent) =>
      node === parent ? [] : (clipOf(parent) ?? []),
    );
    if (around.some(({ hides }) => hides)) return;
    // Where it can be scrolled to, it may be wider than its box.
    let inside = around.some(({ cuts }) => !cuts);
    for (const parent of [of, ...parentsOf(of)]) {
      const clip = node === parent ? undefined : clipOf(parent);
      if (!clip) {
        // The box of a text is the first that is no part of a line.
        if (
          words &&
          !inside &&
          !/^(inline|contents)$/.test(styleOf(parent).display) &&
          !parent.closest('svg')
        ) {
          inside = true;
          const edge = parent.getBoundingClientRect();
          const beyond = Math.max(edge.left - left, right - edge.right);
          const below = Math.max(edge.top - top, bottom - edge.bottom);
          if (beyond > 1.5) found.add(`${Math.round(beyond)} px beyond ${nameOf(parent)}: ${words}`);
          else if (below > 1.5)
            found.add(`${Math.round(below)} px above or below ${nameOf(parent)}: ${words}`);
        }
        if (styleOf(parent).position === 'fixed') break;
        continue;
      }
      inside = true;
      const edge = parent.getBoundingClientRect();
      const cut = Math.max(edge.left - left, right - edge.right, edge.top - top, bottom - edge.bottom);
      if (words && clip.cuts && cut > 1.5 && !parent.matches(MAY_BE_CUT))
        found.add(`${Math.round(cut)} px cut off by ${nameOf(parent)}: ${words}`);
      left = Math.max(left, edge.left);
      right = Math.min(right, edge.right);
      top = Math.max(top, edge.top);
      bottom = Math.min(bottom, edge.bottom);
      if (right - left < 1 || bottom - top < 1) return;
    }
    if (!isLayer(of)) pieces.push({ node, of, left, right, top, bottom });
  };

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const of = node.parentElement;
    const words = node.textContent?.trim().replace(/\s+/g, ' ').slice(0, 60);
    if (!of || !words || of.closest('script, style, noscript, select, textarea, title')) continue;
    if (!of.checkVisibility({ visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const slack = 0.25 * Number.parseFloat(styleOf(of).fontSize);
    const lines = [...range.getClientRects()];
    if (lines.length > 1 && !isMade && ![of, ...parentsOf(of)].some((one) => clipOf(one)?.hides))
      lookAtWords(node, range);
    // Without the space at the end of a line that keeps its spaces.
    const hanging = styleOf(of).whiteSpace === 'pre-wrap' ? slack : 0;
    for (const { left, right, top, bottom } of lines)
      if (right - left > 2)
        take(
          node,
          of,
          { left: left + 1, right: right - 1 - hanging, top: top + slack, bottom: bottom - slack },
          words,
        );
  }
  const parts =
    'button, a.button, input:not([type=hidden]), select, textarea, img, svg, canvas, video, iframe';
  for (const part of document.querySelectorAll(parts)) {
    // They choose a place on the picture that is under them.
    if (part.matches('.content-focus-grid input')) continue;
    if (part.parentElement?.closest('svg') || part.closest('[aria-hidden=true]:not(svg, img)')) continue;
    if (!part.checkVisibility({ visibilityProperty: true }) || styleOf(part).opacity === '0') continue;
    const { left, right, top, bottom } = part.getBoundingClientRect();
    if (right - left > 2 && bottom - top > 2)
      take(part, part, { left: left + 1, right: right - 1, top: top + 1, bottom: bottom - 1 }, '');
  }
  pieces.sort((a, b) => a.top - b.top);
  const wordsOf = ({ node, of }: Piece) =>
    node === of ? nameOf(of) : `“${node.textContent?.trim().replace(/\s+/g, ' ').slice(0, 40)}”`;
  for (const [index, one] of pieces.entries()) {
    for (let at = index + 1; at < pieces.length; at++) {
      const other = pieces[at]!;
      if (other.top >= one.bottom - 1) break;
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - other.top;
      if (wide <= 1 || high <= 1 || one.node.contains(other.node) || other.node.contains(one.node)) continue;
      found.add(
        `${wordsOf(one)} and ${wordsOf(other)} overlap by ${Math.round(wide)} x ${Math.round(high)} px`,
      );
    }
  }

  // What controls hold is no text of the page: its width is measured.
  const canvas = document.createElement('canvas').getContext('2d')!;
  for (const control of document.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select')) {
    const isSelect = control instanceof HTMLSelectElement;
    if (isSelect && styleOf(control).whiteSpace === 'normal') continue;
    const words = isSelect ? control.selectedOptions[0]?.label : control.value ? '' : control.placeholder;
    // A name without a place to break it, which somebody entered, is longer than any control.
    if (!words || /\S{30}/.test(words) || !control.checkVisibility({ visibilityProperty: true })) continue;
    const { font, paddingLeft, paddingRight } = styleOf(control);
    canvas.font = font;
    const room = control.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    const lacks = canvas.measureText(words).width - room;
    if (lacks > 1)
      found.add(
        `${Math.round(lacks)} px cut off in ${nameOf(control)} ${control.name}: ${words.slice(0, 60)}`,
      );
  }
  return [...found];
}
