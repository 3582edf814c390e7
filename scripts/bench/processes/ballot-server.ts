// One server for the ballots bench: `bare` only answers a POST, `shared` is the service, `single` the service with one
// commit per ballot, `paper` the service with papers of five questions.
// A forked child: writes its port and the tokens to a file, then sends `ready`; to any message it answers with the
// processor time that it has used.
import fs from 'node:fs';
import path from 'node:path';
import Fastify from 'fastify';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import { newRandomId } from '#kernel/ids.ts';
import { openContext } from '#kernel/open-context.ts';
import { createPaper, PaperInput } from '#voting/ballot-papers/papers.ts';
import { generateTokens } from '#voting/ballots/tokens.ts';
import { createElection, ElectionInput } from '#voting/elections/changes.ts';
import { listQuestions } from '#voting/elections/issuers.ts';
import { buildApp } from '../../../src/app.ts';

const [mode, folder = '.', elections = '1', voters = '1000'] = process.argv.slice(2);

if (mode === 'bare') {
  const app = Fastify();
  app.post('/e/:id/vote', async () => ({ success: true, message: 'Your vote has been recorded' }));
  await app.listen({ port: 0 });
  const tokens = Array.from({ length: Number(voters) }, newRandomId);
  report(
    app.server.address(),
    Array.from({ length: Number(elections) }, () => ({ id: newRandomId(), tokens })),
  );
} else {
  const env = { DATABASE_URL: `file:${path.join(folder, `${mode}.db`)}`, LOG_LEVEL: 'error' };
  const ctx = await openContext(readConfig(env, ''), mode === 'single' ? { commitSize: 1 } : {});
  const actor = { ip: 'bench', at: ctx.now() };
  const question = { title: 'Bench', ballot_type: 'SIMPLE_TRIPLE' };
  const window = { open_at: isoTime(actor.at - HOUR), close_at: isoTime(actor.at + HOUR) };
  const input = ElectionInput.parse({ ...question, ...window });
  const paper = PaperInput.parse({ title: 'Bench', ...window, questions: Array(5).fill(question) });
  const made = [];
  for (let count = 0; count < Number(elections); count++) {
    const id =
      mode === 'paper' ? await createPaper(ctx, paper, actor) : await createElection(ctx, input, actor);
    const tokens: string[] = [];
    while (tokens.length < Number(voters)) {
      tokens.push(...(await generateTokens(ctx, id, { count: 1_000, batch_name: null }, actor)).tokens);
    }
    const questions = listQuestions(ctx.db, id).map((question) => question.id);
    made.push({ id, tokens: tokens.slice(0, Number(voters)), ...(mode === 'paper' && { questions }) });
  }
  const app = await buildApp(ctx);
  await app.listen({ port: 0 });
  report(app.server.address(), made);
}

function report(address: unknown, made: { id: string; tokens: string[] }[]): void {
  const file = path.join(folder, `${mode}.json`);
  fs.writeFileSync(file, JSON.stringify({ port: (address as { port: number }).port, elections: made }));
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  process.send?.('ready');
}
