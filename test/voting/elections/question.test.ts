import { beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '#kernel/secrets.ts';
import type { TestApp } from '#test/support/app.ts';
import { addElection, addPoll, addTokens, auditOf, cast, castAll, send } from '#test/support/factories.ts';
import { sharedApp } from '#test/support/shared-app.ts';

const serviceOf = sharedApp();
let service: TestApp;
beforeAll(async () => {
  service = await serviceOf();
});

/** The hashes of the question in the log, oldest first. */
async function recorded(id: string): Promise<[action: string, hash: string][]> {
  return (await auditOf(service, id))
    .filter(({ metadata }) => metadata.question_sha256 !== undefined)
    .map(({ action, metadata }) => [action, String(metadata.question_sha256)]);
}

const patch = async (path: string, body: object) =>
  (await send(service, 'PATCH', `/admin/elections/${path}`, body)).statusCode;

describe('the hash of the question', () => {
  it('is recorded at the opening, with each change before the first ballot, and at the close', async () => {
    const { id, ids } = await addPoll(service, ['Red', 'Blue'], { title: 'Which colour?' });
    const [token, another] = await addTokens(service, id, 2);
    const question = (title: string, red: string, attachment_url: string | null) =>
      sha256(
        JSON.stringify({
          ballot_type: 'POLL',
          rules: { poll_response_type: 'single', quorum: null },
          options: [
            { number: 1, id: ids.Red, name: red, none_of_the_above: false },
            { number: 2, id: ids.Blue, name: 'Blue', none_of_the_above: false },
          ],
          title,
          description: null,
          attachment_url,
        }),
      );
    const document = 'https://club.example/colours.pdf';
    expect(await patch(`${id}`, { title: 'Which colour for the door?' })).toBe(200);
    expect(await patch(`${id}/options/${ids.Red}`, { name: 'Dark red' })).toBe(200);
    expect(await patch(`${id}/attachments`, { attachment_url: document })).toBe(200);
    const asked = question('Which colour for the door?', 'Dark red', document);
    expect(await recorded(id)).toEqual([
      ['election.opened', question('Which colour?', 'Red', null)],
      ['election.text_changed', question('Which colour for the door?', 'Red', null)],
      ['option.changed', question('Which colour for the door?', 'Dark red', null)],
      ['election.attachment_changed', asked],
    ]);

    await cast(service, id, { token, selected_option: ids.Red }, 'vote/poll');
    // Allowed while voting is open; the hash stays that of the question at the first ballot.
    expect(await patch(`${id}/attachments`, { attachment_url: null })).toBe(200);
    await cast(service, id, { token: another, selected_option: ids.Red }, 'vote/poll');
    await service.post(`/admin/elections/${id}/close`);

    const results = (await service.get(`/e/${id}/results`)).json();
    expect(results.question_sha256).toBe(asked);
    expect((await recorded(id)).at(-1)).toEqual(['results.settled', asked]);
    expect((await recorded(id)).length).toBe(5);
    expect(results.ballot_set_sha256).toBe(sha256(`${asked}\n${results.ballot_set_salt}\n[1]\n[1]\n`));
    const file = (await service.get(`/admin/elections/${id}/export?format=json`)).json();
    expect(file).toMatchObject({
      election: { title: 'Which colour for the door?', attachment_url: document },
      question_sha256: asked,
      ballot_set_salt: results.ballot_set_salt,
    });
  });

  it('is no part of the log with the salt: the figures cannot be found from it by trying', async () => {
    const id = await addElection(service);
    await castAll(service, id, [{ choice: 'yes' }, { choice: 'no' }]);
    await service.post(`/admin/elections/${id}/close`);
    const { ballot_set_salt } = (await service.get(`/e/${id}/results`)).json();
    expect(JSON.stringify(await auditOf(service, id))).not.toContain(ballot_set_salt);
  });
});
