import type { SpecialBody } from '#content/kinds/special.ts';
import { type ContentForm, type FormValues, readRange, typed } from './form.ts';
import { RANGES_SHOWN } from './hours.ts';

export const specialForm: ContentForm = {
  toForm(body) {
    const { from, to, closed, ranges, reason } = body as SpecialBody;
    const values: FormValues = {
      from,
      to: to === from ? '' : (to ?? ''),
      as: closed ? 'closed' : 'open',
      reason,
    };
    for (const [index, { opens, closes }] of ranges.entries()) {
      values[`ranges.${index}.opens`] = opens;
      values[`ranges.${index}.closes`] = closes;
    }
    return values;
  },
  fromForm(entered, base) {
    const stored = (base as SpecialBody | undefined)?.ranges ?? [];
    const closed = typed(entered, 'as') === 'closed';
    const ranges = Array.from({ length: RANGES_SHOWN }, (_, index) => {
      const range = readRange(entered, `ranges.${index}`);
      return range ? [{ ...stored[index], ...range }] : [];
    });
    const from = typed(entered, 'from');
    return {
      from,
      to: typed(entered, 'to') || from,
      closed,
      reason: typed(entered, 'reason'),
      // The fields for hours are ignored on closed days.
      ranges: closed ? [] : [...ranges.flat(), ...stored.slice(RANGES_SHOWN)],
    };
  },
};
