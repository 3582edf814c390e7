import { type Message, t } from '#kernel/language/message.ts';
import type { Base, MAJORITY_BASES, Share } from './shared/share.ts';

const NAMED: Readonly<Record<string, 'half' | 'third' | 'two_thirds' | 'quarter' | 'three_quarters'>> = {
  '1/2': 'half',
  '1/3': 'third',
  '2/3': 'two_thirds',
  '1/4': 'quarter',
  '3/4': 'three_quarters',
};

interface ShareValues {
  /** `other` is more than the fraction. */
  share: Extract<Share, string> | 'at_least' | 'other';
  fraction: Message | '';
}

/** The values of a text that says a share in its own sentence: which one, and the fraction. */
export function shareValues(share: Share): ShareValues {
  if (typeof share === 'string') return { share, fraction: '' };
  const [kind, text] =
    'more_than' in share ? (['other', share.more_than] as const) : (['at_least', share.at_least] as const);
  return {
    share: kind,
    fraction: t('voting.share.fraction', { name: NAMED[text] ?? 'other', fraction: text }),
  };
}

/** A share in a sentence: `two thirds`, `more than half`, `at least 3/5`. */
export const shareWords = (share: Share): Message => t('voting.share.alone', shareValues(share));

/** A share of a base in a sentence: `two thirds of yes and no`. */
export function shareOfWords({ share, of }: { share: Share; of: Base }): Message {
  const values = shareValues(share);
  switch (of) {
    case 'yes_no':
      return t('voting.share.of_yes_no', values);
    case 'valid':
      return t('voting.share.of_valid', values);
    case 'ballots':
      return t('voting.share.of_ballots', values);
    case 'present':
      return t('voting.share.of_present', values);
    case 'electors':
      return t('voting.share.of_electors', values);
  }
}

/** The shares that have a name, to choose from. */
export const SHARE_LABELS: Readonly<Record<Extract<Share, string>, Message>> = {
  more_than_half: t('voting-admin.rule_fields.more_than_half'),
  two_thirds: t('voting-admin.rule_fields.two_thirds'),
  three_quarters: t('voting-admin.rule_fields.three_quarters'),
  all: t('voting-admin.rule_fields.all'),
};

/** What a majority can be a share of, to choose from. */
export const BASE_LABELS: Readonly<Record<(typeof MAJORITY_BASES)[number], Message>> = {
  yes_no: t('voting-admin.rule_fields.of_yes_no'),
  ballots: t('voting-admin.rule_fields.of_ballots'),
  present: t('voting-admin.rule_fields.those_present'),
  electors: t('voting-admin.rule_fields.of_electors'),
};
