import { expect, it, onTestFinished } from 'vitest';
import { DAY, HOUR, isoTime } from '#kernel/clock.ts';
import { accusations, accusingPages, answered } from '#test/support/accusations.ts';
import { addElection, addTokens, cast, castAll, send } from '#test/support/factories.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { tempFolder } from '#test/support/process/process.ts';
import { addCodes, addPaper } from './ballot-papers/a-paper.ts';
import { type Electorate, openElectorate, person, tokenIn } from './electors/electorate.ts';

const NAMES = ['Ann', 'Bob', 'Cid', 'Dee', 'Eve'];
const yes = { choice: 'yes' };
const no = { choice: 'no' };

/** A club in a file; each act of its officers is followed by a look at everything that could say that something differs. */
async function openFile() {
  const file = `${tempFolder()}/service.db`;
  const club = await openElectorate({
    DATABASE_URL: `file:${file}`,
  });
  onTestFinished(() => club[Symbol.asyncDispose]());
  const owner = await appoint(club.service, 'owner@club.example', 'owner');
  for (const name of NAMES) await club.add(person(name, `${name.toLowerCase()}@club.example`));
  const { service, olga } = club;
  return {
    ...club,
    agrees: async (said: string) => expect([said, await accusations(service, file)]).toEqual([said, []]),
    pages: async () => expect(await accusingPages(service, owner)).toEqual([]),
    post: async (url: string, payload: object = {}, status = 200) =>
      answered(await service.post(url, payload, olga), status),
    patch: async (url: string, payload: object) => answered(await send(service, 'PATCH', url, payload)),
    mailOf: (name: string) =>
      club.mails.mails.findLast(({ recipients }) =>
        recipients.includes(`${name.toLowerCase()}@club.example`),
      )!,
  };
}

type File = Electorate & Awaited<ReturnType<typeof openFile>>;

it('no lawful act on an election is a difference: texts, dates, electors, codes, pauses, papers', async () => {
  const one: File = await openFile();
  const { service, agrees, post, patch } = one;
  const id = await one.election({ settings: { hide_results_until_close: true } });
  const at = `/admin/elections/${id}`;
  await one.invite(id, { roll: { kinds: ['full'], on: '2026-05-01' } });
  const { invites } = (await service.get(`${at}/invites`, one.olga)).json();
  const inviteOf = (who: string) => invites.find(({ name }: { name: string }) => name === who).id;
  await agrees('electors of the roll');
  service.clock.now += HOUR;
  await one.sendAll();
  await agrees('an opening');
  await patch(at, { title: 'Shall we buy a harp?', description: 'With strings.' });
  await patch(`${at}/attachments`, { attachment_url: 'https://club.example/harp.pdf' });
  await patch(`${at}/settings`, { settings: { hide_results_until_close: true, quorum: 2 } });
  await agrees('a question that is corrected before the first ballot');
  answered(await cast(service, id, { token: tokenIn(one.mailOf('Ann')), ...yes }));
  await patch(`${at}/attachments`, { attachment_url: 'https://club.example/harp-2.pdf' });
  await agrees('a document that is changed after the first ballot');
  await post(`${at}/invites/${inviteOf('Bob')}/replace`, { reason: 'The mail is lost.' });
  await post(`${at}/invites/${inviteOf('Cid')}/withdraw`, { reason: 'Not a member.' });
  await agrees('codes that are replaced and withdrawn');
  await addTokens(service, id, 3, 'Hall');
  const [hall] = await addTokens(service, id, 1, 'Bar');
  answered(await cast(service, id, { token: hall, ...no }));
  await agrees('codes that are made after the opening');
  answered(await send(service, 'DELETE', `${at}/batches`, { batch_name: 'Hall' }));
  await agrees('a batch that is deleted');
  await one.add(person('Fay', 'fay@club.example'));
  await one.invite(id, { roll: { kinds: ['full'], on: '2026-05-01' } });
  await agrees('an elector who is added late');
  const window = (from: number, to: number) => ({
    open_at: isoTime(service.clock.now + from),
    close_at: isoTime(service.clock.now + to),
  });
  await patch(`${at}/dates`, { ...window(DAY, 2 * DAY), pause: true });
  await agrees('a pause');
  service.clock.now += DAY;
  await one.sendAll();
  answered(await cast(service, id, { token: tokenIn(one.mailOf('Dee')), ...yes }));
  await agrees('a vote after the pause');
  await post(`${at}/close`);
  answered(await service.get(`/e/${id}/results`));
  await agrees('the close');
  await post(`${at}/results-email`, {});
  await one.sendAll();
  await agrees('a result that is mailed');
  await one.pages();

  const paused = await addElection(service);
  await castAll(service, paused, [yes, no]);
  await patch(`/admin/elections/${paused}/dates`, { ...window(DAY, 2 * DAY), pause: true });
  await post(`/admin/elections/${paused}/void`, { reason: 'The wrong text.', repeat: true });
  await agrees('a paused election that is void, and its repeat');
  const after = await addElection(service);
  await castAll(service, after, [yes, no]);
  await post(`/admin/elections/${after}/close`);
  answered(await service.get(`/e/${after}/results`));
  await post(`/admin/elections/${after}/void`, { reason: 'The wrong roll.', repeat: false });
  await agrees('an election that is void after its close');

  const figures = { contests: [{ label: 'Piano', items: [{ label: 'Yes', votes: 8 }] }] };

  const { id: paper, questions } = await addPaper(service);
  const [code] = await addCodes(service, paper, 2, 'Hall');
  const [first, second] = questions;
  answered(
    await service.post(`/p/${paper}/vote`, { token: code, answers: { [first!]: yes, [second!]: no } }),
  );
  await patch(`/admin/papers/${paper}`, window(-HOUR, 3 * HOUR));
  await agrees('a ballot paper');
  await post(`/admin/papers/${paper}/close`);
  for (const question of questions) answered(await service.get(`/e/${question}/results`));
  await agrees('a ballot paper that is closed');
  const counted = await addElection(service);
  await castAll(service, counted, [yes, yes, no]);
  await post(`/admin/elections/${counted}/close`);
  const certified = `/admin/elections/${counted}/manual-results`;
  answered(await send(service, 'PUT', certified, { results: figures }));
  answered(await send(service, 'DELETE', certified));
  await agrees('certified figures that are taken back');
  await one.pages();
});

