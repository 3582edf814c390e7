import type { MEETING } from '#meetings/meetings.ts';
import type { Words } from '#views/components/record-fields.ts';
import { readShare, ShareInput } from '#voting/share-input.ts';
import { shareWords } from '#voting/shared/share.ts';

/** The words of the fields of a meeting, new or stored. */
export const MEETING_WORDS: Words<typeof MEETING.fields, 'agenda_of'> = {
  title: { label: 'Title', hint: 'Annual general meeting 2027, for example.' },
  held_at: { label: 'Day and time' },
  place: { label: 'Place' },
  notes: {
    label: 'How to take part',
    hint: 'Shown on its page: who may come, how to vote, what to bring.',
  },
  documents: {
    label: 'Documents',
    hint: 'One on each line: its title, then its address, beginning with https://. A PDF can be uploaded under Documents.',
  },
  public: {
    label: 'Everybody can read it',
    hint: 'Agenda, documents, names and results, also without an invitation. Off: the front page and the meeting’s page say only that there is a meeting, and when. Whoever comes by an invitation or a voting card, or is signed in, reads all of it.',
  },
  quorum: {
    label: 'Quorum as a number',
    hint: 'How many people have to be present for a decision. Empty: no such rule.',
  },
  quorum_share: {
    label: 'Quorum as a share',
    hint: 'Of those who may vote. The other way to say it.',
    options: [
      { value: '', label: 'None' },
      ...['1/10', '1/5', '1/4', '1/3'].map((part) => ({
        value: `at_least ${part}`,
        label: `${part} of the members`,
      })),
      { value: 'more_than_half', label: 'More than half of the members' },
      { value: 'two_thirds', label: 'Two thirds of the members' },
    ],
    other: (value) => {
      const read = ShareInput.safeParse(readShare(value));
      const words = read.success ? `${shareWords(read.data)} of the members` : value;
      return words.charAt(0).toUpperCase() + words.slice(1);
    },
  },
  classes: {
    label: 'Classes of cards',
    hint: 'One on each line. With several, each gets cards with a colour and a sign of its own; an item can name the classes that vote on it. Whoever is in a group of the same name gets its card.',
  },
  remote: {
    label: 'Members elsewhere can take part',
    hint: 'They vote with their own link, and count as present once they have opened it.',
  },
  proxies_per_person: {
    label: 'Proxies',
    hint: 'How many absent members one person may represent. 0: nobody.',
  },
  proxies_count: { label: 'Represented members count for the quorum' },
  inclusion_codes: {
    label: 'Voters get a code for each vote',
    hint: 'With it they check after the close that their ballot is in the box. It holds for all votes that are not open yet; a vote can differ.',
  },
  agenda_of: { label: 'Agenda' },
};
