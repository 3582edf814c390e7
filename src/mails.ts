import { actorWords } from '#kernel/access/actors.ts';
import { readText } from '#kernel/language/kept-text.ts';
import { detailsOf } from '#people/approvals/approvals.ts';
import { actMail } from '#views/mail/act.ts';
import { diagnosticMail } from '#views/mail/diagnostic.ts';
import { invitationMail } from '#views/mail/invitation.ts';
import { type MailParts, renderMail } from '#views/mail/layout.ts';
import { meetingParts, minutesMail, signatureMail } from '#views/mail/meeting.ts';
import {
  motionCallMail,
  motionConsentMail,
  motionDecisionMail,
  motionSecondMail,
} from '#views/mail/motion.ts';
import { myElectionsParts } from '#views/mail/my-elections.ts';
import { callMail, consentMail, decisionMail, secondMail } from '#views/mail/nomination.ts';
import { accountMail, newOwnerMail, roleMail, settingsMail, sharedAddressMail } from '#views/mail/notices.ts';
import { passkeyMail } from '#views/mail/passkey.ts';
import { meetingResultsMail, resultsMail } from '#views/mail/results.ts';
import { signInMail } from '#views/mail/sign-in.ts';
import { renewalMail, stoppedMail, subscriptionMail } from '#views/mail/subscription.ts';
import { testMail } from '#views/mail/test.ts';
import { welcomeMail } from '#views/mail/welcome.ts';
import { minutesInWords, publicBlocks } from '#views/meetings/minutes/document.ts';
import { DOCX_TYPE, minutesDocx } from '#views/meetings/minutes/docx.ts';
import { shownSignatures } from '#views/meetings/minutes/frame.ts';
import { endRenewal } from './calendar/subscriptions/renewals.ts';
import { findLinkMail } from './calendar/subscriptions/subscription-mails.ts';
import { otherReader, readerOfAddress } from './kernel/access/readers.ts';
import type { Context } from './kernel/context.ts';
import { formatShort, formatTime } from './kernel/language/times.ts';
import type { Words } from './kernel/language/words.ts';
import { type MailClub, mailClub } from './kernel/mail/club.ts';
import type { MailContent } from './kernel/mail/message.ts';
import type {
  ComposedRow,
  MailFacts,
  MailKind,
  MailRows,
  MailSort,
  MailSorts,
  NotSent,
  Once,
  OutboxMail,
} from './kernel/mail/outbox.ts';
import type { MailReason } from './kernel/mail/reasons.ts';
import { groupPath } from './kernel/settings/setting.ts';
import { settingOf } from './kernel/settings/table.ts';
import { prepareAfter } from './meetings/after.ts';
import { doorNumbersOf } from './meetings/door/numbers.ts';
import { prepareMeetingMail } from './meetings/meeting-mails.ts';
import { prepareSignatureMail } from './meetings/minutes/asking.ts';
import { getMinutes, lastSigned, minutesFile } from './meetings/minutes/versions.ts';
import { prepareMotionCallMail } from './meetings/motions/calls.ts';
import { prepareMotionMail } from './meetings/motions/mails.ts';
import { prepareCallMail } from './meetings/nominations/call-mails.ts';
import { prepareNominationMail } from './meetings/nominations/mails.ts';
import type { ProposalKind } from './meetings/proposals/periods.ts';
import { formatTypedCode } from './people/codes.ts';
import type { NoticeKind } from './people/notices.ts';
import { findSignInMail } from './people/sign-in.ts';
import { findWelcomed } from './people/welcomes.ts';
import { prepareResults, settleResults } from './voting/counting/results-mail.ts';
import { prepareInvitation } from './voting/invitations/invitation-mails.ts';
import {
  type InviteMailKind,
  isInvitationDue,
  settleInvitation,
  settleReminder,
  settleResend,
} from './voting/invitations/invite-mails.ts';
import { prepareOwnLink } from './voting/invitations/own-links.ts';
import { sampleData } from './voting/invitations/test-mails.ts';

/** Nobody waits for it, so it waits for the server. */
const ALONE = { repeats: true, waits: true, kept: 'days' } as const;

