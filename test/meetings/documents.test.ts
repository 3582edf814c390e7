import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { listMeetingDifferences } from '#meetings/recorded.ts';
import { recordedOf } from '#test/support/audit.ts';
import { send } from '#test/support/factories.ts';
import { expectRefusal } from '#test/support/messages.ts';
import { multipart } from '#test/support/pictures.ts';
import { openElectorate, person } from '#test/voting/electors/electorate.ts';
import { openRoom } from './a-meeting.ts';

const PDF = Buffer.from('%PDF-1.7\n% the accounts\n%%EOF\n');
const SHA = createHash('sha256').update(PDF).digest('hex');

type Service = Awaited<ReturnType<typeof openRoom>>['service'];

/** Uploads a file as a browser or a script does. */
async function upload(
  service: Service,
  base: string,
  {
    bytes = PDF as Uint8Array,
    headers = {},
    field = 'document',
    ...fields
  }: { bytes?: Uint8Array; headers?: Record<string, string>; field?: string; title?: string; item?: string },
) {
  const form = await multipart(
    { title: 'Accounts 2026', ...fields },
    { [field]: { bytes, name: 'a.pdf', type: 'application/pdf' } },
  );
  return service.request({
    method: 'POST',
    url: `${base}/documents`,
    payload: form.payload,
    headers: { accept: 'application/json', ...form.headers, ...headers },
  });
}

async function prepare() {
  const club = await openElectorate({ LOCAL_BYPASS: 'off' });
  await club.add(person('Ann', 'ann@club.example'));
  const { service, olga } = club;
  const meeting = { title: 'AGM', held_at: '2026-12-04T19:00', agenda_of: 'usual', public: false };
  const { id } = (await service.post('/admin/meetings', meeting, olga)).json();
  return Object.assign(club, { id, base: `/admin/meetings/${id}` });
}

