import { type Child, type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import type { TextName } from '#meetings/minutes/texts.ts';
import type { Minutes, MinutesVersion, SignerRole } from '#meetings/minutes/versions.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { openField } from '#views/components/fields.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { notice, refusedNotice } from '#views/components/notices.ts';
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
  versions: readonly (MinutesVersion & { when: string | null })[];
  /** The names of those who sign. */
  signers: Record<SignerRole, string | undefined>;
  /** Who most likely signs, to be confirmed. */
  proposed: Record<SignerRole, string | undefined>;
  /** The roles as which the reader signs. */
  own: readonly SignerRole[];
  /** Whether the reader says who signs, and writes. */
  mayName: boolean;
  mayWrite: boolean;
  done: string | undefined;
  refused: (RefusedForm & { at: string }) | undefined;
}

const LABELS: Record<TextName, { label: string; hint?: string; rows?: number }> = {
  kind: { label: 'Kind of meeting', hint: 'Ordinary general meeting, for example.' },
  seat: { label: 'Seat of the club' },
  register: { label: 'Number in the register' },
  began: { label: 'Begin', hint: 'Where it was another time than that of the first item.' },
  ended: { label: 'End', hint: 'Where it was another time than that of the close here.' },
  led: { label: 'Led by', hint: 'Where others led too, and for which items. Empty: the chair.' },
  recorded: { label: 'Recorded by', hint: 'Empty: the minute taker.' },
  tellers: {
    label: 'Tellers',
    hint: 'Their names, and how chair, minute taker and tellers were chosen.',
    rows: 2,
  },
  called: { label: 'How it was called', hint: 'By whom, how, and that it was in time.', rows: 2 },
  attendance: { label: 'Attendance', hint: 'Apologies, guests, who came or left meanwhile.', rows: 3 },
  quorum: { label: 'Quorum', hint: 'What the chair found, and again where it mattered.', rows: 2 },
  agenda: { label: 'Changes of the agenda', rows: 2 },
  objections: { label: 'Objections', rows: 3 },
  further: { label: 'Points of order, rulings, notices of motions', rows: 3 },
  approval: { label: 'Approval', hint: 'Approved by the next meeting, for example.' },
};

/** The minutes with what is to be done about them next. */
export function minutesPage(props: MinutesPageProps): Html {
  const { meeting, version, state, content, signatures, versions, done, refused, viewer } = props;
  const at = `/admin/meetings/${meeting.id}/minutes`;
  const isLast = version === versions.at(-1)?.version;
  const file = (ending: string) => `${at}.${ending}?version=${version}`;
  const body = html`${refusedNotice(refused, SUMMARY)}${done && notice('success', done)}
${pageHeader({
  title: 'Minutes',
  eyebrow: badge(state === 'signed' ? 'Signed' : 'Draft', state === 'signed' ? 'open' : 'scheduled'),
  lede: `${meeting.title}${versions.length > 1 ? `, version ${version}` : ''}`,
  // Whoever only signs may open none of the other pages.
  crumbs: mayDo({ viewer }, 'elections:read')
    ? [
        { href: '/admin/meetings', label: 'Meetings' },
        { href: `/admin/meetings/${meeting.id}`, label: 'This meeting' },
      ]
    : [{ href: '/me', label: 'Your page' }],
  actions: html`<button class="button button-quiet" type="button" data-print hidden>Print</button>
<a class="button button-quiet" href="${file('docx')}" download>Word file</a>
<a class="button button-quiet" href="${file('md')}" download>Markdown</a>`,
})}
${
  !isLast &&
  notice(
    'attention',
    html`<a href="${at}">Version ${versions.at(-1)?.version}</a> corrects this one.`,
    'This version was corrected',
  )
}
${
  isLast &&
  state === 'draft' &&
  meeting.state === 'closed' &&
  !content.facts.origin &&
  notice(
    'attention',
    html`On paper nobody can follow the pages of the results that these minutes name: the address at which members reach
this service is not known.${viewer?.permissions.has('settings:write') && html` <a href="${groupPath('address')}">Enter it</a> before they are signed.`}`,
    'Addresses without a host',
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
    title: `Minutes: ${meeting.title}`,
    body,
    nav: '/admin/meetings',
    viewer,
    head: stylesheets('meetings/meetings.css', 'meetings/minutes.css'),
  });
}

const SUMMARY: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(LABELS).map(([name, { label }]) => [`texts.${name}`, label])),
  chair: ROLE_WORDS.chair,
  secretary: ROLE_WORDS.secretary,
  reason: 'Reason',
};

/** Who signs, who has signed, and the button of whoever does it next. */
function signing(props: MinutesPageProps, at: string): Html {
  const { meeting, state, signers, proposed, signatures, own, sha256, refused } = props;
  const roles = ['chair', 'secretary'] as const;
  const isReady = state === 'draft' && meeting.state === 'closed' && roles.every((role) => signers[role]);
  const next = own.filter((role) => !signatures.some((one) => one.as === role));
  const rows = roles.map((role) => {
    const signature = signatures.find((one) => one.as === role);
    return html`<li><strong>${ROLE_WORDS[role]}:</strong> ${
      signature ? `${signature.name}, signed on ${signature.when}` : (signers[role] ?? 'not named yet')
    }</li>`;
  });
  const named = refused?.at === 'write' ? refused.entered : {};
  const errors = refused?.at === 'write' ? refused.errors : [];
  return pageSection({
    id: 'signing',
    title: 'Signatures',
    screenOnly: true,
    about:
      state === 'signed'
        ? 'Both have signed: the minutes stay as they are.'
        : meeting.state === 'closed'
          ? 'Once both have signed, the minutes stay as they are. Whoever changes something makes a signature void.'
          : 'They can be signed once the meeting is closed.',
    work: html`<ul class="minutes-signers">${rows}</ul>${
      isReady &&
      next.map(
        (role) => html`<form method="post" action="${at}/sign">${hiddenInputs({ as: role, sha256 })}
<button class="button">Sign as ${ROLE_WORDS[role].toLowerCase()}</button></form>`,
      )
    }${
      state === 'draft' &&
      props.mayName &&
      disclosure(
        'Say who signs',
        html`<form method="post" action="${at}?_method=PATCH">${roles.map((role) =>
          openField({
            name: role,
            label: ROLE_WORDS[role],
            value: enteredText(named, role, signers[role] ?? proposed[role] ?? ''),
            error: errorAt(errors, role),
            hint: 'Name or number of somebody on the roll. They sign in with their own address.',
          }),
        )}<div class="actions"><button class="button">Save</button></div></form>`,
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
    title: 'Do the elected accept?',
    screenOnly: true,
    about: 'A register wants to know. Whoever was absent can answer until the minutes are signed.',
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
    more: { hint?: string | undefined; rows?: number | undefined } = {},
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
    title: 'Write',
    screenOnly: true,
    about:
      'What was voted and announced is there already. Add what this page cannot know. No speeches, and not who voted how.',
    work: html`<form method="post" action="${at}?_method=PATCH">
${Object.entries(LABELS).map(([name, { label, hint, rows }]) => input(name, label, { hint, rows }))}
${items.map(
  (item) => html`<fieldset class="minutes-item"><legend>${item.number}. ${item.title}</legend>
${input(`items.${item.id}`, html`Notes<span class="visually-hidden"> on ${item.title}</span>`, {
  rows: 3,
  hint: item.kind === 'text' ? 'What was reported and decided.' : 'Amendments, rulings, what became of it.',
})}${
  item.kind === 'election' &&
  input(`terms.${item.id}`, html`Term<span class="visually-hidden"> of ${item.title}</span>`, {
    hint: 'Until the general meeting of 2028, for example.',
  })
}${
  meeting.elected_details &&
  item.elected?.map(
    ({ id, name }) => html`${input(`elected.${id}.born`, html`Birthday of ${name}`)}
${input(`elected.${id}.place`, html`Place of ${name}`)}`,
  )
}</fieldset>`,
)}
<div class="actions"><button class="button">Save the texts</button></div></form>`,
  });
}

