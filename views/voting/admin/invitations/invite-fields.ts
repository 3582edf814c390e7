import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { type Entered, enteredLines, enteredText, errorAt, isTicked } from '#views/components/entered.ts';
import { openField, tickBox } from '#views/components/fields.ts';
import { choice, choiceGroup, field, hiddenInputs } from '#views/components/forms.ts';
import { enterMail, folderNotice, notice } from '#views/components/notices.ts';
import { counted } from '#views/components/numbers.ts';
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

export const INVITE_LABELS: Readonly<Record<string, string>> = {
  emails: 'Addresses',
  roll: 'Members',
  roll_kinds: 'Members',
  roll_groups: 'In these groups',
  roll_on: 'Members on',
  distribution_list_ids: 'Distribution lists',
  election_ids: 'Elections',
  invite_mode: 'What is sent',
  queue: 'When',
  batch_name: 'Name of the batch',
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
    html`<p>${enterMail(missing, mayEnter)} Voting with printed or copied voting codes works as always.</p>`,
    'No mail can be sent',
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
  const { entered, errors, lists, roll, prefix = '' } = props;
  return html`${rollFields(props)}${listChoices(props)}${openField({
    name: 'emails',
    id: `${prefix}emails`,
    label: lists.length + roll.kinds.length === 0 ? 'Addresses' : 'Further addresses',
    hint:
      'One on each line, or with commas between them, or a table from a spreadsheet. “Ada Lovelace ' +
      '<ada@club.example>” works too.',
    rows: 6,
    value: enteredLines(entered, 'emails'),
    error: errorAt(errors, 'emails'),
  })}${addressFile(`${prefix}emails`)}`;
}

/** A file whose addresses the page’s script puts into a text area; hidden without script. */
export function addressFile(id: string): Html {
  return html`<div class="address-file" data-addresses="${id}" hidden><label class="button button-quiet button-small">Take them from a file<input class="visually-hidden" type="file" accept=".csv,.txt,.tsv,text/csv,text/plain"></label><p class="small soft" role="status"></p></div>
`;
}

/** Members by their kind of membership on a day, and by group. */
function rollFields({ entered, errors, roll, prefix = '' }: FieldsProps & { roll: RollChoice }): Html | null {
  if (roll.kinds.length === 0) return null;
  const group = (name: 'roll_kinds' | 'roll_groups', rows: RollChoice['kinds'], hint: string) => {
    const chosen = enteredList(entered, name);
    return choiceGroup({
      name: `${prefix}${name}`,
      label: INVITE_LABELS[name]!,
      hint,
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
  return html`${group('roll_kinds', roll.kinds, 'Every member of these kinds who is not suspended.')}${
    roll.groups.length > 0 && group('roll_groups', roll.groups, 'Tick none for all members.')
  }${field({
    name: 'roll_on',
    id: `${prefix}roll_on`,
    type: 'date',
    label: INVITE_LABELS.roll_on!,
    hint: 'Members on this day may vote. Later changes of the roll do not count.',
    short: true,
    optional: true,
    value: enteredText(entered, 'roll_on', roll.today),
    error: errorAt(errors, 'roll_on'),
  })}`;
}

function listChoices({
  entered,
  errors,
  lists,
  prefix = '',
}: FieldsProps & { lists: readonly ListChoice[] }): Html | null {
  if (lists.length === 0) return null;
  const chosen = enteredList(entered, 'distribution_list_ids');
  return choiceGroup({
    name: `${prefix}distribution_list_ids`,
    label: 'Distribution lists',
    error: errorAt(errors, 'distribution_list_ids'),
    plain: true,
    rows: lists.map(({ id, name, count }, index) =>
      choice({
        type: 'checkbox',
        name: 'distribution_list_ids',
        value: id,
        id: `${prefix}distribution_list_ids${index === 0 ? '' : `-${index + 1}`}`,
        label: name,
        note: counted(count, 'address', 'addresses'),
        checked: chosen.includes(id),
      }),
    ),
  });
}

/** The choice of what a mail contains: a voting link for each election, or one link to all of them. */
export function modeChoice(
  props: FieldsProps & { fallback: 'individual' | 'batch'; isPaper?: boolean | undefined },
): Html {
  const { entered, errors, prefix = '', fallback, isPaper } = props;
  const chosen = enteredText(entered, 'invite_mode', fallback);
  const row = (value: 'individual' | 'batch', label: string, note: string) =>
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
    name: `${prefix}invite_mode`,
    label: 'What is sent',
    error: errorAt(errors, 'invite_mode'),
    rows: [
      row(
        'individual',
        'A voting link',
        isPaper
          ? 'One mail for all questions. Its button opens the ballot paper.'
          : 'One mail for each election. Its button opens the ballot.',
      ),
      row(
        'batch',
        'A link to “My elections”',
        'One mail for each person. Its button opens a page of their own, with a voting link for each of the elections.',
      ),
    ],
  });
}

/** Whether invitations to scheduled elections are sent only when voting opens. */
export function queueBox({
  entered,
  prefix = '',
  when,
}: Omit<FieldsProps, 'errors'> & { when: string }): Html {
  return html`<div class="choices choices-plain">${tickBox({
    name: 'queue',
    id: `${prefix}queue`,
    label: 'Wait until voting opens',
    note: when,
    checked: isTicked(entered, 'queue'),
  })}</div>`;
}

/** The name under which the tokens of these invitations are listed. */
export function batchNameField({ entered, errors, prefix = '' }: FieldsProps): Html {
  return field({
    name: 'batch_name',
    id: `${prefix}batch_name`,
    label: 'Name of the batch',
    hint: 'Their voting codes are listed under it. Left empty: “Invited” and the date.',
    optional: true,
    maxlength: 200,
    value: enteredText(entered, 'batch_name'),
    error: errorAt(errors, 'batch_name'),
  });
}

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
