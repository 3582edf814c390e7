import { expect, it } from 'vitest';
import { priceNames } from '#content/menu-prices.ts';
import { LANGUAGES } from '#kernel/language/catalogues.ts';
import { inEnglish } from '#kernel/language/kept-text.ts';
import { reasonWords } from '#kernel/mail/reasons.ts';
import { differenceText } from '#views/voting/results/differences.ts';
import { DIFFERENCES } from '#voting/counting/differences.ts';
import { testApp } from './support/app.ts';

const inLanguage = (text: ReturnType<typeof reasonWords>, language: string): string =>
  typeof text === 'string' ? text : text.for({ language, locale: language });

it.each([
  ['This voting code was used already', 'Dieser Stimmcode wurde schon benutzt'],
  ['The mail server did not answer in time', 'Der Mailserver hat nicht rechtzeitig geantwortet'],
  ['Not an e-mail address', 'Keine E-Mail-Adresse'],
  ['550 5.1.1 No such user', '550 5.1.1 No such user'],
])('the stored reason “%s” is shown to a German officer as “%s”', (stored, german) => {
  expect(inLanguage(reasonWords(stored), 'de')).toBe(german);
  expect(inEnglish(reasonWords(stored))).toBe(stored);
});

it('what does not agree with the log is said in every language, and what it names stays as JSON has it', () => {
  for (const language of LANGUAGES.filter((one) => one !== 'en'))
    for (const said of Object.values(DIFFERENCES)) {
      const english = inLanguage(differenceText(said), 'en');
      expect(english.toLowerCase()).toBe(`${said}.`);
      expect(inLanguage(differenceText(said), language)).not.toBe(english);
    }
  expect(inLanguage(differenceText('the log has recorded otherwise: the title'), 'de')).toContain(
    '<span lang="en">the title</span>',
  );
});

it('a person who opens the address of a feed reads why it is refused in their language, a program in English', async () => {
  await using service = await testApp({ CLUB_LANGUAGE: 'de' });
  const refused = async (accept: string) =>
    (await service.get('/cal/programs.ics?token=x&calendar_id=programs', { accept })).body;
  expect(await refused('text/html')).toBe('Unter dieser Adresse gibt es keinen Kalender.\n');
  expect(await refused('text/calendar, */*')).toBe('There is no calendar at this address.\n');
});

it.each([
  ['/no-such-page', {}, 404],
  ['/feedback', { 'content-type': 'application/x-www-form-urlencoded' }, 413],
])('the error page of %s %j is German', async (url, headers, status) => {
  await using service = await testApp({ CLUB_LANGUAGE: 'de', FEEDBACK_ENABLED: 'on' });
  const answer = await service.request({
    method: Object.keys(headers).length === 0 ? 'GET' : 'POST',
    url,
    payload: 'x'.repeat(3_000_000),
    headers: { accept: 'text/html', ...headers },
  });
  expect(answer.statusCode).toBe(status);
  expect(answer.body).toContain('<html lang="de"');
});

it('what a club has left at its default is named in its language: headings of prices, the class of cards', async () => {
  await using service = await testApp({ CLUB_LANGUAGE: 'de' });
  const { settings } = service.ctx.config;
  expect(priceNames(settings)).toEqual({ members: 'Mitglieder', guests: 'Gäste' });
  const named = { ...settings, 'price_names.members': 'Crew' };
  expect(priceNames(named)).toEqual({ members: 'Crew', guests: 'Gäste' });
  const form = (await service.get('/admin/meetings/new', { accept: 'text/html' })).body;
  expect(form).toMatch(/<textarea[^>]* name="classes"[^>]*>\s*Mitglieder/);
});