it('nor on nominations, and on an election that candidates leave', async () => {
  const one: File = await openFile();
  const { service, agrees, post } = one;
  const { id } = await post('/admin/meetings', { title: 'AGM', held_at: '2026-12-04T19:00' });
  const item = await post(`/admin/meetings/${id}/items`, { kind: 'election', title: 'Treasurer' });
  const calls = `/admin/meetings/${id}/items/${item.id}/nominations`;
  const period = { opens_at: isoTime(service.clock.now), closes_at: isoTime(service.clock.now + 7 * DAY) };
  answered(await send(service, 'PUT', calls, { ...period, who: 'members', seconders: 0 }));
  await agrees('a call for candidates');
  for (const name of ['Ann', 'Bob', 'Cid', 'Dee']) {
    const nominee = { name, email: `${name.toLowerCase()}@club.example`, text: 'Careful with money' };
    answered(await service.post(`/m/${id}/nominate/${item.id}`, nominee), 202);
  }
  await one.sendAll();
  await agrees('nominations');
  const answer = async (name: string, action: string) => {
    const [link = ''] = /https:\S+\/nominations\/\S+/.exec(one.mailOf(name).text) ?? [];
    answered(await service.post(new URL(link).pathname, { action }));
  };
  for (const name of ['Ann', 'Bob', 'Cid']) await answer(name, 'consent');
  const { nominations } = (await service.get(calls, one.olga)).json();
  const idOf = (who: string) => nominations.find(({ name }: { name: string }) => name === who).id;
  for (const name of ['Ann', 'Bob']) await post(`${calls}/${idOf(name)}`, { decision: 'accept' });
  await post(`${calls}/${idOf('Cid')}`, { decision: 'refuse', reason: 'Not a member long enough.' });
  await answer('Dee', 'withdraw');
  await agrees('nominees who agree, are accepted, refused and withdraw');
  await answer('Bob', 'withdraw');
  await agrees('an accepted nominee who withdraws');
  answered(
    await send(service, 'PUT', calls, {
      ...period,
      closes_at: isoTime(service.clock.now + 9 * DAY),
      who: 'members',
      seconders: 0,
    }),
  );
  await agrees('nominations that are extended');

  const poll = await addElection(service, { ballot_type: 'POLL', options: ['Ivy', 'Lee', 'Max'] });
  const { options } = (await service.get(`/e/${poll}`)).json().election;
  const [ivy, lee, max] = options.map((option: { id: string }) => option.id);
  await castAll(service, poll, [{ selected_option: ivy }, { selected_option: lee }], 'vote/poll');
  await post(`/admin/elections/${poll}/options/${max}/withdraw`, { note: 'Moved away.' });
  await agrees('a name that is withdrawn');
  await post(`/admin/elections/${poll}/close`);
  answered(await service.get(`/e/${poll}/results`));
  await agrees('a close with a name that is withdrawn');
  await one.pages();
});
