import { dateInWords } from '#kernel/local-time.ts';
import { isDate } from './records/fields.ts';

/**
 * Describes the value of a field in words, for a comparison of two values.
 * @param names the tenders' names by id
 */
export function describeValue(value: unknown, names: ReadonlyMap<string, string>): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string') return names.get(value) ?? (isDate(value) ? dateInWords(value) : value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map((one) => describeValue(one, names)).join(', ');
  const { opens, closes, ...rest } = value as Record<string, unknown>;
  const hours = opens === undefined ? [] : [`${opens} to ${closes}`];
  const others = Object.entries(rest)
    .map(([key, one]) => [key, describeValue(one, names)] as const)
    .filter(([, text]) => text !== '' && text !== '0');
  return [...hours, ...others.map(([key, text]) => `${key} ${text}`)].join(', ');
}
