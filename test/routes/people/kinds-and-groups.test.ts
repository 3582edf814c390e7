import { describe, expect, it } from 'vitest';
import { testApp } from '#test/support/app.ts';
import { expectRefusal, fieldJson } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';

const open = async () => {
  const service = await testApp();
  const sam = await appoint(service, 'sam@club.example', 'secretary');
  const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
    const answer = await service.request({
      method,
      url: `/api/admin/${url}`,
      ...(payload && { payload }),
      headers: { accept: 'application/json', ...sam },
    });
    return { status: answer.statusCode, body: answer.json() };
  };
  return { service, call, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
};

describe('kinds', () => {
  it('are created, renamed, and deleted while nobody has them', async () => {
    await using club = await open();
    const { body: full } = await club.call('POST', 'kinds', { name: ' Full ', votes: true });
    expect(full).toEqual({ id: expect.any(String), name: 'Full', votes: true, people: 0 });
    await club.call('POST', 'kinds', { name: 'Associate', votes: false });
    expect((await club.call('PATCH', `kinds/${full.id}`, { name: 'Member' })).body.votes).toBe(true);
    const { kinds } = (await club.call('GET', 'kinds')).body;
    expect(kinds.map(({ name, votes }: { name: string; votes: boolean }) => [name, votes])).toEqual([
      ['Associate', false],
      ['Member', true],
    ]);
    expect((await club.call('DELETE', `kinds/${full.id}`)).body).toEqual({ ok: true });
    expect((await club.call('DELETE', `kinds/${full.id}`)).status).toBe(404);
  });

  it('have names that differ in more than letter case', async () => {
    await using club = await open();
    await club.call('POST', 'kinds', { name: 'Förderer' });
    const taken = await club.call('POST', 'kinds', { name: 'FÖRDERER' });
    expect([taken.status, taken.body.errors]).toEqual([400, [fieldJson('name', 'name_taken')]]);
    for (const name of ['', ' ', 'x'.repeat(81), null, 3])
      expect((await club.call('POST', 'kinds', { name })).body.errors[0].path).toBe('name');
  });
});

describe('groups', () => {
  it('are created, renamed and deleted, which is audited', async () => {
    await using club = await open();
    const { body: board } = await club.call('POST', 'groups', { name: 'Board' });
    expect((await club.call('POST', 'groups', { name: 'board' })).status).toBe(400);
    expect((await club.call('POST', 'groups', { name: 'Bar; cellar' })).body.errors[0].path).toBe('name');
    await club.call('PATCH', `groups/${board.id}`, { name: 'Committee' });
    expect((await club.call('GET', 'groups')).body).toEqual({
      groups: [{ id: board.id, name: 'Committee', people: 0 }],
    });
    await club.call('DELETE', `groups/${board.id}`);
    const { logs } = (await club.call('GET', 'audit')).body;
    const actions = logs.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(['group.deleted', 'group.changed', 'group.created']);
  });

  it('are read with people:read and changed with people:write', async () => {
    await using club = await open();
    const otto = await appoint(club.service, 'otto@club.example', 'officer');
    expect((await club.service.get('/api/admin/groups', otto)).statusCode).toBe(200);
    const refused = await club.service.post('/api/admin/groups', { name: 'Board' }, otto);
    expect([refused.statusCode, refused.json().permission]).toEqual([403, 'people:write']);
    const nobody = { host: 'club.example' };
    expectRefusal(await club.service.get('/api/admin/kinds', nobody), 401, 'staff_key_required');
  });
});
