import { BALLOT_TYPES } from '#kernel/db/schema/voting.ts';
import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { type Entered, enteredLines, enteredText } from '#views/components/entered.ts';
import { openField } from '#views/components/fields.ts';
import { choice, choiceGroup, field } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { inputsOf, recordFields } from '#views/components/record-fields.ts';
import { linkTo } from '#views/components/slots.ts';
import { type FormPageProps, formPage } from '#views/voting/admin/form-page.ts';
import { mayDo, pageSection } from '#views/voting/admin/frame.ts';
import { FORMS, PERIOD_WORDS, TEXT_WORDS } from '#views/voting/admin/sections/forms.ts';
import { settingsFields } from '#views/voting/admin/sections/settings-fields.ts';
import { viewOf } from '#views/voting/ballot-types.ts';
import { OPTION_WORDS } from '#views/voting/words.ts';
import { PERIOD, TEXTS } from '#voting/elections/texts-and-period.ts';
import { type OptionKind, type OptionRules, rulesOf } from '#voting/shared/ballot-types.ts';

/** The data of the form for a new election. Without an entered title, it shows default values. */
export interface ElectionFormProps extends FormPageProps {
  /** The dates that a new form proposes, in the format of its fields. */
  proposed?: { open_at: string; close_at: string } | undefined;
  /** The time zone of all times, in words. */
  zone: Words | string;
  /** The preview of the ballot, shown below the form. */
  preview?: Html | undefined;
}

/** What a new form proposes, where nothing was chosen. */
const PROPOSED = { open_now: 'true', 'settings.allow_blank': 'true' };

/** The words of a new election or question, without its settings. */
const ELECTION_WORDS = {
  title: {
    label: t('voting-admin.election_form.title'),
    hint: t('voting-admin.election_form.question_office_members_say'),
  },
  description: TEXT_WORDS.description,
  ballot_type: {
    label: t('voting-admin.election_form.type_ballot'),
    hint: t('voting-admin.election_form.cannot_changed_later'),
  },
  options: {
    label: t('voting-admin.election_form.options_names'),
    hint: t('voting-admin.election_form.each_line_poll_needs_least'),
  },
  candidates: {
    label: t('voting-admin.election_form.candidates_ranked_ballot'),
    hint: t('voting-admin.election_form.each_line_add_more_until'),
  },
  none_of_the_above: {
    label: t('voting-admin.election_form.add_none_above'),
    hint: t('voting-admin.election_form.candidate_ranked_below_acceptable_voter'),
  },
  attachment_url: {
    label: t('voting-admin.election_form.document'),
    hint: t('voting-admin.election_form.address_something_read_beginning_https'),
  },
  open_now: {
    label: t('voting-admin.election_form.open_once'),
    hint: t('voting-admin.election_form.everyone_voting_code_vote_immediately'),
  },
  ...PERIOD_WORDS,
  allow_past_close: {
    label: t('voting-admin.election_form.over_already'),
    hint: t('voting-admin.election_form.lets_close_lie_past_keep'),
  },
  hand_out: { label: t('voting-admin.election_form.how_people_vote') },
  trial: {
    label: t('voting-admin.election_form.trial'),
    hint: t('voting-admin.election_form.most_20_people_vote_every'),
  },
};

/** Those of a new election, a ballot paper or a question, with the settings. */
export const FORM_WORDS = { ...ELECTION_WORDS, ...FORMS.settings.words };

/** The page to create an election: what is asked, when, and how it is handled. */
export function electionFormPage(props: ElectionFormProps): Html {
  const { entered: given, errors, zone, proposed, preview, viewer } = props;
  const fresh = !('title' in given);
  const entered = fresh ? { ...PROPOSED, ...proposed, ...given } : given;
  return formPage(props, {
    title: t('voting-admin.election_form.new_election'),
    lede: t('voting-admin.election_form.nothing_sent_anyone_make_voting'),
    words: FORM_WORDS,
    refused: t('voting-admin.election_form.election_made_yet'),
    idOf,
    scripts: ['admin/election-form.js'],
    body: html`${mayDo({ viewer }, 'elections:run') && tryFirst}
<form method="post" action="/admin/elections" data-election-form>
${pageSection({ id: 'question', title: t('voting-admin.election_form.what_asked'), work: questionFields(entered, errors) })}
${pageSection({
  id: 'window',
  title: t('voting-admin.election_form.when'),
  about: t('voting-admin.election_form.all_times_clock_service_decides', { zone }),
  work: windowFields(entered, errors),
})}
${pageSection({
  id: 'codes',
  title: t('voting-admin.election_form.mail_paper'),
  about: t('voting-admin.election_form.how_people_get_voting_codes'),
  work: handOutFields(entered),
})}
${pageSection({
  id: 'handling',
  title: t('voting-admin.election_form.how_handled'),
  about: CHECKS_LATER,
  work: html`${settingsFields({ entered, errors, rarely: 'if entered' })}${trialField({ ...props, entered })}`,
})}
<div class="actions"><button class="button">${t('voting-admin.election_form.create_election')}</button>
<button class="button button-quiet" name="next" value="checks">${t('voting-admin.election_form.create_set_quorum_checks')}</button>
<button class="button button-quiet" formaction="/admin/elections/preview#preview"
formnovalidate>${t('voting-admin.election_form.preview_ballot')}</button></div>
</form>
${
  preview &&
  html`<section class="preview" id="preview" aria-labelledby="preview-heading">
<h2 id="preview-heading">${t('voting-admin.election_form.ballot')}</h2><p class="soft">${t('voting-admin.election_form.only_picture_election_exist_until')}</p><div class="card">${preview}</div></section>`
}`,
  });
}

