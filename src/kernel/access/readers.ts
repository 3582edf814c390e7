import type { FastifyReply, FastifyRequest } from 'fastify';
import { kept } from '#kernel/cache.ts';
import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Reader as Database, prepare } from '#kernel/db/queries.ts';
import { cookieName, readCookie, setCookie } from '#kernel/http/cookies.ts';
import { header } from '#kernel/http/http.ts';
import {
  acceptedLanguages,
  firstOffered,
  offeredLanguages,
  type Readers,
  readerIn,
} from '#kernel/language/readers.ts';
import type { Reader } from '#kernel/language/words.ts';
import { clubReader } from '#kernel/locale.ts';
import { listPeopleOf } from './person-roles.ts';
import { readSignedIn } from './sessions.ts';

const COOKIE = 'language';
const COOKIE_LIVES = 365 * DAY;

/** Keeps the language that a visitor has chosen in their browser, and nowhere else; null to forget it. */
export function keepLanguage(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  language: string | null,
): void {
  setCookie(ctx, request, reply, {
    name: COOKIE,
    value: language ?? '',
    maxAge: language === null ? 0 : COOKIE_LIVES,
  });
}

/** By their header: the browsers of a language send few. */
const ACCEPTED = kept<string[]>({ atMost: 100 });

/**
 * Returns the function that finds the reader of a request. A visitor reads what they chose, else the language of the
 * signed-in person, else the first of their browser that is offered, else the club's; officers and staff the person's,
 * else the club's, else English. Do not store or log it: in a small club a language is a name.
 */
export const readersOf =
  (ctx: Context) =>
  (request: FastifyRequest, readers: Readers): Reader => {
    if (readers === 'club' || offeredLanguages().length === 1) return clubReader();
    const club = clubReader().language;
    if (readers === 'officers')
      return readerIn(firstOffered([languageOfStaff(ctx, request), club], readers) ?? 'en');
    const chosen = firstOffered([readCookie(request, cookieName(ctx, request, COOKIE))]);
    if (chosen !== undefined) return readerIn(chosen);
    const own = sessionPersonOf(ctx, request)?.language;
    const sent = header(request, 'accept-language') ?? '';
    const accepted = ctx.cache.get(ACCEPTED, sent, () => acceptedLanguages(sent));
    return readerIn(firstOffered([own, ...accepted, club]) ?? 'en');
  };

/** The language of the person who uses a page of officers or staff, however they are identified. */
function languageOfStaff(ctx: Context, request: FastifyRequest): string | null | undefined {
  const id = request.session?.person_id ?? request.actorPerson;
  if (id === undefined || id === request.sessionPerson?.id) return sessionPersonOf(ctx, request)?.language;
  return findLanguage(ctx.db, id);
}

/** The person of the session, without a note that they were seen. Most pages have looked them up before they are written. */
const sessionPersonOf = (ctx: Context, request: FastifyRequest) =>
  request.sessionPerson ?? readSignedIn(ctx, request)?.person;

const languageOf = prepare((p: { id: string }) =>
  build.selectFrom('persons').select('language').where('id', '=', p.id),
);

/** The language that a person has chosen on their page, offered or not; null if none. */
export const findLanguage = (db: Database, personId: string): string | null =>
  db.first(languageOf({ id: personId }))?.language ?? null;

/** The reader of a mail to a person: in the language that they have chosen, else the club's. */
export const readerOfPerson = (db: Database, personId: string): Reader =>
  readerOfLanguages([findLanguage(db, personId)]);

/**
 * The reader of a mail to an address, in lower case: the people who have it must agree, else it is the club's.
 * @param readers `officers` where the mail has texts that only complete languages have
 */
export const readerOfAddress = (
  db: Database,
  email: string,
  readers: Exclude<Readers, 'club'> = 'visitors',
): Reader =>
  readerOfLanguages(
    listPeopleOf(db, email).map(({ id }) => findLanguage(db, id)),
    readers,
  );

/**
 * The second reader of an invitation or a slip, in whose language it says everything again below the first part; undefined
 * where the club wants one language. To a reader of the second language it is the club's.
 */
export function otherReader(
  { config }: Pick<Context, 'config'>,
  first: Reader = clubReader(),
): Reader | undefined {
  const second = firstOffered([config.settings.second_language]);
  if (second === undefined || second === clubReader().language) return undefined;
  return readerIn(second === first.language ? clubReader().language : second);
}

function readerOfLanguages(
  chosen: readonly (string | null)[],
  readers: Exclude<Readers, 'club'> = 'visitors',
): Reader {
  const club = clubReader().language;
  const [first = club, ...others] = chosen.map((language) => firstOffered([language], readers) ?? club);
  return readerIn(others.every((one) => one === first) ? first : club);
}