function correcting({ refused }: MinutesPageProps, at: string): Html {
  const own = refused?.at === 'correct' ? refused : undefined;
  return pageSection({
    id: 'correct',
    title: 'Correct them',
    screenOnly: true,
    about: 'A new version begins beside this one, which stays readable. Both persons sign it again.',
    work: disclosure(
      'Begin a correction',
      html`<form method="post" action="${at}/correct">${openField({
        name: 'reason',
        label: 'What is wrong',
        value: own && enteredText(own.entered, 'reason'),
        error: own && errorAt(own.errors, 'reason'),
        hint: 'It is printed with the corrected minutes.',
        rows: 2,
      })}<div class="actions"><button class="button">Begin the correction</button></div></form>`,
      own !== undefined,
    ),
  });
}

/** A correction that is not needed after all. */
const dropping = ({ version }: MinutesPageProps, at: string): Html =>
  pageSection({
    id: 'drop',
    title: 'Drop this correction',
    screenOnly: true,
    about: `Version ${version} and what was written in it are deleted. The signed minutes stand as they are.`,
    work: disclosure(
      'It is not needed',
      html`<form method="post" action="${at}/correct?_method=DELETE"><button class="button button-danger">Drop the correction</button></form>`,
    ),
  });

const otherVersions = ({ version, versions }: MinutesPageProps, at: string): Html =>
  pageSection({
    id: 'versions',
    title: 'Versions',
    screenOnly: true,
    work: html`<ul>${versions.map(
      (one) =>
        html`<li>${
          one.version === version
            ? html`<strong>Version ${one.version}</strong>`
            : html`<a href="${at}?version=${one.version}">Version ${one.version}</a>`
        }: ${one.when === null ? 'draft' : `signed on ${one.when}`}${one.reason && html`. ${one.reason}`}</li>`,
    )}</ul>`,
  });

/** What the meeting wants of its minutes. */
function options({ meeting }: MinutesPageProps): Html {
  const toggle = (name: 'public' | 'minutes_public' | 'elected_details', on: string, off: string) =>
    html`<form method="post" action="/admin/meetings/${meeting.id}?_method=PATCH">${hiddenInputs({
      [name]: String(!meeting[name]),
    })}<button class="button button-quiet">${meeting[name] ? off : on}</button></form>`;
  return pageSection({
    id: 'options',
    title: 'Settings',
    screenOnly: true,
    about:
      'On the meeting’s page signed minutes stand without the list of the present, and without birthdays and places. A register may want these.',
    work: html`<p>${
      meeting.public
        ? 'Everybody can read the meeting’s page.'
        : 'The meeting’s page is for its members alone.'
    }</p><div class="toolbar">${toggle(
      'public',
      'Let everybody read the meeting’s page',
      'Show the meeting’s page to its members alone',
    )}${toggle(
      'minutes_public',
      'Show them on the meeting’s page once signed',
      'No longer show them on the meeting’s page',
    )}${toggle(
      'elected_details',
      'Ask for birthday and place of the elected',
      'Leave out birthday and place of the elected',
    )}</div>`,
  });
}