/** What is asked, with the type of ballot and what there is to choose from. */
export function questionFields(entered: Entered, errors: readonly FieldError[]): Html {
  const { at, tick } = inputsOf(ELECTION_WORDS, { entered, errors });
  return html`${recordFields(TEXTS, TEXT_FIELDS, { entered, errors })}
${typeField(entered, errors)}
${OPTION_KINDS.map((kind) => {
  const name = `${kind}s` as const;
  const area = openField({ ...at(name), value: enteredLines(entered, name), rows: 5 });
  return html`<div data-for="${typesWith((rules) => rules.kind === kind)}">${area}</div>`;
})}
<div class="choices choices-plain" data-for="${typesWith((rules) => rules.noneOfTheAbove)}">${tick('none_of_the_above')}</div>
${field({ ...at('attachment_url'), optional: true, type: 'url', maxlength: 2_000 })}`;
}

/** What a new election leaves as it is, until somebody looks for it. */
export const CHECKS_LATER = t('voting-admin.election_form.when_made_result_checks_quorum');

const TEXT_FIELDS = { title: ELECTION_WORDS.title, description: ELECTION_WORDS.description };

const OPTION_KINDS = Object.keys(OPTION_WORDS) as OptionKind[];

/** The ballot types whose options have these rules: the script shows a field for them alone. */
const typesWith = (has: (rules: OptionRules) => boolean): string =>
  BALLOT_TYPES.filter((type) => {
    const rules = rulesOf(type).options;
    return rules !== null && has(rules);
  }).join(' ');

const tryFirst = notice(
  'info',
  html`<p>${t('voting-admin.election_form.first_time_try_five_friends', { link: linkTo('/admin/elections/new?trial=1') })}</p>`,
);

const trialField = (props: ElectionFormProps): Html =>
  html`<div class="choices choices-plain">${inputsOf(ELECTION_WORDS, props).tick('trial')}</div>`;

function typeField(entered: Entered, errors: readonly FieldError[]): Html {
  const chosen = enteredText(entered, 'ballot_type', BALLOT_TYPES[0]);
  return choiceGroup({
    ...inputsOf(ELECTION_WORDS, { entered, errors }).at('ballot_type'),
    rows: BALLOT_TYPES.map((type, index) => {
      const { name, how, when } = viewOf(type);
      const id = index === 0 ? 'ballot_type' : `ballot_type-${index + 1}`;
      return choice({
        type: 'radio',
        name: 'ballot_type',
        value: type,
        label: name,
        note: html`${how}<br>${when}`,
        id,
        checked: type === chosen,
      });
    }),
  });
}

/** How people get their voting codes: only what the page proposes next differs. */
export type HandOut = 'mail' | 'paper';

const HAND_OUTS: Record<HandOut, { label: Words | string; note: Words | string }> = {
  mail: {
    label: t('voting-admin.election_form.mail'),
    note: t('voting-admin.election_form.invite_next_each_gets_link'),
  },
  paper: {
    label: t('voting-admin.election_form.paper'),
    note: t('voting-admin.election_form.make_voting_codes_next_print'),
  },
};

function handOutFields(entered: Entered): Html {
  const name = 'hand_out';
  const chosen = enteredText(entered, name);
  return choiceGroup({
    name,
    label: ELECTION_WORDS.hand_out.label,
    rows: Object.entries(HAND_OUTS).map(([value, words]) =>
      choice({ type: 'radio', name, value, ...words, id: `${name}-${value}`, checked: value === chosen }),
    ),
  });
}

/** When voting opens and closes. */
export function windowFields(entered: Entered, errors: readonly FieldError[]): Html {
  const { tick } = inputsOf(ELECTION_WORDS, { entered, errors });
  const { open_at, close_at } = PERIOD_WORDS;
  return html`<div class="choices choices-plain">${tick('open_now')}</div>
<div class="field-row"><div data-unless="open_now">${recordFields(PERIOD, { open_at }, { entered, errors })}</div>
<div>${recordFields(PERIOD, { close_at }, { entered, errors })}</div></div>
<div class="choices choices-plain">${tick('allow_past_close')}</div>`;
}

/** The id of the field that a problem belongs to; for an entry of a list, or a part of a field, that of the whole. */
export function idOf(path: string): string {
  const parts = path.split('.');
  const wholes = parts.map((_part, index) => parts.slice(0, parts.length - index).join('.'));
  return wholes.find((whole) => Object.hasOwn(FORM_WORDS, whole)) ?? 'question';
}
