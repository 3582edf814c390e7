import { type Child, type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import type { TextName } from '#meetings/minutes/texts.ts';
import type { Minutes, MinutesVersion, SignerRole } from '#meetings/minutes/versions.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { openField } from '#views/components/fields.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { notice, refusedNotice } from '#views/components/notices.ts';
import { hidden } from '#views/components/slots.ts';
import { badge } from '#views/components/status.ts';
import { disclosure, pageHeader } from '#views/components/structure.ts';
import { minutesArticle, ROLE_WORDS, type ShownSignature } from '#views/meetings/minutes/article.ts';
import type { MeetingState } from '#views/meetings/words.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { mayDo, type OfficerProps, officerPage, pageSection } from '#views/voting/admin/frame.ts';
import { answersForm } from './answers.ts';

/** The data of the page on which minutes are written and signed. Times are already formatted. */
export interface MinutesPageProps extends OfficerProps, Omit<Minutes, 'signatures'> {
  meeting: {
    id: string;
    title: string;
    state: MeetingState;
    public: boolean;
    minutes_public: boolean;
    elected_details: boolean;
  };
  signatures: readonly ShownSignature[];
  versions: readonly (MinutesVersion & { when: Words | null })[];
  /** The names of those who sign. */
  signers: Record<SignerRole, string | undefined>;
  /** Who most likely signs, to be confirmed. */
  proposed: Record<SignerRole, string | undefined>;
  /** The roles as which the reader signs. */
  own: readonly SignerRole[];
  /** Whether the reader says who signs, and writes. */
  mayName: boolean;
  mayWrite: boolean;
  done: Words | string | undefined;
  refused: (RefusedForm & { at: string }) | undefined;
}

const LABELS: Record<TextName, { label: Words; hint?: Words; rows?: number }> = {
  kind: {
    label: t('meetings-admin.minutes.kind_meeting'),
    hint: t('meetings-admin.minutes.ordinary_general_meeting_example'),
  },
  seat: { label: t('meetings-admin.minutes.seat_club') },
  register: { label: t('meetings-admin.minutes.number_register') },
  began: {
    label: t('meetings-admin.shared.begin'),
    hint: t('meetings-admin.minutes.where_another_time_first_item'),
  },
  ended: {
    label: t('meetings-admin.minutes.end'),
    hint: t('meetings-admin.minutes.where_another_time_close_here'),
  },
  led: {
    label: t('meetings-admin.minutes.led'),
    hint: t('meetings-admin.minutes.where_others_led_too_which'),
  },
  recorded: {
    label: t('meetings-admin.minutes.recorded'),
    hint: t('meetings-admin.minutes.empty_minute_taker'),
  },
  tellers: {
    label: t('meetings-admin.shared.tellers'),
    hint: t('meetings-admin.minutes.names_how_chair_minute_taker'),
    rows: 2,
  },
  called: {
    label: t('meetings-admin.minutes.how_called'),
    hint: t('meetings-admin.minutes.whom_how_time'),
    rows: 2,
  },
  attendance: {
    label: t('meetings-admin.minutes.attendance'),
    hint: t('meetings-admin.minutes.apologies_guests_who_came_left'),
    rows: 3,
  },
  quorum: {
    label: t('meetings-admin.shared.quorum'),
    hint: t('meetings-admin.minutes.what_chair_found_again_where'),
    rows: 2,
  },
  agenda: { label: t('meetings-admin.minutes.changes_agenda'), rows: 2 },
  objections: { label: t('meetings-admin.minutes.objections'), rows: 3 },
  further: { label: t('meetings-admin.minutes.points_order_rulings_notices_motions'), rows: 3 },
  approval: {
    label: t('meetings-admin.minutes.approval'),
    hint: t('meetings-admin.minutes.approved_next_meeting_example'),
  },
};

/** The minutes with what is to be done about them next. */
export function minutesPage(props: MinutesPageProps): Html {
  const { meeting, version, state, content, signatures, versions, done, refused, viewer } = props;
  const at = `/admin/meetings/${meeting.id}/minutes`;
  const isLast = version === versions.at(-1)?.version;
  const file = (ending: string) => `${at}.${ending}?version=${version}`;
  const body = html`${refusedNotice(refused, SUMMARY)}${done && notice('success', done)}
${pageHeader({
  title: t('meetings-admin.shared.minutes'),
  eyebrow: badge(
    state === 'signed' ? t('meetings-admin.minutes.signed') : t('meetings-admin.minutes.draft'),
    state === 'signed' ? 'open' : 'scheduled',
  ),
  lede:
    versions.length > 1
      ? t('meetings-admin.minutes.version_of_title', { title: meeting.title, version })
      : meeting.title,
  // Whoever only signs may open none of the other pages.
  crumbs: mayDo({ viewer }, 'elections:read')
    ? [
        { href: '/admin/meetings', label: t('meetings-admin.shared.meetings') },
        { href: `/admin/meetings/${meeting.id}`, label: t('meetings-admin.shared.meeting') },
      ]
    : [{ href: '/me', label: t('meetings-admin.minutes.page') }],
  actions: html`<button class="button button-quiet" type="button" data-print hidden>${t('meetings-admin.shared.print')}</button>
<a class="button button-quiet" href="${file('docx')}" download>${t('meetings-admin.minutes.word_file')}</a>
<a class="button button-quiet" href="${file('md')}" download>${t('meetings-admin.minutes.markdown')}</a>`,
})}
${
  !isLast &&
  notice(
    'attention',
    t('meetings-admin.minutes.version_corrects', {
      link: (inside) => html`<a href="${at}">${inside}</a>`,
      version: versions.at(-1)?.version ?? version,
    }),
    t('meetings-admin.minutes.version_corrected'),
  )
}
${
  isLast &&
  state === 'draft' &&
  meeting.state === 'closed' &&
  !content.facts.origin &&
  notice(
    'attention',
    html`${t('meetings-admin.minutes.paper_follow_pages_results_these')}${viewer?.permissions.has('settings:write') && html` ${t('meetings-admin.minutes.enter_before_signed', { link: (inside) => html`<a href="${groupPath('address')}">${inside}</a>` })}`}`,
    t('meetings-admin.minutes.addresses_without_host'),
  )
}
${isLast && signing(props, at)}
${minutesArticle(content.blocks, signatures)}
${isLast && state === 'draft' && answering(props)}
${isLast && state === 'draft' && props.mayWrite && writing(props, at)}
${isLast && state === 'draft' && version > 1 && props.mayWrite && dropping(props, at)}
${isLast && state === 'signed' && props.mayWrite && correcting(props, at)}
${versions.length > 1 && otherVersions(props, at)}
${mayDo({ viewer }, 'elections:write') && options(props)}`;
  return officerPage({
    title: t('meetings-admin.minutes.document_title', { title: meeting.title }),
    body,
    nav: '/admin/meetings',
    viewer,
    head: stylesheets('meetings/meetings.css', 'meetings/minutes.css'),
  });
}

const SUMMARY: Readonly<Record<string, Words | string>> = {
  ...Object.fromEntries(Object.entries(LABELS).map(([name, { label }]) => [`texts.${name}`, label])),
  chair: ROLE_WORDS.chair,
  secretary: ROLE_WORDS.secretary,
  reason: t('meetings-admin.minutes.reason'),
};

const SIGN_AS: Record<SignerRole, Words> = {
  chair: t('meetings-admin.minutes.sign_as_chair'),
  secretary: t('meetings-admin.minutes.sign_as_secretary'),
};

/** Who signs, who has signed, and the button of whoever does it next. */
function signing(props: MinutesPageProps, at: string): Html {
  const { meeting, state, signers, proposed, signatures, own, sha256, refused } = props;
  const roles = ['chair', 'secretary'] as const;
  const isReady = state === 'draft' && meeting.state === 'closed' && roles.every((role) => signers[role]);
  const next = own.filter((role) => !signatures.some((one) => one.as === role));
  const rows = roles.map((role) => {
    const signature = signatures.find((one) => one.as === role);
    return html`<li><strong>${t('common.label', { label: ROLE_WORDS[role] })}</strong> ${
      signature
        ? t('meetings-admin.minutes.signed_by', { name: signature.name, when: signature.when })
        : (signers[role] ?? t('meetings-admin.minutes.named_yet'))
    }</li>`;
  });
  const named = refused?.at === 'write' ? refused.entered : {};
  const errors = refused?.at === 'write' ? refused.errors : [];
  return pageSection({
    id: 'signing',
    title: t('meetings-admin.minutes.signatures'),
    screenOnly: true,
    about:
      state === 'signed'
        ? t('meetings-admin.minutes.both_signed_minutes_stay')
        : meeting.state === 'closed'
          ? t('meetings-admin.minutes.once_both_signed_minutes_stay')
          : t('meetings-admin.minutes.signed_once_meeting_closed'),
    work: html`<ul class="minutes-signers">${rows}</ul>${
      isReady &&
      next.map(
        (role) => html`<form method="post" action="${at}/sign">${hiddenInputs({ as: role, sha256 })}
<button class="button">${SIGN_AS[role]}</button></form>`,
      )
    }${
      state === 'draft' &&
      props.mayName &&
      disclosure(
        t('meetings-admin.minutes.say_who_signs'),
        html`<form method="post" action="${at}?_method=PATCH">${roles.map((role) =>
          openField({
            name: role,
            label: ROLE_WORDS[role],
            value: enteredText(named, role, signers[role] ?? proposed[role] ?? ''),
            error: errorAt(errors, role),
            hint: t('meetings-admin.minutes.name_number_somebody_roll_sign'),
          }),
        )}<div class="actions"><button class="button">${t('meetings-admin.shared.save')}</button></div></form>`,
        !signers.chair || !signers.secretary || errors.some(({ path }) => path in signers),
      )
    }`,
  });
}

/** Whoever was absent when elected answers later. */
function answering({ meeting, content, viewer }: MinutesPageProps): Html | null {
  if (!mayDo({ viewer }, 'elections:certify')) return null;
  const open = content.facts.items.flatMap((item) => {
    const form = item.state === 'declared' && answersForm(meeting.id, item);
    return form ? html`<h3>${item.title}</h3>${form}` : [];
  });
  if (open.length === 0) return null;
  return pageSection({
    id: 'answers',
    title: t('meetings-admin.minutes.elected_accept'),
    screenOnly: true,
    about: t('meetings-admin.minutes.register_wants_know_whoever_absent'),
    work: open,
  });
}

/** The free texts: those of the whole, then those of each item. */
function writing({ meeting, content, refused }: MinutesPageProps, at: string): Html {
  const { texts, items } = content.facts;
  const own = refused?.at === 'write' ? refused : undefined;
  const entered = own?.entered ?? { texts };
  const errors = own?.errors ?? [];
  const input = (
    name: string,
    label: Child,
    more: { hint?: Words | undefined; rows?: number | undefined } = {},
  ) =>
    openField({
      name: `texts.${name}`,
      label,
      value: enteredText(entered, `texts.${name}`),
      error: errorAt(errors, `texts.${name}`),
      ...more,
    });
  return pageSection({
    id: 'write',
    title: t('meetings-admin.minutes.write'),
    screenOnly: true,
    about: t('meetings-admin.minutes.what_voted_announced_already_add'),
    work: html`<form method="post" action="${at}?_method=PATCH">
${Object.entries(LABELS).map(([name, { label, hint, rows }]) => input(name, label, { hint, rows }))}
${items.map(
  (item) => html`<fieldset class="minutes-item"><legend>${item.number}. ${item.title}</legend>
${input(`items.${item.id}`, t('meetings-admin.minutes.notes', { hidden, title: item.title }), {
  rows: 3,
  hint:
    item.kind === 'text'
      ? t('meetings-admin.minutes.what_reported_decided')
      : t('meetings-admin.minutes.amendments_rulings_what_became'),
})}${
  item.kind === 'election' &&
  input(`terms.${item.id}`, t('meetings-admin.minutes.term', { hidden, title: item.title }), {
    hint: t('meetings-admin.minutes.until_general_meeting_2028_example'),
  })
}${
  meeting.elected_details &&
  item.elected?.map(
    ({ id, name }) => html`${input(`elected.${id}.born`, t('meetings-admin.minutes.birthday', { name }))}
${input(`elected.${id}.place`, t('meetings-admin.minutes.place', { name }))}`,
  )
}</fieldset>`,
)}
<div class="actions"><button class="button">${t('meetings-admin.minutes.save_texts')}</button></div></form>`,
  });
}

function correcting({ refused }: MinutesPageProps, at: string): Html {
  const own = refused?.at === 'correct' ? refused : undefined;
  return pageSection({
    id: 'correct',
    title: t('meetings-admin.minutes.correct'),
    screenOnly: true,
    about: t('meetings-admin.minutes.new_version_begins_beside_which'),
    work: disclosure(
      t('meetings-admin.minutes.begin_a_correction'),
      html`<form method="post" action="${at}/correct">${openField({
        name: 'reason',
        label: t('meetings-admin.minutes.what_wrong'),
        value: own && enteredText(own.entered, 'reason'),
        error: own && errorAt(own.errors, 'reason'),
        hint: t('meetings-admin.minutes.printed_corrected_minutes'),
        rows: 2,
      })}<div class="actions"><button class="button">${t('meetings-admin.minutes.begin_the_correction')}</button></div></form>`,
      own !== undefined,
    ),
  });
}

/** A correction that is not needed after all. */
const dropping = ({ version }: MinutesPageProps, at: string): Html =>
  pageSection({
    id: 'drop',
    title: t('meetings-admin.minutes.drop_this_correction'),
    screenOnly: true,
    about: t('meetings-admin.minutes.version_what_written_deleted_signed', { version }),
    work: disclosure(
      t('meetings-admin.minutes.needed'),
      html`<form method="post" action="${at}/correct?_method=DELETE"><button class="button button-danger">${t('meetings-admin.minutes.drop_the_correction')}</button></form>`,
    ),
  });

const otherVersions = ({ version, versions }: MinutesPageProps, at: string): Html =>
  pageSection({
    id: 'versions',
    title: t('meetings-admin.minutes.versions'),
    screenOnly: true,
    work: html`<ul>${versions.map(
      (one) =>
        html`<li>${t('common.named', {
          name:
            one.version === version
              ? html`<strong>${t('meetings-admin.minutes.version', { version: one.version })}</strong>`
              : html`<a href="${at}?version=${one.version}">${t('meetings-admin.minutes.version', { version: one.version })}</a>`,
          value:
            one.when === null
              ? t('meetings-admin.minutes.is_draft')
              : t('meetings-admin.minutes.signed_on', { when: one.when }),
        })}${one.reason && html`. ${one.reason}`}</li>`,
    )}</ul>`,
  });

/** What the meeting wants of its minutes. */
function options({ meeting }: MinutesPageProps): Html {
  const toggle = (name: 'public' | 'minutes_public' | 'elected_details', on: Words, off: Words) =>
    html`<form method="post" action="/admin/meetings/${meeting.id}?_method=PATCH">${hiddenInputs({
      [name]: String(!meeting[name]),
    })}<button class="button button-quiet">${meeting[name] ? off : on}</button></form>`;
  return pageSection({
    id: 'options',
    title: t('meetings-admin.minutes.settings'),
    screenOnly: true,
    about: t('meetings-admin.minutes.meetings_page_signed_minutes_stand'),
    work: html`<p>${
      meeting.public
        ? t('meetings-admin.minutes.everybody_read_meetings_page')
        : t('meetings-admin.minutes.meetings_page_members_alone')
    }</p><div class="toolbar">${toggle(
      'public',
      t('meetings-admin.minutes.let_everybody_read_meetings_page'),
      t('meetings-admin.minutes.show_meetings_page_members_alone'),
    )}${toggle(
      'minutes_public',
      t('meetings-admin.minutes.show_meetings_page_once_signed'),
      t('meetings-admin.minutes.longer_show_meetings_page'),
    )}${toggle(
      'elected_details',
      t('meetings-admin.minutes.ask_birthday_place_elected'),
      t('meetings-admin.minutes.leave_out_birthday_place_elected'),
    )}</div>`,
  });
}
