import { describe, expect, it } from 'vitest';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { sha256 } from '#kernel/secrets.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addTokens, auditOf, page } from '#test/support/factories.ts';
import { errorJson, expectRefusal, message, refusal } from '#test/support/messages.ts';
import { addCodes, addPaper, castPaper, FIVE, motion } from './a-paper.ts';

const YES = { choice: 'yes' };

const choicesOf = (service: TestApp, id: string) =>
  service.ctx.db
    .all(build.selectFrom('ballots').select('choice').where('election_id', '=', id))
    .map(({ choice }) => choice)
    .sort();

const resultsOf = async (service: TestApp, id: string) => (await service.get(`/e/${id}/results`)).json();

describe('a ballot paper', () => {
  it('is created with its questions, and read in their order', async () => {
    await using service = await testApp();
    const { id, questions } = await addPaper(service, FIVE, {
      settings: { quorum: 2, receipts: 'included' },
    });

    const read = (await service.get(`/admin/papers/${id}`)).json();
    const shown = (await service.get(`/p/${id}`)).json();

    expect(read).toMatchObject({
      id,
      title: 'Annual general meeting',
      status: 'open',
      turnout: { tokens: 0, used: 0 },
    });
    expect(read.questions.map((one: { id: string }) => one.id)).toEqual(questions);
    expect(read.questions[0]).toMatchObject({
      title: 'The accounts',
      paper_id: id,
      settings: { quorum: 2, receipts: 'included' },
    });
    expect(shown.questions.map((one: { title: string }) => one.title)).toEqual(
      FIVE.map(({ title }) => title),
    );
    expect(shown).not.toHaveProperty('settings');
    expect((await service.get(`/e/${questions[0]}`)).json().election.paper_id).toBe(id);
  });

  it.each([
    ['a title', { title: '' }, 'title'],
    ['dates in order', { close_at: isoTime(0), open_at: isoTime(HOUR) }, 'close_at'],
    ['the title of a question', { questions: [{ ballot_type: 'POLL' }] }, 'questions.0.title'],
    [
      'options of a poll',
      { questions: [motion('A'), { title: 'B', ballot_type: 'POLL' }] },
      'questions.1.options',
    ],
    ['no trial', { questions: [motion('A', { trial: true })] }, 'questions.0.trial'],
    ['no trial of several questions', { trial: true }, 'trial'],
    ['a list of questions', { questions: 'two' }, 'questions'],
  ])('needs %s', async (_what, fields, path) => {
    await using service = await testApp();

    const answer = await service.post('/admin/papers', {
      title: 'Paper',
      open_at: isoTime(service.clock.now),
      close_at: isoTime(service.clock.now + HOUR),
      questions: [],
      ...fields,
    });

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0].path).toBe(path);
  });

  it('takes new questions and elections without codes, and an order until their first ballot', async () => {
    await using service = await testApp();
    const { id, questions } = await addPaper(service);
    const [first = '', second = ''] = questions;
    const [code = ''] = await addCodes(service, id, 1);
    const joins = await addElection(service);
    const has = await addElection(service);
    await addTokens(service, has, 1);
    const add = (body: object) => service.post(`/admin/papers/${id}/questions`, body);

    const added = await add(motion('Third'));
    const joined = await add({ election_id: joins });
    const refused = await add({ election_id: has });
    const again = await add({ election_id: joins });
    const third = added.json().id;
    const order = [third, joins, second, first];
    const ordered = await service.request({
      method: 'PUT',
      url: `/admin/papers/${id}/questions/order`,
      payload: { order },
    });
    const partly = await service.request({
      method: 'PATCH',
      url: `/admin/papers/${id}/questions/order`,
      payload: { order: [first] },
    });
    const vote = await castPaper(service, id, { token: code, answers: { [third]: YES } });
    const late = await service.request({
      method: 'PUT',
      url: `/admin/papers/${id}/questions/order`,
      payload: { order: [joins, third, second, first] },
    });
    const rest = await service.request({
      method: 'PUT',
      url: `/admin/papers/${id}/questions/order`,
      payload: { order: [third, joins, first, second] },
    });

    expect([joined.statusCode, joined.json().id]).toEqual([200, joins]);
    expect([refused.statusCode, refused.json().error]).toEqual([409, message('election_has_codes')]);
    expect([again.statusCode, again.json().error]).toEqual([409, message('election_on_paper')]);
    expect(ordered.json().questions.map((one: { id: string }) => one.id)).toEqual(order);
    expect([partly.statusCode, partly.json().errors[0].path]).toEqual([400, 'order']);
    expect(vote.json().waiting).toEqual([joins, second, first]);
    expect([late.statusCode, late.json().errors[0].path]).toEqual([409, 'order']);
    expect(rest.statusCode).toBe(200);
    expect((await auditOf(service, id)).map(({ action }) => action)).toEqual([
      'paper.created',
      'paper.question_added',
      'paper.question_added',
      'tokens.generated',
      'paper.question_added',
      'paper.question_added',
      'paper.questions_ordered',
      'paper.questions_ordered',
    ]);
  });

  it('covers a question that is added later with the codes that exist, and opens it with them', async () => {
    await using service = await testApp();
    const { id, questions } = await addPaper(service);
    const codes = await addCodes(service, id, 3);
    const late = (await service.post(`/admin/papers/${id}/questions`, motion('Late'))).json().id;

    const opened = [...questions, late].map(async (one) =>
      (await auditOf(service, one)).find(({ action }) => action === 'election.opened'),
    );

    const electors_sha256 = sha256(['3', ...codes.map(sha256).sort()].join('\n'));
    for (const entry of await Promise.all(opened))
      expect(entry?.metadata).toMatchObject({ electors: 3, electors_sha256 });
  });

  it('keeps its codes: a question makes none and invites nobody by itself', async () => {
    await using service = await testApp();
    const { id, questions } = await addPaper(service);

    const tokens = await service.post(`/admin/elections/${questions[0]}/tokens`, { count: 1 });
    const batch = await service.request({
      method: 'DELETE',
      url: `/admin/elections/${questions[0]}/batches`,
      payload: { batch_name: null },
    });

    expect([tokens.statusCode, tokens.json()]).toEqual([
      409,
      { ...errorJson('codes_of_paper'), paper_id: id },
    ]);
    expect(batch.statusCode).toBe(409);
  });

  it('takes its dates from its questions', async () => {
    await using service = await testApp();
    const { id, questions } = await addPaper(service);
    const { now } = service.clock;
    const dates = { open_at: isoTime(now - HOUR), close_at: isoTime(now + 5 * HOUR) };

    await service.request({ method: 'PATCH', url: `/admin/elections/${questions[0]}/dates`, payload: dates });
    const longer = (await service.get(`/p/${id}`)).json();
    service.clock.now += 3 * HOUR;
    const partly = (await service.get(`/p/${id}`)).json();
    service.clock.now += 3 * HOUR;
    const over = (await service.get(`/p/${id}`)).json();

    expect(longer.close_at).toBe(dates.close_at);
    expect([partly.status, partly.closed_at]).toEqual(['open', null]);
    expect([over.status, over.closed_at]).toEqual(['closed', dates.close_at]);
  });

  it('gives new dates, texts and settings to its questions, as each of them allows', async () => {
    await using service = await testApp();
    const { id, questions } = await addPaper(service);
    const [code = ''] = await addCodes(service, id, 1);
    const patch = (payload: object) =>
      service.request({ method: 'PATCH', url: `/admin/papers/${id}`, payload });
    const close_at = isoTime(service.clock.now + 4 * HOUR);

    const changed = await patch({
      title: 'Members’ meeting',
      description: 'Bring a pen.',
      settings: { quorum: 5 },
    });
    const moved = await patch({ close_at });
    await castPaper(service, id, { token: code, answers: { [questions[0]!]: YES } });
    const text = await patch({ title: 'Another' });
    const rule = await patch({ settings: { quorum: 6 } });

    expect(changed.json()).toMatchObject({
      success: true,
      title: 'Members’ meeting',
      description: 'Bring a pen.',
    });
    expect(moved.json().questions.map((one: { close_at: string }) => one.close_at)).toEqual([
      close_at,
      close_at,
    ]);
    expect([text.statusCode, text.json().errors[0].path]).toEqual([409, 'title']);
    expect([rule.statusCode, rule.json().errors[0].path]).toEqual([409, 'settings.quorum']);
    const { questions: read, settings } = (await service.get(`/admin/papers/${id}`)).json();
    expect([
      settings.quorum,
      ...read.map((one: { settings: { quorum: number } }) => one.settings.quorum),
    ]).toEqual([5, 5, 5]);
  });
});

