import { isText, listNames } from '#kernel/language/catalogues.ts';
import { inEnglish } from '#kernel/language/kept-text.ts';
import { Message as Text, writeEnglish } from '#kernel/language/message.ts';
import type { ErrorTexts } from '#kernel/language/texts.ts';
import { anyOf, commas } from '#kernel/language/times.ts';
import { ENGLISH, type Words } from '#kernel/language/words.ts';
import { AS_ON_PAGE, JSON_SENTENCES } from './json-sentences.ts';

/** The key of an error. Clients know it as `code`: it is never changed. */
export type Code = keyof ErrorTexts | keyof typeof JSON_SENTENCES;

const AREAS = ['errors', 'errors-admin'] as const;

/** Every code, in the order of the alphabet. */
export const listCodes = (): Code[] =>
  [...AREAS.flatMap(listNames).filter((name) => !name.includes('.')), ...Object.keys(JSON_SENTENCES)]
    .sort()
    .filter((code, at, all) => code !== all[at - 1]) as Code[];

/** A value in a text. A list is written with commas; a list under the name `choices` ends with "or". */
export type Value = Words | string | number | readonly (Words | string)[];
export type Params = Readonly<Record<string, Value>>;

/** A code with its values: a text that is not written yet. */
export interface Message {
  readonly code: Code;
  readonly params: Params;
}

type PageTexts<C extends Code> = C extends keyof ErrorTexts ? ErrorTexts[C] : Record<never, never>;
/** A value of a text of the catalogues; a number has to be written `{name, number}` there. */
type OfText<Type> = Words extends Type ? Exclude<Value, number> : Type;
type Names<Text> = Text extends `${string}{${infer Slot}}${infer Rest}`
  ? (Slot extends `${infer Name}, ${string}` ? Name : Slot) | Names<Rest>
  : never;
type Sentence<One> = One extends string ? One : Extract<One[keyof One], string>;
type JsonNames<C> = C extends keyof typeof JSON_SENTENCES
  ? Names<Sentence<(typeof JSON_SENTENCES)[C]>>
  : never;

/** The values that the texts of a code need. */
type ParamsOf<C extends Code> = {
  readonly [Name in keyof PageTexts<C>]: OfText<PageTexts<C>[Name]>;
} & { readonly [Name in Exclude<JsonNames<C>, keyof PageTexts<C>>]: Value };

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
export function sentenceOf(message: Message): string {
  return inJson(message, entryOf(message.code).error);
}

/** The second sentence of a message in JSON answers, if it has one. */
export function adviceOf(message: Message): string | undefined {
  const advice = entryOf(message.code).message;
  return advice === undefined ? undefined : inJson(message, advice);
}

/** What pages say for a message; undefined for what they always say for the status. */
export function pageTextOf({ code, params }: Message): Words | undefined {
  const key = AREAS.map((area) => `${area}.${code}`).find(isText);
  return key && new Text(key, valuesOf(params));
}

/** The values of a message as JSON has them. */
export function jsonParams({ params }: Message): Record<string, string | number | readonly string[]> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'number' ? value : isList(value) ? value.map(inEnglish) : inEnglish(value),
    ]),
  );
}

type Said = string | typeof AS_ON_PAGE;

function entryOf(code: Code): { error: Said; message?: Said } {
  const entry: string | { error: Said; message: Said } | undefined = Object.hasOwn(JSON_SENTENCES, code)
    ? JSON_SENTENCES[code as keyof typeof JSON_SENTENCES]
    : undefined;
  return typeof entry === 'object' ? entry : { error: entry ?? AS_ON_PAGE };
}

function inJson(message: Message, said: Said): string {
  return said === AS_ON_PAGE
    ? (pageTextOf({ ...message, params: jsonParams(message) })?.for(ENGLISH) ?? message.code)
    : writeEnglish(said, valuesOf(message.params));
}

const isList = (value: Value): value is readonly (Words | string)[] => Array.isArray(value);

function valuesOf(params: Params): Record<string, Words | string | number> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      !isList(value) ? value : name === 'choices' ? anyOf(value) : (commas(value) ?? ''),
    ]),
  );
}

/** Marks a code among the messages of zod, which are texts. */
const MARK = '\u0001';

/** A code as the message of a zod schema, see `messageOf`. Its values are data, no words that wait for a reader. */
export function coded<C extends Code>(code: C, ...[params]: Args<C>): string {
  return codedOf({ code, params: params ?? {} });
}

export const codedOf = (message: Message): string => MARK + JSON.stringify(message);

/** The code in a message of zod; its own messages, for what no schema has a code for, stay as they are. */
export function messageOf({ message }: { message: string }): Message {
  if (!message.startsWith(MARK)) return { code: 'invalid', params: { problem: message } };
  return JSON.parse(message.slice(MARK.length));
}
