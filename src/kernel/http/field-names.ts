import { Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { atLineStart } from '#kernel/language/times.ts';
import { type Reader, Words, type Writer } from '#kernel/language/words.ts';

/**
 * A problem of a field whose label is not known yet: the page that shows it has the label, at the field itself. In markup
 * it marks a place for `withFieldNames`; plain text names the field as JSON does.
 */
export class FieldProblem extends Words {
  readonly #path: string;
  readonly #problem: Words;

  /** @param path the field, its parts separated by dots @param problem words that read well after a label and a colon */
  constructor(path: string, problem: Words) {
    super();
    this.#path = path;
    this.#problem = problem;
  }

  override write(writer: Writer): string {
    const problem = this.#problem;
    return writer.put(
      writer.isMarkup
        ? html`<span data-field="${this.#path}" data-problem="${problem}">${atLineStart(problem)}</span>`
        : t('errors.invalid_field', { field: this.#path, problem }),
    );
  }
}

const PLACE = /<span data-field="([^"]*)" data-problem="([^"]*)">([^<]*)<\/span>/g;

/**
 * Writes the label of its field before each problem that is named nowhere else. The label is that of the form which was
 * sent, or of the only such field of the page. A problem of a field that nobody sees stands alone.
 * @param page the markup of a refused form @param action the address to which the form was sent
 */
export function withFieldNames(page: string, action: string, reader: Reader): string {
  if (!page.includes('<span data-field="')) return page;
  const sent = html`action="${action}"`.for(reader);
  const forms = page.match(/<form\b[\s\S]*?<\/form>/g) ?? [];
  const scopes = [...forms.filter((form) => form.includes(sent)), page];
  return page.replaceAll(PLACE, (_place, path: string, problem: string, alone: string) => {
    const label = scopes.map((scope) => labelIn(scope, path)).find((found) => found !== undefined);
    return label === undefined
      ? alone
      : html`${t('common.named', { name: new Html(label), value: new Html(problem) })}`.for(reader);
  });
}

/** The label of the field, else of the closest one that contains it, else of the group of its parts; markup. */
function labelIn(markup: string, path: string): string | undefined {
  const parts = path.split('.');
  const wholes = parts.map((_part, at) => parts.slice(0, parts.length - at).join('.'));
  for (const whole of [...wholes, `${path}.`]) {
    const end = whole.endsWith('.') ? '' : '"';
    for (const { 0: tag, index } of markup.matchAll(/<(?:input|select|textarea)\b[^>]*>/g)) {
      if (!tag.includes(` name="${whole}${end}`) || tag.includes(' type="hidden"')) continue;
      const label = end === '' ? groupOf(markup, index) : labelOf(markup, tag, index);
      if (label !== undefined) return label;
    }
  }
  return undefined;
}

/** What is written over a field: for one of several choices what is written over all of them. */
function labelOf(markup: string, tag: string, at: number): string | undefined {
  const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
  const named = attribute('aria-label');
  if (named !== undefined) return named;
  const type = attribute('type');
  const isOneOfSeveral =
    type === 'radio' || (type === 'checkbox' && markup.split(` name="${attribute('name')}"`).length > 2);
  const id = attribute('id');
  return (
    (isOneOfSeveral ? groupOf(markup, at) : undefined) ??
    (id === undefined ? undefined : labelFor(markup, id)) ??
    plain(around(markup, at, 'label')?.replace(/^[\s\S]*class="choice-name"/, '<') ?? '')
  );
}

/** The legend of the group that a field is in. */
const groupOf = (markup: string, at: number): string | undefined =>
  plain(/<legend\b[\s\S]*?<\/legend>/.exec(around(markup, at, 'fieldset') ?? '')?.[0] ?? '');

const labelFor = (markup: string, id: string): string | undefined => {
  const labels = markup.match(/<label\b[\s\S]*?<\/label>/g) ?? [];
  return plain(labels.find((label) => label.split('>', 1)[0]?.includes(` for="${id}"`)) ?? '');
};

/** The innermost element of this name that is open at a place. */
function around(markup: string, at: number, element: string): string | undefined {
  const start = markup.lastIndexOf(`<${element}`, at);
  const end = markup.indexOf(`</${element}>`, start);
  return start !== -1 && end > at ? markup.slice(start, end + element.length + 3) : undefined;
}

/** The words of a label without what is inside them or a note to them; undefined if there are none. */
function plain(label: string): string | undefined {
  const words = label
    .replaceAll(/<span class="(?:optional|choice-note)"[\s\S]*?<\/span>/g, '')
    .replaceAll(/<(svg|select|textarea)\b[\s\S]*?<\/\1>|<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/:$/, '');
  return words === '' ? undefined : words;
}
