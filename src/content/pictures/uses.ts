import { type AliasedExpression, sql } from 'kysely';
import { KINDS } from '#content/kinds.ts';
import { readBody, titleOf } from '#content/records/kind.ts';
import { RESTORABLE } from '#content/records/reading.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { findSettings } from '#kernel/db/settings.ts';
import { t } from '#kernel/language/message.ts';
import { ENGLISH, type Words } from '#kernel/language/words.ts';

/** A record or an election that shows a picture, or will show it once its newest version is published. */
export interface PictureUse {
  kind: string;
  id: string;
  title: Words | string;
}

/** A use as JSON has it. */
export const useJson = ({ title, ...use }: PictureUse) => ({
  ...use,
  title: typeof title === 'string' ? title : title.for(ENGLISH),
});

type NamedUse = PictureUse & { picture: string };

/** Lists the uses of one picture, or of all. */
type ListUses = (reader: Reader, now: number, picture?: string) => NamedUse[];

/**
 * Everything that uses pictures, by its name in the schema. Whoever deletes a picture, by hand or by a job, asks this
 * table; a column that names pictures needs an entry.
 */
export const PICTURE_USERS = {
  /** The club's logo. */
  settings: (reader, _now, picture) => {
    const { logo } = findSettings(reader);
    return logo && (picture ?? logo) === logo ? [{ ...LOGO_USE, picture: logo }] : [];
  },
  /** Records in their newest or published version, even removed ones while they can be restored. */
  content_records: (reader, now, picture) => {
    const query = namingRows(now);
    const rows = reader.all(
      picture === undefined ? query.where(PICTURE, 'is not', null) : query.where(PICTURE, '=', picture),
    );
    return [...new Map(rows.map((row) => [`${row.id} ${row.picture}`, recordUse(row)])).values()];
  },
  options: named(
    'election',
    (title) => t('content-admin.pictures.use_election', { title }),
    () =>
      build
        .selectFrom('options as option')
        .innerJoin('elections as election', 'election.id', 'option.election_id')
        .select(['election.id', 'election.title', 'option.picture'])
        .distinct()
        .orderBy('election.id'),
  ),
  /** Their pictures become those of candidates. */
  nominations: named(
    'nomination',
    (title) => t('content-admin.pictures.use_nomination', { title }),
    () =>
      build
        .selectFrom('nominations as nomination')
        .innerJoin('meeting_items as item', 'item.id', 'nomination.item_id')
        .select(['nomination.id', 'item.title', 'nomination.picture'])
        .orderBy('nomination.id'),
  ),
  /** Their mixes, at any time of day. */
  screens: named(
    'screen',
    (name) => t('content-admin.pictures.use_screen', { name }),
    () => screensShowing(),
  ),
} satisfies Record<string, ListUses>;

const USERS: readonly ListUses[] = Object.values(PICTURE_USERS);

/** Lists what uses a picture: records in their newest or published version, even removed ones while restorable. */
export const listUses = (reader: Reader, picture: string, now: number): PictureUse[] =>
  USERS.flatMap((list) => list(reader, now, picture)).map(({ picture: _, ...use }) => use);

/** Returns the uses of every picture by its id. */
export function listAllUses(reader: Reader, now: number): ReadonlyMap<string, PictureUse[]> {
  const all = USERS.flatMap((list) => list(reader, now));
  const uses = Map.groupBy(all, ({ picture }) => picture);
  return new Map([...uses].map(([id, of]) => [id, of.map(({ picture: _, ...use }) => use)]));
}

const LOGO_USE: PictureUse = { kind: 'settings', id: 'logo', title: t('content-admin.pictures.use_logo') };

interface NamingRow {
  id: string;
  title: string;
  picture: string | null;
}

/** The uses by the rows of a query. */
function named(
  kind: string,
  words: (title: string) => Words,
  rows: () => { as(alias: 'used'): AliasedExpression<NamingRow, 'used'> },
): ListUses {
  return (reader, _now, picture) => {
    const query = build.selectFrom(rows().as('used')).select(['used.id', 'used.title', 'used.picture']);
    const found = reader.all(
      picture === undefined
        ? query.where('used.picture', 'is not', null)
        : query.where('used.picture', '=', picture),
    );
    return found.map((row) => ({ kind, id: row.id, title: words(row.title), picture: row.picture ?? '' }));
  };
}

function recordUse({
  id,
  kind: name,
  body,
  picture,
}: {
  id: string;
  kind: string;
  body: string;
  picture: string | null;
}) {
  const kind = KINDS.find((known) => known.name === name);
  return { kind: name, id, title: kind ? titleOf(kind, readBody(kind, body)) : name, picture: picture ?? '' };
}

/** Selects the pictures that screens show by their mixes, at any time of day. */
const screensShowing = () =>
  build
    .selectFrom(
      sql<NamingRow>`(
        SELECT screens.id, coalesce(name, screen) AS title, chosen.value ->> '$.id' AS picture
        FROM screens, json_each(coalesce(mix, '{}'), '$.pictures') AS chosen
        UNION
        SELECT screens.id, coalesce(name, screen), chosen.value ->> '$.id'
        FROM screens, json_each(times) AS slot, json_each(slot.value, '$.mix.pictures') AS chosen
      )`.as('shown'),
    )
    .select(['shown.id', 'shown.title', 'shown.picture'])
    .orderBy('shown.id');

/** Whether a screen shows this picture by one of its mixes. */
export const isOnScreen = (reader: Reader, picture: string): boolean =>
  reader.first(screensShowing().where('shown.picture', '=', picture).limit(1)) !== undefined;

const PICTURE = sql<string | null>`revision.body ->> '$.picture'`;

const namingRows = (now: number) =>
  build
    .selectFrom('content_records as record')
    .innerJoin('content_revisions as revision', (join) =>
      join
        .onRef('revision.record_id', '=', 'record.id')
        .on((is) =>
          is.or([
            is('revision.version', '=', is.ref('record.version')),
            is('revision.version', '=', is.ref('record.published_version')),
          ]),
        ),
    )
    .select(['record.id', 'record.kind', 'revision.body', PICTURE.as('picture')])
    .where((is) =>
      is.or([is('record.removed_at', 'is', null), is('record.removed_at', '>', now - RESTORABLE)]),
    )
    .orderBy('record.created_at')
    .orderBy('record.id')
    .orderBy('revision.version', 'desc');
