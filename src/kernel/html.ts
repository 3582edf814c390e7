/** Markup that is safe to send: created only by `html`. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type Child = Html | string | number | null | undefined | false | readonly Child[];

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Tagged template: every value is escaped unless it is Html; lists are joined, null and false render nothing. */
export function html(strings: TemplateStringsArray, ...children: Child[]): Html {
  return new Html(String.raw({ raw: strings }, ...children.map(render)));
}

/**
 * Returns markup with other values of some attributes. Quotation marks in texts are escaped, so only attributes are
 * changed.
 * @param change gets the name and the escaped value; returns the new one, escaped too
 */
export function withAttributes(
  markup: Html,
  names: readonly string[],
  change: (name: string, value: string) => string,
): Html {
  const attribute = new RegExp(` (${names.join('|')})="([^"]*)"`, 'g');
  return new Html(
    String(markup).replace(attribute, (_all, name, value) => ` ${name}="${change(name, value)}"`),
  );
}

/** Returns markup whose forms are changed, each with its content. */
export const withForms = (markup: Html, change: (form: string) => string): Html =>
  new Html(markup.toString().replaceAll(/<form\b[\s\S]*?<\/form>/g, change));

function render(child: Child): string {
  if (child instanceof Html) return child.toString();
  if (Array.isArray(child)) return child.map(render).join('');
  if (child === null || child === undefined || child === false) return '';
  return String(child).replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);
}
