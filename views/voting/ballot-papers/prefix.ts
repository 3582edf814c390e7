import { type Html, withAttributes } from '#kernel/html.ts';

/** The attributes that hold names of fields and ids of elements. */
const NAMES = ['name', 'id', 'for', 'aria-labelledby', 'aria-describedby', 'aria-controls', 'href'];

/** Puts a prefix before every field name and element id of a ballot, so that several ballots fit into one form. */
export const prefixed = (prefix: string, ballot: Html): Html =>
  withAttributes(ballot, NAMES, (attribute, value) => {
    const named = (name: string) => `${prefix}.${name}`;
    if (attribute !== 'href') return value.split(' ').map(named).join(' ');
    return value.startsWith('#') ? `#${named(value.slice(1))}` : value;
  });

/** The same for the fields of a form, by name. */
export const prefixedFields = <Value>(prefix: string, fields: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${prefix}.${name}`, value]));
