import type { Child, Html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { nestForm } from '#kernel/http/form.ts';
import { type Message, t } from '#kernel/language/message.ts';
import { offeredLanguages } from '#kernel/language/readers.ts';
import { Words } from '#kernel/language/words.ts';
import { type Entered, namedErrors } from '#views/components/entered.ts';
import { languageName } from '#views/components/language.ts';
import { errorSummary } from '#views/components/notices.ts';
import {
  type AllWords,
  type Words as FieldWords,
  inputsOf,
  labelsOf,
} from '#views/components/record-fields.ts';
import { INVITE_WORDS } from '#views/voting/admin/invitations/invite-fields.ts';
import { isRarelyChanged } from '#views/voting/admin/sections/settings-fields.ts';
import {
  adminPath,
  type calledOf,
  type Named,
  optionCode,
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
  title: Words | string;
  about?: Child;
  work: Child;
}

/** A sentence, which may name what the page is about. */
type Sentence = Words | ((called: Called) => Words);
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
  title: { label: t('voting-admin.forms.title') },
  description: {
    label: t('voting-admin.forms.description'),
    hint: t('voting-admin.forms.description_hint'),
  },
} satisfies Required<FieldWords<typeof TEXTS.fields>>;

export const PERIOD_WORDS = {
  open_at: { label: t('voting-admin.forms.opens') },
  close_at: { label: t('voting-admin.forms.closes') },
} satisfies Required<FieldWords<typeof PERIOD.fields>>;

const labelled = (labels: Readonly<Record<string, Words | string>>): AllWords =>
  Object.fromEntries(Object.entries(labels).map(([name, label]) => [name, { label }]));

const optionsForm = <Kind extends OptionKind>(kind: Kind) => {
  const of = { kind: optionCode(kind) };
  return {
    section: `${kind}s` as const,
    problem: t('voting-admin.forms.options.refused', of),
    words: {
      name: { label: t('voting-admin.forms.options.name') },
      display_order: { label: t('voting-admin.forms.options.order') },
      text: { label: t('voting-admin.forms.options.text') },
      is_none_of_the_above: {
        label: t('voting-admin.forms.options.none_of_the_above'),
        hint: t('voting-admin.forms.options.none_of_the_above_hint'),
      },
    },
    done: {
      [`${kind}-added`]: t('voting-admin.forms.options.added', of),
      [`${kind}-changed`]: t('voting-admin.forms.options.changed', of),
      [`${kind}-removed`]: t('voting-admin.forms.options.removed', of),
      [`${kind}-withdrawn`]: t('voting-admin.forms.options.withdrawn', of),
    } as Record<`${Kind}-${'added' | 'changed' | 'removed' | 'withdrawn'}`, Message>,
  };
};

const settingsForm = <Id extends 'settings' | 'checks'>(section: Id) => ({
  section,
  problem: t('voting-admin.forms.settings.refused'),
  words: labelled(SETTINGS_LABELS),
  done: (called: Called) => t('voting-admin.forms.settings.done', { called }),
});

