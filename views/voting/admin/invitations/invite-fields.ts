import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { type Entered, enteredLines, enteredText, errorAt, isTicked } from '#views/components/entered.ts';
import { openField, tickBox } from '#views/components/fields.ts';
import { choice, choiceGroup, field, hiddenInputs } from '#views/components/forms.ts';
import { enterMail, folderNotice, notice } from '#views/components/notices.ts';
import { inputsOf } from '#views/components/record-fields.ts';
import { mayDo, type OfficerProps } from '#views/voting/admin/frame.ts';

/** A distribution list to choose. */
export interface ListChoice {
  id: string;
  name: string;
  count: number;
}

/** The kinds of membership and the groups that can be chosen. */
export interface RollChoice {
  kinds: readonly { id: string; name: string }[];
  groups: readonly { id: string; name: string }[];
  /** An ISO date in the club's time zone. */
  today: string;
}

export const INVITE_WORDS = {
  emails: {
    label: t('voting-admin.invite_fields.addresses'),
    hint: t('voting-admin.invite_fields.addresses_hint', { example: 'Ada Lovelace <ada@club.example>' }),
  },
  roll: { label: t('voting-admin.invite_fields.members') },
  roll_kinds: {
    label: t('voting-admin.invite_fields.members'),
    hint: t('voting-admin.invite_fields.every_member_these_kinds_who'),
  },
  roll_groups: {
    label: t('voting-admin.invite_fields.these_groups'),
    hint: t('voting-admin.invite_fields.tick_none_all_members'),
  },
  roll_on: {
    label: t('voting-admin.invite_fields.members_on'),
    hint: t('voting-admin.invite_fields.members_day_vote_later_changes'),
  },
  distribution_list_ids: { label: t('voting-admin.invite_fields.distribution_lists') },
  election_ids: { label: t('voting-admin.invite_fields.elections') },
  invite_mode: { label: t('voting-admin.invite_fields.what_sent') },
  queue: { label: t('voting-admin.invite_fields.wait_until_voting_opens') },
  batch_name: {
    label: t('voting-admin.invite_fields.name_batch'),
    hint: t('voting-admin.invite_fields.voting_codes_listed_under_left'),
  },
};

/** Whether mails can be sent, and what is missing. */
export interface MailState {
  mailReady: boolean;
  /** What the mailer needs. */
  missing: readonly string[];
  /** Whether mails go into a folder on the server, in production. */
  inFolder?: boolean;
}

/** Says what to enter, or that nobody gets the mails; null where mail is ready. */
export function mailNotice(
  { mailReady, missing, inFolder }: MailState,
  { viewer }: OfficerProps,
): Html | null {
  const mayEnter = mayDo({ viewer }, 'settings:write');
  if (inFolder) return folderNotice(mayEnter);
  if (mailReady) return null;
  return notice(
    'attention',
    html`<p>${enterMail(missing, mayEnter)} ${t('voting-admin.invite_fields.voting_printed_copied_voting_codes')}</p>`,
    t('voting-admin.invite_fields.mail_sent'),
  );
}

/** Disables a part of a page while no mail can be sent; it can still be read. */
export function whileMailReady(mailReady: boolean, content: Html): Html {
  return mailReady ? content : html`<fieldset class="off" disabled>${content}</fieldset>`;
}

interface FieldsProps {
  entered: Entered;
  errors: readonly FieldError[];
  /** The prefix of the fields' ids, on a page with other forms. */
  prefix?: string;
}

/** The fields for recipients: members of the roll, distribution lists, and addresses to paste or read from a file. */
export function recipientFields(
  props: FieldsProps & { lists: readonly ListChoice[]; roll: RollChoice },
): Html {
  const { entered, lists, roll, prefix = '' } = props;
  const emails = inputsOf(INVITE_WORDS, props).at('emails');
  return html`${rollFields(props)}${listChoices(props)}${openField({
    ...emails,
    label:
      lists.length + roll.kinds.length === 0
        ? emails.label
        : t('voting-admin.invite_fields.further_addresses'),
    rows: 6,
    value: enteredLines(entered, 'emails'),
  })}${addressFile(`${prefix}emails`)}`;
}

/** A file whose addresses the page’s script puts into a text area; hidden without script. */
export function addressFile(id: string): Html {
  return html`<div class="address-file" data-addresses="${id}" hidden><label class="button button-quiet button-small">${t('voting-admin.invite_fields.take_file')}<input class="visually-hidden" type="file" accept=".csv,.txt,.tsv,text/csv,text/plain"></label><p class="small soft" role="status"></p></div>
`;
}

