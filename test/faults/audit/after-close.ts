// Officers who try to change the outcome after the close.
import { HOUR, isoTime, systemClock } from '#kernel/clock.ts';
import { type Alone, type Outcome, unless } from '#test/faults/attacks/attack.ts';
import { Club, lacks } from './club.ts';

async function lowerQuorum(): Promise<Outcome> {
  await using club = await Club.open();
  const id = await club.election({ settings: { quorum: 10 } });
  await club.vote(id, await club.tokens(id, 3), () => ({ choice: 'yes' }));
  const change = () => club.ask('PATCH', `/admin/elections/${id}/settings`, { settings: { quorum: 2 } });
  const open = await change();
  await club.close(id);
  const before = (await club.get(`/e/${id}/results`)).text;
  const closed = await change();
  const after = (await club.get(`/e/${id}/results`)).text;
  return {
    saw: `quorum lowered: ${open.status} once there are ballots, ${closed.status} after the close`,
    wrong: [
      ...unless(open.status === 409 && closed.status === 409, 'the quorum was changed'),
      ...unless(closed.text.includes('quorum'), `the refusal does not name it: ${closed.text}`),
      ...unless(before === after, 'the result is another'),
      ...lacks(await club.page(`/e/${id}`), 'Quorum not met', '3 ballots, 10 needed.'),
    ],
  };
}

async function reopen(): Promise<Outcome> {
  await using club = await Club.open();
  const id = await club.election();
  await club.vote(id, await club.tokens(id, 3), () => ({ choice: 'yes' }));
  const late = await club.tokens(id, 3);
  await club.close(id);
  const first = (await club.get(`/e/${id}/results`)).body;
  const dates = { open_at: isoTime(systemClock() - HOUR), close_at: isoTime(systemClock() + HOUR) };
  const patch = (body: object) => club.ask('PATCH', `/admin/elections/${id}/dates`, { ...dates, ...body });
  const silent = await patch({});
  const unreasoned = await patch({ reopen: true });
  const reopened = await patch({ reopen: true, reason: 'Three links came late' });
  await club.vote(id, late, () => ({ choice: 'no' }));
  const open = await club.page(`/e/${id}`);
  await club.close(id);
  await club.whileStopped(() => {});
  const page = await club.page(`/e/${id}`);
  const words = [
    'Voting was opened again after it had closed',
    '“Three links came late”',
    `The result that was set aside had 3 ballots and the check number`,
  ];
  const hash: string = first.ballot_set_sha256;
  const bare = (text: string) => text.replace(/\s/g, '');
  return {
    saw: `opened again: ${silent.status} without a word (needs ${silent.body?.needs}), ${unreasoned.status} without a reason, ${reopened.status} with both`,
    wrong: [
      ...unless(silent.status === 409 && silent.body?.needs === 'reopen', 'it opens without a word'),
      ...unless(unreasoned.status === 400, 'it opens without a reason'),
      ...unless(reopened.status === 200, `it does not open: ${reopened.text}`),
      ...lacks(open, ...words),
      ...lacks(page, ...words),
      ...unless(bare(page).includes(hash), 'the hash of the result set aside is gone'),
    ],
  };
}

async function reopenTwice(): Promise<Outcome> {
  await using club = await Club.open();
  const id = await club.election({ settings: { hide_results_until_close: false } });
  await club.vote(id, await club.tokens(id, 5), () => ({ choice: 'yes' }));
  const late = await club.tokens(id, 5);
  await club.close(id);
  const reopen = (reason: string) =>
    club.ask('PATCH', `/admin/elections/${id}/dates`, {
      open_at: isoTime(systemClock() - HOUR),
      close_at: isoTime(systemClock() + HOUR),
      reopen: true,
      reason,
    });
  const once = await reopen('Five links came late');
  await club.vote(id, late, () => ({ choice: 'no' }));
  const running = await club.get(`/e/${id}/results`);
  const open = await club.page(`/e/${id}`);
  await club.close(id);
  const settled = await club.get(`/e/${id}/results`);
  const twice = await reopen('We do not like it');
  await club.whileStopped(() => {});
  const again = await reopen('Still not');
  const kept = await club.get(`/e/${id}/results`);
  return {
    saw: `opened again: ${once.status}, its figures ${running.status} until the new close and ${settled.status} after it; a second time: ${twice.status}`,
    wrong: [
      ...unless(once.status === 200, `it does not open: ${once.text}`),
      ...unless(running.status === 403, `figures are shown before the new close: ${running.text}`),
      ...unless(!/Carried:|\b5 yes\b|\b5 no\b/.test(open), 'the page shows figures before the new close'),
      ...unless(
        settled.body?.results.yes === 5 && settled.body.results.no === 5,
        'the new figures are wrong',
      ),
      ...unless(twice.status === 409 && again.status === 409, 'it opens a second time'),
      ...unless(kept.body?.ballot_set_sha256 === settled.body?.ballot_set_sha256, 'the result is another'),
    ],
  };
}

