import { z } from 'zod';
import { fieldsOf, oneOf } from '#kernel/http/validation.ts';
import { coded } from '#kernel/messages/messages.ts';
import {
  DEFAULT_MAJORITY,
  DENOMINATOR_AT_MOST,
  MAJORITY_BASES,
  readFraction,
  SHARE_WORDS,
  THRESHOLD_BASES,
} from './shared/share.ts';

const fraction = z
  .string(coded('not_fraction', { max: DENOMINATOR_AT_MOST }))
  .trim()
  .refine((text) => readFraction(text) !== undefined, coded('not_fraction', { max: DENOMINATOR_AT_MOST }));

/** A share, see `Share`. */
export const ShareInput = z.union(
  [z.enum(SHARE_WORDS), z.strictObject({ at_least: fraction }), z.strictObject({ more_than: fraction })],
  coded('not_share', { words: SHARE_WORDS }),
);

/** What a motion needs; what is left out is as in `DEFAULT_MAJORITY`. */
export const MajorityInput = z.object(
  {
    share: ShareInput.default(DEFAULT_MAJORITY.share),
    of: oneOf(MAJORITY_BASES).default(DEFAULT_MAJORITY.of),
  },
  coded('not_object'),
);

/** A setting that null, or an empty field of a form, takes away. */
export const orNone = <Input extends z.ZodType>(input: Input) =>
  z.preprocess((value) => (value === '' ? null : value), input.nullable());

/** What a seat needs. A form without a threshold sends an empty share. */
export const ThresholdInput = z.preprocess(
  (value) => (value === '' || fieldsOf(value).share === '' ? null : value),
  z
    .object({ share: ShareInput, of: oneOf(THRESHOLD_BASES).default('valid') }, coded('not_object'))
    .nullable(),
);
