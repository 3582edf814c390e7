import type { Permission } from '#kernel/access/roles.ts';
import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { copyField } from '#views/components/codes.ts';
import { notice } from '#views/components/notices.ts';
import { type Stage, stageLine, statusBadge } from '#views/components/status.ts';
import {
  type Crumb,
  definitionList,
  pageHeader,
  subPageHeader,
  subPages,
} from '#views/components/structure.ts';
import { clockNotice, crumbsTo, mayDo, officerPage, pageSection } from '#views/voting/admin/frame.ts';
import {
  calledOf,
  PAGE_OF,
  type SectionId,
  SUB_PAGES,
  type SubPage,
  subPagePath,
  votersPath,
} from '#views/voting/words.ts';
import { isAskedAgain, problemSummary, type Section } from './forms.ts';
import { unsentNotice } from './invitations.ts';
import type { SharedProps } from './props.ts';

/** Something that an officer can do next. */
export interface Act {
  href: string;
  label: Words | string;
  /** The permission that it needs; none where it only shows something. */
  needs?: Permission;
}

/** What an officer does next, in a sentence. */
export interface Step {
  say: Child;
  action: Act;
  other?: Act;
}

/** What differs between the page of an election and that of a ballot paper. */
interface Parts {
  stage: Stage;
  /** The stages that it never has. */
  skipped?: readonly Stage[];
  /** Beside the badge of its stage. */
  eyebrow: Child;
  /** The way to it, where that is not the list of elections alone. */
  crumbs?: Crumb[];
  /** The panel that asks for a confirmation. */
  ask: Html | null;
  step: Step;
  /** Below what is next. */
  belowStep?: Html;
  turnout: Html;
  facts: readonly (readonly [Child, Child])[];
  /** Further pages for voters. */
  links?: Html;
  /** The name of the sub-page with its text, which may be more than that. */
  ballot: Words;
  sections: Sections;
  scripts: readonly string[];
}

/** The sections of all sub-pages, in their order. Each is made only where it is shown. */
export type Sections = Partial<Record<SectionId, () => Section | null>>;

/** A sub-page of the officers' page of an election or a ballot paper; together they have everything that can be done. */
export function issuerPage(
  props: SharedProps,
  { stage, skipped, crumbs = crumbsTo(undefined), ...parts }: Parts,
): Html {
  const { election, times, done, viewer, page } = props;
  const { title } = election;
  const sections = sectionsOf(page, parts.sections);
  const isFirst = page === 'overview';
  const state = html`${statusBadge(stage)} ${parts.eyebrow}`;
  const doneIn = sections.find(({ id }) => id === props.doneAt);
  const body = html`${props.clockJumped && clockNotice()}${problemSummary(props, calledOf(election))}
${doneIn === undefined && doneNotice(done)}
${
  isFirst
    ? html`${pageHeader({ title, eyebrow: state, crumbs })}
${stageLine(stage, { open: times.opens, closed: times.ends }, skipped)}`
    : subPageHeader({ title, state, first: subPagePath(election, 'overview') })
}
${unsentNotice(props)}
${issuerPages(
  props,
  parts,
  html`${parts.ask}
${
  isFirst &&
  html`<div class="columns"><div class="stack">${nextStep(props, parts.step)}${parts.belowStep}</div>${parts.turnout}</div>
${parts.ask === null && facts(props, parts)}`
}
${sections.map((section) =>
  pageSection({ ...section, work: html`${doneIn === section && doneNotice(done)}${section.work}` }),
)}`,
)}`;
  return officerPage({ title, body, nav: '/admin', viewer, scripts: parts.scripts });
}

/** The sections of a sub-page that an officer can see. */
export const sectionsOf = (page: SubPage, sections: Sections): Section[] =>
  (Object.keys(sections) as SectionId[]).flatMap((id) =>
    PAGE_OF[id] === page ? (sections[id]?.() ?? []) : [],
  );

/** A sub-page with the links to all. */
function issuerPages(
  props: Pick<SharedProps, 'election' | 'page' | 'viewer'>,
  { ballot, sections }: Pick<Parts, 'ballot' | 'sections'>,
  content: Html,
): Html {
  const { election, page } = props;
  const labels: Record<SubPage, Words> = {
    overview: t('voting-admin.sections.overview'),
    codes: t('voting-admin.sections.voting_codes'),
    mails: t('voting-admin.sections.invitations'),
    ballot,
    rules: t('voting-admin.sections.dates_rules'),
    checks: t('voting-admin.sections.result_checks'),
    history: t('voting-admin.sections.history'),
  };
  const ids = Object.keys(sections) as SectionId[];
  const pages = SUB_PAGES.map((one) => ({
    href: subPagePath(election, one),
    label: labels[one],
    anchors: ids.filter((id) => PAGE_OF[id] === one),
  })).filter(({ anchors }) => anchors.length > 0);
  return subPages({
    label: t('voting-admin.sections.pages', { called: calledOf(election) }),
    pages,
    current: subPagePath(election, page),
    content,
  });
}

export const doneNotice = (done: Words | string | undefined): Html | null =>
  done === undefined ? null : html`<div role="status">${notice('success', done)}</div>`;

export const votersPage = ({ election }: Pick<SharedProps, 'election'>): Act => ({
  href: votersPath(election),
  label: t('voting-admin.sections.see_voters_page'),
});

/** What is next, with the page’s one filled button. */
function nextStep(props: SharedProps, { say, ...acts }: Step): Html {
  const [action = votersPage(props), other] = [acts.action, acts.other].filter(
    (act) => act !== undefined && (act.needs === undefined || mayDo(props, act.needs)),
  );
  // While the page asks for a confirmation, the filled button is not this one.
  const filled = props.ask !== undefined || isAskedAgain(props) ? 'button button-quiet' : 'button';
  return html`<section class="card next-step" aria-labelledby="next-title"><h2 id="next-title">${t('voting-admin.sections.next')}</h2>
<p>${say}</p><p class="toolbar"><a class="${filled}" href="${action.href}">${action.label}</a>
${other && html`<a class="button button-quiet" href="${other.href}">${other.label}</a>`}</p></section>`;
}

/** The dates, what else is to know, and the public address. */
function facts(
  { election, times, publicUrl }: SharedProps,
  { facts: rows, links }: Pick<Parts, 'facts' | 'links'>,
): Html {
  const closes = times.closedEarly
    ? t('voting-admin.sections.closed_officer')
    : election.status === 'closed'
      ? t('voting-admin.sections.closed')
      : t('voting-admin.sections.closes');
  return html`<section aria-label="${t('voting-admin.sections.facts')}">${definitionList([
    [
      election.status === 'scheduled' ? t('voting-admin.sections.opens') : t('voting-admin.sections.opened'),
      times.opens,
    ],
    [closes, times.ends],
    [t('voting-admin.sections.all_times'), times.zoneInFull],
    ...rows,
  ])}
<p class="label"><a class="link-alone" href="${votersPath(election)}">${t('voting-admin.sections.voters_page')}</a>${links}</p>
${copyField({ id: 'public-url', value: publicUrl, label: t('voting-admin.sections.address_voters_page') })}</section>`;
}
