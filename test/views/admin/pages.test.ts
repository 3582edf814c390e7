import { expect, test } from 'vitest';
import { fieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import { pageText } from '#test/support/page-text.ts';
import { closes, election, opens } from '#test/views/samples.ts';
import { choice } from '#views/components/forms.ts';
import { pagination } from '#views/components/structure.ts';
import { auditLogPage } from '#views/voting/admin/audit-log.ts';
import { dashboardPage } from '#views/voting/admin/dashboard.ts';
import { adminElectionPage } from '#views/voting/admin/election/election.ts';
import { electionFormPage } from '#views/voting/admin/election/election-form.ts';
import { manualResultsFormPage } from '#views/voting/admin/election/manual-results-form.ts';
import type { ElectionPageProps } from '#views/voting/admin/election/props.ts';
import { batch, electionProps, everyOfficerPage } from './samples.ts';

const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&amp;`;

test.each(Object.entries(everyOfficerPage(HOSTILE)))('%s: entered text is escaped', (_name, page) => {
  const markup = pageText(page);

  expect(markup).not.toMatch(/<script>|<img|alert\(1\)<\/script>/);
  expect(markup).not.toMatch(/ style=| on[a-z]+="|<style/);
  expect(markup.match(/<h1/g)).toHaveLength(1);
});

test.each(Object.entries(everyOfficerPage('Shall we?')))(
  '%s: says voting code and check number, not token and fingerprint',
  (_name, page) => {
    const words = pageText(page).replaceAll(/<[^>]*>/g, ' ');
    expect(words.match(/\b(tokens?|fingerprints?)\b/gi)).toBeNull();
  },
);

test.each(Object.entries(everyOfficerPage('Shall we?')))(
  '%s: ids are unique, and links within the page have a target',
  (_name, page) => {
    const markup = pageText(page);
    const ids = [...markup.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    const targets = [...markup.matchAll(/ (?:href="#|for="|aria-labelledby=")([^"]*)"/g)].map(([, id]) => id);

    expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted());
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
  },
);

test.each(Object.entries(everyOfficerPage('Shall we?')))('%s: at most one filled button', (_name, page) => {
  const filled =
    pageText(page).match(/class="button(?: button-(?:danger|small|large))*"(?![^>]*hidden)/g) ?? [];

  expect(filled.length).toBeLessThanOrEqual(1);
});

test('the dashboard has open elections first, the soonest to close on top, and published ones last', () => {
  const row = (title: string, fields: object) => ({
    election: { ...election(title), ...fields },
    opens,
    closes,
    turnout: { issued: 0, used: 0 },
    needs: [],
  });
  const unpublished = { ...election().settings, publish_results_to_home: false };
  const rows = [
    row('Published', { status: 'closed' }),
    row('Later', { status: 'open', close_at: '2026-12-02T00:00:00.000Z' }),
    row('To publish', { status: 'closed', settings: unpublished }),
    row('Coming', { status: 'scheduled' }),
    row('Sooner', { status: 'open', close_at: '2026-12-01T00:00:00.000Z' }),
  ];
  const titles = pageText(dashboardPage({ rows, zone: '' })).matchAll(/<h3><a [^>]*>([^<]*)/g);

  expect([...titles].map(([, title]) => title)).toEqual([
    'Sooner',
    'Later',
    'Coming',
    'To publish',
    'Published',
  ]);
});

test.each([
  ['Hall', 'Hall'],
  [null, ''],
])('deleting the batch %s says how many voting codes are deleted', (batch_name, sent) => {
  const page = pageText(
    adminElectionPage(
      electionProps({ batches: [batch(batch_name, 20, 0)], ask: { kind: 'batch', batch_name } }),
    ),
  );

  expect(page).toContain('<strong>20 voting codes</strong> are deleted');
  expect(page).toContain(`<input type="hidden" name="batch_name" value="${sent}">`);
});

test('deleting an election says what is deleted, in numbers, and asks for its title', () => {
  const page = pageText(adminElectionPage(electionProps({ ask: { kind: 'delete' } })));

  expect(page).toContain('<strong>30 voting codes, 12 ballots, 2 candidates and 2 invitations</strong>');
});

test('the confirmation of closing says how many can no longer vote', () => {
  const page = pageText(adminElectionPage(electionProps({ ask: { kind: 'close' } })));

  expect(page).toContain(
    '12 of 30 voting codes were used. 18 people have not voted yet. They will no longer be able to.',
  );
});

test('the page has no confirmation and no deletion until one is asked for', () => {
  const page = pageText(adminElectionPage(electionProps()));

  expect(page).not.toContain('class="confirm"');
  expect(page).not.toContain('e1?_method=DELETE');
  expect(page).not.toContain('e1/batches');
});

test('a closed election offers no tokens and says that new dates open it again', () => {
  const closed = { ...election(), status: 'closed' as const };
  const page = pageText(adminElectionPage(electionProps({ page: 'codes', election: closed })));

  expect(page).not.toContain('action="/admin/elections/e1/tokens"');
  expect(page).toContain('no more voting codes can be made');
  expect(page).toContain('open it again');
});

test('with ballots in, candidates and the settings that ballots depend on are fixed', () => {
  const shown = (over: Partial<ElectionPageProps> = {}) =>
    (['ballot', 'rules', 'checks'] as const)
      .map((page) => pageText(adminElectionPage(electionProps({ page, ...over }))))
      .join('');
  const fixed = shown();
  const free = shown({
    ballots: 0,
    options: electionProps().options.map((option) => ({ ...option, editable: true })),
  });

  expect(fixed).toContain('12 ballots are in, so this list is fixed');
  for (const field of ['name="display_order"', 'name="settings.receipts"', 'candidates/c1?_method=DELETE']) {
    expect(fixed).not.toContain(field);
    expect(free).toContain(field);
  }
});

test('a ranked election with fewer than two candidates says so first', () => {
  const scheduled = { ...election(), status: 'scheduled' as const, candidates: [] };
  const page = pageText(adminElectionPage(electionProps({ election: scheduled, ballots: 0 })));

  expect(page).toContain('there are fewer than two candidates');
  expect(page).toContain('<a class="button" href="/admin/elections/e1/ballot#candidates">Add candidates</a>');
});

test('a refused form keeps what was entered and links to its fields', () => {
  const problem = {
    form: 'tokens' as const,
    message: '',
    errors: [fieldError('count', 'out_of_range', { min: 1, max: 1_000 })],
    entered: { count: '2.5', batch_name: 'Back room' },
  };
  const page = pageText(adminElectionPage(electionProps({ problem })));

  expect(page).toContain('href="#tokens-count">How many: must be a whole number from 1 to 1,000</a>');
  expect(page).toMatch(/id="tokens-count"[^>]*aria-invalid="true"[^>]*value="2.5"/);
  expect(page).toMatch(/id="tokens-batch_name"[^>]*value="Back room"/);
  expect(page).toContain('<title>Error: ');
});

test('a problem without a field links to its section', () => {
  const problem = { form: 'candidates' as const, message: 'Ballots exist', errors: [], entered: {} };

  expect(pageText(adminElectionPage(electionProps({ problem })))).toContain(
    'href="#candidates">Ballots exist</a>',
  );
});

test('a new form hides results, a refused one keeps what was chosen', () => {
  const ticked = /name="settings.hide_results_until_close" value="true"[^>]* checked/;
  const form = (entered: Record<string, string | string[]>) =>
    pageText(electionFormPage({ entered, errors: [], zone: 'Etc/UTC' }));

  expect(form({})).toMatch(ticked);
  expect(form({ title: '', 'settings.hide_results_until_close': 'false' })).not.toMatch(ticked);
  expect(form({ title: '', 'settings.hide_results_until_close': 'true' })).toMatch(ticked);
  expect(form({})).toContain(
    'The figures are public while voting is open. Someone who sees them change when you vote can learn your vote.',
  );
});

test('the form of certified results always has one blank row', () => {
  const entry = {
    certified_at: '',
    certified_by: '',
    notes: '',
    reason: '',
    contests: [{ label: 'Chair', items: [{ label: 'Ada', votes: '3' }] }],
  };
  const page = pageText(
    manualResultsFormPage({
      election: { id: 'e1', title: '' },
      entry,
      errors: [],
      zone: '',
      stored: false,
    }),
  );

  expect(page).toContain('name="results.contests.0.items.1.votes"');
  expect(page).not.toContain('name="results.contests.0.items.2.votes"');
  expect(page).toContain('formaction="/admin/elections/e1/manual-results/edit#results.contests.1.label"');
});

test.each([
  [{ method: 'code' }, 'way:</span> <span translate="no">code</span>'],
  [{ before: '' }, 'before:</span> –'],
  [{ batch_name: null }, 'batch:</span> –'],
  [{ list: [] }, 'list:</span> –'],
  [{ late: false }, 'added after the opening:</span> no'],
  [{ books: { tokens_used: 4 } }, 'books, voting codes used:</span> 4'],
  [{ ends_at: 0 }, 'ends at:</span> 1970-01-01 00:00 UTC'],
  [{ close_at: '2026-11-21T18:30:00.000Z' }, 'closes:</span> 2026-11-21 18:30 UTC'],
  [{ cards: { Hall: { handed_out: 2 } } }, 'cards, Hall, handed out:</span> 2'],
  [{ after: { setAt: 0 } }, 'after, set at:</span> 1970-01-01 00:00 UTC'],
  [{ fields: ['title', 'held_at'] }, 'changed:</span> <span translate="no">title, held_at</span>'],
  [{ people: { 'Hall in held': 2 } }, 'people, Hall, in, with a card:</span> 2'],
  [{ people: { 'guest out none': 1 } }, 'people, guest, out, without a card:</span> 1'],
  [{ proxies: { 'Hall used': 1 } }, 'proxies, Hall, card handed out:</span> 1'],
  [{ 'mail.from_name': null }, 'mail.from_name:</span> –'],
  [{ shoe_size: 43, constructor: 'x' }, 'shoe size:</span> 43'],
])('the audit log says %o in words', (metadata, words) => {
  const entry = { id: '1', when: '', action: 'a.b', ip_address: null, election_id: null };
  const page = pageText(
    auditLogPage({
      entries: [{ ...entry, metadata: JSON.stringify(metadata) }],
      total: 1,
      actions: [],
      query: { limit: 20, offset: 0 },
    }),
  );
  expect(page).toContain(words);
});

test('a note describes a choice and is not part of its name', () => {
  const markup = choice({ type: 'radio', name: 'how', value: 'a b', label: 'Mail', note: 'At once.' });
  expect(pageText(markup)).toContain('aria-labelledby="how-a%20b-name" aria-describedby="how-a%20b-note"');
  expect(pageText(markup)).toContain('<span class="choice-note" id="how-a%20b-note">At once.</span>');
});

test('the pages of the audit log keep the filter', () => {
  const entries = [
    {
      id: '1',
      when: '',
      action: 'a',
      ip_address: '',
      election_id: null,
      metadata: '{"count":2,"from":{"open_at":"2026-11-14T14:00:00.000Z"}}',
    },
  ];
  const page = pageText(
    auditLogPage({
      entries,
      total: 60,
      actions: [],
      query: { limit: 20, offset: 20, action: 'a&b' },
    }),
  );

  expect(page).toContain('href="/admin/audit-logs?action=a%26b&amp;limit=20&amp;offset=0" rel="prev"');
  expect(page).toContain('<span class="soft">opened before:</span> 2026-11-14 14:00 UTC');
});

test('the numbers of a pagination are formatted like all others', () => {
  const shown = pageText(
    pagination({
      from: 1_001,
      to: 1_100,
      total: 1_500,
      of: (range) => t('voting-admin.invite_list.pages', range),
    }),
  );

  expect(shown).toContain('1,001 to 1,100 of 1,500 invitations');
});
