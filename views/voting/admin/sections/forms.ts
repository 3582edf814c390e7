import type { Child, Html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import type { Words as Text } from '#kernel/language/words.ts';
import { type Entered, namedErrors } from '#views/components/entered.ts';
import { errorSummary } from '#views/components/notices.ts';
import { type AllWords, inputsOf, labelsOf, type Words } from '#views/components/record-fields.ts';
import { INVITE_WORDS } from '#views/voting/admin/invitations/invite-fields.ts';
import { isRarelyChanged } from '#views/voting/admin/sections/settings-fields.ts';
import {
  adminPath,
  type calledOf,
  type Named,
  PAGE_OF,
  SETTINGS_LABELS,
  type SectionId,
  type SubPage,
  sectionPath,
} from '#views/voting/words.ts';
import type { PERIOD, TEXTS } from '#voting/elections/texts-and-period.ts';
import type { OptionKind } from '#voting/shared/ballot-types.ts';

/** A section as a page shows it. */
export interface Section {
  id: SectionId;
  title: Text | string;
  about?: Child;
  work: Child;
}

/** A sentence, which may name what the page is about. */
type Sentence = string | ((called: Called) => string);
type Called = ReturnType<typeof calledOf>;

/** A form of these pages. */
interface Form {
  /** Where it stands, and what its notice is about; without one the notice stands at the top of the page. */
  section?: SectionId;
  /** It stands in the panel that asks for a confirmation. */
  asks?: true;
  /** The heading of what to correct. */
  problem: Sentence;
  /** Of its inputs. */
  words: AllWords;
  /** The notice afterwards; by its key in the address, where several acts share the form. */
  done?: Sentence | Readonly<Record<string, Sentence>>;
}

export const TEXT_WORDS = {
  title: { label: 'Title' },
  description: { label: 'Description', hint: 'Shown with the ballot. An empty line starts a paragraph.' },
} satisfies Required<Words<typeof TEXTS.fields>>;

export const PERIOD_WORDS = {
  open_at: { label: 'Opens' },
  close_at: { label: 'Closes' },
} satisfies Required<Words<typeof PERIOD.fields>>;

const labelled = (labels: Readonly<Record<string, string>>): AllWords =>
  Object.fromEntries(Object.entries(labels).map(([name, label]) => [name, { label }]));

const optionsForm = <Kind extends OptionKind>(kind: Kind) => {
  const said = (what: string) => `The ${kind} ${what}.`;
  return {
    section: `${kind}s` as const,
    problem: `The ${kind}s were not changed`,
    words: {
      name: { label: 'Name' },
      display_order: { label: 'Order' },
      text: { label: 'Text' },
      is_none_of_the_above: {
        label: 'It is “None of the above”',
        hint: 'A candidate ranked below it is not acceptable to that voter.',
      },
    },
    done: {
      [`${kind}-added`]: said('was added'),
      [`${kind}-changed`]: said('was changed'),
      [`${kind}-removed`]: said('was removed'),
      [`${kind}-withdrawn`]: `${said('is withdrawn')} The page and the ballot say so.`,
    } as Record<`${Kind}-${'added' | 'changed' | 'removed' | 'withdrawn'}`, string>,
  };
};

const settingsForm = <Id extends 'settings' | 'checks'>(section: Id) => ({
  section,
  problem: 'The settings were not changed',
  words: labelled(SETTINGS_LABELS),
  done: (called: Called) =>
    `The settings were changed${called === 'election' ? '' : ' on every question that knows them'}.`,
});

/** Every form of the officers' page of an election or a ballot paper. Its section has its markup, its route the act. */
export const FORMS = {
  questions: {
    section: 'questions',
    problem: 'The questions were not changed',
    words: {
      election_id: {
        label: 'Election',
        hint: 'It keeps its page, and from now on the codes of this ballot paper are valid for it.',
      },
    },
    done: {
      added: 'The question was added. The codes of this ballot paper are valid for it.',
      ordered: 'The order was changed.',
    },
  },
  tokens: {
    section: 'tokens',
    problem: 'No voting codes were made',
    words: {
      count: { label: 'How many' },
      batch_name: { label: 'Name of the batch', hint: 'Who gets them: “Hall, at the door”.' },
    },
  },
  batches: {
    section: 'tokens',
    asks: true,
    problem: 'The batch was not deleted',
    words: {},
    done: { 'batch-deleted': 'The batch was deleted.' },
  },
  invite: { section: 'invitations', problem: 'Nobody was invited yet', words: INVITE_WORDS },
  reminders: {
    section: 'invitations',
    problem: 'No reminder was sent',
    words: {
      force: {
        label: 'Also those who had a mail in the last 24 hours',
        hint: 'Without this they are left in peace.',
      },
    },
  },
  'results-email': { section: 'invitations', problem: 'The result was not mailed', words: {} },
  wording: {
    section: 'text',
    problem: 'Title and description were not changed',
    words: TEXT_WORDS,
    done: 'Title and description were changed.',
  },
  candidates: optionsForm('candidate'),
  options: optionsForm('option'),
  dates: {
    section: 'dates',
    problem: 'The dates were not changed',
    words: {
      ...PERIOD_WORDS,
      reopen: { label: 'Re-open voting', hint: 'The present result no longer counts.' },
      reason: {
        label: 'Reason',
        hint: 'Needed to open voting again. It stays on the public page.',
      },
      pause: {
        label: 'Pause voting',
        hint: 'The ballots that are in stay in. Voters read that voting is paused, and until when.',
      },
    },
    done: 'The dates were changed.',
  },
  settings: settingsForm('settings'),
  checks: settingsForm('checks'),
  attachments: {
    section: 'attachments',
    problem: 'The document was not changed',
    words: {
      attachment_url: {
        label: 'Address',
        hint: 'It begins with https://. Leave it empty to remove the document.',
      },
    },
    done: 'The document was changed.',
  },
  announce: {
    section: 'results',
    problem: 'The result was not announced',
    words: {},
    done: { announced: 'The result is announced. Everybody can see it now.' },
  },
  'manual-results': {
    section: 'results',
    problem: 'The certified results were not changed',
    words: {},
    done: {
      'manual-set': 'The certified results were saved. They are the result from now on.',
      'manual-cleared': 'The counted result is shown again.',
    },
  },
  workspace: {
    section: 'workspace',
    problem: 'The page was not linked',
    words: {
      database_id: {
        label: 'Database',
        hint: 'Its address or id. It has to be one the service may use.',
      },
      page_id: { label: 'Page', hint: 'The address or id of the page that follows this election.' },
      status_property_name: {
        label: 'Property for the status',
        hint: 'It needs the options Scheduled, Open and Closed. Left empty: Status.',
      },
    },
    done: {
      'workspace-linked': 'The page was linked.',
      'workspace-unlinked': 'The page was unlinked. It stays as it is.',
      'workspace-synced': 'The page is up to date.',
    },
  },
  close: {
    asks: true,
    problem: (called) => `The ${called} was not closed`,
    words: {},
    done: {
      closed: (called) =>
        `Voting is closed${called === 'election' ? '' : ' on every question'}. The next ballot is refused.`,
    },
  },
  delete: {
    asks: true,
    problem: (called) => `The ${called} was not deleted`,
    words: { reason: { label: 'Reason' }, confirm: { label: 'To confirm' } },
  },
} satisfies Record<string, Form>;

export type FormName = keyof typeof FORMS;

/** The key of the notice of one of several acts that share a form. */
export type DoneKey<F extends FormName> = (typeof FORMS)[F] extends { done: infer Done }
  ? Done extends string | ((called: Called) => string)
    ? never
    : keyof Done & string
  : never;

const BY_CODE = 'Nobody was invited by name: make a voting code for each elector.';

type Notice = [sentence: Sentence, section?: SectionId | undefined];

/** The notices on the page of an election or a ballot paper after an act of another page. */
const ARRIVALS = {
  'created-mail': [
    'The election was created. Next: invite people. Each gets a link of their own, so no other voting ' +
      'codes are needed.',
    'invitations',
  ],
  'created-paper': [
    'The election was created. Next: make a voting code for each person who votes, and print the slips.',
    'tokens',
  ],
  'created-trial': [
    'The trial is open and its invitations are sent. Look at them, or vote yourself.',
    'invitations',
  ],
  created: [
    (called) =>
      called === 'election'
        ? 'The election was created. Nobody can vote yet: make voting codes when you are ready.'
        : 'The ballot paper was created. Next: add its questions.',
  ],
  'created-checks': [
    'The election was created. Nobody can vote yet: make voting codes when this is decided.',
    'checks',
  ],
  repeated: [
    'The election before is void. This is its repetition, with the same electors: nobody was mailed yet.',
    'invitations',
  ],
  'repeated-by-code': [`The election before is void. This is its repetition. ${BY_CODE}`, 'tokens'],
  voided: ['The election is void. Its page says so, with the reason.', 'ending'],
  'followed-up': ['This is the follow-up, with the same electors.', 'invitations'],
  'followed-up-by-code': [`This is the follow-up. ${BY_CODE}`, 'tokens'],
  cloned: ['This is the copy. Nobody has a link to it yet.'],
} satisfies Record<string, Notice>;

/** The notices by their key in the address, each with the section that it is about. */
const NOTICES = new Map([
  ...Object.entries<Notice>(ARRIVALS),
  ...Object.entries<Form>(FORMS).flatMap(([form, { done = {}, section }]) =>
    Object.entries(typeof done === 'object' ? done : { [form]: done }).map(
      ([key, sentence]): [string, Notice] => [key, [sentence, section]],
    ),
  ),
]);

const say = (sentence: Sentence, called: Called): string =>
  typeof sentence === 'string' ? sentence : sentence(called);

/** What the page says after an act, by the key in its address, and the section that it is about. */
export function noticeOf(key: string | undefined, called: Called) {
  const [sentence, section] = NOTICES.get(key ?? '') ?? [];
  return { done: sentence && say(sentence, called), doneAt: section };
}

type Issuer = Pick<Named, 'id' | 'isPaper'>;

function pathAfter(of: Issuer, key: string): string {
  const [, section] = NOTICES.get(key) ?? [];
  const query = `?done=${key}`;
  return section ? sectionPath(of, section, query) : adminPath(of) + query;
}

/** Where a form leads after it was done: to its section, with its notice. @param key one of several notices */
export const afterForm = (of: Issuer, form: FormName, key: string = form): string => pathAfter(of, key);

/** Where an act of another page leads: to the section that is next, with the notice. */
export const arrivalPath = (of: Issuer, key: keyof typeof ARRIVALS): string => pathAfter(of, key);

/** The sub-page with a form. A panel that asks for a confirmation is on the first one, unless it is about a section. */
export function pageOfForm(form: FormName): SubPage {
  const { section }: Form = FORMS[form];
  return section ? PAGE_OF[section] : 'overview';
}

/** A refused form; the page shows it again with what was entered. */
export interface FormProblem {
  form: FormName;
  message: Text | string;
  errors: readonly FieldError[];
  entered: Entered;
}

interface Refused {
  problem?: FormProblem | undefined;
}

/** The panel that asks for a confirmation has one form: its inputs need no prefix. */
const prefixOf = (form: FormName): string => ('asks' in FORMS[form] ? '' : `${form}-`);

/** A form as it is shown: what was entered if it was refused, and its inputs by name. */
export function formOf<F extends FormName>({ problem }: Refused, form: F) {
  const { entered, errors = [] } = problem?.form === form ? problem : {};
  const prefix = prefixOf(form);
  const words: (typeof FORMS)[F]['words'] = FORMS[form].words;
  return { entered, errors, prefix, ...inputsOf(words, { entered, errors, prefix }) };
}

/** Whether the page shows the panel that asks for a confirmation because that was refused. */
export const isAskedAgain = ({ problem }: Refused): boolean =>
  problem !== undefined && 'asks' in FORMS[problem.form];

/** The errors at the top of the page, with links to their fields. */
export function problemSummary({ problem }: Refused, called: Called): Html | null {
  if (problem === undefined) return null;
  const { form, message, errors } = problem;
  const { words, section, asks, problem: heading }: Form = FORMS[form];
  const whole = asks ? 'ask' : (section ?? '');
  const listed = errors.length > 0 ? namedErrors(errors, labelsOf(words)) : [{ path: '', message }];
  const idOf = (path: string) => {
    // The checkboxes of an invitation may not be there.
    const name = form === 'invite' ? path.replace(/\.\d+$/, '') : path;
    const isThere = (IS_THERE[form] ?? ((one) => one in words))(name);
    return isThere && path !== '' ? prefixOf(form) + name : whole;
  };
  return errorSummary(listed, idOf, say(heading, called));
}

/** Whether a form has a field with this name, where its words do not say so. */
const IS_THERE: Partial<Record<FormName, (name: string) => boolean>> = {
  invite: (name) => ['emails', 'invite_mode', 'batch_name'].includes(name),
  settings: (name) => name.startsWith('settings.') && !isRarelyChanged(name),
  checks: isRarelyChanged,
};
