import { z } from 'zod';
import { getLinkOrigin } from '#kernel/access/link-origin.ts';
import type { Context } from '#kernel/context.ts';
import { act } from '#kernel/http/act.ts';
import { linesOf } from '#kernel/http/form.ts';
import type { App } from '#kernel/http/http.ts';
import { Id } from '#kernel/ids.ts';
import { AFTER, AfterInput, mailAfter } from '#meetings/after.ts';
import { inviteToMeeting, tellInvited } from '#meetings/invitations.ts';
import { makeEvent } from '#meetings/program.ts';
import { counted, listed } from '#views/components/numbers.ts';
import { meetingSectionPath } from '#views/meetings/words.ts';
import { InvitedInput, LONG_FORM } from '#voting/invitations/recipients.ts';
import { renderMeeting } from './meetings.ts';

const params = z.object({ id: Id });

/** The invitation by mail to a meeting, and its event of the calendar. */
export function meetingInvitations(app: App, { ctx }: { ctx: Context }): void {
  act(app, ctx, {
    both: 'POST /admin/meetings/:id/invite',
    summary: 'Mail the agenda with a calendar file',
    bodyLimit: LONG_FORM,
    params,
    body: InvitedInput,
    fromForm: readForm,
    refused: (request, refused) => renderMeeting(ctx, request, request.params.id, { refused, at: 'invite' }),
    run: ({ params: { id }, body, actor, request }) =>
      inviteToMeeting(ctx, id, body, getLinkOrigin(ctx, request), actor),
    json: (invited) => invited,
    next: ({ queued, waiting, unreached, invalid }, { params: { id }, request }) =>
      renderMeeting(ctx, request, id, {
        page: 'mails',
        said: [
          `${counted(queued, 'mail')} on the way.`,
          ...(waiting > 0 ? [`${counted(waiting, 'mail')} from before still waiting.`] : []),
          ...(unreached.length > 0
            ? [`${counted(unreached.length, 'member')} without an address: ${listed(unreached)}. Tell them.`]
            : []),
          ...(invalid.length > 0 ? [`Not addresses: ${invalid.map(({ email }) => email).join(', ')}.`] : []),
        ].join(' '),
      }),
  });

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