/** Every form of the officers' page of an election or a ballot paper. Its section has its markup, its route the act. */
export const FORMS = {
  questions: {
    section: 'questions',
    problem: t('voting-admin.forms.questions.refused'),
    words: {
      election_id: {
        label: t('voting-admin.forms.questions.election'),
        hint: t('voting-admin.forms.questions.election_hint'),
      },
    },
    done: {
      added: t('voting-admin.forms.questions.added'),
      ordered: t('voting-admin.forms.questions.ordered'),
    },
  },
  tokens: {
    section: 'tokens',
    problem: t('voting-admin.forms.tokens.refused'),
    words: {
      count: { label: t('voting-admin.forms.tokens.count') },
      batch_name: {
        label: t('voting-admin.forms.tokens.batch_name'),
        hint: t('voting-admin.forms.tokens.batch_name_hint'),
      },
    },
  },
  batches: {
    section: 'tokens',
    asks: true,
    problem: t('voting-admin.forms.batches.refused'),
    words: {},
    done: { 'batch-deleted': t('voting-admin.forms.batches.deleted') },
  },
  invite: { section: 'invitations', problem: t('voting-admin.forms.invite.refused'), words: INVITE_WORDS },
  reminders: {
    section: 'invitations',
    problem: t('voting-admin.forms.reminders.refused'),
    words: {
      force: {
        label: t('voting-admin.forms.reminders.force'),
        hint: t('voting-admin.forms.reminders.force_hint'),
      },
    },
  },
  'results-email': {
    section: 'invitations',
    problem: t('voting-admin.forms.results_email.refused'),
    words: {},
  },
  wording: {
    section: 'text',
    problem: t('voting-admin.forms.wording.refused'),
    words: TEXT_WORDS,
    done: t('voting-admin.forms.wording.done'),
  },
  translations: {
    section: 'translations',
    problem: t('voting-admin.forms.translations.refused'),
    words: { translations: { label: t('voting-admin.translations.title') } },
    done: t('voting-admin.forms.translations.done'),
  },
  candidates: optionsForm('candidate'),
  options: optionsForm('option'),
  dates: {
    section: 'dates',
    problem: t('voting-admin.forms.dates.refused'),
    words: {
      ...PERIOD_WORDS,
      reopen: {
        label: t('voting-admin.forms.dates.reopen'),
        hint: t('voting-admin.forms.dates.reopen_hint'),
      },
      reason: {
        label: t('voting-admin.forms.reason'),
        hint: t('voting-admin.forms.dates.reason_hint'),
      },
      pause: {
        label: t('voting-admin.forms.dates.pause'),
        hint: t('voting-admin.forms.dates.pause_hint'),
      },
    },
    done: t('voting-admin.forms.dates.done'),
  },
  settings: settingsForm('settings'),
  checks: settingsForm('checks'),
  attachments: {
    section: 'attachments',
    problem: t('voting-admin.forms.attachments.refused'),
    words: {
      attachment_url: {
        label: t('voting-admin.forms.attachments.address'),
        hint: t('voting-admin.forms.attachments.address_hint'),
      },
    },
    done: t('voting-admin.forms.attachments.done'),
  },
  announce: {
    section: 'results',
    problem: t('voting-admin.forms.announce.refused'),
    words: {},
    done: { announced: t('voting-admin.forms.announce.done') },
  },
  'manual-results': {
    section: 'results',
    problem: t('voting-admin.forms.manual_results.refused'),
    words: {},
    done: {
      'manual-set': t('voting-admin.forms.manual_results.set'),
      'manual-cleared': t('voting-admin.forms.manual_results.cleared'),
    },
  },
  workspace: {
    section: 'workspace',
    problem: t('voting-admin.forms.workspace.refused'),
    words: {
      database_id: {
        label: t('voting-admin.forms.workspace.database'),
        hint: t('voting-admin.forms.workspace.database_hint'),
      },
      page_id: {
        label: t('voting-admin.forms.workspace.page'),
        hint: t('voting-admin.forms.workspace.page_hint'),
      },
      status_property_name: {
        label: t('voting-admin.forms.workspace.status'),
        hint: t('voting-admin.forms.workspace.status_hint'),
      },
    },
    done: {
      'workspace-linked': t('voting-admin.forms.workspace.linked'),
      'workspace-unlinked': t('voting-admin.forms.workspace.unlinked'),
      'workspace-synced': t('voting-admin.forms.workspace.synced'),
    },
  },
  close: {
    asks: true,
    problem: (called) => t('voting-admin.forms.close.refused', { called }),
    words: {},
    done: {
      closed: (called) => t('voting-admin.forms.close.done', { called }),
    },
  },
  delete: {
    asks: true,
    problem: (called) => t('voting-admin.forms.delete.refused', { called }),
    words: {
      reason: { label: t('voting-admin.forms.reason') },
      confirm: { label: t('voting-admin.forms.delete.confirm') },
    },
  },
} satisfies Record<string, Form>;

export type FormName = keyof typeof FORMS;

/** The key of the notice of one of several acts that share a form. */
export type DoneKey<F extends FormName> = (typeof FORMS)[F] extends { done: infer Done }
  ? Done extends Words | ((called: Called) => Words)
    ? never
    : keyof Done & string
  : never;

type Notice = [sentence: Sentence, section?: SectionId | undefined];