describe('casting a paper', () => {
  it('stores a ballot for each answered question, and the rest waits for the same code', async () => {
    await using service = await testApp();
    const { id, questions } = await addPaper(service, FIVE);
    const [accounts = '', date = '', chair = '', fee = '', rules = ''] = questions;
    const [code = ''] = await addCodes(service, id, 2);
    const { questions: shown } = (await service.get(`/p/${id}`)).json();
    const saturday = shown[1].options[1].id;
    const ranking = shown[2].candidates.map((one: { id: string }) => one.id);

    const first = await castPaper(service, id, {
      token: code,
      answers: { [chair]: { ranking }, [accounts]: YES, [date]: { selected_option: saturday }, [fee]: null },
    });
    const between = (await service.get(`/p/${id}?t=${code}`)).json().token;
    const single = await service.post(`/e/${fee}/vote`, { token: `${code}.${fee}`, choice: 'no' });
    const last = await castPaper(service, id, { token: code, answers: { [rules]: { choice: 'abstain' } } });
    const after = (await service.get(`/p/${id}?t=${code}`)).json().token;
    service.clock.now += 3 * HOUR;

    expect([first.statusCode, first.json()]).toEqual([
      200,
      { success: true, message: 'Your vote has been recorded', waiting: [fee, rules] },
    ]);
    expect(between).toEqual({
      valid: true,
      used: false,
      answered: [accounts, date, chair],
      waiting: [fee, rules],
    });
    expect(single.json()).toEqual({ success: true, message: 'Your vote has been recorded' });
    expect(last.json().waiting).toEqual([]);
    expect(after).toMatchObject({ used: true, waiting: [] });
    expect(questions.map((question) => choicesOf(service, question))).toEqual([
      ['yes'],
      ['[2]'],
      ['[1,2,3]'],
      ['no'],
      ['abstain'],
    ]);
    for (const question of questions) {
      const { total_ballots, turnout, books } = await resultsOf(service, question);
      expect({ total_ballots, turnout }).toEqual({ total_ballots: 1, turnout: { issued: 2, used: 1 } });
      expect(books).toMatchObject({
        ballots: 1,
        tokens_used: 1,
        vote_entries: 1,
        tokens_made: 2,
        balanced: true,
      });
    }
  });

  it('has the token `<code>.<election id>` for each question, and for no other', async () => {
    await using service = await testApp();
    const { id, questions } = await addPaper(service);
    const [first = '', second = ''] = questions;
    const [code = ''] = await addCodes(service, id, 1);

    const shown = (await service.get(`/e/${first}?t=${code}.${first}`)).json();
    const wrong = await service.post(`/e/${second}/vote`, { token: `${code}.${first}`, choice: 'yes' });
    const page = await service.get(`/e/${first}/vote?t=${code}.${first}`, { accept: 'text/html' });

    expect(shown.token).toEqual({ valid: true, used: false });
    expect(wrong.statusCode).toBe(401);
    expect(page.body).toContain('Review my choice');
  });

  it('is all or nothing, and says which answer is wrong', async () => {
    await using service = await testApp();
    const { id, questions } = await addPaper(service);
    const [first = '', second = ''] = questions;
    const [code = ''] = await addCodes(service, id, 1);

    const wrong = await castPaper(service, id, {
      token: code,
      answers: { [first]: YES, [second]: { choice: 'perhaps' } },
    });
    const whole = await castPaper(service, id, { token: code, answers: { [first]: YES, [second]: YES } });

    expect([wrong.statusCode, wrong.json().errors[0].path]).toEqual([400, `answers.${second}.choice`]);
    expect([whole.statusCode, choicesOf(service, first)]).toEqual([200, ['yes']]);
  });

  it('is repeated without a second ballot by its submission_id alone', async () => {
    await using service = await testApp();
    const { id, questions } = await addPaper(service, [motion('A'), motion('B')], {
      settings: { receipts: 'included' },
    });
    const [first = '', second = ''] = questions;
    const [code = ''] = await addCodes(service, id, 1);
    const inclusion_code = '0123456789abcdef'.repeat(2);
    const body = { token: code, answers: { [first]: YES }, submission_id: 'one', inclusion_code };

    const once = await castPaper(service, id, body);
    const again = await castPaper(service, id, body);
    const other = await castPaper(service, id, { ...body, submission_id: 'two' });
    const rest = await castPaper(service, id, { ...body, answers: { [first]: YES, [second]: YES } });

    expect(again.json()).toEqual(once.json());
    expect(once.json()).toMatchObject({ inclusion_code, waiting: [second] });
    expect([other.statusCode, other.json()]).toEqual([403, { ...errorJson('token_used'), used: [first] }]);
    expect([rest.statusCode, rest.json().waiting]).toEqual([200, []]);
    expect([choicesOf(service, first), choicesOf(service, second)]).toEqual([['yes'], ['yes']]);
  });

  it('names the questions that have closed meanwhile, and casts the rest when it is sent again', async () => {
    await using service = await testApp();
    const { id, questions } = await addPaper(service);
    const [first = '', second = ''] = questions;
    const [code = '', other = ''] = await addCodes(service, id, 2);
    await service.post(`/admin/elections/${first}/close`, {});
    const body = { token: code, submission_id: 's', answers: { [first]: YES, [second]: YES } };

    const named = await castPaper(service, id, body);
    const stored = choicesOf(service, second);
    const rest = await castPaper(service, id, { ...body, answers: { [second]: YES } });
    await service.post(`/admin/elections/${second}/close`, {});
    const over = await castPaper(service, id, { ...body, token: other });

    expect([named.statusCode, named.json().closed, stored]).toEqual([409, [first], []]);
    expect([rest.statusCode, rest.json().waiting]).toEqual([200, []]);
    expect([over.statusCode, over.json().error]).toEqual([403, message('election_not_open')]);
  });

  it('refuses in order: paper, token, answers, unknown question, answered, all closed', async () => {
    await using service = await testApp();
    const { id, questions } = await addPaper(service);
    const [first = '', second = ''] = questions;
    const [code = '', unused = ''] = await addCodes(service, id, 2);
    await castPaper(service, id, { token: code, answers: { [first]: YES } });
    const send = async (body: object, paper = id) => {
      const { statusCode, ...answer } = await castPaper(service, paper, body);
      const { error, errors } = answer.json();
      return [statusCode, errors?.[0].path ?? error];
    };
    const wrong = { answers: { [first]: { choice: 'x' }, [second]: YES } };

    const seen = [
      await send({ token: code, ...wrong }, 'nowhere'),
      await send(wrong),
      await send({ token: 'nonsense', ...wrong }),
      await send({ token: code }),
      await send({ token: code, answers: {} }),
      await send({ token: code, answers: [YES] }),
      await send({ token: code, answers: { [first]: 'yes' } }),
      await send({ token: code, answers: { ...wrong.answers, other: YES } }),
      await send({ token: code, ...wrong }),
      await send({ token: unused, ...wrong }),
    ];
    service.clock.now += 3 * HOUR;
    seen.push(await send({ token: code, ...wrong }), await send({ token: unused, ...wrong }));

    expect(seen).toEqual([
      [404, message('paper_not_found')],
      [400, 'token'],
      [401, message('invalid_token')],
      [400, 'answers'],
      [400, 'answers'],
      [400, 'answers'],
      [400, `answers.${first}`],
      [404, message('election_not_found')],
      [403, message('token_used')],
      [400, `answers.${first}.choice`],
      [403, message('token_used')],
      [403, message('election_not_open')],
    ]);
  });

  it('tells its officers which lot, announcement and follow-up its questions wait for, one after the other', async () => {
    await using service = await testApp();
    const settings = { announce: 'by_officer', hide_results_until_close: true };
    const board = { title: 'Board', ballot_type: 'RANKED_STV', candidates: ['Ann', 'Bob'] };
    const chair = { title: 'Chair', ballot_type: 'POLL', options: ['Cid', 'Dee'] };
    const { id, questions } = await addPaper(
      service,
      [motion('Fee'), { ...board, settings: { lot: 'drawn' } }, { ...chair, settings: { seats: 1 } }],
      { settings },
    );
    const [fee = '', tied = '', open = ''] = questions;
    const { candidates } = (await service.get(`/e/${tied}`)).json().election;
    const { options } = (await service.get(`/e/${open}`)).json().election;
    for (const [at, token] of (await addCodes(service, id, 2)).entries())
      await castPaper(service, id, {
        token,
        answers: {
          [fee]: YES,
          [tied]: { ranking: [candidates[at].id] },
          [open]: { selected_option: options[at].id },
        },
      });
    await service.post(`/admin/papers/${id}/close`);
    const next = async () => {
      const { body } = await page(service, `/admin/papers/${id}`);
      const [, say, href] = /<h2 id="next-title">Next<\/h2>\s*<p>(.*?)<\/p>.*?href="([^"]*)"/s.exec(body)!;
      return [say, href];
    };

    expect(await next()).toEqual([
      'Voting has closed, and the count of “Board” waits: a lot must decide between equal votes.',
      `/admin/elections/${tied}/lot`,
    ]);
    const order = candidates.map((candidate: { id: string }) => candidate.id);
    await service.post(`/admin/elections/${tied}/lot`, { order, drawn_by: 'Ada' });
    for (const [at, question] of questions.entries()) {
      const title = ['Fee', 'Board', 'Chair'][at];
      expect((await next())[0]).toBe(`Voting has closed. “${title}” is not announced yet.`);
      await service.post(`/admin/elections/${question}/announce`);
    }
    expect(await next()).toEqual([
      'Voting has closed, and 1 seat is open on “Chair”. Make a follow-up with the same electors.',
      `/admin/elections/${open}/follow-up`,
    ]);
    const day = (hours: number) => isoTime(service.clock.now + hours * HOUR);
    const dates = { open_at: day(1), close_at: day(2) };
    await service.post(`/admin/elections/${open}/follow-up`, { kind: 'two_best', ...dates });
    expect((await next())[0]).toBe('Voting has closed. Look at each result, then put it on the home page.');
  });

  it('gives one code for all questions, which finds each ballot after the close', async () => {
    await using service = await testApp();
    const { id, questions } = await addPaper(
      service,
      [
        motion('A'),
        motion('B', { settings: { receipts: 'content' } }),
        motion('C', { settings: { receipts: 'off' } }),
      ],
      { settings: { receipts: 'included' } },
    );
    const [first = '', second = '', third = ''] = questions;
    const [code = ''] = await addCodes(service, id, 1);
    const answers = { [first]: YES, [second]: { choice: 'no' }, [third]: YES };
    const vote = await castPaper(service, id, { token: code, answers });
    const { inclusion_code } = vote.json();
    const check = (text: string) => service.post(`/p/${id}/check`, { code: text });

    const early = await check(inclusion_code);
    service.clock.now += 3 * HOUR;
    const found = await check(inclusion_code.toUpperCase().match(/.{4}/g).join('-'));
    const missing = await check('f'.repeat(32));
    const own = sha256(`${inclusion_code}:${second}`).slice(0, 32);
    // The page of a question takes both, and so does that of the paper.
    const singles = [own, inclusion_code].map((text) => service.post(`/e/${second}/check`, { code: text }));
    const byQuestion = await check(own);

    expect([early.statusCode, early.json().error]).toEqual([403, message('checks_after_close')]);
    expect(found.json()).toEqual({
      found: true,
      questions: [
        { id: first, title: 'A', closed: true, found: true },
        { id: second, title: 'B', closed: true, found: true, ballot: 'no', altered: false },
      ],
    });
    expect(missing.json()).toMatchObject({ found: false, questions: [{ found: false }, { found: false }] });
    for (const single of await Promise.all(singles))
      expect(single.json()).toEqual({ found: true, ballot: 'no', altered: false });
    expect(byQuestion.json()).toMatchObject({ found: true, questions: [{ found: false }, { found: true }] });
    expect((await page(service, `/e/${second}`)).body).toContain(
      `printf %s 'your-code:${second}' | shasum -a 256 | cut -c1-32`,
    );
    expect((await resultsOf(service, first)).inclusion_hashes).toEqual([
      sha256(sha256(`${inclusion_code}:${first}`).slice(0, 32)),
    ]);
  });
});

