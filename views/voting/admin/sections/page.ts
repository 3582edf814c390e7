import type { Permission } from '#kernel/access/roles.ts';
import { type Child, type Html, html } from '#kernel/html.ts';
import { copyField } from '#views/components/codes.ts';
import { notice } from '#views/components/notices.ts';
import { type Stage, stageLine, statusBadge } from '#views/components/status.ts';
import { definitionList, pageHeader } from '#views/components/structure.ts';
import { clockNotice, mayDo, officerPage, pageSection } from '#views/voting/admin/frame.ts';
import { calledOf, votersPath } from '#views/voting/words.ts';
import { isAskedAgain, problemSummary, type Section } from './forms.ts';
import { unsentNotice } from './invitations.ts';
import type { SharedProps } from './props.ts';

/** Something that an officer can do next. */
export interface Act {
  href: string;
  label: string;
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
  /** The way to it, after the list of all. */
  crumbs?: { href: string; label: string }[];
  /** The panel that asks for a confirmation. */
  ask: Html | null;
  step: Step;
  /** Below what is next. */
  belowStep?: Html;
  turnout: Html;
  facts: readonly (readonly [string, Child])[];
  /** Further pages for voters. */
  links?: Html;
  sections: readonly (Section | null | false)[];
  scripts: readonly string[];
}

/** The officers' page of an election or a ballot paper, with everything that they can do with it. */
export function issuerPage(props: SharedProps, { stage, skipped, crumbs = [], ...parts }: Parts): Html {
  const { election, times, done, viewer } = props;
  const { title } = election;
  const sections = parts.sections.filter((section) => section !== null && section !== false);
  const doneIn = sections.find(({ id }) => id === props.doneAt);
  const body = html`${props.clockJumped && clockNotice()}${problemSummary(props, calledOf(election))}
${doneIn === undefined && doneNotice(done)}
${pageHeader({
  title,
  eyebrow: html`${statusBadge(stage)} ${parts.eyebrow}`,
  crumbs: [{ href: '/admin', label: 'Elections' }, ...crumbs],
})}
${stageLine(stage, { open: times.opens, closed: times.ends }, skipped)}
${unsentNotice(props)}
${parts.ask}
<div class="columns"><div class="stack">${nextStep(props, parts.step)}${parts.belowStep}${parts.turnout}</div>${facts(props, parts)}</div>
<nav class="section-nav" aria-label="On this page">
  <ul role="list">${sections.map(({ id, title: label }) => html`<li><a href="#${id}">${label}</a></li>`)}</ul></nav>
${sections.map((section) =>
  pageSection({ ...section, work: html`${doneIn === section && doneNotice(done)}${section.work}` }),
)}`;
  return officerPage({ title, body, nav: '/admin', viewer, scripts: parts.scripts });
}

export const doneNotice = (done: string | undefined): Html | null =>
  done === undefined ? null : html`<div role="status">${notice('success', done)}</div>`;

export const votersPage = ({ election }: Pick<SharedProps, 'election'>): Act => ({
  href: votersPath(election),
  label: 'See the voters’ page',
});

/** What is next, with the page’s one filled button. */
function nextStep(props: SharedProps, { say, ...acts }: Step): Html {
  const [action = votersPage(props), other] = [acts.action, acts.other].filter(
    (act) => act !== undefined && (act.needs === undefined || mayDo(props, act.needs)),
  );
  // While the page asks for a confirmation, the filled button is not this one.
  const filled = props.ask !== undefined || isAskedAgain(props) ? 'button button-quiet' : 'button';
  return html`<section class="card next-step" aria-labelledby="next-title"><h2 id="next-title">Next</h2>
<p>${say}</p><p class="toolbar"><a class="${filled}" href="${action.href}">${action.label}</a>
${other && html`<a class="button button-quiet" href="${other.href}">${other.label}</a>`}</p></section>`;
}

/** The dates, what else is to know, and the public address. */
function facts(
  { election, times, publicUrl }: SharedProps,
  { facts: rows, links }: Pick<Parts, 'facts' | 'links'>,
): Html {
  const closes = times.closedEarly
    ? 'Closed by an officer'
    : election.status === 'closed'
      ? 'Closed'
      : 'Closes';
  return html`<section aria-label="Facts">${definitionList([
    [election.status === 'scheduled' ? 'Opens' : 'Opened', times.opens],
    [closes, times.ends],
    ['All times', times.zoneInFull],
    ...rows,
  ])}
<p class="label"><a class="link-alone" href="${votersPath(election)}">The voters’ page</a>${links}</p>
${copyField({ id: 'public-url', value: publicUrl, label: 'the address of the voters’ page' })}</section>`;
}
