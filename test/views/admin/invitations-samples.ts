import { fieldError } from '#kernel/http/errors.ts';
// The pages about invitations and distribution lists with sample data; `name` is used for all texts that people enter.

import type { Html } from '#kernel/html.ts';
import { closes, election, opens } from '#test/views/samples.ts';
import { adminElectionPage } from '#views/voting/admin/election/election.ts';
import { type BulkInvitesProps, bulkInvitesPage } from '#views/voting/admin/invitations/bulk-invites.ts';
import {
  type InviteResultProps,
  inviteResultPage,
} from '#views/voting/admin/invitations/bulk-invites-result.ts';
import {
  type DistributionListProps,
  distributionListPage,
} from '#views/voting/admin/invitations/distribution-list.ts';
import { distributionListsPage } from '#views/voting/admin/invitations/distribution-lists.ts';
import { type InviteCheckProps, inviteCheckPage } from '#views/voting/admin/invitations/invite-check.ts';
import {
  type InviteListProps,
  type InviteRow,
  inviteListPage,
} from '#views/voting/admin/invitations/invite-list.ts';
import { mailingPage, resultsAgainPage, type ShownMailing } from '#views/voting/admin/invitations/mailing.ts';
import { type OneElectorProps, oneElectorPage } from '#views/voting/admin/invitations/one-elector.ts';
import type { Invitations } from '#views/voting/admin/sections/props.ts';
import { type MyElectionRow, myElectionsPage } from '#views/voting/my-elections.ts';
import { electionProps, ZONE } from './samples.ts';

export function inviteRow(over: Partial<InviteRow> = {}): InviteRow {
  const row = { id: 'i1', email: 'ada@club.example', status: 'SENT', created: opens, sent: opens } as const;
  const code = { slip: null, withdrawn: false, ended: false, rollEmail: null } as const;
  const rest = {
    ...code,
    name: null,
    standing: null,
    mailed_at: 1,
    remailed: null,
    used: false,
    error: null,
  };
  return { ...row, ...rest, ...over };
}

/** The list of an election's invitations. */
export function inviteList(over: Partial<InviteListProps> = {}, name = 'ada@club.example'): InviteListProps {
  return {
    election: { id: 'e1', title: name, status: 'open' },
    rows: [
      inviteRow({ email: name }),
      inviteRow({ id: 'i2', name, standing: name, used: true, remailed: opens }),
      inviteRow({ id: 'i3', status: 'QUEUED', sent: null }),
      inviteRow({ id: 'i4', status: 'FAILED', sent: null, error: name, rollEmail: name }),
      inviteRow({ id: 'i5', status: 'SLIP', email: '', name, slip: 'to_print' }),
      inviteRow({ id: 'i6', status: 'SENT', withdrawn: true }),
      inviteRow({ id: 'i8', status: 'SENT', ended: true }),
      inviteRow({ id: 'i7', status: 'PREPARED', sent: null }),
    ],
    total: 1_120,
    all: 1_500,
    pageSize: 4,
    zone: 'America/New_York',
    query: { q: name, filter: 'sent', sort: 'name', page: 2 },
    said: { kind: 'success', sentence: name },
    mailReady: true,
    missing: [],
    ...over,
  };
}

function oneElector(state: OneElectorProps['invite']['state'], name: string): OneElectorProps {
  return {
    election: { id: 'e1', title: name, status: 'open' },
    invite: { id: 'i1', email: name, name, address: 'new@club.example', state, slip: false },
    ...(state === 'unused' && {
      refused: {
        form: 'replace',
        message: name,
        errors: [fieldError('reason', 'invalid', { problem: name })],
        entered: { to: 'slip', reason: name },
      },
    }),
    mailReady: true,
    missing: [],
  };
}

export function mailing(over: Partial<ShownMailing> = {}, name = 'Olga'): ShownMailing {
  return {
    id: 'm1',
    kind: 'results',
    when: opens,
    listed: opens,
    by: name,
    finished: true,
    note: name,
    total: 30,
    skipped: 1,
    waiting: 0,
    sent: 27,
    failed: 2,
    unsure: 1,
    ...over,
  };
}