/** The notices on the page of an election or a ballot paper after an act of another page. */
const ARRIVALS = {
  'created-mail': [t('voting-admin.forms.arrived.mail'), 'invitations'],
  'created-paper': [t('voting-admin.forms.arrived.paper'), 'tokens'],
  'created-trial': [t('voting-admin.forms.arrived.trial'), 'invitations'],
  created: [(called) => t('voting-admin.forms.arrived.created', { called })],
  'created-checks': [t('voting-admin.forms.arrived.checks'), 'checks'],
  repeated: [t('voting-admin.forms.arrived.repeated'), 'invitations'],
  'repeated-by-code': [t('voting-admin.forms.arrived.repeated_by_code'), 'tokens'],
  voided: [t('voting-admin.forms.arrived.voided'), 'ending'],
  'followed-up': [t('voting-admin.forms.arrived.followed_up'), 'invitations'],
  'followed-up-by-code': [t('voting-admin.forms.arrived.followed_up_by_code'), 'tokens'],
  cloned: [t('voting-admin.forms.arrived.cloned')],
} satisfies Record<string, Notice>;

const isSentence = (done: NonNullable<Form['done']>): done is Sentence =>
  typeof done === 'function' || done instanceof Words;

/** The notices by their key in the address, each with the section that it is about. */
const NOTICES = new Map([
  ...Object.entries<Notice>(ARRIVALS),
  ...Object.entries<Form>(FORMS).flatMap(([form, { done = {}, section }]) =>
    Object.entries(isSentence(done) ? { [form]: done } : done).map(([key, sentence]): [string, Notice] => [
      key,
      [sentence, section],
    ]),
  ),
]);

const say = (sentence: Sentence, called: Called): Words =>
  typeof sentence === 'function' ? sentence(called) : sentence;

/** What the page says after an act, by the key in its address, and the section that it is about. */
export function noticeOf(key: string | undefined, called: Called) {
  const [sentence, section] = NOTICES.get(key ?? '') ?? [];
  return { done: sentence && say(sentence, called), doneAt: section };
}

type Issuer = Pick<Named, 'id' | 'isPaper'>;

function pathAfter(of: Issuer, key: string, more = ''): string {
  const [, section] = NOTICES.get(key) ?? [];
  const query = `?done=${key}${more}`;
  return section ? sectionPath(of, section, query) : adminPath(of) + query;
}

/** Where a form leads after it was done: to its section, with its notice. @param key one of several notices */
export const afterForm = (of: Issuer, form: FormName, key: string = form, entered: Entered = {}): string =>
  pathAfter(of, key, form === 'translations' ? translatingQuery(enteredLanguage(entered)) : '');

/** The texts in the language that was just saved are shown again. */
const translatingQuery = (language: string | undefined): string =>
  language === undefined ? '' : `&language=${encodeURIComponent(language)}`;

/** The language of the texts in a form, whose fields are sent flat or nested. */
export const enteredLanguage = (entered: Entered): string | undefined =>
  Object.keys(nestForm({ ...entered }).translations ?? {})[0];

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
  message: Words | string;
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

/** Which of the forms that share an address changes texts: those that were written, or those in other languages. */
export const textsFormIn = (entered: Entered): 'wording' | 'translations' =>
  Object.keys(entered).some((name) => name.startsWith('translations.')) ? 'translations' : 'wording';

/** The errors at the top of the page, with links to their fields. */
export function problemSummary({ problem }: Refused, called: Called): Html | null {
  if (problem === undefined) return null;
  const { form, message, errors } = problem;
  const { words, section, asks, problem: heading }: Form = FORMS[form];
  const whole = asks ? 'ask' : (section ?? '');
  const labels = { ...labelsOf(words), ...LABELS[form]?.(errors) };
  const listed = errors.length > 0 ? namedErrors(errors, labels) : [{ path: '', message }];
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
  translations: (name) => name.startsWith('translations.'),
};

/** What of an election may be in another language. */
const TRANSLATED = ['title', 'description', 'options'] as const;

/** The labels of fields whose names the words of a form do not have. */
const LABELS: Partial<Record<FormName, (errors: readonly FieldError[]) => Record<string, Words>>> = {
  translations: (errors) =>
    Object.fromEntries(
      errors.flatMap(({ path }) => {
        const [, tag = '', part] = path.split('.');
        if (part === undefined) return [];
        const text = TRANSLATED.find((one) => one === part) ?? 'other';
        const language = offeredLanguages().includes(tag) ? languageName(tag) : tag;
        return [[path, t('voting-admin.forms.translations.field', { language, text })]];
      }),
    ),
};
