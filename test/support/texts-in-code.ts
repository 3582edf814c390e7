// Finds texts for people in sources: in templates of markup, and in strings that read like a sentence.

/** A string or a template of a source. */
interface Literal {
  /** `html`, another tag, or empty; undefined for a string in quotation marks. */
  tag: string | undefined;
  /** Its text, with U+0000 in place of each value. */
  text: string;
  /** The code before it. */
  before: string;
  line: number;
}

/** A character before which a slash begins a regular expression and not a division. */
const BEFORE_REGEX = /(?:[=(,:[!&|?{};+>]|\breturn|\bcase|^)\s*$/;

/** The strings and templates of a source; those inside the values of a template too. */
export function literalsIn(source: string): Literal[] {
  const found: Literal[] = [];
  let at = 0;
  const lineAt = (place: number) => source.slice(0, place).split('\n').length;

  /** Reads code up to the end of the source, or to the brace that ends a value of a template. */
  function code(): void {
    let depth = 0;
    while (at < source.length) {
      const char = source[at]!;
      const next = source[at + 1];
      if (char === '/' && next === '/') at = end('\n');
      else if (char === '/' && next === '*') at = end('*/') + 2;
      else if (char === "'" || char === '"') quoted(char);
      else if (char === '`') template();
      else if (char === '/' && BEFORE_REGEX.test(source.slice(Math.max(0, at - 20), at))) regex();
      else if (char === '}' && depth === 0) return;
      else {
        if (char === '{') depth += 1;
        if (char === '}') depth -= 1;
        at += 1;
      }
    }
  }

  const end = (mark: string) => {
    const place = source.indexOf(mark, at);
    return place === -1 ? source.length : place;
  };

  function quoted(mark: string): void {
    const start = at;
    at += 1;
    while (at < source.length && source[at] !== mark) at += source[at] === '\\' ? 2 : 1;
    at += 1;
    add(start, undefined, source.slice(start + 1, at - 1));
  }

  function template(): void {
    const start = at;
    const tag = /(\w*)$/.exec(source.slice(Math.max(0, at - 20), at))?.[1] ?? '';
    let text = '';
    at += 1;
    while (at < source.length && source[at] !== '`') {
      if (source[at] === '$' && source[at + 1] === '{') {
        text += '\0';
        at += 2;
        code();
        at += 1;
      } else {
        text += source[at] === '\\' ? source.slice(at, at + 2) : source[at];
        at += source[at] === '\\' ? 2 : 1;
      }
    }
    at += 1;
    add(start, tag, text);
  }

  function regex(): void {
    let inClass = false;
    at += 1;
    while (at < source.length && (inClass || source[at] !== '/')) {
      if (source[at] === '[') inClass = true;
      if (source[at] === ']') inClass = false;
      at += source[at] === '\\' ? 2 : 1;
    }
    at += 1;
  }

  const add = (start: number, tag: string | undefined, text: string) =>
    found.push({ tag, text, before: source.slice(Math.max(0, start - 400), start), line: lineAt(start) });

  code();
  return found;
}

/** Markup whose content is no text: names of commands, and what nobody translates. */
const NO_TEXT = /<(code|style|script|title hidden)\b[^>]*>.*?<\/\1>/gs;
const TEXT_ATTRIBUTES = /\s(?:aria-label|aria-description|alt|placeholder|title)="([^"]*)"/g;
/** A piece of a tag, such as ` checked` or ` value="…"`. */
const INSIDE_A_TAG = /^[\s\0]*(?:[a-z-]+(?:="[^"]*")?[\s\0]*)+$/;
const WORD = /\p{L}{2,}/u;

/** The texts of a template of markup. */
export function textsOfMarkup(markup: string): string[] {
  const attributes = [...markup.matchAll(TEXT_ATTRIBUTES)].map(([, value = '']) => value);
  const isInside = !markup.includes('<') && !markup.includes('>') && INSIDE_A_TAG.test(markup);
  const between = isInside
    ? []
    : markup
        .replaceAll(NO_TEXT, '')
        // A template may begin or end inside a tag.
        .replace(/^[^<]*?>/, (start) => (/=|"|\0/.test(start) ? '' : start))
        .replace(/<[^>]*$/, '')
        .split(/<[^>]*>/);
  return [...attributes, ...between]
    .map((text) =>
      text
        .replaceAll(/&\w+;|\\n/g, ' ')
        .replaceAll('\0', ' ')
        .trim(),
    )
    .filter((text) => WORD.test(text));
}

/** What is said to those who run the service, to programmers and to programs: it stays in English. */
const NOT_SHOWN =
  /(?:\b(?:log|logger|console|warn|report)\b[\w.?#()]*\((?:[^()]|\([^()]*\))*|Error\((?:[^()]|\([^()]*\))*|\.describe\(|\b(?:summary|description):\s*|\bsummary:\s*\w+\s*\?[^;]*|\bhelp:\s*|\bt\(|\badd\((?:[^(),]|\([^()]*\))*,\s*)$/;
/** Words of which the first has a capital letter, or which end as a sentence does. */
const SENTENCE =
  /^[“\s]*(?:(?:\p{Lu}|\p{Lu}[\p{L}’-]*\p{Ll}[\p{L}’-]*) [\p{L}’0-9\0“]+|[\p{L}\0].* [\p{Ll}\0”’]+[.:?!]$)/u;

const isSentence = ({ tag, text, before }: Literal): boolean =>
  (tag === undefined || tag === '') && SENTENCE.test(text) && !NOT_SHOWN.test(before);

/** The texts for people that stand in a source. */
export const textsInCode = (source: string): { line: number; text: string }[] =>
  literalsIn(source).flatMap((literal) =>
    literal.tag === 'html'
      ? textsOfMarkup(literal.text).map((text) => ({ line: literal.line, text }))
      : isSentence(literal)
        ? [{ line: literal.line, text: literal.text.replaceAll('\0', '…') }]
        : [],
  );