const rollChoice = (name: string) => ({
  kinds: [{ id: 'k1', name }],
  groups: [{ id: 'g1', name }],
  today: '2026-11-22',
});

export function invitations(over: Partial<Invitations> = {}, name = 'ada@club.example'): Invitations {
  return {
    counts: {
      queued: 1,
      sent: 118,
      failed: 1,
      used: 40,
      notVoted: 78,
      prepared: 1,
      withdrawn: 1,
      slips: { to_print: 1, printed: 1, used: 1 },
    },
    goesOut: opens,
    lists: [{ id: 'l1', name, count: 3 }],
    roll: rollChoice(name),
    resultMails: 119,
    mailings: [mailing({}, name)],
    mailReady: true,
    missing: [],
    ...over,
  };
}

export const NONE_UNSENT = {
  queued: 0,
  sent: 120,
  failed: 0,
  used: 40,
  notVoted: 80,
  prepared: 0,
  withdrawn: 0,
  slips: { to_print: 0, printed: 0, used: 0 },
};

export function bulk(over: Partial<BulkInvitesProps> = {}, name = 'Shall we?'): BulkInvitesProps {
  return {
    elections: [
      { id: 'e1', title: name, status: 'open', opens, closes },
      { id: 'e2', title: name, status: 'scheduled', opens, closes },
    ],
    zone: ZONE,
    lists: [{ id: 'l1', name, count: 3 }],
    roll: rollChoice(name),
    entered: {},
    errors: [],
    mailReady: true,
    missing: [],
    ...over,
  };
}

export function check(over: Partial<InviteCheckProps> = {}, name = 'ada@club.example'): InviteCheckProps {
  const emails = [name, 'bo@club.example'];
  return {
    elections: bulk({}, name).elections.map((one) => ({ ...one, waits: one.status === 'scheduled' })),
    zone: ZONE,
    mode: 'individual',
    queue: true,
    batch_name: name,
    entered: { emails: `${name}\nbo@club.example`, election_ids: ['e1', 'e2'], queue: 'true' },
    rows: [
      ...emails.map((email) => ({ email, state: 'added' as const, reason: name })),
      { email: name, state: 'repeated' },
      { email: name, state: 'invalid', reason: name },
      { email: 'cy@club.example', state: 'invited' },
      { email: 'di@club.example', name, state: 'added' },
      { email: '', name, state: 'unaddressed' },
    ],
    roll: undefined,
    showRoll: true,
    mails: { now: 2, later: 2 },
    goesOut: opens,
    spare: [
      {
        election: { id: 'e1', title: name },
        batches: [
          { batch_name: name, count: 24, deletable: true },
          { batch_name: null, count: 1, deletable: false },
        ],
        issued: 51,
      },
    ],
    samples: [{ subject: name, text: name }],
    mailReady: true,
    missing: [],
    ...over,
  };
}

export function result(over: Partial<InviteResultProps> = {}, name = 'ada@club.example'): InviteResultProps {
  return {
    elections: [{ id: 'e1', title: name }],
    mode: 'batch',
    queue: true,
    batch_name: name,
    summary: { total: 4, sent: 1, failed: 2, queued: 1 },
    results: [
      { email: 'sent@club.example', success: true },
      { email: 'later@club.example', success: true, queued: true },
      { email: 'known@club.example', success: false, error: 'Already invited' },
      { email: name, success: false, error: name },
    ],
    goesOut: opens,
    ...over,
  };
}

export function list(over: Partial<DistributionListProps> = {}, name = 'Members'): DistributionListProps {
  return {
    list: { id: 'l1', name, description: name, count: 418 },
    emails: [{ id: 'a1', email: name }],
    page: 2,
    pageSize: 200,
    search: name,
    ...over,
  };
}

export function mine(
  ballot: MyElectionRow['ballot'],
  status: MyElectionRow['status'],
  title = 'Budget',
): Html {
  const row = { id: 'e1', title, status, opens, closes, ballot };
  return myElectionsPage({ email: title, token: title, elections: [row], zone: ZONE });
}

