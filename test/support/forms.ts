import type { TestApp } from './app.ts';
import { type FormFile, multipart } from './pictures.ts';

/** A form of a page as a browser would send it. */
export interface PageForm {
  /** POST, or what `_method` in its action says. */
  method: string;
  action: string;
  /** Its fields as they are shown, without its buttons. */
  fields: Record<string, string | string[]>;
  isMultipart: boolean;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const decode = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name) => ENTITIES[name]!);

const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}(?:="([^"]*)")?(?=[\\s>]|$)`).exec(tag);
  return found ? decode(found[1] ?? '') : undefined;
};

/** All forms of a page that are sent by POST. A button with an address of its own is one more form. */
export function formsOf(page: string): PageForm[] {
  return [...page.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].flatMap(([, head = '', inner = '']) => {
    if (attribute(head, 'method') !== 'post') return [];
    const form = {
      fields: fieldsIn(inner),
      isMultipart: attribute(head, 'enctype') === 'multipart/form-data',
    };
    const actions = [
      attribute(head, 'action'),
      ...[...inner.matchAll(/<button\b([^>]*)>/g)].map(([, tag = '']) => attribute(tag, 'formaction')),
    ];
    return actions
      .filter((action) => action !== undefined)
      .map((action) => ({
        ...form,
        action,
        method: /[?&]_method=(\w+)/.exec(action)?.[1] ?? 'POST',
      }));
  });
}

/** A page without the switch of languages at its foot, which leads back to the address of the page. */
export const withoutSwitch = (page: string): string =>
  page.replace(/<form class="languages" method="post" action="\/language".*?<\/form>/s, '');

/** The form of a page with this action. */
export function formAt(page: string, action: string): PageForm {
  const form = formsOf(page).find((one) => one.action === action);
  if (!form)
    throw new Error(
      `no form ${action} among ${formsOf(page)
        .map((one) => one.action)
        .join(', ')}`,
    );
  return form;
}

/** Sends a form as a browser does. @param file in the field of this name, of a form with files */
export async function press(
  service: Pick<TestApp, 'request' | 'submit'>,
  { action, isMultipart }: Pick<PageForm, 'action' | 'isMultipart'>,
  fields: PageForm['fields'],
  headers: Record<string, string> = {},
  files: Record<string, FormFile> = {},
) {
  if (!isMultipart) return service.submit(action, fields, headers);
  const { payload, headers: ofForm } = await multipart(fields, files);
  return service.request({
    method: 'POST',
    url: action,
    payload,
    headers: { accept: 'text/html', ...ofForm, ...headers },
  });
}

function fieldsIn(inner: string): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = {};
  const add = (name: string | undefined, value: string) => {
    if (!name) return;
    const known = fields[name];
    fields[name] = known === undefined ? value : [known, value].flat();
  };
  const parts = /<input\b([^>]*)>|<textarea\b([^>]*)>(.*?)<\/textarea>|<select\b([^>]*)>(.*?)<\/select>/gs;
  for (const [, input, area, text = '', select, options = ''] of inner.matchAll(parts)) {
    if (input !== undefined) {
      const type = attribute(input, 'type') ?? 'text';
      if (['radio', 'checkbox'].includes(type) && attribute(input, 'checked') === undefined) continue;
      if (!['file', 'submit'].includes(type))
        add(attribute(input, 'name'), attribute(input, 'value') ?? 'on');
    } else if (area !== undefined) add(attribute(area, 'name'), decode(text.replace(/^\n/, '')));
    else if (select !== undefined) add(attribute(select, 'name'), chosenOf(options));
  }
  return fields;
}

function chosenOf(options: string): string {
  const all = [...options.matchAll(/<option\b([^>]*)>([^<]*)/g)].map(([, tag = '', label = '']) => ({
    value: attribute(tag, 'value') ?? decode(label.trim()),
    isSelected: attribute(tag, 'selected') !== undefined,
  }));
  return (all.find(({ isSelected }) => isSelected) ?? all[0])?.value ?? '';
}
