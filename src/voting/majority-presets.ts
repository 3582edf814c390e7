import { type Message, t } from '#kernel/language/message.ts';
import { shareOfWords } from './share-words.ts';
import { DEFAULT_MAJORITY, type Majority, type Share } from './shared/share.ts';

/** A rule that a law or a usual set of rules has where those of the club say nothing else. */
interface MajorityPreset {
  /** What it is for. */
  decision: Message;
  majority: Majority;
}

/** The rules of a country, by the key that a form sends. */
export interface PresetGroup {
  title: Message;
  presets: Readonly<Record<string, MajorityPreset>>;
}

const of = (share: Share, base: Majority['of'] = 'yes_no'): Majority => ({ share, of: base });

/**
 * Majorities by country. Abstentions count nowhere, except where a rule needs a share of all electors; a tie is lost
 * everywhere.
 */
export const MAJORITY_PRESETS: readonly PresetGroup[] = [
  {
    title: t('voting-admin.majorities.germany'),
    presets: {
      // § 32(1) 3: the majority of the votes cast; abstentions are none (BGH, 25 January 1982, II ZR 164/81).
      de_ordinary: { decision: t('voting-admin.majorities.ordinary_decision'), majority: DEFAULT_MAJORITY },
      // § 33(1) 1: three quarters of the votes cast.
      de_rules: { decision: t('voting-admin.majorities.change_of_rules'), majority: of('three_quarters') },
      // § 33(1) 2: the consent of all members, of those absent in writing.
      de_purpose: {
        decision: t('voting-admin.majorities.change_of_purpose'),
        majority: of('all', 'electors'),
      },
      // § 41: as for the rules.
      de_dissolution: { decision: t('voting-admin.majorities.dissolution'), majority: of('three_quarters') },
      // § 32: “einfache Mehrheit” is more than half, not the most votes (KG, 23 May 2020, 22 W 61/19).
      de_election: { decision: t('voting-admin.majorities.election'), majority: DEFAULT_MAJORITY },
    },
  },
  {
    title: t('voting-admin.majorities.uk_companies'),
    presets: {
      // Section 282: an ordinary resolution, by a simple majority of those who vote.
      gb_ordinary: { decision: t('voting-admin.majorities.ordinary_resolution'), majority: DEFAULT_MAJORITY },
      // Sections 21 and 283: a special resolution, by not less than 75 %, which the notice has to announce.
      gb_rules: { decision: t('voting-admin.majorities.special_articles'), majority: of('three_quarters') },
      // A special resolution too: Insolvency Act 1986, section 84(1)(b).
      gb_dissolution: {
        decision: t('voting-admin.majorities.special_winding_up'),
        majority: of('three_quarters'),
      },
      gb_election: { decision: t('voting-admin.majorities.election'), majority: DEFAULT_MAJORITY },
    },
  },
  {
    title: t('voting-admin.majorities.uk_clubs'),
    presets: {
      // The club's own rules alone decide; these are what most of them say, of the votes recorded.
      gb_club_ordinary: {
        decision: t('voting-admin.majorities.ordinary_decision'),
        majority: DEFAULT_MAJORITY,
      },
      gb_club_rules: { decision: t('voting-admin.majorities.change_of_rules'), majority: of('two_thirds') },
      gb_club_dissolution: { decision: t('voting-admin.majorities.dissolution'), majority: of('two_thirds') },
      gb_club_election: { decision: t('voting-admin.majorities.election'), majority: DEFAULT_MAJORITY },
    },
  },
  {
    title: t('voting-admin.majorities.united_states'),
    presets: {
      // 12th edition, 44:1: more than half of the votes cast, blanks excluded.
      us_ordinary: { decision: t('voting-admin.majorities.ordinary_decision'), majority: DEFAULT_MAJORITY },
      // 44:3: at least two thirds of them, with previous notice.
      us_rules: { decision: t('voting-admin.majorities.change_of_bylaws'), majority: of('two_thirds') },
      // 44:9: where the bylaws ask for a majority of the entire membership, not of those who vote.
      us_membership: {
        decision: t('voting-admin.majorities.entire_membership'),
        majority: of('more_than_half', 'electors'),
      },
      // As the bylaws are amended.
      us_dissolution: { decision: t('voting-admin.majorities.dissolution'), majority: of('two_thirds') },
      us_election: { decision: t('voting-admin.majorities.election'), majority: DEFAULT_MAJORITY },
    },
  },
];

/** A preset in words: `Change of the rules: three quarters of yes and no`. */
export const presetWords = ({ decision, majority }: MajorityPreset): Message =>
  t('voting-admin.majorities.preset', { decision, share: shareOfWords(majority) });

/** The majority of a preset; undefined for another key. */
export const findPreset = (key: string): Majority | undefined =>
  MAJORITY_PRESETS.flatMap(({ presets }) => Object.entries(presets)).find(([known]) => known === key)?.[1]
    .majority;
