import { expect, test } from 'vitest';
import { LANGUAGES } from '#kernel/language/catalogues.ts';
import { ENGLISH, formatted } from '#kernel/language/words.ts';
import { diagnosticMail } from '#views/mail/diagnostic.ts';
import { excerpt, type Mail, type MailParts, renderMail } from '#views/mail/layout.ts';
import { myElectionsParts } from '#views/mail/my-elections.ts';
import { resultsParts } from '#views/mail/results.ts';
import { reminderParts, votingLinkParts } from '#views/mail/voting-link.ts';
import { TEST_TEMPLATES } from '#voting/invitations/test-mails.ts';
import { clubNamed } from '../../support/mailer.ts';

const OPENS = 'Fri, Nov 20, 2026, 9:00 AM New York time';
const CLOSES = 'Sat, Nov 21, 2026, 11:59 PM New York time';
const sampleTimes = { opens: formatted(() => OPENS), closes: formatted(() => CLOSES) };
const LINK = 'https://votes.club.example/e/1/vote?t=abc&x=1';
const secrecy = {
  election: { settings: { receipts: 'off', publish_ballots: null, hide_results_until_close: true } as const },
  few: false,
};
const HOSTILE =
  '</title><script>alert(1)</script><a href="https://evil.example">"O\'Hara" & co</a>\r\nBcc: evil';

/** Every template with the same texts. */
function mailsSaying(title: string, name: string): [name: string, mail: Mail][] {
  return partsSaying(title, name).map(([of, parts]) => [of, renderMail(parts, ENGLISH)]);
}

function partsSaying(title: string, name: string): [name: string, parts: MailParts][] {
  const club = clubNamed(name);
  const times = { opens: OPENS, closes: CLOSES };
  const ballot = { club, title, description: title, ...times, link: LINK, secrecy };
  return [
    ['voting link', votingLinkParts({ ...ballot, isOpen: true })],
    ['voting link ahead', votingLinkParts({ ...ballot, isOpen: false })],
    [
      'one of my elections',
      myElectionsParts({ club, elections: [{ title, ...times, isOpen: true, secrecy }], link: LINK }),
    ],
    [
      'my elections',
      myElectionsParts({
        club,
        elections: Array(3).fill({ title, ...times, isOpen: false, secrecy }),
        link: LINK,
      }),
    ],
    ['reminder', reminderParts({ club, title, closes: CLOSES, link: LINK, secrecy })],
    [
      'results',
      resultsParts({ club, title, questions: [{ title, outcome: title }], closed: CLOSES, link: LINK }),
    ],
    ...TEST_TEMPLATES.map((name): [string, MailParts] => [
      `test of ${name}`,
      diagnosticMail(name, { club, ...sampleTimes, link: LINK }),
    ]),
  ];
}

const decode = (html: string) =>
  html.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name] ?? '',
  );

/** What a viewer sees of the HTML, on one line. */
const shown = (html: string) =>
  decode(html.replace(/<head>[\s\S]*<\/head>|<!--[\s\S]*?-->|<[^>]+>/g, ' ')).replace(/\s+/g, ' ');

test.each(mailsSaying('Chair of the club', 'The Anchor'))(
  '%s: both parts have the deadline, the link and who sent it',
  (_name, mail) => {
    for (const part of [mail.text, shown(mail.html)]) {
      expect(part).toContain(CLOSES);
      expect(part).toContain(LINK);
      expect(part).toContain('Sent by The Anchor. You get this mail because');
    }
    expect([...mail.html.matchAll(/<a .*?href="([^"]*)"/g)].map(([, href]) => decode(href ?? ''))).toEqual([
      LINK,
    ]);
    expect(mail.text.split(LINK)).toHaveLength(2);
  },
);

test('a name that ends with a full stop gets no second one', () => {
  for (const [, mail] of mailsSaying('Chair of the club', 'Ruderclub e. V.'))
    expect(mail.text).toContain('Sent by Ruderclub e. V. You get this mail because');
});

test.each(mailsSaying('Chair of the club', 'The Anchor'))(
  '%s: the HTML says all that the text says',
  (_name, mail) => {
    const seen = shown(mail.html);
    const lines = mail.text.split('\n').map((line) => line.replace(/^\* /, '').trim());

    for (const line of lines.filter((one) => one && one !== '--')) {
      for (const words of line.split(/: (?=[A-Z])/)) expect(seen).toContain(words.replace(/:$/, ''));
    }
  },
);

