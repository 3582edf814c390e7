import { expect, test } from 'vitest';
import { cleanName, isSameName, isVisible } from '#kernel/names.ts';
import { addElection, addRanked } from '#test/support/factories.ts';
import { signedIn } from '#test/support/people/people.ts';
import { sharedApp } from '#test/support/shared-app.ts';

const shared = sharedApp();
let session: Record<string, string> | undefined;
const secretary = async () => (session ??= await signedIn(await shared(), 'owner'));

test.each<[one: string, other: string, same: boolean]>([
  ['Ann', 'An\u200bn', true],
  ['José', 'Jose\u0301', true],
  ['Ann Lee', 'Ann\u00a0\u2003Lee', true],
  ['Ann', '\u2066Ann\u2069', true],
  ['x\u2800y', 'x y', true],
  ['Straße', 'STRASSE', true],
  ['ΟΔΟΣ', 'οδος', true],
  ['ﬁne', 'FINE', true],
  ['İpek', 'i\u0307pek', true],
  ['Ilgın', 'Ilgin', false],
  ['José', 'Jose', false],
  ['रीना', 'राना', false],
  ['か', 'が', false],
  ['บา', 'บ่า', false],
])('%j and %j are the same name: %s', (one, other, same) => {
  expect(isSameName(one, other)).toBe(same);
});

test.each(['\u200b', '\u3164', '\u115f', '\u2800', '\u0081', '\u0301', '\u{1d159}', '\u00ad\ufe0f', ' '])(
  '%j has nothing to see',
  (text) => {
    expect(isVisible(text)).toBe(false);
  },
);

test.each<[text: string, clean: string]>([
  ['  Ann\r\nLee ', 'Ann Lee'],
  ['\u202eevil', 'evil'],
  ['An\u200d\u200cn', 'Ann'],
  ['Jose\u0301', 'José'],
  ['क\u094d\u200dष', 'क\u094d\u200dष'],
  ['👨‍👩‍👧 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿', '👨‍👩‍👧 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
])('%j is stored as %j', (text, clean) => {
  expect(cleanName(text)).toBe(clean);
  expect(isVisible(clean)).toBe(true);
});

test.each<[what: string, name: string, status: number, stored: string | null]>([
  ['a control', '\u0081', 400, null],
  ['a mark of direction', '\u202e', 400, null],
  ['a space without width', '\u200b', 400, null],
  ['several of them between spaces', ' \u0081\u202e \u200b', 400, null],
  ['a control within a name', 'An\u0081n', 200, 'Ann'],
  ['a mark of direction before a name', '\u202eAnn', 200, 'Ann'],
  ['a space without width after a name', 'Ann\u200b', 200, 'Ann'],
])('%s: a person, a candidate and a batch', async (_what, name, status, stored) => {
  const service = await shared();
  const { id: ranked, ids } = await addRanked(service, ['Someone else']);
  const poll = await addElection(service);
  const names = async () =>
    (await service.get(`/e/${ranked}`)).json().election.candidates.map((of: { name: string }) => of.name);

  const person = await service.post('/api/admin/people', { name }, await secretary());
  const candidate = await service.post(`/admin/elections/${ranked}/candidates`, { name });
  const batch = await service.post(`/admin/elections/${poll}/tokens`, { count: 1, batch_name: name });

  expect([person.statusCode, candidate.statusCode]).toEqual([status, status]);
  if (stored !== null) expect(person.json().name).toBe(stored);
  expect((await names()).toSorted()).toEqual(
    [...(stored === null ? [] : [stored]), ...Object.keys(ids)].toSorted(),
  );
  // A batch needs no name: one that nobody can see counts as none.
  expect([batch.statusCode, batch.json().batch_name]).toEqual([200, stored]);
});
