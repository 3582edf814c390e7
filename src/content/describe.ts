import { isDate } from '#content/records/fields.ts';
import { t } from '#kernel/language/message.ts';
import { commas, dateInWords } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';

/**
 * Describes the value of a field in words, for a comparison of two values; empty where there is none.
 * @param names the tenders' names by id
 */
export function describeValue(value: unknown, names: ReadonlyMap<string, Words | string>): Words | string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean')
    return value ? t('content-admin.conflict.yes') : t('content-admin.conflict.no');
  if (typeof value === 'string') return names.get(value) ?? (isDate(value) ? dateInWords(value) : value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return commas(value.map((one) => describeValue(one, names))) ?? '';
  const { opens, closes, ...rest } = value as Record<string, unknown>;
  const others = Object.entries(rest)
    .map(([key, one]) => [key, describeValue(one, names)] as const)
    .filter(([, text]) => text !== '' && text !== '0')
    .map(([part, text]) => t('content-admin.conflict.part_of_field', { part, text }));
  const hours =
    opens !== undefined &&
    t('content-admin.conflict.hours', { opens: String(opens), closes: String(closes) });
  return commas([hours, ...others]) ?? '';
}