/** A mail whose outcome somebody waits for. */
const AWAITED = { repeats: false, waits: false, kept: 'days' } as const;

const TO_VOTE = { repeats: true, waits: false, kept: 'days' } as const;

/** Nobody gets it twice without a request of an officer. */
const OF_MAILING = { repeats: false, waits: false, kept: 'mailing' } as const;

/** A mail whose reader is found when it is written. */
type Made = Omit<ComposedRow, keyof MailContent> & { parts: MailParts };

/** How the parts of the mails of one kind are made. */
interface Sort<Kind extends MailKind> extends Omit<MailSort<Kind>, 'compose'> {
  /** Whether it has texts of officers' pages. */
  isForOfficers?: boolean;
  /** Whether it says everything in two languages where the club wants that. */
  mayHaveTwoLanguages?: boolean;
  compose(mails: MailRows<Kind>, once: Once): Made | NotSent | Promise<Made | NotSent>;
}

async function toInvited(ctx: Context, mails: MailRows<InviteMailKind>): Promise<Made | NotSent> {
  const data = await prepareInvitation(ctx, mails);
  return 'state' in data ? data : { parts: invitationMail(data) };
}

const skipped = (error: MailReason): NotSent => ({ state: 'SKIPPED', error });

/** A notice. `write` is also given the club and the time. `isForOfficers`: see `Sort`. */
const notice =
  (ctx: Context) =>
  <Kind extends NoticeKind>(
    write: (facts: MailFacts[Kind], about: { club: MailClub; at: Words }) => MailParts,
    isForOfficers = false,
  ): Sort<Kind> => ({
    ...ALONE,
    isForOfficers,
    mayRepeat: true,
    compose([{ facts }]) {
      const about = { club: mailClub(ctx.config), at: formatShort(facts.at, ctx.config.TIME_ZONE) };
      return { parts: write(facts, about), origin: facts.origin };
    },
  });

/** A mail to whoever is nominated or hands in a motion, or to a seconder. */
const proposalMail = <Kind extends `${ProposalKind}-${'consent' | 'second' | 'decision'}`, Data>(
  prepare: (mail: OutboxMail<Kind>) => Data | undefined,
  write: (data: Data) => MailParts,
): Sort<Kind> => ({
  ...ALONE,
  mayRepeat: true,
  compose([mail]) {
    const data = prepare(mail);
    return data ? { parts: write(data), origin: mail.facts.origin } : skipped('It was answered, or deleted');
  },
});

/** The same mail to everybody who may vote. */
const calledMail = <Kind extends `${ProposalKind}-call`, Data>(
  prepare: (mail: OutboxMail<Kind>) => Data | undefined,
  write: (data: Data) => MailParts,
): Sort<Kind> => ({
  ...ALONE,
  compose([mail], once) {
    const { origin } = mail.facts;
    return once(`call of ${mail.ref} ${origin}`, () => {
      const data = prepare(mail);
      return data ? { parts: write(data), origin } : skipped('The call is over');
    });
  },
});

/**
 * How each kind of mail is made. A mail is written for whoever has the address at the moment at which it is sent; nothing
 * about their language is stored. A new kind is added to `MailFacts` of its domain, and to `partsOf`.
 */
export function mailSorts(ctx: Context): MailSorts {
  const written = <Kind extends MailKind>(sort: Sort<Kind>): MailSort<Kind> => {
    const { compose, isForOfficers, mayHaveTwoLanguages, ...rest } = sort;
    return {
      ...rest,
      async compose(mails, once) {
        const made = await compose(mails, once);
        if ('state' in made) return made;
        const { parts, ...more } = made;
        const reader = readerOfAddress(ctx.db, mails[0].email, isForOfficers ? 'officers' : 'visitors');
        const other = mayHaveTwoLanguages ? otherReader(ctx, reader) : undefined;
        return { ...renderMail(parts, reader, other), ...more };
      },
    };
  };
  const sorts = Object.entries(partsOf(ctx)) as unknown as [MailKind, Sort<MailKind>][];
  return Object.fromEntries(sorts.map(([kind, sort]) => [kind, written(sort)])) as unknown as MailSorts;
}

