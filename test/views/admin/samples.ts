import { fieldError } from '#kernel/http/errors.ts';
// Every officer page with sample data; `name` is used for all texts that people enter.

import type { Html } from '#kernel/html.ts';
import { candidates, closes, election, manual, opens } from '#test/views/samples.ts';
import { approvalsPage, askedPage } from '#views/people/approvals.ts';
import { auditLogPage } from '#views/voting/admin/audit-log.ts';
import { dashboardPage } from '#views/voting/admin/dashboard.ts';
import { ballotPreview } from '#views/voting/admin/election/ballot-preview.ts';
import { adminElectionPage } from '#views/voting/admin/election/election.ts';
import { electionFormPage } from '#views/voting/admin/election/election-form.ts';
import { manualResultsFormPage } from '#views/voting/admin/election/manual-results-form.ts';
import type { ElectionPageProps } from '#views/voting/admin/election/props.ts';
import { resultsPreviewPage } from '#views/voting/admin/election/results-preview.ts';
import { slipsPage } from '#views/voting/admin/invitations/slips.ts';
import { tokensOncePage } from '#views/voting/admin/invitations/tokens-once.ts';
import { pageOfForm } from '#views/voting/admin/sections/forms.ts';
import { ASKED_IN, PAGE_OF, SUB_PAGES, type SubPage } from '#views/voting/words.ts';
import type { Batch } from '#voting/ballots/tokens.ts';

export const ZONE = 'New York time';
const qr = { size: 2, data: [1, 0, 0, 1] };

/** The sub-page with what is given; the first one where that is on each. */
export const pageOf = ({ problem, ask, doneAt, ...over }: Partial<ElectionPageProps>): SubPage => {
  if (problem) return pageOfForm(problem.form);
  const section = ask ? ASKED_IN[ask.kind] : doneAt;
  if (section) return PAGE_OF[section];
  return over.invitations ? 'mails' : over.batches ? 'codes' : 'overview';
};

/** An open election with some ballots; `over` replaces fields. */
export function electionProps(over: Partial<ElectionPageProps> = {}, name = 'Shall we?'): ElectionPageProps {
  const options = candidates([name, 'Bo']).map((option) => ({ ...option, editable: false }));
  return {
    page: pageOf(over),
    mayInvite: over.invitations?.mailReady ?? false,
    election: election(name),
    times: {
      opens,
      closes,
      ends: closes,
      opensInput: '2026-11-16T09:00',
      closesInput: '2026-11-21T23:59',
      zone: ZONE,
      zoneInFull: `${ZONE} (America/New_York, UTC−5)`,
    },
    publicUrl: 'https://club.example/e/e1',
    turnout: { issued: 30, used: 12, invited: 2 },
    batches: [batch(name, 20, 12), batch(null, 10, 0)],
    options,
    optionTextAtMost: 600,
    ballots: 12,
    publication: { published: true, results_visible: false },
    ...over,
  };
}

export function batch(
  batch_name: string | null,
  count: number,
  used_count: number,
): Batch & { created: string } {
  const counts = { count, used_count, unused_count: count - used_count };
  return { batch_name, ...counts, created_at: 0, created: opens, emails: [`${batch_name}@club.example`] };
}

