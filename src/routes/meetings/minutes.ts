import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { demand } from '#kernel/access/guards.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { actsOn, doneQuery } from '#kernel/http/act.ts';
import { notFound } from '#kernel/http/errors.ts';
import { type App, type RefusedForm, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { wholeNumber } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { inEnglish } from '#kernel/language/kept-text.ts';
import { t } from '#kernel/language/message.ts';
import { formatWhen } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { getMeeting, type Meeting } from '#meetings/meetings.ts';
import { findSigner } from '#meetings/minutes/facts.ts';
import { withoutPersons } from '#meetings/minutes/public.ts';
import { readSigners } from '#meetings/minutes/signers.ts';
import {
  CorrectInput,
  changeMinutes,
  correctMinutes,
  dropCorrection,
  getMinutes,
  lastSigned,
  listVersions,
  type Minutes,
  MinutesPatch,
  minutesFile,
  SignInput,
  signMinutes,
} from '#meetings/minutes/versions.ts';
import { actingPerson } from '#people/approvals/approvals.ts';
import { listAssignments } from '#people/roles.ts';
import { type MinutesPageProps, minutesPage } from '#views/meetings/admin/minutes.ts';
import { minutesInWords, publicBlocks } from '#views/meetings/minutes/document.ts';
import { DOCX_TYPE, minutesDocx } from '#views/meetings/minutes/docx.ts';
import { framedBlocks, shownSignatures } from '#views/meetings/minutes/frame.ts';
import { minutesMarkdown } from '#views/meetings/minutes/markdown.ts';
import { publicMinutesPage } from '#views/meetings/minutes.ts';

const params = z.object({ id: Id });
const versionQuery = z.object({ version: wholeNumber(1, 1_000_000).optional() });

/** The minutes of a meeting: read, write, sign, correct. The two persons who sign need no permission. */
export function minutes(app: App, { ctx }: { ctx: Context }): void {
  const refusedAt =
    (at: OnPage['at']) => (request: FastifyRequest & { params: { id: string } }, refused: RefusedForm) =>
      renderMinutes(ctx, request, request.params.id, { refused, at });
  const page = actsOn(app, ctx, {
    at: '/admin/meetings/:id/minutes',
    permission: 'any',
    params,
    page: ({ id }) => `/admin/meetings/${id}/minutes`,
    refused: refusedAt('correct'),
    json: ({ params: { id } }) => minutesJson(ctx, getMeeting(ctx.db, id)),
    said: { answers: t('meetings-admin.done.minutes_answers') },
  });
  const config = { permission: 'any' } as const;
  const querystring = doneQuery.extend(versionQuery.shape);

  app.get(
    '/admin/meetings/:id/minutes',
    { config, schema: { summary: 'The minutes of a meeting', params, querystring } },
    async (request, reply) => {
      reply.header('vary', 'Accept');
      const { done, version } = request.query;
      const meeting = await readable(ctx, request, request.params.id);
      if (!wantsHtml(request)) return minutesJson(ctx, meeting, version);
      return sendHtml(
        reply,
        await renderMinutes(ctx, request, meeting.id, { done: page.said(done), version }),
      );
    },
  );

  for (const [ending, type, make] of FORMATS)
    app.get(
      `/admin/meetings/:id/minutes.${ending}`,
      { config, schema: { summary: `The minutes as a file: .${ending}`, params, querystring: versionQuery } },
      async (request, reply) => {
        const meeting = await readable(ctx, request, request.params.id);
        const found = await getMinutes(ctx, meeting, minutesInWords(ctx), request.query.version);
        return reply
          .type(type)
          .header('content-disposition', `attachment; filename="${minutesFile(found.version)}.${ending}"`)
          .send(make(framed(ctx, found), shownSignatures(ctx, found)));
      },
    );

  page.add('PATCH', 'Write in the minutes, or name the two persons who sign them', {
    body: MinutesPatch,
    refused: refusedAt('write'),
    run: async ({ params: { id }, body: { texts, ...named }, actor, request }) => {
      const meeting = await writable(ctx, request, id);
      const names = Object.values(named).some((one) => one !== undefined);
      if (names && !mayWrite(request)) await demand(ctx, request, 'elections:write');
      const signers = names ? readSigners(ctx.db, meeting, named) : {};
      await changeMinutes(ctx, id, { texts, signers }, actor);
    },
    done: ['saved', t('meetings-admin.done.saved')],
  });

  page.add('POST /sign', 'Sign the minutes as one of the two persons whom the meeting names', {
    sudo: true,
    body: SignInput,
    refused: refusedAt('sign'),
    run: ({ params: { id }, body, actor, request }) =>
      signMinutes(ctx, id, body, minutesInWords(ctx), { person: actingPerson(request), actor }),
    done: ['signed', t('meetings-admin.done.signed')],
  });

  page.add('POST /correct', 'Begin a corrected version of signed minutes', {
    body: CorrectInput,
    run: async ({ params: { id }, body, actor, request }) => {
      await writable(ctx, request, id);
      return correctMinutes(ctx, id, body, actor);
    },
    done: ['correct', t('meetings-admin.done.new_version_begun_signed_one')],
  });

  page.add('DELETE /correct', 'Drop a correction that was begun', {
    run: async ({ params: { id }, actor, request }) => {
      await writable(ctx, request, id);
      await dropCorrection(ctx, id, actor);
    },
    done: ['dropped', t('meetings-admin.done.correction_dropped_signed_minutes_stand')],
  });
}

/** The signed minutes for everybody, where the club shows them. */
export function publicMinutes(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/m/:id/minutes',
    { schema: { summary: 'The signed minutes of a meeting', params, querystring: versionQuery } },
    async (request, reply) => {
      reply.header('vary', 'Accept');
      const meeting = getMeeting(ctx.db, request.params.id);
      const versions = listVersions(ctx.db, meeting.id).filter(({ state }) => state === 'signed');
      const version = request.query.version ?? versions.at(-1)?.version;
      if (meeting.minutes_public === 0 || !versions.some((one) => one.version === version))
        throw notFound('minutes_not_found');
      const found = await getMinutes(ctx, meeting, minutesInWords(ctx), version);
      const facts = withoutPersons(found.content.facts);
      if (!wantsHtml(request))
        return { minutes: { ...frameOf(found), ...facts }, versions, ...signedBy(found) };
      return sendHtml(
        reply,
        publicMinutesPage({
          meeting,
          blocks: publicBlocks(ctx, found),
          signatures: shownSignatures(ctx, found),
          version: found.version,
          versions,
        }),
      );
    },
  );
}

