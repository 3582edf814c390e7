import { startVerification, verify } from '#calendar/subscriptions/verifications.ts';
import {
  type MailServer,
  type MailServerOptions,
  type ReceivedMail,
  startMailServer,
} from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';

export const ADMIN = { 'x-admin-token': 'a token of the pub' };
export const FORM = '/api/subs/new?calendar_id=programs';

export interface CalendarService extends TestApp {
  mail: MailServer;
}

/** The service with a mail server, without delays between retries. */
export async function calendarService(
  env: Record<string, string> = {},
  mailOptions: MailServerOptions = {},
): Promise<CalendarService> {
  const mail = await startMailServer(mailOptions);
  const service = await testApp(
    { ...mailTo(mail.url), PUB_ADMIN_TOKEN: ADMIN['x-admin-token'], ...env },
    { delays: [0, 0] },
  );
  return Object.assign(service, { mail });
}

export const JANE = { name: 'Jane', email: 'jane@club.example' };

/** The code in the newest mail to an address. */
export function codeFor({ mail }: CalendarService, email = JANE.email): string {
  const newest = mail.mails.findLast(({ recipients }) => recipients.includes(email));
  return codeIn(newest);
}

export function codeIn(mail: ReceivedMail | undefined): string {
  const [, code] = /\/subscribe-programs\/confirm\?v=([\w-]+)/.exec(mail?.text ?? '') ?? [];
  if (!code) throw new Error(`No link in: ${mail?.text}`);
  return code;
}

export interface Subscribed {
  token: string;
  /** Path and query of the feed. */
  feed: string;
  answer: Record<string, string>;
}

/** Signs somebody up and follows the link. */
export async function subscribe(service: CalendarService, person = JANE): Promise<Subscribed> {
  const asked = await service.post(FORM, person);
  if (asked.statusCode !== 200) throw new Error(`Sign-up refused: ${asked.body}`);
  return follow(service, codeFor(service, person.email));
}

export async function follow(service: CalendarService, code: string): Promise<Subscribed> {
  const verified = await service.get(`/api/subs/verify?calendar_id=programs&v=${code}`);
  if (verified.statusCode !== 200) throw new Error(`Link refused: ${verified.body}`);
  const answer = verified.json();
  return { token: answer.token, feed: answer.icsUrl.replace(/^https?:\/\/[^/]+/, ''), answer };
}

/** The path and query of a new subscriber's feed, without any mail. */
export async function mintFeed({ ctx, calendarContext }: TestApp, email = JANE.email): Promise<string> {
  const asked = { calendar_id: 'programs' as const, email, name: 'Jane' };
  const { code } = await startVerification(ctx, asked);
  const { token } = await verify(calendarContext, code, { ip: 'test', at: ctx.now() });
  return `/cal/programs.ics?token=${token}&calendar_id=programs`;
}

/** The Accept header of a browser. */
export const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
