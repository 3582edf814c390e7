import { formatNumber } from '#kernel/locale.ts';
import { CALENDAR } from './calendar.ts';
import { CONTENT } from './content.ts';
import { GENERAL } from './general.ts';
import { LISTENBRAINZ } from './listenbrainz.ts';
import { MEETINGS } from './meetings.ts';
import { PEOPLE } from './people.ts';
import { PUB } from './pub.ts';
import { SETTINGS } from './settings.ts';
import { VOTING } from './voting.ts';

/**
 * The text of a code, with its values in braces: the sentence that JSON answers with, and the sentences that differ
 * from it. Written `{values, or}`, a list ends with "or".
 */
type Entry =
  | string
  | {
      /** `error` of a JSON answer, or `message` of one of its `errors`. */
      error: string;
      /** `message` of a JSON answer: what people can do. */
      message?: string;
      /** What pages say; null: what they always say for the status. */
      page?: string | null;
    };

/** Every text of an error, by its code. */
const TEXTS = {
  ...GENERAL,
  ...SETTINGS,
  ...PEOPLE,
  ...CONTENT,
  ...VOTING,
  ...MEETINGS,
  ...PUB,
  ...LISTENBRAINZ,
  ...CALENDAR,
} satisfies Record<string, Entry>;

export type Code = keyof typeof TEXTS;

/** A value in a text; a list is written with commas. */
export type Value = string | number | readonly string[];
export type Params = Readonly<Record<string, Value>>;

/** A code with its values: a text that is not written yet. */
export interface Message {
  readonly code: Code;
  readonly params: Params;
}

type Sentences<One> = One extends string ? One : Extract<One[keyof One], string>;
type Names<Text extends string> = Text extends `${string}{${infer Slot}}${infer Rest}`
  ? (Slot extends `${infer Name}, or` ? Name : Slot) | Names<Rest>
  : never;
/** The values that the texts of a code need. */
type ParamsOf<C extends Code> = { readonly [Name in Names<Sentences<(typeof TEXTS)[C]>>]: Value };

/** The arguments after a code: its values, which may be left out if it has none. */
export type Args<C extends Code, More extends unknown[] = []> = keyof ParamsOf<C> extends never
  ? [params?: Readonly<Record<string, never>>, ...more: More]
  : [params: ParamsOf<C>, ...more: More];

/** A text that is not written yet. */
export function say<C extends Code>(code: C, ...[params]: Args<C>): Message {
  return { code, params: params ?? {} };
}

/** The sentence of a code in JSON answers. */
export function sentence<C extends Code>(code: C, ...[params]: Args<C>): string {
  return sentenceOf({ code, params: params ?? {} });
}

/** The sentence of a message in JSON answers. */
export function sentenceOf({ code, params }: Message): string {
  return write(entryOf(code).error, params);
}

/** The second sentence of a message in JSON answers, if it has one. */
export function adviceOf({ code, params }: Message): string | undefined {
  const { message } = entryOf(code);
  return message === undefined ? undefined : write(message, params);
}

/** What pages say for a message; undefined for what they always say for the status. */
export function pageTextOf({ code, params }: Message): string | undefined {
  const { error, message, page = message ?? error } = entryOf(code);
  return page === null ? undefined : write(page, params);
}

function entryOf(code: Code): Exclude<Entry, string> {
  const entry: Entry = TEXTS[code];
  return typeof entry === 'string' ? { error: entry } : entry;
}

function write(text: string, params: Params): string {
  return text.replace(/\{(\w+)(, or)?\}/g, (_slot, name: string, or?: string) => {
    const value = params[name] ?? '';
    if (typeof value === 'number') return formatNumber(value);
    if (typeof value === 'string') return value;
    return or && value.length > 1 ? `${value.slice(0, -1).join(', ')} or ${value.at(-1)}` : value.join(', ');
  });
}

/** Marks a code among the messages of zod, which are texts. */
const MARK = '\u0001';

/** A code as the message of a zod schema, see `messageOf`. */
export function coded<C extends Code>(code: C, ...[params]: Args<C>): string {
  return codedOf({ code, params: params ?? {} });
}

export const codedOf = (message: Message): string => MARK + JSON.stringify(message);

/** The code in a message of zod; its own messages, for what no schema has a code for, stay as they are. */
export function messageOf({ message }: { message: string }): Message {
  if (!message.startsWith(MARK)) return { code: 'invalid', params: { problem: message } };
  return JSON.parse(message.slice(MARK.length));
}
