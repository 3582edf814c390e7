import { z } from 'zod';
import { type Field, jsonField } from '#kernel/http/record.ts';
import { fieldsOf, oneOf, orNone, wholeNumber } from '#kernel/http/validation.ts';
import { coded } from '#kernel/messages/messages.ts';
import { findPreset } from './majority-presets.ts';
import {
  DEFAULT_MAJORITY,
  DENOMINATOR_AT_MOST,
  MAJORITY_BASES,
  readFraction,
  SHARE_WORDS,
  type Share,
  THRESHOLD_BASES,
} from './shared/share.ts';

/** The kinds of a share with a fraction. */
export const FRACTION_KINDS = ['at_least', 'more_than'] as const;

const fraction = z
  .string(coded('not_fraction', { max: DENOMINATOR_AT_MOST }))
  .trim()
  .refine((text) => readFraction(text) !== undefined, coded('not_fraction', { max: DENOMINATOR_AT_MOST }));

/** The fields of a form as JSON has them: `kind` is a word, or the kind of the fraction. */
function shareOfForm(value: unknown): unknown {
  const { kind, fraction: text } = fieldsOf(value);
  if (kind === undefined) return value;
  return FRACTION_KINDS.some((known) => known === kind) ? { [String(kind)]: text } : kind;
}

/** A share, see `Share`. */
export const ShareInput = z.preprocess(
  shareOfForm,
  z.union(
    [z.enum(SHARE_WORDS), z.strictObject({ at_least: fraction }), z.strictObject({ more_than: fraction })],
    coded('not_share', { words: SHARE_WORDS }),
  ),
);

/** A share in one field of a form: a word, or a fraction with its kind, `more_than 1/3`. */
export const shareField: Field<Share, string> = jsonField<Share>(ShareInput, {
  form: { is: 'choice' },
  written: (share) => (typeof share === 'string' ? share : Object.entries(share).flat().join(' ')),
  readForm: readShare,
});

/** A fraction alone has to be reached. */
export function readShare(text: string): unknown {
  const [, kind = 'at_least', part] = /^(?:(at_least|more_than) )?(.*\/.*)$/.exec(text) ?? [];
  return part === undefined ? text : { [kind]: part };
}

/** The fields of a form as JSON has them: `rule` is a preset, or `own` for what the other fields say. */
function majorityOfForm(value: unknown): unknown {
  const { rule, ...own } = fieldsOf(value);
  if (rule === undefined) return value;
  return rule === 'own' ? own : findPreset(String(rule));
}

/** What a motion needs; what is left out is as in `DEFAULT_MAJORITY`. */
export const MajorityInput = z.preprocess(
  majorityOfForm,
  z.object(
    {
      share: ShareInput.default(DEFAULT_MAJORITY.share),
      of: oneOf(MAJORITY_BASES).default(DEFAULT_MAJORITY.of),
    },
    coded('not_object'),
  ),
);

/** The same, which null, or an empty field of a form, takes away. */
export const ShareOrNone = z.preprocess(
  (value) => (isEmptyShare(value) ? null : value),
  ShareInput.nullable(),
);
export const MajorityOrNone = z.preprocess(
  (value) => (isEmptyShare(value) || fieldsOf(value).rule === '' ? null : value),
  MajorityInput.nullable(),
);

const isEmptyShare = (value: unknown): boolean => value === '' || fieldsOf(value).kind === '';

export const QUORUM_AT_MOST = 1_000_000;

/** A quorum as a number of people; null, or an empty field of a form: none. */
export const QuorumInput = orNone(
  wholeNumber(1, QUORUM_AT_MOST, coded('out_of_range_or_null', { min: 1, max: QUORUM_AT_MOST })),
);

/** What a seat needs. A form without a threshold sends an empty share. */
export const ThresholdInput = z.preprocess(
  (value) => (value === '' || isEmptyShare(fieldsOf(value).share) ? null : value),
  z
    .object({ share: ShareInput, of: oneOf(THRESHOLD_BASES).default('valid') }, coded('not_object'))
    .nullable(),
);