it('a PDF of a meeting that is not public is served as an attachment to whoever came by an invitation, a card or a session', async () => {
  await using one = await prepare();
  const { service, olga, id, base } = one;
  const added = await upload(service, base, { headers: olga });
  expect([added.statusCode, added.json()]).toEqual([
    200,
    expect.objectContaining({ title: 'Accounts 2026', item: null, size: PDF.length, sha256: SHA }),
  ]);
  expect(recordedOf(service.ctx, 'meeting.document_added')).toMatchObject([
    { title: 'Accounts 2026', sha256: SHA },
  ]);
  const { url } = added.json();

  const when = 'Fri, Dec 4, 2026, 7:00 PM New York time';
  expectRefusal(await service.get(url), 401, 'meeting_for_invited', { title: 'AGM', when });
  expect((await service.get(url, { accept: 'text/html' })).statusCode).toBe(403);
  const stranger = (await service.get(`/m/${id}`, { accept: 'text/html' })).body;
  expect([stranger.includes('AGM'), stranger.includes('Accounts 2026')]).toEqual([true, false]);

  const served = await service.get(url, olga);
  expect([served.statusCode, served.rawPayload.equals(PDF)]).toEqual([200, true]);
  expect(served.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="document.pdf"; filename*=UTF-8''Accounts%202026.pdf`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'no-store',
  });

  await service.post(`${base}/invite`, { emails: ['ann@club.example'] }, olga);
  await one.sendAll();
  const link = new URL(/https:\S+\/m\/[^/\s]+\?i=\S+/.exec(one.mails.mails.at(-1)!.text)![0]);
  const came = await service.get(link.pathname + link.search, { accept: 'text/html' });
  expect([came.statusCode, came.headers.location]).toEqual([303, `/m/${id}`]);
  const cookie = String(came.headers['set-cookie']).split(';')[0]!;
  expect((await service.get(url, { cookie })).rawPayload.equals(PDF)).toBe(true);
  const page = (await service.get(`/m/${id}`, { accept: 'text/html', cookie })).body;
  expect(page).toContain(`href="${url}"`);
  const wrong = await service.get(`${link.pathname}?i=${'x'.repeat(22)}`, { accept: 'text/html' });
  expect(wrong.headers['set-cookie']).toBeUndefined();
  expect((await service.get(url, { cookie: cookie.replace(/.$/, '~') })).statusCode).toBe(401);
  expect((await service.get(url.replace(id, crypto.randomUUID()), olga)).statusCode).toBe(404);
});

it('is read on the phone that keeps a card, whose secret is not sent to it, and by everybody once the meeting is public', async () => {
  await using one = await openRoom({ public: false });
  const { url } = (await upload(one.service, one.base, {})).json();
  await one.arrive(['Ann']);
  const come = await one.service.get(`/m/${one.id}?t=${one.codes[0]}`, { accept: 'text/html' });
  const cookies = [come.headers['set-cookie']].flat().map((text) => String(text).split(';')[0]!);
  // Somebody from elsewhere, who is no officer.
  const host = 'votes.club.example';
  const sent = cookies.filter((text) => !text.startsWith('house_card')).join('; ');
  const served = await one.service.get(url, { host, cookie: sent });
  expect([served.statusCode, served.rawPayload.equals(PDF)]).toEqual([200, true]);
  expect((await one.service.get(url, { host })).statusCode).toBe(401);
  await send(one.service, 'PATCH', one.base, { public: true });
  expect((await one.service.get(url, { host })).rawPayload.equals(PDF)).toBe(true);
});

it('is refused with the field named: no PDF, too large, no title, another field, an unknown item', async () => {
  await using one = await prepare();
  const { service, olga, base } = one;
  const refused = async (sent: Parameters<typeof upload>[2]) => {
    const { statusCode, json } = await upload(service, base, { headers: olga, ...sent });
    return [statusCode, json().errors?.[0].path];
  };
  expect(await refused({ bytes: Buffer.from('<html>%PDF') })).toEqual([400, 'document']);
  expect(await refused({ bytes: Buffer.concat([PDF, Buffer.alloc(10 * 1024 * 1024)]) })).toEqual([
    413,
    'document',
  ]);
  expect(await refused({ title: ' ' })).toEqual([400, 'title']);
  expect(await refused({ field: 'picture' })).toEqual([400, 'picture']);
  expect((await refused({ item: 'none' }))[0]).toBe(404);
  const missing = await service.submit(`${base}/documents`, { title: 'Kept title', item: '' }, olga);
  expect([
    missing.statusCode,
    missing.body.includes('Kept title'),
    missing.body.includes('id="document-error"'),
  ]).toEqual([400, true, true]);
  expect(service.ctx.db.all(build.selectFrom('meeting_documents').select('id'))).toEqual([]);
});

it('goes with its item and its meeting, and stays as it is once the item was voted on or the meeting is closed', async () => {
  await using one = await openRoom();
  const { service, base } = one;
  const [fees, lamps] = [
    await one.add({ kind: 'motion', title: 'Fees' }),
    await one.add({ kind: 'motion', title: 'Lamps' }),
  ];
  const left = () =>
    service.ctx.db.all(build.selectFrom('meeting_document_files').select('document_id')).length;
  const ofFees = (await upload(service, base, { item: fees.id })).json();
  await upload(service, base, { item: lamps.id });
  const whole = (await upload(service, base, {})).json();
  expect(ofFees).toMatchObject({ item: fees.id });
  for (const agenda of [`/m/${one.id}`, base]) {
    const page = (await service.get(agenda, { accept: 'text/html' })).body;
    const card = page.slice(page.indexOf(`id="item-${fees.id}"`));
    expect(card.slice(0, card.indexOf('</li><li class="card"'))).toContain(`href="${ofFees.url}"`);
  }
  await send(service, 'DELETE', `${base}/items/${lamps.id}`);
  expect(left()).toBe(2);
  await one.arrive(['Ann']);
  await one.act(fees.id, 'open');
  expect((await upload(service, base, { item: fees.id })).statusCode).toBe(409);
  expect((await send(service, 'DELETE', `${base}/documents/${ofFees.id}`)).statusCode).toBe(409);
  expect((await send(service, 'DELETE', `${base}/documents/${whole.id}`)).statusCode).toBe(200);
  await one.act(fees.id, 'close');
  await one.act(fees.id, 'declare');
  await send(service, 'PATCH', base, { state: 'closed' });
  expectRefusal(await upload(service, base, {}), 409, 'meeting_closed');
  expect(recordedOf(service.ctx, 'meeting.document_removed')).toHaveLength(1);
  expect(listMeetingDifferences(service.ctx.db)).toEqual([]);

  const { id } = (
    await service.post('/admin/meetings', { title: 'Other', held_at: '2026-12-04T19:00' })
  ).json();
  await upload(service, `/admin/meetings/${id}`, {});
  expect(left()).toBe(2);
  await send(service, 'PATCH', `/admin/meetings/${id}`, { state: 'called_off', reason: 'Storm' });
  const { files } = (await service.get(`/admin/meetings/${id}`)).json();
  expect(files).toBeUndefined();
  await send(service, 'DELETE', `/admin/meetings/${id}`);
  expect(left()).toBe(1);
  expect(listMeetingDifferences(service.ctx.db)).toEqual([]);
});

it('whose bytes were changed in the file is not served, and the check of the log names it', async () => {
  await using one = await openRoom();
  const { service } = one;
  const added = (await upload(service, one.base, {})).json();
  const other = build.updateTable('meeting_document_files').set({ bytes: Buffer.from('%PDF-1.7 other') });
  await service.ctx.write((tx) => tx.run(other));
  expectRefusal(await service.get(added.url), 409, 'document_differs');
  expect(listMeetingDifferences(service.ctx.db)).toMatchObject([
    { id: one.id, differences: 'the log has recorded otherwise: the content of a document' },
  ]);
});
