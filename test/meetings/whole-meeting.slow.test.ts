import { expect, it } from 'vitest';
import { DAY, HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import { verifyAudit } from '#kernel/db/audit.ts';
import { addSession } from '#test/support/people/people.ts';
import { openElectorate, person } from '#test/voting/electors/electorate.ts';

const MEMBERS = Array.from({ length: 40 }, (_, at) => `Member ${String(at + 1).padStart(2, '0')}`);
const addressOf = (name: string) => `${name.toLowerCase().replace(' ', '.')}@club.example`;

it('a meeting of 40 members goes from the call for candidates to signed minutes', async () => {
  await using club = await openElectorate({ RATE_LIMIT_GENERAL: '100000', RATE_LIMIT_VOTE: '100000' });
  const { service, olga } = club;
  const { clock } = service;
  const ids = new Map<string, string>();
  for (const name of MEMBERS) ids.set(name, (await club.add(person(name, addressOf(name)))).id);
  const send = async (method: 'POST' | 'PUT' | 'PATCH', url: string, payload?: object, who = olga) => {
    const headers = { accept: 'application/json', ...who };
    const answer = await service.request({ method, url, ...(payload && { payload }), headers });
    expect([url, answer.statusCode < 300, answer.statusCode < 300 ? '' : answer.body]).toEqual([
      url,
      true,
      '',
    ]);
    return answer.json();
  };

  // Before: the agenda, the call for candidates, nominations, the invitation.
  const { id, paper_id } = await send('POST', '/admin/meetings', {
    title: 'Annual general meeting',
    held_at: isoTime(clock.now + 30 * DAY),
    place: 'The hall',
    quorum_share: { at_least: '1/2' },
    proxies_per_person: 1,
    proxies_count: true,
    elected_details: true,
  });
  const base = `/admin/meetings/${id}`;
  const add = (item: object) => send('POST', `${base}/items`, item);
  const report = await add({ kind: 'text', title: 'Report of the committee' });
  const rules = await add({
    kind: 'motion',
    title: 'Change of § 4',
    old_text: 'The fee is 50 a year.',
    text: 'The fee is 60 a year.',
    mover: 'The committee',
    question: { settings: { majority: { share: 'three_quarters', of: 'yes_no' } } },
  });
  const lamps = await add({ kind: 'motion', title: 'New lamps', mover: MEMBERS[6] });
  const discharge = await add({ kind: 'motion', title: 'Discharge of the committee' });
  const office = await add({
    kind: 'election',
    title: 'Treasurer',
    question: { ballot_type: 'RANKED_STV', settings: { seats: 1 } },
  });
  const call = { opens_at: isoTime(clock.now), closes_at: isoTime(clock.now + 14 * DAY) };
  await send('PUT', `${base}/items/${office.id}/nominations`, { ...call, who: 'members', seconders: 1 });
  const candidates = MEMBERS.slice(0, 3);
  for (const [at, name] of candidates.entries())
    await send('POST', `/m/${id}/nominate/${office.id}`, {
      name,
      email: addressOf(name),
      text: 'Careful with money',
      seconders: [addressOf(MEMBERS[10 + at]!)],
    });
  await club.sendAll();
  const links = club.mails.mails.map(({ text }) => /https:\S+(\/m\/\S+\/nominations\/\S+)/.exec(text)?.[1]);
  // The nominee's mail and that of the seconder, of each.
  for (const [at, link] of links.filter((one) => one !== undefined).entries()) {
    const role = club.mails.mails.filter(({ text }) => text.includes('/nominations/'))[at]!;
    const isNominee = candidates.some((name) => role.recipients.includes(addressOf(name)));
    await send('POST', link, { action: isNominee ? 'consent' : 'second' });
  }
  const { nominations } = (await service.get(`${base}/items/${office.id}/nominations`, olga)).json();
  expect(nominations).toHaveLength(3);
  for (const nomination of nominations)
    await send('POST', `${base}/items/${office.id}/nominations/${nomination.id}`, { decision: 'accept' });
  await send('POST', `${base}/invite`, { roll: {} });
  await club.sendAll();

  // At the door: 36 come, one of them for a member who is ill, and a guest.
  clock.now += 30 * DAY;
  const [ann, bob] = MEMBERS as [string, string];
  await send('POST', `${base}/proxies`, { giver: ids.get(MEMBERS[39]!), holder: ids.get(ann) });
  for (const name of MEMBERS.slice(0, 36))
    await send('POST', `${base}/door`, { person_id: ids.get(name), action: 'in' });
  await send('POST', `${base}/door`, { guest: 'Guest of honour', action: 'in' });
  const { packs } = await send('POST', `${base}/packs`, { class: 'Members', packs: 4 });
  const codes: string[] = [];
  for (const pack of packs) {
    await send('POST', `${base}/packs/${pack.id}/open`);
    codes.push(...pack.cards.map(({ code }: { code: string }) => code));
  }
  const held = codes.slice(0, 37);

  // In the room.
  const act = (item: { id: string }, name: string, payload?: object) =>
    send('POST', `${base}/items/${item.id}/${name}`, payload);
  const vote = async (item: { election_id: string }, ballots: readonly object[]) => {
    for (const [at, ballot] of ballots.entries())
      await send(
        'POST',
        `/p/${paper_id}/vote`,
        { token: held[at], answers: { [item.election_id]: ballot } },
        {},
      );
  };
  const choices = (yes: number, no: number, abstain: number) =>
    Object.entries({ yes, no, abstain }).flatMap(([choice, times]) =>
      Array.from({ length: times }, () => ({ choice })),
    );
  await act(report, 'call');
  await act(rules, 'open');
  await vote(rules, choices(28, 6, 3));
  await act(rules, 'close');
  expect((await act(rules, 'declare')).item.result.results).toMatchObject({ needed: 26, carried: true });
  clock.now += 20 * MINUTE;
  await act(lamps, 'hands', { yes: 20, no: 9, abstain: 5 });
  await act(lamps, 'declare');
  await act(discharge, 'unopposed');
  await act(discharge, 'declare');
  const { election } = (await service.get(`/e/${office.election_id}`)).json();
  const [first, second, third] = election.candidates.map((one: { id: string }) => one.id);
  await act(office, 'open');
  await vote(office, [
    ...Array.from({ length: 16 }, () => ({ ranking: [first, second] })),
    ...Array.from({ length: 12 }, () => ({ ranking: [second, first] })),
    ...Array.from({ length: 9 }, () => ({ ranking: [third, second] })),
  ]);
  await act(office, 'close');
  const declared = (await act(office, 'declare')).item;
  const [elected] = declared.elected;
  expect(elected.id).toBe(second);
  await act(office, 'declare', { accepts: { [second]: true } });
  await send('POST', `${base}/door/return`, { codes: codes.slice(37) });
  clock.now += HOUR;
  await send('PATCH', base, { state: 'closed' });

  // Afterwards.
  await send('PATCH', `${base}/minutes`, {
    chair: ann,
    secretary: bob,
    texts: {
      called: 'By the committee, four weeks before.',
      items: { [report.id]: 'The report was taken note of.' },
      elected: { [second]: { born: '1 May 1980', place: 'Bonn' } },
    },
  });
  for (const [as, name] of [
    ['chair', ann],
    ['secretary', bob],
  ] as const) {
    const token = await addSession(service, ids.get(name)!);
    const who = {
      cookie: `__Host-publichouse=${token}`,
      'sec-fetch-site': 'same-origin',
      host: 'votes.club.example',
    };
    await send('POST', `${base}/minutes/sign`, { as }, who);
  }
  const { minutes, signatures } = (await service.get(`${base}/minutes`, olga)).json();
  expect([minutes.state, signatures.length]).toEqual(['signed', 2]);
  const text = (await service.get(`${base}/minutes.md`, olga)).body;
  for (const said of [
    '- Entitled to vote: 40 members on the day of the meeting',
    '36 members with a vote; 1 absent member represented by proxy; 1 guest without a vote.',
    '40 printed, 37 handed out, 3 returned, 0 void.',
    '20 people have to be present (at least half of those entitled): met at each vote.',
    'By 40 mails with the agenda',
    'Yes 28, no 6, abstentions 3, invalid 0.',
    'three quarters of yes and no: 26 of 34.',
    'Yes 20, no 9, abstentions 5, invalid 0.',
    'Without opposition, so nothing was counted.',
    'quota 19.',
    'elected at stage 2',
    `- Elected: ${elected.name}, born 1 May 1980, Bonn: accepts the election.`,
    'The report was taken note of.',
    `Signed by ${ann} on`,
  ])
    expect(text).toContain(said);
  // Nothing tells who voted how, or with which card.
  for (const code of codes) expect(JSON.stringify(minutes)).not.toContain(code);
  expect(verifyAudit(service.ctx.db).broken).toBeUndefined();
});
