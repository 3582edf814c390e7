import { HOUR, isoTime } from '#kernel/clock.ts';
import { sendDueMails } from '#kernel/mail/sender.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo } from '#test/support/app.ts';
import { addElection } from '#test/support/factories.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { type Club, openClub } from '#test/support/people/roll.ts';

/** A club with a roll, a mail server and a returning officer. */
export interface Electorate extends Club {
  mails: MailServer;
  /** The headers of the returning officer. */
  olga: Record<string, string>;
  /** An election that opens in an hour and closes two hours later. */
  election(fields?: object): Promise<string>;
  /** Invites as the returning officer, or with other headers. */
  invite(id: string, body: object, who?: Record<string, string>): ReturnType<Club['service']['post']>;
  /** Runs the job that sends queued invitations until none are left. */
  sendAll(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export const FULL_SINCE_2020 = { standing: { kind: 'full', first_day: '2020-01-01' } };

export const person = (name: string, email: string | null, more: object = FULL_SINCE_2020) => ({
  name,
  ...(email !== null && { addresses: [{ email }] }),
  ...more,
});

export const linkIn = ({ text }: ReceivedMail) => new URL(/https:\S+/.exec(text)![0]);
export const tokenIn = (mail: ReceivedMail) => linkIn(mail).searchParams.get('t') ?? '';

export async function openElectorate(env: Record<string, string> = {}): Promise<Electorate> {
  const mails = await startMailServer();
  const club = await openClub({ ...mailTo(mails.url), ELECTIONS_NEED_ROLE: 'on', ...env });
  const { service } = club;
  const olga = await appoint(service, 'olga@club.example', 'officer');
  return {
    ...club,
    mails,
    olga,
    election: (fields = {}) =>
      addElection(service, {
        open_at: isoTime(service.clock.now + HOUR),
        close_at: isoTime(service.clock.now + 3 * HOUR),
        ...fields,
      }),
    invite: (id, body, who = olga) => service.post(`/admin/elections/${id}/invite`, body, who),
    async sendAll() {
      for (let before = -1; before !== mails.mails.length; ) {
        before = mails.mails.length;
        await sendDueMails(service.ctx);
      }
    },
    async [Symbol.asyncDispose]() {
      await club[Symbol.asyncDispose]();
    },
  };
}
