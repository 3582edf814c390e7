import { expect, test } from 'vitest';
import { fieldError } from '#kernel/http/errors.ts';
import { onPage } from '#test/support/messages.ts';
import { pageText } from '#test/support/page-text.ts';
import { election } from '#test/views/samples.ts';
import { adminElectionPage } from '#views/voting/admin/election/election.ts';
import { bulkInvitesPage } from '#views/voting/admin/invitations/bulk-invites.ts';
import { inviteResultPage } from '#views/voting/admin/invitations/bulk-invites-result.ts';
import { distributionListPage } from '#views/voting/admin/invitations/distribution-list.ts';
import { inviteCheckPage } from '#views/voting/admin/invitations/invite-check.ts';
import { type InviteRow, inviteListPage } from '#views/voting/admin/invitations/invite-list.ts';
import {
  bulk,
  check,
  everyInvitationPage,
  invitations,
  inviteList,
  inviteRow,
  list,
  mine,
  NONE_UNSENT,
  result,
} from './invitations-samples.ts';
import { electionProps } from './samples.ts';

const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&amp;`;
const its = (status: 'scheduled' | 'open' | 'closed') => ({ ...election(), status });

test.each(Object.entries(everyInvitationPage(HOSTILE)))('%s: entered text is escaped', (_name, page) => {
  const markup = pageText(page);

  expect(markup).not.toMatch(/<script>|<img|alert\(1\)<\/script>/);
  expect(markup).not.toMatch(/ style=| on[a-z]+="|<style/);
  expect(markup.match(/<h1/g)).toHaveLength(1);
});

test.each(Object.entries(everyInvitationPage('Shall we?')))(
  '%s: ids are unique, links within the page have a target, and at most one button is filled',
  (name, page) => {
    const markup = pageText(page);
    const ids = [...markup.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    const targets = [...markup.matchAll(/ (?:href="#|for="|aria-labelledby=")([^"]*)"/g)].map(([, id]) => id);
    const unhidden = markup.replace(/<section class="card sending".*?<\/section>/s, '');
    const filled = unhidden.match(/class="button(?: button-(?:danger|large))*"/g) ?? [];

    expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted());
    expect(targets.filter((target) => !ids.includes(target) && target !== 'sending-title')).toEqual([]);
    if (name !== 'my elections') expect(filled.length).toBeLessThanOrEqual(1);
  },
);

test.each([
  [{ ...NONE_UNSENT, queued: 2 }, '2 invitations have not been sent'],
  [{ ...NONE_UNSENT, failed: 1 }, '1 invitation has not been sent'],
  [{ ...NONE_UNSENT, queued: 2, failed: 1 }, '3 invitations have not been sent'],
  [NONE_UNSENT, undefined],
] as const)('with %o unsent invitations are announced: %s', (unsent, loud) => {
  const page = pageText(adminElectionPage(electionProps({ unsent })));

  expect(page.includes('notice-danger')).toBe(loud !== undefined);
  expect(page).toContain(loud ?? 'Invitations');
  expect(/has not been sent|have not been sent/.test(page)).toBe(loud !== undefined);
});

const QUEUED = { status: 'QUEUED', sent: null } as const;
const FAILED = { status: 'FAILED', sent: null, error: '550 User unknown' } as const;

test.each<['scheduled' | 'open' | 'closed', Partial<InviteRow>, string[]]>([
  ['open', {}, ['resend', 'remind']],
  ['scheduled', {}, ['resend']],
  ['closed', {}, []],
  ['open', { used: true }, []],
  ['open', QUEUED, []],
  ['scheduled', QUEUED, []],
  ['open', FAILED, ['resend']],
  ['scheduled', FAILED, ['resend']],
  ['closed', FAILED, []],
])('%s, %o: can be mailed again with %o', (status, row, deeds) => {
  const listed = inviteList({ rows: [inviteRow(row)], election: { id: 'e1', title: 'The piano', status } });
  const page = pageText(inviteListPage(listed));
  const found = [...page.matchAll(/action="\/admin\/elections\/e1\/invites\/i1\/(\w+)"/g)];

  expect(found.map(([, deed]) => deed)).toEqual(deeds);
});

test('a failure is shown beside the address, and the sending time of a queue beside its number', () => {
  const given = { election: its('scheduled'), invitations: invitations() };
  const page = pageText(adminElectionPage(electionProps(given)));
  const listed = pageText(inviteListPage(inviteList({ rows: [inviteRow(FAILED)] })));

  expect(listed).toContain('550 User unknown');
  expect(page).toMatch(/<strong>Queued: 1\.<\/strong> It goes out [A-Z][a-z]{2}, /);
});

test('the links of search, order and pages keep each other’s parameters', () => {
  const page = pageText(
    inviteListPage(inviteList({ query: { q: 'a&b', filter: 'failed', sort: 'name', page: 2 } })),
  );
  const third = 'href="/admin/elections/e1/invitations?q=a%26b&amp;filter=failed&amp;sort=name&amp;page=3"';

  expect(page).toContain('5 to 8 of 1,120 invitations');
  expect(page).toContain(`${third} rel="next"`);
  expect(page).toMatch(/page=2" aria-current="page"><span class="visually-hidden">Page<\/span> 2</);
  expect(page).toContain('page=280"');
  expect(page).toMatch(/name="back_q" value="a&amp;b"/);
});

test('only scheduled elections queue, only open ones send reminders, only visible results are mailed', () => {
  const page = (status: 'scheduled' | 'open' | 'closed', results_visible = false) =>
    pageText(
      adminElectionPage(
        electionProps({
          election: its(status),
          publication: { published: false, results_visible },
          invitations: invitations(),
        }),
      ),
    );
  const offers = (markup: string) =>
    ['invite/check', 'reminders/send', 'results-email'].filter((path) =>
      markup.includes(`action="/admin/elections/e1/${path}"`),
    );

  expect(offers(page('scheduled'))).toEqual(['invite/check']);
  expect(offers(page('open'))).toEqual(['invite/check', 'reminders/send']);
  expect(offers(page('closed'))).toEqual([]);
  expect(offers(page('closed', true))).toEqual([]);
  expect(page('closed', true)).toContain('href="/admin/elections/e1/results-email">Send it to those');
  expect(page('scheduled')).toContain('name="queue"');
  expect(page('open')).not.toContain('name="queue"');
});

test('without mail every form is shown disabled, and says which setting is missing', () => {
  const missing = ['MAILER_API_KEY', 'BASE_URL'];
  const page = pageText(
    adminElectionPage(electionProps({ invitations: invitations({ mailReady: false, missing }) })),
  );

  expect(page).toContain('the password of the mail server and the address of this service');
  expect(page).toMatch(/<fieldset class="off" disabled>.*invite\/check.*reminders\/send.*<\/fieldset>/s);
  const listed = pageText(inviteListPage(inviteList({ mailReady: false, missing })));
  expect(listed).toMatch(/invites\/i1\/resend" novalidate>.*?<button class="[^"]*" disabled>/);
  expect(pageText(bulkInvitesPage(bulk({ mailReady: false, missing })))).toContain(
    '<button class="button" disabled>Check before sending',
  );
});

test('a refused invitation keeps what was entered and links to its field', () => {
  const page = pageText(
    adminElectionPage(
      electionProps({
        invitations: invitations(),
        problem: {
          form: 'invite',
          message: '',
          errors: [fieldError('emails', 'no_recipients')],
          entered: { emails: '', batch_name: 'By mail', distribution_list_ids: 'l1', invite_mode: 'batch' },
        },
      }),
    ),
  );

  expect(page).toContain(`href="#invite-emails">Addresses: ${onPage('no_recipients')}</a>`);
  expect(page).toMatch(/id="invite-batch_name"[^>]*value="By mail"/);
  expect(page).toMatch(/value="l1" id="invite-distribution_list_ids" checked/);
  expect(page).toMatch(/value="batch"[^>]* checked/);
  expect(page).toMatch(/<details class="invite-form" open>/);
});

test.each([
  [{ now: 120, later: 0 }, 'Send 120 invitations'],
  [{ now: 0, later: 1 }, 'Queue 1 invitation'],
  [{ now: 80, later: 40 }, 'Send 80 and queue 40 invitations'],
])('%o: the only button says what it does', (mails, label) => {
  expect(pageText(inviteCheckPage(check({ mails })))).toContain(`<button class="button">${label}</button>`);
});

test('the form sends exactly what is shown; the form that goes back keeps everything', () => {
  const page = pageText(inviteCheckPage(check()));
  const form = (action: string) => page.split(`action="${action}"`)[1]?.split('</form>')[0] ?? '';
  const fields = (markup: string, name: string) =>
    [...markup.matchAll(new RegExp(`name="${name}" value="([^"]*)"`, 'g'))].map(([, value]) => value);

  const sent = form('/admin/bulk-invites');
  expect(fields(sent, 'emails')).toEqual(['ada@club.example', 'bo@club.example']);
  expect(fields(sent, 'election_ids')).toEqual(['e1', 'e2']);
  expect(fields(sent, 'invite_mode')).toEqual(['individual']);
  expect(fields(sent, 'queue')).toEqual(['true']);
  expect(fields(form('/admin/bulk-invites/edit'), 'emails')).toEqual(['ada@club.example\nbo@club.example']);
});

