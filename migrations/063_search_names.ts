import { type Kysely, sql } from 'kysely';

/**
 * People are found with the vowel signs, tone marks and voicing marks of their names: only letters of the Latin, Greek
 * and Cyrillic scripts are searched without accents.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string; name: string; called: string | null; number: string | null }>`
    SELECT id, name, called, number FROM persons WHERE erased_at IS NULL`.execute(db);
  for (const { id, name, called, number } of rows) {
    const key = [name, called, number].filter((text) => text !== null).map(searched);
    await sql`UPDATE persons SET sort_name = ${key.join('\n')} WHERE id = ${id}`.execute(db);
  }
}

function searched(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}*)\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .trim();
}
