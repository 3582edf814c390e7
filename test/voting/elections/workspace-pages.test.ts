import { expect, test } from 'vitest';
import { id } from '#test/stand-ins/workspace-server.ts';
import { testApp } from '#test/support/app.ts';
import { addElection } from '#test/support/factories.ts';
import { MOTIONS, PAYROLL, PIANO, SECRETS, startLinkedService } from '#test/support/linked-service.ts';
import { message } from '#test/support/messages.ts';

/** As the provider writes an id. */
const dashed = (id: string): string => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const html = { accept: 'text/html' };

test('an officer links, views, syncs and unlinks a page without script', async () => {
  await using linked = await startLinkedService();
  const { service, election } = linked;
  const desk = `/admin/elections/${election}`;
  const see = async (url: string) => (await service.request({ url, headers: html })).body;

  const linkAnswer = await service.submit(`${desk}/workspace/link`, { database_id: MOTIONS, page_id: PIANO });
  const after = await see(String(linkAnswer.headers.location));
  const synced = await service.submit(`${desk}/workspace/sync`, {});
  const unlinked = await service.submit(`${desk}/workspace/link?_method=DELETE`, {});

  expect([linkAnswer.statusCode, synced.statusCode, unlinked.statusCode]).toEqual([303, 303, 303]);
  expect(after).toContain('The page was linked.');
  expect(after).toContain(dashed(PIANO));
  expect(await see(desk)).toContain('Link the page');
});

test('a refused link keeps the input and names the field', async () => {
  await using linked = await startLinkedService();

  const answer = await linked.service.submit(`/admin/elections/${linked.election}/workspace/link`, {
    database_id: MOTIONS,
    page_id: PIANO,
    status_property_name: 'Nowhere',
  });

  expect(answer.statusCode).toBe(400);
  expect(answer.body).toContain('The page was not linked');
  expect(answer.body).toContain('value="Nowhere"');
});

test.each([
  ['database', { database_id: SECRETS, page_id: PAYROLL }, 403, 'The service may not use this database.'],
  [
    'page',
    { database_id: MOTIONS, page_id: PAYROLL },
    403,
    'The service may not use the database of this page.',
  ],
  ['unknown page', { database_id: MOTIONS, page_id: id(0xe) }, 404, message('no_such_page')],
])(
  'a wrong %s is explained in words at its field, and the input is kept',
  async (_what, fields, status, words) => {
    await using linked = await startLinkedService();

    const answer = await linked.service.submit(`/admin/elections/${linked.election}/workspace/link`, {
      ...fields,
      status_property_name: 'Status of the motion',
    });

    const field = status === 404 || fields.database_id === MOTIONS ? 'page_id' : 'database_id';
    expect(answer.statusCode).toBe(status);
    expect(answer.body).toMatch(new RegExp(`id="workspace-${field}-error">.*${words}`));
    expect(answer.body).toContain(`value="${fields.database_id}"`);
    expect(answer.body).toContain('value="Status of the motion"');
    expect(answer.body).toContain('Link the page');
    expect(answer.body).not.toContain('WORKSPACE_');
  },
);

test('an election can be linked when it is created, and a close syncs the page', async () => {
  await using linked = await startLinkedService();
  const { service, server } = linked;

  const election = await addElection(service, {
    workspace_link: { database_id: MOTIONS, page_id: PIANO, status_property_name: 'Status' },
  });
  const json = (await service.get(`/admin/elections/${election}`)).json();
  await service.post(`/admin/elections/${election}/close`);

  expect(json.election.workspace_link).toMatchObject({
    database_id: dashed(MOTIONS),
    page_id: dashed(PIANO),
  });
  await expect.poll(() => JSON.stringify(server.page(PIANO))).toContain('Closed');
  expect((await service.get(`/e/${election}`)).json().election).not.toHaveProperty('workspace_link');
});

test('a database that is not on the allowlist prevents creating the election', async () => {
  await using linked = await startLinkedService();
  const fields = { workspace_link: { database_id: id(0xe), page_id: PIANO } };

  await expect(addElection(linked.service, fields)).rejects.toThrow('refused');
});

test('without a workspace the page does not mention one', async () => {
  await using service = await testApp();
  const election = await addElection(service);

  const { body } = await service.request({ url: `/admin/elections/${election}`, headers: html });

  expect(body).not.toContain('Workspace');
});
