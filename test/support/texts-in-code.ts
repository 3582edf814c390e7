// Finds texts for people in sources: in templates of markup, and in strings that read like a sentence.
import { type ESTree, parseSync, Visitor } from 'vite';

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

/** The strings and templates of a source; those inside the values of a template too. @throws for no TypeScript */
function literalsIn(source: string): Literal[] {
  const { program, errors } = parseSync('source.ts', source);
  if (errors.length > 0) throw new SyntaxError(errors.map(({ message }) => message).join());
  const found: Literal[] = [];
  const tags = new Map<ESTree.TemplateLiteral, string>();
  const add = ({ start }: ESTree.Span, tag: string | undefined, text: string) =>
    found.push({
      tag,
      text,
      before: source.slice(Math.max(0, start - 400), start),
      line: source.slice(0, start).split('\n').length,
    });
  new Visitor({
    TaggedTemplateExpression: ({ tag, quasi }) => tags.set(quasi, source.slice(tag.start, tag.end)),
    TemplateLiteral: (node) =>
      add(node, tags.get(node) ?? '', node.quasis.map(({ value }) => value.raw).join('\0')),
    Literal: (node) => {
      if (typeof node.value === 'string') add(node, undefined, source.slice(node.start + 1, node.end - 1));
    },
  }).visit(program);
  return found;
}

/** Markup whose content is no text: names of commands, and what nobody translates. */
const NO_TEXT = /<(code|style|script|title hidden)\b[^>]*>.*?<\/\1>/gs;
const TEXT_ATTRIBUTES = /\s(?:aria-label|aria-description|alt|placeholder|title)="([^"]*)"/g;
/** A piece of a tag, such as ` checked` or ` value="…"`. */
const INSIDE_A_TAG = /^[\s\0]*(?:[a-z-]+(?:="[^"]*")?[\s\0]*)+$/;
const TAG = /<[^>]*>/g;
const WORD = /\p{L}{2,}/u;
/** A colon after a value: French has a space before it. */
const COLON = /\0: /;

/** The texts of a template of markup. */
export function textsOfMarkup(markup: string): string[] {
  const attributes = [...markup.matchAll(TEXT_ATTRIBUTES)].map(([, value = '']) => value);
  const isInside = !markup.includes('<') && !markup.includes('>') && INSIDE_A_TAG.test(markup);
  const content = isInside
    ? ''
    : markup
        .replaceAll(NO_TEXT, '')
        // A template may begin or end inside a tag.
        .replace(/^[^<]*?>/, (start) => (/=|"|\0/.test(start) ? '' : start))
        .replace(/<[^>]*$/, '');
  const texts = [...attributes, ...content.split(TAG)]
    .map((text) =>
      text
        .replaceAll(/&\w+;|\\n/g, ' ')
        .replaceAll('\0', ' ')
        .trim(),
    )
    .filter((text) => WORD.test(text));
  return COLON.test(content.replaceAll(TAG, '')) ? [...texts, '…: …'] : texts;
}

/** What is said to those who run the service, to programmers and to programs: it stays in English. */
const NOT_SHOWN =
  /(?:\b(?:log|logger|console|warn|report)\b[\w.?#()]*\((?:[^()]|\([^()]*\))*|Error\((?:[^()]|\([^()]*\))*|\.describe\(|\b(?:summary|description):\s*|\bsummary:\s*\w+\s*\?[^;]*|\bhelp:\s*|\bt\(|\badd\((?:[^(),]|\([^()]*\))*,\s*)$/;
/** Words of which the first has a capital letter, or which end as a sentence does. */
const SENTENCE =
  /^[“\s]*(?:(?:\p{Lu}|\p{Lu}[\p{L}’-]*\p{Ll}[\p{L}’-]*) [\p{L}’0-9\0“]+|[\p{L}\0].* [\p{Ll}\0”’]+[.:?!]$)/u;

/** A part of a sentence between values: an English word that no code and no name has. */
const PART =
  /(?:^|[\0 (])(?:an?|and|are|as|at|becomes|before|by|each|every|for|from|has|have|in|is|no|not|of|on|only|or|than|that|the|this|to|until|was|with)(?:[\0 ),:]|$)/;
/** What looks like it, and is none: selectors, markup, and SQL. */
const NO_PART = /[<>={}[\]]/;

const isText = ({ tag, text, before }: Literal): boolean =>
  (tag === undefined || tag === '') &&
  (SENTENCE.test(text) ||
    (text.includes('\0') && (PART.test(text) || COLON.test(text)) && !NO_PART.test(text))) &&
  !NOT_SHOWN.test(before);

/** The texts for people that stand in a source. */
export const textsInCode = (source: string): { line: number; text: string }[] =>
  literalsIn(source).flatMap((literal) =>
    literal.tag === 'html'
      ? textsOfMarkup(literal.text).map((text) => ({ line: literal.line, text }))
      : isText(literal)
        ? [{ line: literal.line, text: literal.text.replaceAll('\0', '…') }]
        : [],
  );
