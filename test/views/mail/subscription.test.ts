import { expect, test } from 'vitest';
import { ENGLISH, formatted } from '#kernel/language/words.ts';
import { renderMail } from '#views/mail/layout.ts';
import { renewalMail, stoppedMail, subscriptionMail } from '#views/mail/subscription.ts';
import { clubNamed } from '../../support/mailer.ts';

const UNTIL = 'Sat, Nov 21, 2026, 12:30 PM New York time';
const LINK = 'https://club.example/subscribe-programs/confirm?v=abc';
const STOP = 'https://club.example/api/subs/unsubscribe?u=v1.x&y=1';
const props = { club: clubNamed('The <b>Anchor</b>'), until: formatted(() => UNTIL), link: LINK, stop: STOP };

const hrefs = (html: string) =>
  [...html.matchAll(/<a .*?href="([^"]*)"/g)].map(([, href]) => href?.replaceAll('&amp;', '&'));

test.each([
  ['the request to confirm', renderMail(subscriptionMail(props), ENGLISH)],
  ['the reminder before the end', renderMail(renewalMail(props), ENGLISH)],
])('%s has the link, its expiry and the unsubscribe link, in both parts', (_name, mail) => {
  expect(hrefs(mail.html)).toEqual([LINK, STOP]);
  for (const part of [mail.text, mail.html.replaceAll('&amp;', '&')]) {
    for (const words of [LINK, STOP, UNTIL, 'Stop the calendar and its mails']) expect(part).toContain(words);
  }
  expect(mail.html).not.toContain('<b>Anchor');
});

test('the mail after a stop has the unsubscribe link and no other', () => {
  const mail = renderMail(stoppedMail(props), ENGLISH);

  expect(hrefs(mail.html)).toEqual([STOP]);
  expect(mail.text.match(/https:\S+/g)).toEqual([STOP]);
  expect(mail.html).not.toContain('If the button does not work');
});