async function deletion(): Promise<Outcome> {
  await using club = await Club.open();
  const id = await club.election();
  const tokens = await club.tokens(id, 4);
  await club.vote(id, tokens.slice(0, 3), () => ({ choice: 'no' }));
  await club.close(id);
  const { ballot_set_sha256 } = (await club.get(`/e/${id}/results`)).body;
  const removed = await club.ask('DELETE', `/admin/elections/${id}`, { reason: 'The wrong outcome' });
  await club.whileStopped(() => {});
  const json = await club.get(`/e/${id}`);
  const page = await club.page(`/e/${id}`);
  const others = await Promise.all(
    ['/results', '/vote', '/ballots.json'].map(async (part) => (await club.get(`/e/${id}${part}`)).status),
  );
  const typed = await club.post('/vote', { code: tokens[0] });
  return {
    saw: `deleted: ${removed.status}; its address: ${json.status}, with ${json.body?.deleted?.result?.total_ballots} ballots and the reason`,
    wrong: [
      ...unless(removed.status === 200, `it was not deleted: ${removed.text}`),
      ...unless(
        [json.status, typed.status, ...others].every((status) => status === 410),
        'not each is a 410',
      ),
      ...unless(json.body?.deleted?.result?.ballot_set_sha256 === ballot_set_sha256, 'the hash is another'),
      ...lacks(page, 'A piano', 'The wrong outcome', '3 of 4 voting codes used', '3 no to 0 yes'),
      ...unless((await club.actions(id)).includes('election.deleted'), 'the log does not say it'),
    ],
  };
}

async function manualFigures(): Promise<Outcome> {
  await using club = await Club.open();
  const id = await club.election({ settings: { receipts: 'included' } });
  await club.vote(id, await club.tokens(id, 10), () => ({ choice: 'yes' }));
  await club.close(id);
  const first = (await club.get(`/e/${id}/results`)).body;
  const results = { contests: [{ label: 'A piano', items: [{ label: 'No piano', votes: 99 }] }] };
  const put = await club.ask('PUT', `/admin/elections/${id}/manual-results`, { results });
  const { results_mode, computed } = (await club.get(`/e/${id}/results`)).body;
  const page = await club.page(`/e/${id}`);
  const kept = [
    'total_ballots',
    'ballot_set_sha256',
    'books',
    'anchor',
    'inclusion_hashes',
    'results',
  ].filter((key) => JSON.stringify(computed?.[key]) !== JSON.stringify(first[key]));
  return {
    saw: `figures entered over 10 counted ballots: ${put.status}, ${results_mode}, the count beside them`,
    wrong: [
      ...unless(put.status === 200, `they were not taken: ${put.text}`),
      ...unless(kept.length === 0, `the JSON has lost ${kept.join(', ')}`),
      ...lacks(
        page,
        'No piano',
        'These figures were counted outside this service and entered by an officer.',
        'Counted from the ballots',
        'Carried: 10 yes to 0 no.',
        'Certified figures were entered by',
      ),
      ...unless(page.replace(/\s/g, '').includes(first.ballot_set_sha256), 'the hash is gone from the page'),
    ],
  };
}

export const afterClose: Alone[] = [
  ['the quorum is lowered after the close', lowerQuorum],
  ['voting is opened again after the close', reopen],
  ['voting is opened a second time after a second close', reopenTwice],
  ['an election is deleted after its close', deletion],
  ['figures are entered over a count', manualFigures],
];
