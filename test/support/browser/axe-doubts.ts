// Selects the elements that axe-core's three slowest rules must check. Runs in the page and uses nothing from outside.

export interface Doubts {
  /** Elements with text, grouped by the look of the text: colour, size, and everything painted at its place. */
  looks: Map<string, HTMLElement[]>;
  /** Targets that are small or overlapped by another one. */
  targets: HTMLElement[];
  /** Links within text that are not underlined: they may differ from the text by colour only. */
  links: HTMLElement[];
}

/** @returns the elements below `part` in which the rules may find a violation; without the looks in `known`. */
export function doubts(part: string, known: ReadonlySet<string>): Doubts {
  const UNPAINTED = 'rgba(0, 0, 0, 0) none 1 none normal';
  const TARGETS = 'a[href], button, input, select, textarea, summary, [tabindex]';
  const FIELDS = ['hidden', 'range', 'color', 'checkbox', 'radio', 'image'].map(
    (type) => `:not([type=${type}])`,
  );
  const TEXT_FIELDS = `select, textarea, input${FIELDS.join('')}`;
  const DISABLED = [
    ':disabled',
    'fieldset:disabled *',
    'label:has(:disabled)',
    'label:has(:disabled) *',
  ].join();

  const boxes = new Map<Element, DOMRect>();
  function box(element: Element): DOMRect {
    const measured = boxes.get(element) ?? element.getBoundingClientRect();
    boxes.set(element, measured);
    return measured;
  }
  function overlap(one: Element, other: Element): boolean {
    const [a, b] = [box(one), box(other)];
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  }
  function covers(one: Element, other: Element): boolean {
    const [a, b] = [box(one), box(other)];
    return a.left <= b.left && a.right >= b.right && a.top <= b.top && a.bottom >= b.bottom;
  }

  const shown = [
    ...document.querySelectorAll<HTMLElement>('html, body, body :not(script, style, option, svg *)'),
  ]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .map((element) => ({ element, style: getComputedStyle(element) }));
  const clipped = shown.filter(({ style }) => style.clipPath === 'inset(50%)').map(({ element }) => element);
  // Elements clipped to nothing, or left of or above the page, are invisible.
  const seen = shown.filter(({ element }) => {
    const { right, bottom } = box(element);
    if (right <= 0 || bottom + scrollY <= 0 || !element.closest(part)) return false;
    return !clipped.some((one) => one.contains(element));
  });

  const painted = shown.flatMap(({ element, style }) => {
    const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position, zIndex } = style;
    const paint = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode].join(' ');
    const picture = element.matches('img, svg, video, canvas, iframe') ? element.localName : '';
    return paint === UNPAINTED && !picture
      ? []
      : [{ element, paint: [picture, paint, position, zIndex].join(' ') }];
  });
  function lookOf(element: Element, style: CSSStyleDeclaration): string {
    const { color, fontSize, fontWeight, textShadow, webkitTextStroke } = style;
    const around = painted
      .filter((one) => one.element === element || !element.contains(one.element))
      .filter((one) => overlap(one.element, element))
      .map((one) => `${one.element.contains(element)} ${covers(one.element, element)} ${one.paint}`);
    // For elements right of the viewport, in a row that scrolls, axe-core often has no result.
    const aside = box(element).left >= innerWidth ? 'aside' : '';
    return [aside, color, fontSize, fontWeight, textShadow, webkitTextStroke, ...around].join(';');
  }
  function hasText(element: Element): boolean {
    const words = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
    return (words || element.matches(TEXT_FIELDS)) && !element.matches(DISABLED);
  }
  const looks = Map.groupBy(
    seen.filter(({ element }) => hasText(element)),
    ({ element, style }) => lookOf(element, style),
  );

  const pressed = seen.map(({ element }) => element).filter((element) => element.matches(TARGETS));
  const nested = (one: Element, other: Element) => one.contains(other) || other.contains(one);
  const targets = pressed.filter((one) => {
    const { width, height } = box(one);
    return width < 24 || height < 24 || pressed.some((other) => overlap(one, other) && !nested(one, other));
  });

  function amongWords(link: Element): boolean {
    let block = link.parentElement;
    while (block && getComputedStyle(block).display === 'inline') block = block.parentElement;
    return block?.textContent.trim() !== link.textContent.trim();
  }
  const links = seen
    .filter(({ element, style }) => element.matches('a[href]') && style.display === 'inline')
    .filter(({ element, style }) => !style.textDecorationLine.includes('underline') && amongWords(element))
    .map(({ element }) => element);

  return {
    looks: new Map(
      [...looks]
        .filter(([look]) => !known.has(look))
        .map(([look, found]) => [look, found.map(({ element }) => element)]),
    ),
    targets,
    links,
  };
}