test.each(mailsSaying(HOSTILE, HOSTILE))('%s: a hostile name is escaped', (_name, mail) => {
  expect(mail.subject).not.toMatch(/[\r\n]/);
  expect(mail.html).not.toMatch(/<script|<a href="https:\/\/evil/);
  expect(mail.html.match(/<a /g)).toHaveLength(1);
  expect(mail.text).not.toMatch(/^Bcc/m);
  expect(mail.html).toContain('&lt;/script&gt;');
});

test('a mail loads nothing and has no script', () => {
  for (const [, { html }] of mailsSaying('Chair', 'The Anchor')) {
    expect(html).not.toMatch(/<(img|link|script|iframe|form)|url\(|@import|@font-face| on\w+=/i);
  }
});

test('an invitation before the opening says when voting opens, a later one when it closes', () => {
  const [[, now], [, ahead]] = mailsSaying('Chair', 'The Anchor') as [[string, Mail], [string, Mail]];

  expect(now.html).toContain(`>Voting closes: ${CLOSES}.<`);
  expect(now.text).toContain('Vote now:');
  expect(ahead.text).toContain(`Voting opens: ${OPENS}`);
  expect(ahead.text).toContain('The link works from the time voting opens.');
  expect(ahead.text).not.toContain('Vote now');
});

test('a test mail says so in its subject and before anything else', () => {
  for (const template of TEST_TEMPLATES) {
    const parts = diagnosticMail(template, { club: clubNamed('The Anchor'), ...sampleTimes, link: LINK });
    const mail = renderMail(parts, ENGLISH);

    expect(mail.subject).toMatch(/^\[Test\] /);
    expect(mail.text).toMatch(/^This is a test mail/);
    expect(mail.html.indexOf('This is a test mail')).toBeLessThan(mail.html.indexOf('<h1'));
  }
});

test('a long subject and a long description are cut at a word', () => {
  const title = `${'word '.repeat(80)}end`;
  const times = { opens: OPENS, closes: CLOSES, isOpen: true };
  const about = { club: clubNamed('A'), title, description: title, ...times, link: LINK, secrecy };
  const mail = renderMail(votingLinkParts(about), ENGLISH);

  expect(mail.subject).toMatch(/^Your vote: (word )+word…$/);
  expect(mail.subject.length).toBeLessThanOrEqual(151);
  expect(excerpt('one  two\n\nthree')).toBe('one two three');
  expect(excerpt(title, 12)).toBe('word word…');
  expect(excerpt('x'.repeat(500), 10)).toBe(`${'x'.repeat(10)}…`);
  expect(excerpt(`${'x'.repeat(9)}😀 and`, 10)).toBe(`${'x'.repeat(9)}…`);
});

test.each(LANGUAGES)('in %s a subject has room for the title', (language) => {
  for (const [, parts] of partsSaying('word '.repeat(80), 'The Anchor')) {
    const { subject } = renderMail(parts, { language, locale: language });
    expect(subject.length).toBeLessThanOrEqual(151);
    if (!subject.startsWith('[')) expect(subject).toMatch(/(word ){10}|\d/);
  }
});

test('where the club says so, a mail says the same in a second language below', () => {
  const [[, parts]] = partsSaying('Chair of the club', 'The Anchor') as [[string, MailParts]];
  const french = { language: 'fr', locale: 'fr-FR' };
  const when = formatted(({ language }) => `when ${language}`);
  const { subject, text, html } = renderMail({ ...parts, subject: when, eyebrow: when }, ENGLISH, french);

  expect(subject).toBe('when en');
  expect(html).toContain('<html lang="en">');
  expect(html.match(/<td lang="(en|fr)"/g)).toEqual(['<td lang="en"', '<td lang="fr"']);
  expect(html.indexOf('when fr')).toBeGreaterThan(html.indexOf('<td lang="fr"'));
  expect(html.match(/<h1/g)).toHaveLength(1);
  expect(html.match(/<h2/g)).toHaveLength(1);
  expect(text.split('* * *')).toHaveLength(2);
  expect(text.indexOf('when fr')).toBeGreaterThan(text.indexOf('* * *'));
  expect(text.split(LINK)).toHaveLength(3);
});
