import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import { parseTimestamp, toLocalInput } from '#kernel/local-time.ts';
import { badField } from './errors.ts';
import { linesOf } from './form.ts';
import { flag, oneOf, optionalText, orNone, requiredName, requiredText, wholeNumber } from './validation.ts';

/** What reading and showing a value needs of the service: a `Context`, for example. */
interface Place {
  config: { TIME_ZONE: string };
}

/** An input of one line. */
interface Line {
  is: 'line';
  most?: number;
  autocomplete?: 'off';
  inputmode?: 'decimal';
  short?: true;
}

/** How a form shows a field; its words stand in `views`, see `views/components/record-fields.ts`. */
type FieldForm =
  | Line
  /** Of several lines: without a limit in the browser, which would cut a pasted text silently. */
  | { is: 'area' | 'lines'; rows: number }
  | { is: 'number'; min: number; max: number }
  /** `own`: with inputs that its page writes by hand. */
  | { is: 'moment' | 'tick' | 'choice' | 'radios' | 'own' };

/** One field of a record: how it is read, stored, answered, and written into a form and read from it. */
export interface Field<Value, Column> {
  /** What a script sends. */
  input: z.ZodType<Value>;
  /**
   * The value of a new record that says nothing about it, or what makes it at that moment; without one, the field is
   * needed.
   */
  usual?: Value | (() => Value) | undefined;
  form: FieldForm;
  /** @throws 400 that names the field, where the value can be judged only with the settings of the service */
  store(value: Value, place: Place, name: string): Column;
  /** The value as JSON has it. */
  load(column: Column): Value;
  /** The value as the text of its form, and such a text as a script would send it. */
  written(value: Value, place: Place): string;
  readForm?: ((text: string) => unknown) | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: a record has fields of every type
export type Fields = Readonly<Record<string, Field<any, any>>>;
type ValueOf<F> = F extends { load(...given: never[]): infer Value } ? Value : never;
type ColumnOf<F> = F extends { store(...given: never[]): infer Column } ? Column : never;
export type Values<F extends Fields> = { -readonly [Name in keyof F]: ValueOf<F[Name]> };
export type Columns<F extends Fields> = { -readonly [Name in keyof F]: ColumnOf<F[Name]> };
export type Patch<F extends Fields> = { -readonly [Name in keyof F]?: ValueOf<F[Name]> | undefined };

const UTC: Place = { config: { TIME_ZONE: 'UTC' } };

const same = <Value>(value: Value): Value => value;
const asText = (value: unknown): string => String(value ?? '');
/** A value that is stored and answered as it is. */
export const plainField = <Value>(
  input: z.ZodType<Value>,
  of: Pick<Field<Value, Value>, 'form' | 'usual' | 'readForm'>,
): Field<Value, Value> => ({ input, store: same, load: same, written: asText, ...of });

/** A name that is needed, see `requiredName`. */
export const nameField = (max: number, line: Partial<Line> = {}): Field<string, string> =>
  plainField(requiredName(max), { form: { is: 'line', most: max, ...line } });

/** A text that may be missing: null, or an empty field of a form. With `rows` it is an area of several lines. */
export const textField = (max: number, { rows, ...line }: Partial<Line> & { rows?: number } = {}) =>
  plainField<string | null>(optionalText(max), {
    usual: null,
    form: rows === undefined ? { is: 'line', most: max, ...line } : { is: 'area', rows },
  });

/** A whole number; without `usual` it is needed. */
export const numberField = (min: number, max: number, usual?: number): Field<number, number> =>
  plainField(wholeNumber(min, max), { usual, form: { is: 'number', min, max } });

/** Yes or no. A form sends `false` in front of the ticked box. */
export const tickField = (usual = false): Field<boolean, 0 | 1> => ({
  input: flag,
  usual,
  form: { is: 'tick' },
  store: (value) => (value ? 1 : 0),
  load: (column) => column === 1,
  written: asText,
});

/** One of a few words; without `usual` it is needed. */
export const choiceField = <const Words extends readonly string[]>(
  words: Words,
  { usual, is = 'choice' }: { usual?: Words[number]; is?: 'choice' | 'radios' } = {},
): Field<Words[number], Words[number]> => plainField(oneOf(words), { usual, form: { is } });

/** A moment, with an offset or in the time zone of the club. It is answered in ISO 8601, in UTC. */
export const momentField = (input: z.ZodType<string> = requiredText(64)): Field<string, number> => ({
  input,
  form: { is: 'moment' },
  store(text, { config }, name) {
    const at = parseTimestamp(text, config.TIME_ZONE);
    if (at === undefined) throw badField(name, 'not_timestamp');
    return at;
  },
  load: isoTime,
  written: (iso, { config }) => toLocalInput(Date.parse(iso), config.TIME_ZONE),
});

/** A value that is stored as JSON. */
export const jsonField = <Value>(
  input: z.ZodType<Value>,
  of: Partial<Pick<Field<Value, string>, 'form' | 'written' | 'readForm' | 'usual'>> = {},
): Field<Value, string> => ({
  input,
  form: { is: 'own' },
  written: asText,
  store: (value) => JSON.stringify(value),
  load: (column) => JSON.parse(column),
  ...of,
});

/** A list; its form has one entry on each line. */
export const linesField = <Item>(
  input: z.ZodType<Item[]>,
  of: {
    rows: number;
    usual: Item[] | (() => Item[]);
    written?: (item: Item) => string;
    read?: (line: string) => unknown;
  },
): Field<Item[], string> =>
  jsonField(input, {
    usual: of.usual,
    form: { is: 'lines', rows: of.rows },
    written: (list) => list.map(of.written ?? String).join('\n'),
    readForm: (text) => linesOf(text).map(of.read ?? same),
  });

/** The same field, which null, or an empty field of a form, takes away. `input` reads both. */
export const optionalField = <Value, Column>(
  field: Field<Value, Column>,
  input: z.ZodType<Value | null> = orNone(field.input),
): Field<Value | null, Column | null> => ({
  ...field,
  input,
  usual: null,
  store: (value, place, name) => (value === null ? null : field.store(value, place, name)),
  load: (column) => (column === null ? null : field.load(column)),
  written: (value, place) => (value === null ? '' : field.written(value, place)),
});

/** The columns whose values differ from those of a row; one that is undefined keeps its value. */
export const differing = <Row extends object, Part extends { [Name in keyof Row]?: Row[Name] | undefined }>(
  row: Row,
  columns: Part,
): { [Name in keyof Part]?: Exclude<Part[Name], undefined> } =>
  Object.fromEntries(
    Object.entries(columns).filter(
      ([name, value]) => value !== undefined && value !== row[name as keyof Row],
    ),
  ) as { [Name in keyof Part]?: Exclude<Part[Name], undefined> };

/** Declares what a record is made of: what scripts send, columns, answers and form follow from its fields. */
export function record<const F extends Fields>(fields: F) {
  const entries: [string, Field<unknown, unknown>][] = Object.entries(fields);
  const inForm = entries.filter(([, { form }]) => form.is !== 'own');
  const shape = (make: (field: Field<unknown, unknown>) => z.ZodType) =>
    Object.fromEntries(entries.map(([name, field]) => [name, make(field)]));
  const columnsOf = (values: Patch<F>, place: Place) =>
    Object.fromEntries(
      entries.flatMap(([name, field]) =>
        values[name] === undefined ? [] : [[name, field.store(values[name], place, name)]],
      ),
    ) as Partial<Columns<F>>;
  return {
    fields,
    /** The form of a new record. No usual value is a moment, so that the time zone does not matter. */
    get blank() {
      return Object.fromEntries(
        inForm.map(([name, { usual, written }]) => [
          name,
          usual === undefined ? '' : written(typeof usual === 'function' ? usual() : usual, UTC),
        ]),
      );
    },
    /** A new record: a field that is not sent has its usual value. */
    input: z.object(
      shape(({ input, usual }) => (usual === undefined ? input : input.default(usual as never))),
    ) as unknown as z.ZodObject<{ [Name in keyof F]: z.ZodType<ValueOf<F[Name]>> }>,
    /** A change: a field that is not sent keeps what is stored. */
    patch: z.object(shape(({ input }) => input.optional())) as unknown as z.ZodObject<{
      [Name in keyof F]: z.ZodOptional<z.ZodType<ValueOf<F[Name]>>>;
    }>,
    columns: (values: Values<F>, place: Place) => columnsOf(values, place) as Columns<F>,
    /** The columns that a change gives another value than the row has. */
    changes: (row: Columns<F>, patch: Patch<F>, place: Place): Partial<Columns<F>> =>
      differing(row, columnsOf(patch, place)) as Partial<Columns<F>>,
    json: (row: Columns<F>) =>
      Object.fromEntries(entries.map(([name, { load }]) => [name, load(row[name])])) as Values<F>,
    /** A row as the fields of its form. */
    entered: (row: Columns<F>, place: Place): Record<string, string> =>
      Object.fromEntries(inForm.map(([name, { load, written }]) => [name, written(load(row[name]), place)])),
    /** The fields of a form as a script sends them; other fields stay as they are. */
    readForm(sent: Record<string, unknown>): Record<string, unknown> {
      const body = { ...sent };
      for (const [name, { form, readForm }] of entries) {
        const value = body[name];
        // A ticked box follows its hidden "false".
        if (form.is === 'tick' && Array.isArray(value)) body[name] = value.at(-1);
        if (readForm && typeof value === 'string') body[name] = readForm(value);
      }
      return body;
    },
  };
}
