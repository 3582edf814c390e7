import { t } from '#kernel/language/message.ts';
import { atLineStart } from '#kernel/language/times.ts';
import type { MEETING } from '#meetings/meetings.ts';
import type { Words } from '#views/components/record-fields.ts';
import { readShare, ShareInput } from '#voting/share-input.ts';
import { shareWords } from '#voting/share-words.ts';

/** The words of the fields of a meeting, new or stored. */
export const MEETING_WORDS: Words<typeof MEETING.fields, 'agenda_of'> = {
  title: {
    label: t('meetings-admin.shared.title'),
    hint: t('meetings-admin.meeting_fields.annual_general_meeting_2027_example'),
  },
  held_at: { label: t('meetings-admin.meeting_fields.day_time') },
  place: { label: t('meetings-admin.meeting_fields.place') },
  notes: {
    label: t('meetings-admin.meeting_fields.how_take_part'),
    hint: t('meetings-admin.meeting_fields.shown_page_who_come_how'),
  },
  documents: {
    label: t('meetings-admin.shared.documents'),
    hint: t('meetings-admin.meeting_fields.each_line_title_address_beginning'),
  },
  public: {
    label: t('meetings-admin.meeting_fields.everybody_read'),
    hint: t('meetings-admin.meeting_fields.agenda_documents_names_results_also'),
  },
  quorum: {
    label: t('meetings-admin.meeting_fields.quorum_number'),
    hint: t('meetings-admin.meeting_fields.how_many_people_present_decision'),
  },
  quorum_share: {
    label: t('meetings-admin.meeting_fields.quorum_share'),
    hint: t('meetings-admin.meeting_fields.those_who_vote_other_way'),
    options: [
      { value: '', label: t('meetings-admin.shared.none') },
      ...['1/10', '1/5', '1/4', '1/3'].map((part) => ({
        value: `at_least ${part}`,
        label: t('meetings-admin.meeting_fields.members', { part }),
      })),
      { value: 'more_than_half', label: t('meetings-admin.meeting_fields.more_half_members') },
      { value: 'two_thirds', label: t('meetings-admin.meeting_fields.two_thirds_members') },
    ],
    other: (value) => {
      const read = ShareInput.safeParse(readShare(value));
      return read.success
        ? atLineStart(t('meetings-admin.meeting_fields.members', { part: shareWords(read.data) }))
        : value;
    },
  },
  classes: {
    label: t('meetings-admin.shared.classes_cards'),
    hint: t('meetings-admin.meeting_fields.each_line_several_each_gets'),
  },
  remote: {
    label: t('meetings-admin.meeting_fields.members_elsewhere_take_part'),
    hint: t('meetings-admin.meeting_fields.vote_own_link_count_present'),
  },
  proxies_per_person: {
    label: t('meetings-admin.shared.proxies'),
    hint: t('meetings-admin.meeting_fields.how_many_absent_members_person'),
  },
  proxies_count: { label: t('meetings-admin.meeting_fields.represented_members_count_quorum') },
  inclusion_codes: {
    label: t('meetings-admin.meeting_fields.voters_get_code_each_vote'),
    hint: t('meetings-admin.meeting_fields.check_after_close_ballot_box'),
  },
  agenda_of: { label: t('meetings-admin.shared.agenda') },
};
