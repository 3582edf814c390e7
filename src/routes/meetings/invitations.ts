import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { getLinkOrigin } from '#kernel/access/link-origin.ts';
import { otherReader } from '#kernel/access/readers.ts';
import type { Context } from '#kernel/context.ts';
import { act } from '#kernel/http/act.ts';
import { conflict } from '#kernel/http/errors.ts';
import { linesOf } from '#kernel/http/form.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { allOf, commas, sentences } from '#kernel/language/times.ts';
import { clubReader } from '#kernel/locale.ts';
import { AFTER, AfterInput, mailAfter } from '#meetings/after.ts';
import { doorNumberPath } from '#meetings/door/numbers.ts';
import {
  checkInvitation,
  inviteToMeeting,
  listLetters,
  MeetingInviteInput,
  prepareLetters,
  tellInvited,
} from '#meetings/invitations.ts';
import { invitedPath } from '#meetings/keys.ts';
import { prepareMeetingMail } from '#meetings/meeting-mails.ts';
import { getMeeting, placeOf } from '#meetings/meetings.ts';
import { makeEvent } from '#meetings/program.ts';
import { onPaper, renderMail } from '#views/mail/layout.ts';
import { meetingParts } from '#views/mail/meeting.ts';
import { meetingInviteCheckPage } from '#views/meetings/admin/invite-check.ts';
import { lettersPage } from '#views/meetings/admin/letters.ts';
import { meetingSectionPath } from '#views/meetings/words.ts';
import { LONG_FORM } from '#voting/invitations/recipients.ts';
import { renderMeeting } from './meetings.ts';

const params = z.object({ id: Id });

