import { type Kysely, sql } from 'kysely';

/** Stored ids of the workspace get their dashes back: they are answered as the workspace writes them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['database_id', 'page_id']) {
    const id = sql.ref(column);
    const part = (from: number, length: number) => sql`substr(${id}, ${sql.lit(from)}, ${sql.lit(length)})`;
    await sql`
      UPDATE workspace_links
      SET ${id} = ${part(1, 8)} || '-' || ${part(9, 4)} || '-' || ${part(13, 4)} || '-' || ${part(17, 4)} || '-' || ${part(21, 12)}
      WHERE length(${id}) = 32 AND instr(${id}, '-') = 0`.execute(db);
  }
}
