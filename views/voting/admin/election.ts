import { type Html, html } from '#kernel/html.ts';
import { notice } from '#views/components/notices.ts';
import { badge, lifeLine, type Stage, statusBadge } from '#views/components/status.ts';
import { pageHeader, plainText } from '#views/components/structure.ts';
import { askPanel } from './election/ask.ts';
import { attachmentSection, datesSection, settingsSection } from './election/changes.ts';
import { type ElectionDesk, isReady, type SectionId } from './election/desk.ts';
import { endingSection } from './election/ending.ts';
import { invitationsSection, unsentNotice } from './election/invitations.ts';
import { nextStep } from './election/next-step.ts';
import { optionsSection } from './election/options.ts';
import { facts, turnoutBoard } from './election/overview.ts';
import { problemSummary } from './election/problem.ts';
import { resultsSection } from './election/results.ts';
import { tokensSection } from './election/tokens.ts';
import { workspaceSection } from './election/workspace.ts';
import { officerPage } from './frame.ts';
import { BALLOT_TYPES } from './words.ts';

export type { Ask, ElectionDesk, ElectionTimes, FormName, FormProblem, SectionId } from './election/desk.ts';
export type { Invitations, InviteFilter, InviteRow } from './election/invitations.ts';

/** One election with everything an officer does about it. */
export function electionDeskPage(desk: ElectionDesk): Html {
  const { election, problem, done, doneAt, reader } = desk;
  const { title, description } = election;
  const said = (id: SectionId) => (done !== undefined && doneAt === id ? doneNotice(done) : null);
  const options = election.ballot_type === 'POLL' ? 'options' : 'candidates';
  const body = html`${problemSummary(desk)}
${done !== undefined && doneAt === undefined && doneNotice(done)}
${pageHeader({
  title,
  eyebrow: html`${statusBadge(stageOf(desk))} ${BALLOT_TYPES[election.ballot_type].name}${desk.manual && html` ${badge('Certified results')}`}`,
  crumbs: [{ href: '/admin', label: 'Elections' }],
})}
${lifeLine(stageOf(desk), { open: desk.times.opensShort, closed: desk.times.closesShort })}
${unsentNotice(desk)}
${askPanel(desk)}
<div class="columns"><div class="stack">${nextStep(desk)}${turnoutBoard(desk)}</div>${facts(desk)}</div>
${description && html`<details><summary>Description</summary><div class="fold">${plainText(description)}</div></details>`}
${sectionLinks(desk)}
${tokensSection(desk, said('tokens'))}
${invitationsSection(desk, said('invitations'))}
${optionsSection(desk, said(options))}
${datesSection(desk, said('dates'))}
${settingsSection(desk, said('settings'))}
${attachmentSection(desk, said('attachments'))}
${resultsSection(desk, said('results'))}
${workspaceSection(desk, said('workspace'))}
${endingSection(desk, said('ending'))}`;
  const heading = problem === undefined ? title : `Please check: ${title}`;
  return officerPage({ title: heading, body, nav: '/admin', reader, scripts: ['invitations.js'] });
}

function doneNotice(done: string): Html {
  return html`<div role="status">${notice('success', done)}</div>`;
}

function stageOf(desk: ElectionDesk): Stage {
  const { status, settings } = desk.election;
  if (status === 'closed') return settings.publish_results_to_home ? 'published' : 'closed';
  return status === 'scheduled' && !isReady(desk) ? 'draft' : status;
}

function sectionLinks({ election: { ballot_type, status }, invitations }: ElectionDesk): Html {
  const links: [href: SectionId, label: string][] = [
    ['tokens', 'Tokens'],
    ...(invitations ? [['invitations', 'Invitations'] as [SectionId, string]] : []),
    ...(ballot_type === 'POLL' ? [['options', 'Options'] as [SectionId, string]] : []),
    ...(ballot_type === 'RANKED_CONDORCET' ? [['candidates', 'Candidates'] as [SectionId, string]] : []),
    ['dates', 'Dates'],
    ['settings', 'Settings'],
    ['attachments', 'Document'],
    ['results', 'Results'],
    ['ending', status === 'closed' ? 'Copy or delete' : 'Close, copy or delete'],
  ];
  return html`<nav class="desk-nav" aria-label="On this page"><ul role="list">${links.map(([id, label]) => html`<li><a href="#${id}">${label}</a></li>`)}</ul></nav>`;
}