test('invitations to a single election are sent by the form of that election', () => {
  const page = pageText(inviteCheckPage(check({ single: { id: 'e1', title: 'Budget' } })));

  expect(page).toContain('action="/admin/elections/e1/invite" data-slices');
  expect(page).toContain('action="/admin/elections/e1/invite/edit#invitations"');
});

test('without recipients there is nothing to send', () => {
  const page = pageText(inviteCheckPage(check({ rows: [{ email: 'x', state: 'invalid', reason: 'no @' }] })));

  expect(page).toContain('There is nobody to invite');
  expect(page).not.toContain('data-slices');
});

test('failed addresses come first and can be tried again, those invited before cannot', () => {
  const page = pageText(inviteResultPage(result()));
  const emails = [...page.matchAll(/class="address">([^<]*)/g)].map(([, email]) => email);

  expect(emails[0]).toBe('ada@club.example');
  expect(emails[1]).toBe('known@club.example');
  expect([...page.matchAll(/name="emails" value="([^"]*)"/g)].map(([, email]) => email)).toEqual([
    'ada@club.example',
  ]);
  expect(page).toContain('<dt>Failed</dt><dd>1</dd>');
});

test('deleting a list says how many addresses are deleted', () => {
  const page = pageText(distributionListPage(list({ ask: true })));

  expect(page).toContain('<strong>418 addresses</strong>');
  expect(page).toContain('action="/admin/distribution-lists/l1?_method=DELETE"');
  expect(pageText(distributionListPage(list()))).not.toContain('l1?_method=DELETE');
});

test('an address is removed by its own button, and pages keep the search', () => {
  const page = pageText(distributionListPage(list({ search: 'a&b' })));

  expect(page).toContain('action="/admin/distribution-lists/l1/emails/a1?_method=DELETE"');
  expect(page).toContain('href="/admin/distribution-lists/l1?q=a%26b&amp;page=1#addresses" rel="prev"');
});

test.each([
  ['ready', 'open', /href="\/e\/e1\/vote\?t=t1">Vote now/],
  ['waiting', 'scheduled', /Voting opens <strong>/],
  ['voted', 'open', /You have voted\. Nobody can see how\./],
  ['voted', 'closed', /href="\/e\/e1">See the result/],
  ['closed', 'closed', /href="\/e\/e1">See the result/],
  ['gone', 'open', /ask an officer/],
] as const)('my elections: %s, %s', (state, status, says) => {
  const ballot = state === 'ready' || state === 'waiting' ? { state, path: '/e/e1/vote?t=t1' } : { state };
  const page = pageText(mine(ballot, status));

  expect(page).toMatch(says);
  expect(page.includes('?t=')).toBe(state === 'ready');
});
