import { describe, expect, it } from 'vitest';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addPoll, addSlips, addTokens, cast } from '#test/support/factories.ts';
import { withoutSwitch } from '#test/support/forms.ts';
import { errorJson, message } from '#test/support/messages.ts';
import { newShortCode } from '#voting/ballots/voting-code.ts';

const type = (service: TestApp, code: string) => service.submit('/vote', { code });

describe('the page for a voting code', () => {
  it('is one click from the home page, and has one field', async () => {
    await using service = await testApp();

    const home = await service.get('/', { accept: 'text/html' });
    const typing = await service.get('/vote', { accept: 'text/html' });

    expect(home.body).toContain('href="/vote"');
    expect(typing.statusCode).toBe(200);
    expect(typing.headers['cache-control']).toBe('no-store');
    expect(withoutSwitch(typing.body).match(/<input /g)).toHaveLength(1);
    expect(typing.body).toMatch(
      /<input [^>]*name="code"[^>]*autocomplete="off"[^>]*autocapitalize="characters"[^>]*inputmode="text"/,
    );
  });

  it.each<[string, (code: string) => string]>([
    ['as printed', (code) => code],
    ['in small letters with spaces', (code) => code.toLowerCase().replaceAll('-', ' ')],
    ['without anything between', (code) => code.replaceAll('-', '')],
    ['as a link of a mail', (code) => `https://club.example/e/x/vote?t=${code}&utm_source=mail`],
  ])('redirects to the ballot: %s', async (_how, spell) => {
    await using service = await testApp();
    const id = await addElection(service);
    await addElection(service, { title: 'Another one' });
    const [code] = await addSlips(service, id, 1);

    const led = await type(service, spell(code!));
    const ballot = await service.get(led.headers.location!, { accept: 'text/html' });

    expect([led.statusCode, led.headers.location]).toEqual([303, `/e/${id}/vote?t=${code}`]);
    expect(ballot.body).toContain('How do you vote?');
  });

  it('redirects to a poll, and returns the path to a program', async () => {
    await using service = await testApp();
    const { id } = await addPoll(service, ['Tea', 'Milk']);
    const [code] = await addSlips(service, id, 1);
    const [token] = await addTokens(service, id, 1);

    expect((await service.post('/vote', { code })).json()).toEqual({ path: `/e/${id}/vote/poll?t=${code}` });
    expect((await service.post('/vote', { code: token?.toUpperCase() })).json()).toEqual({
      path: `/e/${id}/vote/poll?t=${token}`,
    });
  });

  it('says what a code that is no string must be', async () => {
    await using service = await testApp();

    const answers = await Promise.all([{ code: 17 }, {}].map((body) => service.post('/vote', body)));

    expect(answers.map((answer) => answer.json().error)).toEqual([
      `code: ${message('not_text')}`,
      `code: ${message('required')}`,
    ]);
  });

  it('accepts the link of a batch mail too', async () => {
    await using service = await testApp();

    const led = await type(
      service,
      'Your link: https://club.example/vote/my-elections?email=ann%40club.example&token=abc_123&utm_source=x',
    );

    expect(led.statusCode).toBe(303);
    expect(led.headers.location).toBe('/vote/my-elections?email=ann%40club.example&token=abc_123');
  });

  it('keeps the input and says what is wrong', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const [used, misread] = await addSlips(service, id, 2);
    await cast(service, id, { token: used, choice: 'yes' });
    const later = await addElection(service, {
      title: 'The roof',
      open_at: isoTime(service.clock.now + HOUR),
    });
    const [early] = await addSlips(service, later, 1);
    const over = await addElection(service, { title: 'The cellar' });
    const [late] = await addSlips(service, over, 1);
    await service.post(`/admin/elections/${over}/close`, {});
    const wrong = misread!.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));

    const answers: [typed: string, status: number, said: string | RegExp, about?: string][] = [
      [wrong, 400, 'One character was misread: please compare'],
      [misread!.slice(1), 400, 'A code has 16 letters and digits, and this has 15'],
      ['<b>hello</b>', 400, 'There is no voting code in this'],
      ['', 400, 'Type the code from your slip'],
      [newShortCode(), 401, 'No election knows this code'],
      [used!, 403, 'A ballot was already recorded with this code', id],
      [early!, 403, /Your code is good\. Voting on “The roof” opens .*: come back then/, later],
      [late!, 403, /Voting on “The cellar” closed .*\. No more ballots/, over],
    ];
    for (const [typed, status, said, about] of answers) {
      const { statusCode, body } = await type(service, typed);
      const text = body.replaceAll('&quot;', '"').replaceAll('&#39;', "'");
      expect([typed, statusCode]).toEqual([typed, status]);
      expect(text).toMatch(typeof said === 'string' ? new RegExp(said) : said);
      expect(body).toContain(`value="${typed.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}"`);
      expect(body).toContain('aria-invalid="true"');
      if (about) expect(body).toContain(`href="/e/${about}"`);
    }
  });

  it('answers programs with the same errors as a ballot', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const [code] = await addSlips(service, id, 1);
    await cast(service, id, { token: code, choice: 'yes' });

    const unknown = await service.post('/vote', { code: newShortCode() });
    const used = await service.post('/vote', { code });
    const broken = await service.post('/vote', { code: 'nothing' });
    const missing = await service.post('/vote', {});

    expect([unknown.statusCode, unknown.json()]).toEqual([401, errorJson('invalid_token')]);
    expect([used.statusCode, used.json()]).toEqual([403, errorJson('token_used')]);
    expect([broken.statusCode, missing.statusCode]).toEqual([400, 400]);
  });

  it('never has a code in the log', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const [code, other] = await addSlips(service, id, 2);

    await type(service, code!);
    await service.get(`/e/${id}/vote?t=${code}`);
    await service.get(`/vote?t=${other}`);
    await service.get(`/e/${id}/vote;t=${other}`);
    await service.post(`/e/${id}/vote`, { token: code, choice: 'yes' });

    const log = service.logged.join('\n');
    for (const secret of [code!, other!]) {
      expect(log).not.toContain(secret);
      expect(log).not.toContain(secret.replaceAll('-', ''));
    }
  });
});

describe('a form for the code on other pages', () => {
  it('keeps an invalid code, and sends it to the same page', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const code = newShortCode();

    for (const path of [`/e/${id}/vote?t=${code}`, `/e/${id}?t=${code}`]) {
      const { body } = await service.get(path, { accept: 'text/html' });
      expect(body).toContain('action="/vote"');
      expect(body).toContain(`value="${code}"`);
    }
  });
});