/** Whether everybody can read minutes of a meeting. */
export const hasPublicMinutes = (ctx: Context, meeting: Meeting): boolean =>
  meeting.minutes_public === 1 && lastSigned(ctx.db, meeting.id) !== undefined;

type Shown = ReturnType<typeof shownSignatures>;

const FORMATS: readonly [
  ending: string,
  type: string,
  make: (of: Minutes, signed: Shown) => Buffer | string,
][] = [
  [
    'docx',
    DOCX_TYPE,
    ({ content }, signed) => minutesDocx(content.facts.meeting.title, content.blocks, signed),
  ],
  ['md', 'text/markdown; charset=utf-8', ({ content }, signed) => minutesMarkdown(content.blocks, signed)],
];

/** Minutes with what stands around them on a page or in a file. */
const framed = ({ config }: Context, found: Minutes): Minutes => ({
  ...found,
  content: { ...found.content, blocks: framedBlocks(found.content.blocks, found, config.TIME_ZONE) },
});

const frameOf = ({ version, state, reason, signed_at, sha256, later, differences }: Minutes) => ({
  version,
  state,
  reason,
  signed_at,
  sha256,
  ...(later.length > 0 && {
    corrected_after_signing: later.map((one) => ({ ...one, what: one.what.for(ENGLISH) })),
  }),
  ...(differences.length > 0 && { differences: differences.map(inEnglish) }),
});

const signedBy = ({ signatures }: Minutes) => ({ signatures });

