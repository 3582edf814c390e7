import { createWorkspace } from '#kernel/workspace/client.ts';
import {
  type FakeColumn,
  type FakeDatabase,
  type FakeWorkspace,
  id,
  KEY,
  startWorkspace,
  title,
} from '#test/stand-ins/workspace-server.ts';
import { type TestApp, testApp } from './app.ts';
import { addElection } from './factories.ts';

export const OPTIONS = ['Scheduled', 'Open', 'Closed'];
export const [MOTIONS, REPAIRS, SECRETS] = [id(0xa), id(0xb), id(0xc)];
/** One page in each database; the status of BAR is a select property. */
export const [PIANO, BAR, PAYROLL] = [id(1), id(2), id(3)];

export interface LinkedService {
  service: TestApp;
  server: FakeWorkspace;
  /** The id of an election that is open for two more hours. */
  election: string;
}

/** Starts the service with a workspace of two allowlisted databases and one that is not. Its waits are skipped. */
export async function startLinkedService(
  env: Record<string, string> = {},
): Promise<LinkedService & AsyncDisposable> {
  const status = { type: 'status', options: OPTIONS };
  const priority = { type: 'select', options: ['Open'] };
  const motion = {
    Status: status,
    Priority: priority,
    'Voting Link': { type: 'url' },
    Turnout: { type: 'number' },
  };
  const repair = { State: { type: 'select', options: OPTIONS }, Turnout: { type: 'rich_text' } };
  const server = await startWorkspace([
    withPage(MOTIONS, 'Motions', PIANO, 'Buy a piano', motion),
    withPage(REPAIRS, 'Repairs', BAR, 'Paint the bar', repair),
    withPage(SECRETS, 'Payroll', PAYROLL, 'Salaries', { Status: status }),
  ]);
  const service = await testApp({
    WORKSPACE_API_KEY: KEY,
    WORKSPACE_API_URL: server.url,
    WORKSPACE_ALLOWED_DATABASE_IDS: `${MOTIONS},${REPAIRS}`,
    ...env,
  });
  service.ctx.workspace = createWorkspace(service.ctx.config, service.ctx.log, { sleep: async () => {} });
  return {
    service,
    server,
    election: await addElection(service),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

function withPage(
  database: string,
  name: string,
  page: string,
  pageTitle: string,
  columns: Record<string, FakeColumn>,
): FakeDatabase {
  const pages = [{ id: page, properties: { Name: title(pageTitle) } }];
  const source = { id: database.replace(/^0/, 'd'), columns: { Name: { type: 'title' }, ...columns }, pages };
  return { id: database, title: name, sources: [source] };
}