/** Every page and state, by name. */
export function everyInvitationPage(name: string): Record<string, Html> {
  const closed = { ...election(name), status: 'closed' as const };
  const said = { mailing: mailing({}, name) };
  const problem = { message: name, entered: { emails: [name, name] } };
  const entered = { emails: name, batch_name: name, distribution_list_ids: 'l1', invite_mode: 'batch' };
  const errors = [fieldError('emails.0', 'invalid', { problem: name })];
  return {
    'invitations, open': adminElectionPage(electionProps({ invitations: invitations({ said }, name) }, name)),
    'invitations, refused': adminElectionPage(
      electionProps({ invitations: invitations(), problem: { form: 'invite', ...problem, errors } }),
    ),
    'invitations, no mail': adminElectionPage(
      electionProps({ invitations: invitations({ mailReady: false, missing: ['BASE_URL'] }) }),
    ),
    'invitations, closed': adminElectionPage(
      electionProps({
        election: closed,
        publication: { published: false, results_visible: true },
        invitations: invitations(),
      }),
    ),
    'invitations, searched': inviteListPage(inviteList({}, name)),
    ...Object.fromEntries(
      (['prepared', 'unused', 'used', 'withdrawn'] as const).map((state) => [
        `code of one elector, ${state}`,
        oneElectorPage(oneElector(state, name)),
      ]),
    ),
    'invitations, none': inviteListPage(inviteList({ rows: [], total: 0, all: 0, said: undefined })),
    'mailing, finished': mailingPage({
      mailing: mailing({}, name),
      election: { id: 'e1', title: name },
      failures: [{ email: name, error: name }],
      again: 1,
      mailReady: true,
    }),
    'mailing, under way': mailingPage({
      mailing: mailing({ kind: 'invitations', finished: false, waiting: 9 }, name),
      election: { id: 'e1', title: name },
      failures: [],
      again: 0,
      mailReady: false,
    }),
    'result, again': resultsAgainPage({
      election: { id: 'e1', title: name },
      fresh: 3,
      had: 27,
      unsure: 1,
      when: opens,
      after: 'm1',
      mailReady: true,
    }),
    bulk: bulkInvitesPage(bulk({ entered, errors }, name)),
    'bulk, no mail': bulkInvitesPage(bulk({ mailReady: false, missing: ['FROM_EMAIL'], lists: [] })),
    'bulk, none': bulkInvitesPage(bulk({ elections: [] })),
    check: inviteCheckPage(check({}, name)),
    'check, one election': inviteCheckPage(check({ single: { id: 'e1', title: name } }, name)),
    'check, nobody': inviteCheckPage(check({ rows: [{ email: '', state: 'invalid' }], samples: [] })),
    result: inviteResultPage(result({}, name)),
    lists: distributionListsPage({
      lists: [{ id: 'l1', name, description: name, count: 2 }],
      entered: { name },
      errors: [fieldError('name', 'invalid', { problem: name })],
      done: name,
    }),
    'lists, none': distributionListsPage({ lists: [] }),
    list: distributionListPage(
      list({ report: { added: 1, skipped: 2, invalid: [{ email: name, reason: name }] }, done: name }, name),
    ),
    'list, ask': distributionListPage(list({ ask: true }, name)),
    'list, refused': distributionListPage(list({ problem: { form: 'add', ...problem, errors } }, name)),
    'my elections, new link': mine({ state: 'ready', path: null }, 'open', name),
    'my elections': myElectionsPage({
      email: name,
      zone: ZONE,
      token: name,
      elections: (['ready', 'waiting', 'voted', 'closed', 'gone'] as const).map((state) => ({
        id: 'e1',
        title: name,
        status: state === 'closed' ? 'closed' : 'open',
        opens,
        closes,
        ballot: state === 'ready' || state === 'waiting' ? { state, path: '/e/e1/vote?t=t1' } : { state },
      })),
    }),
  };
}