async function minutesJson(ctx: Context, meeting: Meeting, version?: number) {
  const found = await getMinutes(ctx, meeting, minutesInWords(ctx), version);
  return {
    minutes: { ...found.content.facts, ...frameOf(found) },
    // What the check number is of, to the letter.
    ...(found.state === 'signed' && { content: JSON.stringify(found.content) }),
    signatures: found.signatures,
    versions: listVersions(ctx.db, meeting.id),
  };
}

const mayWrite = ({ granted }: FastifyRequest): boolean =>
  granted?.has('elections:write') === true || granted?.has('elections:certify') === true;

function isNamed(request: FastifyRequest, { chair_id, secretary_id }: Meeting): boolean {
  const person = actingPerson(request);
  return person !== undefined && (person === chair_id || person === secretary_id);
}

/** @throws 403 for somebody who neither reads elections nor is named, 404 */
async function readable(ctx: Context, request: FastifyRequest, id: string): Promise<Meeting> {
  const meeting = await known(ctx, request, id, 'elections:read');
  if (!isNamed(request, meeting)) await demand(ctx, request, 'elections:read');
  return meeting;
}

/** @throws 403 for somebody who neither writes or certifies elections nor is named, 404 */
async function writable(ctx: Context, request: FastifyRequest, id: string): Promise<Meeting> {
  const meeting = await known(ctx, request, id, 'elections:write');
  if (!isNamed(request, meeting) && !mayWrite(request)) await demand(ctx, request, 'elections:write');
  return meeting;
}

/** Somebody without any permission does not learn which meetings there are. */
async function known(
  ctx: Context,
  request: FastifyRequest,
  id: string,
  permission: 'elections:read' | 'elections:write',
): Promise<Meeting> {
  try {
    return getMeeting(ctx.db, id);
  } catch (error) {
    await demand(ctx, request, permission);
    throw error;
  }
}

/** Who most likely signs: the only one with the role of a chair, and whoever is at the page as minute taker. */
function proposeSigners(ctx: Context, person: string | undefined): MinutesPageProps['proposed'] {
  const [chair, ...others] = listAssignments(ctx).filter(({ roles }) => roles.includes('chair'));
  const led = chair && others.length === 0 ? chair.name : undefined;
  const writer = person === undefined ? undefined : findSigner(ctx.db, person)?.name;
  return { chair: led, secretary: writer === led ? undefined : writer };
}

interface OnPage {
  done?: Words | string | undefined;
  version?: number | undefined;
  refused?: RefusedForm;
  at?: 'write' | 'sign' | 'correct' | undefined;
}

async function renderMinutes(
  ctx: Context,
  request: FastifyRequest,
  id: string,
  { done, version, refused, at }: OnPage,
): Promise<Html> {
  const meeting = await readable(ctx, request, id);
  const found = framed(ctx, await getMinutes(ctx, meeting, minutesInWords(ctx), version));
  const person = actingPerson(request);
  const signers = {
    chair: findSigner(ctx.db, meeting.chair_id),
    secretary: findSigner(ctx.db, meeting.secretary_id),
  };
  const mayName = mayWrite(request);
  const own = (['chair', 'secretary'] as const).filter((role) => signers[role]?.id === person);
  return minutesPage({
    meeting: {
      id,
      title: meeting.title,
      state: meeting.state,
      public: meeting.public === 1,
      minutes_public: meeting.minutes_public === 1,
      elected_details: meeting.elected_details === 1,
    },
    ...found,
    signatures: shownSignatures(ctx, found),
    versions: listVersions(ctx.db, id).map((one) => ({
      ...one,
      when: one.signed_at === null ? null : formatWhen(Date.parse(one.signed_at), ctx.config.TIME_ZONE),
    })),
    signers: { chair: signers.chair?.name, secretary: signers.secretary?.name },
    proposed: proposeSigners(ctx, person),
    own,
    mayName,
    mayWrite: mayName || own.length > 0,
    done,
    refused: refused && at ? { ...refused, at } : undefined,
    viewer: request.viewer,
  });
}
