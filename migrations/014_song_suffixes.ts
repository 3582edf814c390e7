import { type Kysely, sql } from 'kysely';

/** The ends of every word of a song, `regular egular gular …`: a part of a word is then the beginning of one of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE VIRTUAL TABLE song_suffixes USING fts5 (
      suffixes, content = '', columnsize = 0, tokenize = 'unicode61 remove_diacritics 2'
    )`.execute(db);
  await sql`
    CREATE TRIGGER song_index_suffixes AFTER INSERT ON song_index
    BEGIN INSERT INTO song_suffixes (rowid, suffixes) VALUES (NEW.id, ${suffixesOf('NEW')}); END`.execute(db);
  await sql`
    INSERT INTO song_suffixes (rowid, suffixes)
    SELECT song_index.id, ${suffixesOf('song_index')} FROM song_index`.execute(db);
}

/** 80 characters are the longest search. */
function suffixesOf(row: 'NEW' | 'song_index') {
  const song = sql.raw(`${row}.artist || ' ' || ${row}.title || ' '`);
  return sql`(
    WITH RECURSIVE suffixes (rest) AS (
      SELECT ${song} UNION ALL SELECT substr(rest, 2) FROM suffixes WHERE rest <> ''
    )
    SELECT group_concat(substr(rest, 1, min(80, instr(rest, ' ') - 1)), ' ') FROM suffixes WHERE instr(rest, ' ') > 1
  )`;
}