/** Members by their kind of membership on a day, and by group. */
function rollFields(props: FieldsProps & { roll: RollChoice }): Html | null {
  const { entered, errors, roll, prefix = '' } = props;
  if (roll.kinds.length === 0) return null;
  const { at } = inputsOf(INVITE_WORDS, props);
  const group = (name: 'roll_kinds' | 'roll_groups', rows: RollChoice['kinds']) => {
    const chosen = enteredList(entered, name);
    return choiceGroup({
      ...at(name),
      name: `${prefix}${name}`,
      error: errorAt(errors, name) ?? (name === 'roll_kinds' ? errorAt(errors, 'roll') : undefined),
      plain: true,
      rows: rows.map((one, index) =>
        choice({
          type: 'checkbox',
          name,
          value: one.id,
          id: index === 0 ? `${prefix}${name}` : undefined,
          label: one.name,
          checked: chosen.includes(one.id),
        }),
      ),
    });
  };
  return html`${group('roll_kinds', roll.kinds)}${
    roll.groups.length > 0 && group('roll_groups', roll.groups)
  }${field({ ...at('roll_on', roll.today), type: 'date', short: true, optional: true })}`;
}

function listChoices(props: FieldsProps & { lists: readonly ListChoice[] }): Html | null {
  const { entered, lists, prefix = '' } = props;
  if (lists.length === 0) return null;
  const chosen = enteredList(entered, 'distribution_list_ids');
  return choiceGroup({
    ...inputsOf(INVITE_WORDS, props).at('distribution_list_ids'),
    name: `${prefix}distribution_list_ids`,
    plain: true,
    rows: lists.map(({ id, name, count }, index) =>
      choice({
        type: 'checkbox',
        name: 'distribution_list_ids',
        value: id,
        id: `${prefix}distribution_list_ids${index === 0 ? '' : `-${index + 1}`}`,
        label: name,
        note: t('voting-admin.invite_fields.address_count', { addresses: count }),
        checked: chosen.includes(id),
      }),
    ),
  });
}

/** The choice of what a mail contains: a voting link for each election, or one link to all of them. */
export function modeChoice(
  props: FieldsProps & { fallback: 'individual' | 'batch'; isPaper?: boolean | undefined },
): Html {
  const { entered, prefix = '', fallback, isPaper } = props;
  const chosen = enteredText(entered, 'invite_mode', fallback);
  const row = (value: 'individual' | 'batch', label: Words | string, note: Words | string) =>
    choice({
      type: 'radio',
      name: 'invite_mode',
      id: value === 'individual' ? `${prefix}invite_mode` : `${prefix}invite_mode-${value}`,
      value,
      label,
      note,
      checked: chosen === value,
    });
  return choiceGroup({
    ...inputsOf(INVITE_WORDS, props).at('invite_mode'),
    name: `${prefix}invite_mode`,
    rows: [
      row(
        'individual',
        t('voting-admin.invite_fields.voting_link'),
        isPaper
          ? t('voting-admin.invite_fields.mail_all_questions_button_opens')
          : t('voting-admin.invite_fields.mail_each_election_button_opens'),
      ),
      row(
        'batch',
        t('voting-admin.invite_fields.link_my_elections'),
        t('voting-admin.invite_fields.mail_each_person_button_opens'),
      ),
    ],
  });
}

/** Whether invitations to scheduled elections are sent only when voting opens. */
export function queueBox({
  entered,
  prefix = '',
  when,
}: Omit<FieldsProps, 'errors'> & { when: Words }): Html {
  return html`<div class="choices choices-plain">${tickBox({
    name: 'queue',
    id: `${prefix}queue`,
    label: INVITE_WORDS.queue.label,
    note: when,
    checked: isTicked(entered, 'queue'),
  })}</div>`;
}

/** The name under which the tokens of these invitations are listed. */
export const batchNameField = (props: FieldsProps): Html =>
  field({ ...inputsOf(INVITE_WORDS, props).at('batch_name'), optional: true, maxlength: 200 });

const KEPT = [
  'roll_kinds',
  'roll_groups',
  'roll_on',
  'election_ids',
  'distribution_list_ids',
  'invite_mode',
  'queue',
  'batch_name',
] as const;

/** Everything that was entered, as hidden inputs for the preview and for the way back to the form. */
export function enteredInputs(entered: Entered): Html[] {
  return [
    ...hiddenInputs({ emails: enteredLines(entered, 'emails') }),
    ...hiddenInputs(Object.fromEntries(KEPT.map((name) => [name, enteredList(entered, name)]))),
  ];
}

/** The values of a field that was sent once or several times. */
export function enteredList(entered: Entered, name: string): string[] {
  const value = entered[name];
  const values = Array.isArray(value) ? value : [value];
  return values
    .filter((one) => typeof one === 'string' || typeof one === 'boolean')
    .map(String)
    .filter((one) => one !== '');
}