describe('the books of a question', () => {
  it('count the codes of the paper that were mailed', async () => {
    await using service = await testApp();
    const { id, questions } = await addPaper(service);
    const [code = ''] = await addCodes(service, id, 2);
    const { now } = service.clock;
    const times = { created_at: now, sent_at: now, token_plaintext: null, error: null };
    const invite = {
      id: 'one',
      election_id: id,
      email: 'ann@club.example',
      status: 'SENT',
      ...times,
    } as const;
    await service.ctx.write((tx) =>
      tx.run(build.insertInto('invites').values({ ...invite, token_hash: sha256(code) })),
    );
    service.clock.now += 3 * HOUR;

    for (const question of questions)
      expect((await resultsOf(service, question)).books).toMatchObject({ tokens_made: 2, tokens_mailed: 1 });
  });
});

describe('deleting a paper', () => {
  it('deletes its questions, and leaves a 410 for those with ballots', async () => {
    await using service = await testApp();
    const { id, questions } = await addPaper(service);
    const [first = '', second = ''] = questions;
    const [code = ''] = await addCodes(service, id, 2);
    await castPaper(service, id, { token: code, answers: { [first]: YES } });

    const deleted = await service.request({
      method: 'DELETE',
      url: `/admin/papers/${id}`,
      payload: { reason: 'Made by mistake' },
    });

    expect(deleted.json()).toEqual({ success: true });
    const gone = await service.get(`/p/${id}`);
    expect(gone.statusCode).toBe(410);
    expect(gone.json().deleted).toMatchObject({
      paper_id: id,
      questions: [{ id: first, title: 'First' }],
      reason: 'Made by mistake',
    });
    expectRefusal(await service.get(`/e/${first}`), 410, 'election_deleted');
    expectRefusal(await service.get(`/e/${second}`), 404, 'election_not_found');
    expectRefusal(
      await castPaper(service, id, { token: code, answers: { [first]: YES } }),
      410,
      'paper_deleted',
    );
    for (const table of ['papers', 'elections', 'tokens', 'ballots'] as const)
      expect(service.ctx.db.all(build.selectFrom(table).selectAll())).toEqual([]);
  });

  it('without ballots leaves nothing', async () => {
    await using service = await testApp();
    const { id } = await addPaper(service);
    await service.request({ method: 'DELETE', url: `/admin/papers/${id}`, payload: {} });

    const gone = [404, message('paper_not_found')];
    expect(refusal(await service.get(`/p/${id}`))).toEqual(gone);
    expect(refusal(await service.get(`/admin/papers/${id}`))).toEqual(gone);
  });
});
