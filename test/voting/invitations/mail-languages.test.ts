import { expect, it, onTestFinished } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { createPerson } from '#people/persons.ts';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, testApp } from '#test/support/app.ts';
import { addElection } from '#test/support/factories.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { addPseudoLanguage, PSEUDO } from '#test/support/pseudo-language.ts';

const ANN = 'ann@club.example';
const BOB = 'bob@club.example';

it('an invitation is in the language of whoever gets it, and below in the second one of the club', async () => {
  onTestFinished(addPseudoLanguage());
  const { url, mails } = await startMailServer();
  await using service = await testApp(mailTo(url), { delays: [0, 0] });
  const at = service.clock.now;
  await service.ctx.write((tx) => {
    const id = createPerson(tx, { name: 'Ann', email: ANN }, { ip: '', by: 'test', at });
    tx.run(build.updateTable('persons').set({ language: PSEUDO }).where('id', '=', id));
  });
  const invite = async (title: string) => {
    const id = await addElection(service, { title });
    await service.post(`/admin/elections/${id}/invite`, { emails: [ANN, BOB] });
    const to = (address: string) =>
      mails.find(({ recipients, text }) => recipients.includes(address) && text.includes(title))!;
    await expect.poll(() => to(ANN) && to(BOB)).toBeDefined();
    return [to(ANN), to(BOB)].map(({ headers, html, text }) => ({
      subject: headers.subject,
      languages: [...html.matchAll(/<(?:html|td) lang="([^"]*)"/g)].map(([, language]) => language),
      times: text.split('* * *').length,
    }));
  };

  expect(await invite('Piano')).toEqual([
    { subject: expect.stringMatching(/^⟦.*Piano⟧$/), languages: [PSEUDO], times: 1 },
    { subject: 'Your vote: Piano', languages: ['en'], times: 1 },
  ]);
  const changed = await service.request({
    method: 'PUT',
    url: '/api/admin/settings',
    payload: { second_language: PSEUDO },
    headers: await appoint(service, 'olga@club.example', 'owner'),
  });
  expect(changed.json()).toMatchObject({ settings: { second_language: PSEUDO } });
  expect(await invite('Roof')).toEqual([
    { subject: expect.stringMatching(/^⟦.*Roof⟧$/), languages: [PSEUDO, PSEUDO, 'en'], times: 2 },
    { subject: 'Your vote: Roof', languages: ['en', 'en', PSEUDO], times: 2 },
  ]);
  // No row of an invitation or of a mail names a language.
  for (const table of ['invites', 'outbox'] as const)
    expect(JSON.stringify(service.ctx.db.all(build.selectFrom(table).selectAll()))).not.toContain(PSEUDO);
});

it('a mail names an election in both languages to whoever reads the second one', async () => {
  onTestFinished(addPseudoLanguage());
  const { url, mails } = await startMailServer();
  await using service = await testApp(mailTo(url), { delays: [0, 0] });
  await service.ctx.write((tx) => {
    const id = createPerson(tx, { name: 'Ann', email: ANN }, { ip: '', by: 'test', at: service.clock.now });
    tx.run(build.updateTable('persons').set({ language: PSEUDO }).where('id', '=', id));
  });
  const translations = { [PSEUDO]: { title: 'Klaver' } };
  const id = await addElection(service, { title: 'Piano', description: 'A big one.', translations });
  await service.post(`/admin/elections/${id}/invite`, { emails: [ANN, BOB] });
  const to = (address: string) => mails.find(({ recipients }) => recipients.includes(address))!;
  await expect.poll(() => to(ANN) && to(BOB)).toBeDefined();
  expect([to(ANN).headers.subject, to(BOB).headers.subject]).toEqual([
    expect.stringContaining('Klaver / Piano'),
    'Your vote: Piano',
  ]);
});
