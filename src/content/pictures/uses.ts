import { sql } from 'kysely';
import { build, type Reader } from '#kernel/db/queries.ts';
import { findSettings } from '#kernel/db/settings.ts';
import { KINDS } from '../kinds.ts';
import { readBody } from '../records/kind.ts';
import { RESTORABLE } from '../records/reading.ts';

/** A record or an election that shows a picture, or will show it once its newest version is published. */
export interface PictureUse {
  kind: string;
  id: string;
  title: string;
}

/** Lists what uses a picture: records in their newest or published version, even removed ones while restorable. */
export function listUses(reader: Reader, picture: string, now: number): PictureUse[] {
  const rows = reader.all(namingRows(now).where(PICTURE, '=', picture));
  return [
    ...logoUse(reader, picture),
    ...new Map(rows.map((row) => [row.id, useOf(row)])).values(),
    ...reader.all(electionsShowing().where('option.picture', '=', picture)).map(electionUse),
    ...reader.all(nominationsShowing().where('nomination.picture', '=', picture)).map(nominationUse),
    ...reader.all(screensShowing().where('shown.picture', '=', picture)).map(screenUse),
  ];
}

/** Returns the settings as a use if the picture is the club's logo. */
const logoUse = (reader: Reader, picture: string): PictureUse[] =>
  findSettings(reader).logo === picture ? [LOGO_USE] : [];

const LOGO_USE: PictureUse = { kind: 'settings', id: 'logo', title: 'the club’s logo' };

/** Returns the uses of every picture by its id. */
export function listAllUses(reader: Reader, now: number): ReadonlyMap<string, PictureUse[]> {
  const uses = new Map<string, PictureUse[]>();
  for (const row of reader.all(namingRows(now).where(PICTURE, 'is not', null))) {
    const known = uses.getOrInsertComputed(row.picture ?? '', () => []);
    if (!known.some(({ id }) => id === row.id)) known.push(useOf(row));
  }
  for (const row of reader.all(electionsShowing().where('option.picture', 'is not', null)))
    uses.getOrInsertComputed(row.picture ?? '', () => []).push(electionUse(row));
  for (const row of reader.all(nominationsShowing().where('nomination.picture', 'is not', null)))
    uses.getOrInsertComputed(row.picture ?? '', () => []).push(nominationUse(row));
  for (const row of reader.all(screensShowing()))
    uses.getOrInsertComputed(row.picture, () => []).push(screenUse(row));
  const { logo } = findSettings(reader);
  if (logo) uses.getOrInsertComputed(logo, () => []).push(LOGO_USE);
  return uses;
}

function useOf({ id, kind: name, body }: { id: string; kind: string; body: string }): PictureUse {
  const kind = KINDS.find((known) => known.name === name);
  return { kind: name, id, title: kind ? kind.title(readBody(kind, body)) : name };
}

/** Selects the pictures of candidates and options. */
const electionsShowing = () =>
  build
    .selectFrom('options as option')
    .innerJoin('elections as election', 'election.id', 'option.election_id')
    .select(['election.id', 'election.title', 'option.picture'])
    .distinct()
    .orderBy('election.id');

const electionUse = ({ id, title }: { id: string; title: string }): PictureUse => ({
  kind: 'election',
  id,
  title: `the election “${title}”`,
});

/** Selects the pictures of nominees, which become those of candidates. */
const nominationsShowing = () =>
  build
    .selectFrom('nominations as nomination')
    .innerJoin('meeting_items as item', 'item.id', 'nomination.item_id')
    .select(['nomination.id', 'item.title', 'nomination.picture'])
    .orderBy('nomination.id');

const nominationUse = ({ id, title }: { id: string; title: string }): PictureUse => ({
  kind: 'nomination',
  id,
  title: `a nomination for “${title}”`,
});

/** Selects the pictures that screens show by their mixes, at any time of day. */
const screensShowing = () =>
  build
    .selectFrom(
      sql<{ id: string; name: string; picture: string }>`(
        SELECT screens.id, coalesce(name, screen) AS name, chosen.value ->> '$.id' AS picture
        FROM screens, json_each(coalesce(mix, '{}'), '$.pictures') AS chosen
        UNION
        SELECT screens.id, coalesce(name, screen), chosen.value ->> '$.id'
        FROM screens, json_each(times) AS slot, json_each(slot.value, '$.mix.pictures') AS chosen
      )`.as('shown'),
    )
    .select(['shown.id', 'shown.name', 'shown.picture'])
    .orderBy('shown.id');

const screenUse = ({ id, name }: { id: string; name: string }): PictureUse => ({
  kind: 'screen',
  id,
  title: `the screen “${name}”`,
});

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