/** Every page and state, by name. */
export function everyOfficerPage(name: string): Record<string, Html> {
  const its = election(name);
  const closed = { ...its, status: 'closed' as const };
  const publication = { published: false, results_visible: true };
  const problem = (form: 'tokens' | 'dates' | 'delete' | 'checks', path: string) => ({
    form,
    message: name,
    errors: [fieldError(path, 'invalid', { problem: name })],
    entered: { [path]: name },
  });
  const row = { election: its, opens, closes, turnout: { issued: 30, used: 12 }, needs: [name] };
  return {
    approvals: approvalsPage({
      approvals: [
        {
          id: 'p1',
          details: [],
          act: name,
          hash: 'h',
          by: name,
          until: opens,
          isOwn: false,
          mayDecide: true,
        },
        { id: 'p2', details: [], act: name, hash: 'h', by: name, until: opens, isOwn: true, mayDecide: true },
      ],
      isOn: false,
      couldBeOn: true,
      maySet: true,
      done: name,
      viewer: undefined,
    }),
    'approval asked for': askedPage({ act: name, viewer: undefined }),
    dashboard: dashboardPage({
      rows: [row, { ...row, election: closed, needs: [] }],
      zone: ZONE,
      done: name,
    }),
    'dashboard, empty': dashboardPage({ rows: [], zone: ZONE }),
    'new election': electionFormPage({ entered: {}, errors: [], zone: ZONE }),
    'new election, refused': electionFormPage({
      entered: { title: name, description: name, options: name, candidates: name, ballot_type: 'POLL' },
      errors: ['title', 'options', 'close_at', 'settings.quorum'].map((path) =>
        fieldError(path, 'invalid', { problem: name }),
      ),
      zone: ZONE,
      preview: ballotPreview({
        title: name,
        description: name,
        ballot_type: 'RANKED_CONDORCET',
        names: [name],
        settings: its.settings,
      }),
    }),
    election: adminElectionPage(electionProps({ done: name, doneAt: 'tokens' }, name)),
    ...Object.fromEntries(
      SUB_PAGES.map((page) => [`election, ${page}`, adminElectionPage(electionProps({ page }, name))]),
    ),
    'election, closed': adminElectionPage(
      electionProps({ election: closed, publication, manual: { contests: 1, items: 2 } }, name),
    ),
    'election, draft': adminElectionPage(
      electionProps({
        election: { ...its, status: 'scheduled' },
        options: [],
        batches: [],
        ballots: 0,
        done: name,
      }),
    ),
    'ask to close': adminElectionPage(electionProps({ ask: { kind: 'close' } }, name)),
    'ask to delete': adminElectionPage(electionProps({ problem: problem('delete', 'confirm') }, name)),
    'ask about a batch': adminElectionPage(electionProps({ ask: { kind: 'batch', batch_name: name } }, name)),
    'tokens refused': adminElectionPage(electionProps({ problem: problem('tokens', 'batch_name') }, name)),
    'settings refused': adminElectionPage(
      electionProps({ problem: problem('checks', 'settings.quorum'), ballots: 0 }, name),
    ),
    'new tokens': tokensOncePage({
      election: its,
      batch_name: name,
      count: 2,
      links: ['t1', name].map((token) => ({ token, url: `https://club.example/e/e1/vote?t=${token}` })),
    }),
    slips: slipsPage({
      club: 'The Anchor',
      address: name,
      election: its,
      closes,
      slips: [{ token: name, url: name, qr }],
    }),
    'results, hidden': resultsPreviewPage({
      election: its,
      results: null,
      turnout: { issued: 10, used: 4 },
      publication: { published: false, results_visible: false },
      codesCover: false,
    }),
    'results, certified': resultsPreviewPage({
      election: closed,
      results: manual(name),
      turnout: { issued: 10, used: 4 },
      publication,
      codesCover: false,
    }),
    'certified results': manualResultsFormPage({
      election: its,
      entry: {
        certified_at: name,
        certified_by: name,
        notes: name,
        reason: '',
        contests: [{ label: name, items: [{ label: name, votes: name }] }],
      },
      errors: [fieldError('results.contests.0.items.0.votes', 'invalid', { problem: name })],
      zone: ZONE,
      stored: true,
    }),
    'audit log': auditLogPage({
      entries: [
        {
          id: '1',
          when: opens,
          action: 'election.deleted',
          ip_address: name,
          election_id: 'e1',
          metadata: JSON.stringify({ title: name, from: { [name]: name } }),
        },
        { id: '2', when: opens, action: name, ip_address: '::1', election_id: null, metadata: `{${name}` },
      ],
      total: 90,
      actions: [name],
      query: { limit: 2, offset: 2, action: name, election_id: name },
      titles: { e1: { title: name } },
    }),
    'audit log, empty': auditLogPage({
      entries: [],
      total: 0,
      actions: [],
      query: { limit: 50, offset: 0 },
    }),
  };
}
