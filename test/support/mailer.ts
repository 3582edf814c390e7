import pino from 'pino';
import { expect, onTestFinished } from 'vitest';
import { readConfig } from '#kernel/config.ts';
import { type MailClub, mailClub } from '#kernel/mail/club.ts';
import { createMailer, type Mailer, type MailerTimes } from '#kernel/mail/mailer.ts';
import type { MailMessage } from '#kernel/mail/message.ts';
import type { MailServer, ReceivedMail } from '#test/stand-ins/mail-server.ts';
import { NOON } from './app.ts';

export interface TestMailer extends Mailer {
  logged: string[];
}

/** The club data in mails when only the name is set. */
export const clubNamed = (name: string): MailClub => ({ ...mailClub(readConfig({}, '')), name });

/** Creates a mailer as the service does, without delays between retries. */
export function mailerFor(
  url: string,
  env: Record<string, string> = {},
  times: Partial<MailerTimes> = {},
): TestMailer {
  const logged: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  const variables = {
    MAILER_URL: url,
    BASE_URL: 'https://votes.club.example',
    FROM_EMAIL: 'The Anchor <votes@club.example>',
    ...env,
  };
  const mailer = createMailer(readConfig(variables, ''), log, () => NOON, { delays: [0, 0], ...times });
  onTestFinished(() => mailer.close());
  return { ...mailer, logged };
}

/** A mail with sample content. */
export function mail(to: MailMessage['to'], more: Partial<MailMessage> = {}): MailMessage {
  return { to, subject: 'Vote', text: 'In words', html: '<p>In markup</p>', id: 'invite-1', ...more };
}

/** Returns the only mail received; fails unless there is exactly one. */
export function onlyMail({ mails }: MailServer): ReceivedMail {
  expect(mails).toHaveLength(1);
  return mails[0]!;
}
