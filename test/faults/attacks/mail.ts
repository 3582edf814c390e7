// Attacks that make the service send mail: too much, to one mailbox, or with injected headers.
import { type Attack, type Outcome, statuses, unless } from './attack.ts';
import { each, freshAddress } from './request.ts';
import { BY_KEY } from './seed.ts';
import type { Target } from './target.ts';

const signUp = (target: Target, email: string, name = 'A stranger', from = freshAddress()) =>
  target.ask('/api/subs/new?calendar_id=programs', {
    method: 'POST',
    body: { name, email },
    headers: { 'x-forwarded-for': freshAddress(), 'edge-connecting-ip': freshAddress() },
    from,
  });

const head = (mail: string): string => mail.split('\r\n\r\n')[0] ?? '';

/** Signs up plus-addresses and other spellings of one mailbox, each from a different address. */
async function fillMailbox(target: Target): Promise<Outcome> {
  const spellings = [
    ...Array.from({ length: 10 }, (_, at) => `victim+${at}@mailbox.example`),
    'victim@mailbox.example',
    'Victim@MAILBOX.example',
    ' victim@mailbox.example ',
    'victim+@mailbox.example',
  ];
  const answers = await each(spellings, (email) => signUp(target, email), 4);
  const mails = target.mails().filter((mail) => /^To: .*victim/im.test(mail)).length;
  return {
    saw: `${spellings.length} spellings of one mailbox (${statuses(answers)}): ${mails} mails`,
    wrong: unless(mails <= 3, `${mails} mails went to one mailbox`),
  };
}

/** Enters line breaks and second recipients in all fields of strangers and officers. */
async function injectHeaders(target: Target): Promise<Outcome> {
  const breaks = ['\r\n', '\n', '\r', '\u2028', '\u0085', '%0d%0a'];
  const names = breaks.map((end) => `A${end}Bcc: spy@evil.example${end}${end}Buy`);
  const emails = [
    ...breaks.map((end, at) => `one${at}@mailbox.example${end}Bcc: spy@evil.example`),
    'a@mailbox.example,spy@evil.example',
    'a@mailbox.example spy@evil.example',
    '<a@mailbox.example>,<spy@evil.example>',
    '"spy@evil.example"<a@mailbox.example>',
    'a@mailbox.example?bcc=spy@evil.example',
    '"a\r\nBcc: spy"@mailbox.example',
  ];
  const strangers = [
    ...(await each(names, (name, at) => signUp(target, `named${at}@mailbox.example`, name))),
    ...(await each(emails, (email) => signUp(target, email))),
  ];
  const title = 'A vote\r\nBcc: spy@evil.example\r\n\r\nBuy';
  const made = await target.ask('/admin/elections', {
    method: 'POST',
    headers: BY_KEY,
    body: {
      title,
      ballot_type: 'SIMPLE_TRIPLE',
      open_at: '2026-01-01T00:00:00Z',
      close_at: '2099-01-01T00:00:00Z',
    },
  });
  const { id } = JSON.parse(made.body) as { id: string };
  const invited = await target.ask(`/admin/elections/${id}/invite`, {
    method: 'POST',
    headers: BY_KEY,
    body: { emails: ['guest@mailbox.example', ...emails] },
  });
  const mails = target.mails();
  const spied = mails.filter((mail) => /^(bcc|cc):|^to:.*evil\.example/im.test(head(mail)));
  return {
    saw: `${strangers.length} sign-ups (${statuses(strangers)}), an invitation (${invited.status}), ${mails.length} mails`,
    wrong: [
      ...unless(
        mails.some((mail) => mail.includes('guest@mailbox.example')),
        'the invitation was not sent',
      ),
      ...spied.map((mail) => `a mail has the header ${/^(bcc|cc|to):.*$/im.exec(head(mail))?.[0]}`),
    ],
  };
}

/** Checks that responses do not reveal whether an address is known. */
async function enumerate(target: Target): Promise<Outcome> {
  const known = 'subscriber@mailbox.example';
  await signUp(target, known);
  const [mail = ''] = target.mails().filter((text) => text.includes(known));
  // Quoted-printable: a long line continues after `=`.
  const [, code = ''] = /confirm\?v=3D([0-9A-Za-z_-]+)/.exec(mail.replace(/=\r\n/g, '')) ?? [];
  const verified = await target.ask(`/api/subs/verify?calendar_id=programs&v=${code}`);
  const again = await signUp(target, known);
  const first = await signUp(target, 'nobody@mailbox.example');
  const same = again.status === first.status || again.status === 429;
  return {
    saw: `a subscriber (confirmed: ${verified.status}) got ${again.status}, a stranger ${first.status}`,
    wrong: unless(verified.status === 200 && same, 'the answers differ'),
  };
}

/** Signs up 200 addresses at once: first from one client with forged addresses, then from 200 clients. */
async function burst(target: Target): Promise<Outcome> {
  const before = target.mails().length;
  const from = freshAddress();
  const one = await each(Array.from({ length: 200 }), (_, at) =>
    signUp(target, `one${at}@list.example`, 'A', from),
  );
  const afterOne = target.mails().length;
  const many = await each(Array.from({ length: 200 }), (_, at) => signUp(target, `many${at}@list.example`));
  const [ofOne, ofMany] = [afterOne - before, target.mails().length - afterOne];
  return {
    saw: `one client ${statuses(one)}: ${ofOne} mails; 200 clients ${statuses(many)}: ${ofMany} mails`,
    wrong: [
      // The limit is twenty a minute, and a new minute may begin meanwhile.
      ...unless(ofOne <= 40, `one client had ${ofOne} mails sent`),
      ...unless(ofMany <= 120, `strangers had ${ofMany} mails sent at once`),
    ],
  };
}

/** The burst comes last, since it uses up the limits that the others need. */
export const unwantedMail: Attack[] = [
  ['headers in names and addresses', injectHeaders],
  ['who is a subscriber', enumerate],
  ['many spellings of one mailbox', fillMailbox],
  ['a burst of sign-ups', burst],
];