/** The invitation by mail to a meeting, and its event of the calendar. */
export function meetingInvitations(app: App, { ctx }: { ctx: Context }): void {
  act(app, ctx, {
    both: 'POST /admin/meetings/:id/invite',
    summary: 'Mail the agenda with a calendar file',
    bodyLimit: LONG_FORM,
    params,
    body: MeetingInviteInput,
    fromForm: readForm,
    refused: (request, refused) => renderMeeting(ctx, request, request.params.id, { refused, at: 'invite' }),
    run: ({ params: { id }, body, actor, request }) =>
      inviteToMeeting(ctx, id, body, getLinkOrigin(ctx, request), actor),
    json: (invited) => invited,
    next: ({ queued, waiting, unreached, invalid }, { params: { id }, request }) =>
      renderMeeting(ctx, request, id, {
        page: 'mails',
        said: sentences([
          t('meetings-admin.done.mails_queued', { n: queued }),
          waiting > 0 && t('meetings-admin.done.mails_waiting', { n: waiting }),
          unreached.length > 0 &&
            t('meetings-admin.done.unreached', { n: unreached.length, names: allOf(unreached) }),
          invalid.length > 0 &&
            t('meetings-admin.done.not_addresses', {
              addresses: commas(invalid.map(({ email }) => email)) ?? '',
            }),
        ]),
      }),
  });

  act(app, ctx, {
    form: 'POST /admin/meetings/:id/invite/check',
    summary: 'Who gets the invitation, and what it says',
    bodyLimit: LONG_FORM,
    params,
    body: MeetingInviteInput,
    fromForm: readForm,
    refused: (request, refused) => renderMeeting(ctx, request, request.params.id, { refused, at: 'invite' }),
    run: async ({ params: { id }, body, request }) =>
      checkInvitation(ctx, id, body, request.granted?.has('people:read') ?? false),
    next: async (invited, { params: { id }, body, request }) => {
      return meetingInviteCheckPage({
        meeting: placeOf(getMeeting(ctx.db, id)),
        invited,
        mail: renderMail(
          meetingParts(await sampleOf(request, id, body.message)),
          clubReader(),
          otherReader(ctx),
        ),
        from: ctx.config.FROM_EMAIL,
        entered: request.entered ?? {},
        viewer: request.viewer,
      });
    },
  });

  act(app, ctx, {
    form: 'POST /admin/meetings/:id/invite/edit',
    summary: 'The form of the invitation again, as it was filled in',
    bodyLimit: LONG_FORM,
    params,
    run: async () => undefined,
    next: (_, { params: { id }, request }) =>
      renderMeeting(ctx, request, id, { page: 'mails', entered: request.entered ?? {} }),
  });

  act(app, ctx, {
    both: 'POST /admin/meetings/:id/letters',
    summary: 'Letters for members without a mail address, with their numbers for the door',
    params,
    refused: (request, refused) => renderMeeting(ctx, request, request.params.id, { refused, at: 'invite' }),
    run: ({ params: { id }, actor }) => prepareLetters(ctx, id, actor),
    json: (letters) => ({ letters }),
    next: (_, { params: { id } }) => `/admin/meetings/${id}/letters`,
  });

  app.get(
    '/admin/meetings/:id/letters',
    { config: { permission: 'elections:run' }, schema: { params } },
    async (request, reply) => {
      const meeting = getMeeting(ctx.db, request.params.id);
      const { default: QRCode } = await import('qrcode');
      const origin = getLinkOrigin(ctx, request);
      const letters = listLetters(ctx.db, meeting, ctx.config.TIME_ZONE).map(({ name, number }) => {
        const { modules: qr } = QRCode.create(
          origin + invitedPath(ctx, meeting, doorNumberPath(meeting.id, number)),
          {
            errorCorrectionLevel: 'M',
          },
        );
        return { name, number, qr };
      });
      const parts = meetingParts(await sampleOf(request, meeting.id, null));
      const mail = onPaper(parts, clubReader());
      const second = otherReader(ctx);
      return sendHtml(
        reply,
        lettersPage({
          meeting: placeOf(meeting),
          mail,
          again: second && onPaper(parts, second),
          letters,
          viewer: request.viewer,
        }),
      );
    },
  );

  /** What the mail is composed from, without a number for the door. @throws 409 once the meeting is closed */
  async function sampleOf(request: FastifyRequest, id: string, message: string | null) {
    const facts = { origin: getLinkOrigin(ctx, request), ...(message !== null && { message }) };
    const data = await prepareMeetingMail(ctx, { ref: id, facts }, []);
    if (!data) throw conflict('meeting_closed');
    return data.props;
  }

  act(app, ctx, {
    both: 'POST /admin/meetings/:id/tell',
    summary: 'Mail those who were invited that a meeting is called off, or its new time and place',
    permission: 'elections:write',
    params,
    refused: (request, refused) => renderMeeting(ctx, request, request.params.id, { refused, at: 'tell' }),
    run: ({ params: { id }, actor, request }) => tellInvited(ctx, id, getLinkOrigin(ctx, request), actor),
    json: (queued) => ({ queued }),
    next: (_, { params: { id } }) => `/admin/meetings/${id}?done=told`,
  });

  for (const what of AFTER)
    act(app, ctx, {
      both: `POST /admin/meetings/:id/${what}/mail`,
      summary: `Mail the ${what} of a closed meeting to everybody who was invited`,
      params,
      body: AfterInput,
      refused: (request, refused) => renderMeeting(ctx, request, request.params.id, { refused, at: 'after' }),
      run: ({ params: { id }, body, actor, request }) =>
        mailAfter(ctx, { id, what, origin: getLinkOrigin(ctx, request) }, body, actor),
      json: (queued) => ({ queued }),
      next: (_, { params: { id } }) => `/admin/meetings/${id}?done=mailed`,
    });

  act(app, ctx, {
    both: 'POST /admin/meetings/:id/event',
    summary: 'Make or renew the event of a meeting in the calendar',
    permission: 'elections:write',
    params,
    refused: (request, refused) => renderMeeting(ctx, request, request.params.id, { refused, at: 'event' }),
    run: async ({ params: { id }, actor }) => ({ event_id: await makeEvent(ctx, id, actor) }),
    json: (made) => made,
    next: (_, { params: { id } }) => meetingSectionPath(id, 'invite', '?done=event'),
  });
}

/** The form has one address on each line, and a tick for everybody who may vote. */
const readForm = ({ emails, roll, ...rest }: Record<string, unknown>) => ({
  ...rest,
  emails: typeof emails === 'string' ? linesOf(emails) : emails,
  ...(roll !== undefined && { roll: {} }),
});