const partsOf = (ctx: Context): { [Kind in MailKind]: Sort<Kind> } => ({
  'sign-in-code': {
    ...ALONE,
    isUrgent: true,
    compose([{ ref, facts }]) {
      const asked = findSignInMail(ctx, ref ?? '');
      if (!asked) return skipped('Its code was used or has expired');
      const { origin, hasLink, account } = facts;
      const zone = ctx.config.TIME_ZONE;
      const parts = signInMail({
        club: mailClub(ctx.config),
        code: formatTypedCode(asked.code),
        link: hasLink ? origin + asked.link : undefined,
        account,
        asked: formatTime(asked.asked_at, zone),
        until: formatTime(asked.expires_at, zone),
      });
      return { parts, origin };
    },
  },
  'passkey-notice': notice(ctx)(({ news, at, origin }, { club }) => {
    const when = formatTime(at, ctx.config.TIME_ZONE);
    return passkeyMail({ club, news, when, link: `${origin}/me/passkeys` });
  }),
  'account-notice': notice(ctx)(({ account, isLinked, origin }, about) =>
    accountMail({ ...about, account, isLinked, link: `${origin}/me/oidc` }),
  ),
  'address-notice': notice(ctx)(({ email, origin }, about) =>
    sharedAddressMail({ ...about, email, link: `${origin}/me` }),
  ),
  'role-notice': notice(ctx)(({ roles, by, origin }, about) =>
    roleMail({ ...about, roles, by: actorWords(by), link: `${origin}/me` }),
  ),
  'owner-notice': notice(ctx)(
    ({ owner, by, origin }, about) =>
      newOwnerMail({ ...about, owner, by: actorWords(by), link: `${origin}/admin/pub/roles` }),
    true,
  ),
  'settings-notice': notice(ctx)(
    ({ changed, now, by, labels, origin }, about) =>
      settingsMail({
        ...about,
        changed,
        now,
        by: actorWords(by),
        labels: labels?.map(readText),
        link: `${origin}${groupPath(settingOf(changed).group)}`,
      }),
    true,
  ),
  'act-notice': notice(ctx)(
    ({ act, details, by, waits, origin }, about) =>
      actMail({
        ...about,
        act: readText(act),
        details: detailsOf(details),
        by: actorWords(by),
        waits,
        link: `${origin}/admin/approvals`,
      }),
    true,
  ),
  invitation: {
    ...TO_VOTE,
    mayHaveTwoLanguages: true,
    isDue: isInvitationDue,
    compose: (mails) => toInvited(ctx, mails),
    settle: settleInvitation,
  },
  resend: {
    ...AWAITED,
    mayHaveTwoLanguages: true,
    compose: (mails) => toInvited(ctx, mails),
    settle: (tx, [mail], outcome, actor) => settleResend(tx, mail, outcome, actor),
  },
  reminder: {
    ...OF_MAILING,
    mayHaveTwoLanguages: true,
    compose: (mails) => toInvited(ctx, mails),
    settle: (tx, [mail], outcome, actor) => settleReminder(tx, mail, outcome, actor),
  },
  results: {
    ...OF_MAILING,
    compose: ([{ ref }], once) =>
      once(`results of ${ref}`, async () => {
        const data = await prepareResults(ctx, ref ?? '');
        return 'state' in data ? data : { parts: resultsMail(data) };
      }),
    settle: (tx, [mail], outcome, actor) => settleResults(tx, mail, outcome, actor),
  },
  'own-link': {
    ...ALONE,
    kept: 'until sent',
    async compose([mail]) {
      const data = await prepareOwnLink(ctx, mail);
      return 'state' in data ? data : { parts: myElectionsParts(data) };
    },
  },
  sample: {
    ...AWAITED,
    compose: ([{ facts }]) => ({ parts: diagnosticMail(facts.template, sampleData(ctx)) }),
  },
  welcome: {
    repeats: false,
    waits: true,
    kept: 'days',
    mayRepeat: true,
    compose([mail]) {
      const name = findWelcomed(ctx.db, mail);
      if (name === undefined) return skipped('This person is not on the roll any more');
      const { origin } = mail.facts;
      const parts = welcomeMail({ club: mailClub(ctx.config), name, link: `${origin}/sign-in` });
      return { parts, origin };
    },
  },
  'meeting-invitation': {
    ...ALONE,
    mayHaveTwoLanguages: true,
    // Later mails of the meeting, such as its minutes, go to the same addresses.
    kept: 'year',
    compose([mail], once) {
      const { origin, change, message, added } = mail.facts;
      const numbers = doorNumbersOf(ctx.db, mail.ref ?? '', mail.email);
      const own = numbers.map(({ number }) => number).join();
      return once(`meeting ${mail.ref} ${origin} ${change} ${added?.join()} ${own} ${message}`, async () => {
        const data = await prepareMeetingMail(ctx, mail, numbers);
        return data
          ? { parts: meetingParts(data.props), files: data.files, origin }
          : skipped('The meeting is over');
      });
    },
  },
  'meeting-after': {
    ...ALONE,
    mayRepeat: true,
    compose([{ ref, facts }], once) {
      const { origin, what } = facts;
      return once(`${what} of meeting ${ref} ${origin}`, async () => {
        const data = await prepareAfter(ctx, ref ?? '', origin);
        if (!data) return skipped('The meeting is deleted');
        if (what === 'results') return { parts: meetingResultsMail(data), origin };
        const version = lastSigned(ctx.db, data.meeting.id);
        if (version === undefined) return skipped('The minutes are not signed');
        const found = await getMinutes(ctx, data.meeting, minutesInWords(ctx), version);
        const content = minutesDocx(
          data.meeting.title,
          publicBlocks(ctx, found),
          shownSignatures(ctx, found),
        );
        const files = [{ name: `${minutesFile(version)}.docx`, type: DOCX_TYPE, content }];
        return { parts: minutesMail({ ...data, reason: found.reason }), files, origin };
      });
    },
  },
  'minutes-signature': {
    ...ALONE,
    mayRepeat: true,
    async compose([mail]) {
      const data = await prepareSignatureMail(ctx, mail, minutesInWords(ctx));
      return data
        ? { parts: signatureMail(data), origin: mail.facts.origin }
        : skipped('It was signed, or is not needed any more');
    },
  },
  'nomination-call': calledMail((mail) => prepareCallMail(ctx, mail), callMail),
  'nomination-consent': proposalMail((mail) => prepareNominationMail(ctx, mail), consentMail),
  'nomination-second': proposalMail((mail) => prepareNominationMail(ctx, mail), secondMail),
  'nomination-decision': proposalMail((mail) => prepareNominationMail(ctx, mail), decisionMail),
  'motion-call': calledMail((mail) => prepareMotionCallMail(ctx, mail), motionCallMail),
  'motion-consent': proposalMail((mail) => prepareMotionMail(ctx, mail), motionConsentMail),
  'motion-second': proposalMail((mail) => prepareMotionMail(ctx, mail), motionSecondMail),
  'motion-decision': proposalMail((mail) => prepareMotionMail(ctx, mail), motionDecisionMail),
  'first-test': {
    ...AWAITED,
    compose: () => ({
      parts: testMail({ club: mailClub(ctx.config), sent: formatTime(ctx.now(), ctx.config.TIME_ZONE) }),
    }),
  },
  'calendar-link': {
    ...AWAITED,
    compose([{ ref }]) {
      const made = findLinkMail(ctx, ref ?? '');
      if (!made) return skipped('Its link was withdrawn or has expired');
      const { props, headers, isStopped } = made;
      return { parts: isStopped ? stoppedMail(props) : subscriptionMail(props), headers };
    },
  },
  'calendar-renewal': {
    ...ALONE,
    compose([{ ref }]) {
      const made = findLinkMail(ctx, ref ?? '');
      if (!made) return skipped('Its link was used, withdrawn or has expired');
      return { parts: renewalMail(made.props), headers: made.headers };
    },
    settle(tx, [mail], { state }) {
      if (state === 'FAILED') endRenewal(ctx, tx, mail);
    },
  },
});
