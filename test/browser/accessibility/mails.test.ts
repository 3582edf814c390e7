import { afterAll, expect, test } from 'vitest';
import { LANGUAGES } from '#kernel/language/catalogues.ts';
import { formatted } from '#kernel/language/words.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { openTab } from '#test/support/browser/browser-service.ts';
import { findMisfits } from '#test/support/browser/misfits.ts';
import { clubNamed } from '#test/support/mailer.ts';
import { renderMail } from '#views/mail/layout.ts';
import { resultsParts } from '#views/mail/results.ts';
import { subscriptionMail } from '#views/mail/subscription.ts';

afterAll(async () => closePages(await sharedBrowser()));

test.each(LANGUAGES)('mails in %s fit on the narrowest phone, with codes of 64 letters', async (language) => {
  const page = await openTab(await sharedBrowser(), '', { viewport: { width: 320, height: 640 } });
  const club = clubNamed('The Anchor');
  const link = `https://club.example/${'a'.repeat(64)}`;
  const sha256 = 'b95c4d23'.repeat(8);
  const proof = { ballots: 9, ballotSet: sha256, head: sha256, question: sha256, salt: sha256.slice(32) };
  const questions = [{ title: 'Chair', outcome: 'Ann leads', proof }];
  const found: string[] = [];
  for (const parts of [
    resultsParts({ club, title: 'Chair', questions, link }),
    subscriptionMail({ club, until: formatted(() => '8:00 PM'), link, stop: link }),
  ]) {
    await page.setContent(renderMail(parts, { language, locale: language }).html);
    found.push(...(await page.evaluate(findMisfits, false)));
  }
  expect(found).toEqual([]);
});
