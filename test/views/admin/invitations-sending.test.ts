import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { Html } from '#kernel/html.ts';
import { type Answer, type Asked, keptAnsweredTabs } from '#test/views/answered-tab.ts';
import { officer } from '#test/views/samples.ts';
import { bulkInvitesPage } from '#views/voting/admin/invitations/bulk-invites.ts';
import { inviteCheckPage } from '#views/voting/admin/invitations/invite-check.ts';
import { bulk, check } from './invitations-samples.ts';

const emails = Array.from({ length: 60 }, (_, index) => `member${index}@club.example`);
const openTab = keptAnsweredTabs();

interface Sent {
  emails: string[];
  election_ids: string[];
  invite_mode: string;
  queue: boolean;
}
interface Row {
  email: string;
  success: boolean;
  error?: string;
}

/** Opens the page with a service whose results `outcome` gives; returns the tab and what was sent. */
async function openCheck(
  outcome: (row: string, turn: number) => Omit<Row, 'email'>,
  { refuse, apiKey }: { refuse?: (turn: number) => Answer | undefined; apiKey?: string } = {},
): Promise<{ tab: Page; sent: Sent[]; keys: (string | undefined)[] }> {
  const sent: Sent[] = [];
  const keys: (string | undefined)[] = [];
  const rows = emails.map((email) => ({ email, state: 'added' as const }));
  const page = inviteCheckPage(
    check({ rows, mails: { now: 60, later: 0 }, batch_name: null, viewer: officer(apiKey) }),
  );
  const tab = await openTab(({ method, path, headers, body }) => {
    if (method !== 'POST') return page;
    if (path !== '/admin/bulk-invites') return undefined;
    const slice: Sent = JSON.parse(body);
    sent.push(slice);
    keys.push(headers.authorization);
    const refused = refuse?.(sent.length);
    if (refused) return refused;
    const results = slice.emails.map((email): Row => ({ email, ...outcome(email, sent.length) }));
    const good = results.filter(({ success }) => success).length;
    const summary = { total: results.length, sent: good, failed: results.length - good, queued: 0 };
    return json(200, { success: true, mode: 'individual', queued: 0, summary, results });
  });
  await tab.goto('/admin/bulk-invites/check');
  return { tab, sent, keys };
}

function json(status: number, answer: object): Answer {
  return { status, headers: { 'content-type': 'application/json' }, body: new Html(JSON.stringify(answer)) };
}

const figure = (tab: Page, name: string) => tab.locator(`[data-count=${name}]`).textContent();

test('invitations are sent in slices, and to every address once', async () => {
  const { tab, sent, keys } = await openCheck(() => ({ success: true }), { apiKey: 'a-key' });

  await tab.getByRole('button', { name: 'Send 60 invitations' }).click();
  await tab.getByRole('heading', { name: 'Finished' }).waitFor();

  expect(sent.map((body) => body.emails.length)).toEqual([25, 25, 10]);
  expect(sent.flatMap((body) => body.emails)).toEqual(emails);
  expect(sent[0]).toMatchObject({ election_ids: ['e1', 'e2'], invite_mode: 'individual', queue: true });
  expect(keys).toEqual(Array(3).fill('Bearer a-key'));
  expect(await figure(tab, 'sent')).toBe('60');
  expect(await tab.getByRole('progressbar').getAttribute('value')).toBe('60');
  expect(await tab.getByRole('button', { name: /Send|Change|Stop/ }).count()).toBe(0);
});

test('only failed addresses are tried again; addresses invited before are no failures', async () => {
  const { tab, sent } = await openCheck((email, turn) => {
    if (email === 'member7@club.example') return { success: false, error: 'Already invited' };
    const refused = turn < 4 && ['member3@club.example', 'member30@club.example'].includes(email);
    return refused ? { success: false, error: '550 <b>unknown</b>' } : { success: true };
  });

  await tab.getByRole('button', { name: 'Send 60 invitations' }).click();
  await tab.getByRole('heading', { name: 'Finished' }).waitFor();
  expect([await figure(tab, 'sent'), await figure(tab, 'known'), await figure(tab, 'failed')]).toEqual([
    '57',
    '1',
    '2',
  ]);
  await tab.getByText('member3@club.example: 550 <b>unknown</b>').waitFor();

  await tab.getByRole('button', { name: 'Try the failed ones again' }).click();
  await expect.poll(() => figure(tab, 'sent')).toBe('59');
  expect(sent.at(-1)?.emails).toEqual(['member3@club.example', 'member30@club.example']);
  expect(await figure(tab, 'failed')).toBe('0');
});

test.each<[string, Answer, RegExp]>([
  ['a service that cannot be reached', 'no answer', /could not be reached/],
  ['a refusal', json(500, { error: 'Missing configuration: BASE_URL' }), /500/],
])('%s stops sending; going on repeats the slice and loses nobody', async (_what, answer, says) => {
  const { tab, sent } = await openCheck(() => ({ success: true }), {
    refuse: (turn) => (turn === 2 ? answer : undefined),
  });

  await tab.getByRole('button', { name: 'Send 60 invitations' }).click();
  await tab.getByText(says).waitFor();
  await tab.getByRole('heading', { name: 'Stopped' }).waitFor();
  await tab.getByRole('button', { name: 'Go on' }).click();
  await tab.getByRole('heading', { name: 'Finished' }).waitFor();

  expect(sent.map((body) => body.emails.length)).toEqual([25, 25, 25, 10]);
  expect(sent[2]?.emails).toEqual(sent[1]?.emails);
  expect(await tab.getByText(says).isVisible()).toBe(false);
});

test('sending can be stopped after the current slice', async () => {
  const { tab, sent } = await openCheck(() => ({ success: true }));
  await tab.evaluate(() => {
    const send = window.fetch;
    const released = new Promise((resolve) => addEventListener('let-go', resolve, { once: true }));
    window.fetch = async (...request) => {
      await released;
      return send(...request);
    };
  });

  await tab.getByRole('button', { name: 'Send 60 invitations' }).click();
  await tab.getByRole('button', { name: 'Stop' }).click();
  await tab.evaluate(() => dispatchEvent(new Event('let-go')));
  await tab.getByText('25 of 60. The others have not been mailed.').waitFor();
  expect(sent).toHaveLength(1);
});

test('without script the form is sent as a whole', async () => {
  const page = inviteCheckPage(check());
  const posted: string[] = [];
  const answer = ({ method, body }: Asked) => {
    if (method === 'POST') posted.push(body);
    return page;
  };
  const tab = await openTab(answer, { javaScriptEnabled: false });
  await tab.goto('/admin/bulk-invites/check');

  await tab.getByRole('button', { name: 'Send 2 and queue 2 invitations' }).click();
  await expect.poll(() => posted.length).toBe(1);
  expect(new URLSearchParams(posted[0]).getAll('emails')).toEqual(['ada@club.example', 'bo@club.example']);
});

test('addresses from a file are put into the field, whatever its encoding', async () => {
  const tab = await openTab(() => bulkInvitesPage(bulk()));
  await tab.goto('/admin/bulk-invites');
  await tab.getByLabel('Further addresses').fill('ada@club.example');

  await tab.getByLabel('Take them from a file').setInputFiles({
    name: 'members.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Zo\xeb;zoe@club.example\r\nBo;bo@club.example\r\n', 'latin1'),
  });
  await tab.getByText('“members.csv” was added to the field above: 2 rows.').waitFor();
  expect(await tab.getByLabel('Further addresses').inputValue()).toBe(
    'ada@club.example\nZoë;zoe@club.example\nBo;bo@club.example',
  );
});
