import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { refreshFeed } from '#calendar/feed/feed.ts';
import { createWorkspace } from '#kernel/workspace/client.ts';
import { refreshDisplay } from '#pub/display/feeds.ts';
import { DATABASES, PUB_DATABASES, type PubPages, pubDatabases } from '#test/stand-ins/pub-workspace.ts';
import { type FakePage, type FakeWorkspace, KEY, startWorkspace } from '#test/stand-ins/workspace-server.ts';
import { type TestApp, testApp } from './app.ts';

export interface Pub {
  service: TestApp;
  workspace: FakeWorkspace;
  /** The pages of a database, which tests may change. */
  pages(database: keyof PubPages): FakePage[];
  /** Reads everything from the workspace again, and waits until it is done. */
  refresh(): Promise<void>;
  /** Restarts the service over the same database and the same workspace. */
  restart(env?: Record<string, string>): Promise<TestApp>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts the service with a workspace that holds the pub's databases. Unless it is `cold`, it has read them. Pauses
 * between calls are skipped. Only a `durable` service, whose database is a file, can be restarted.
 */
export async function startPub(
  pages: PubPages = {},
  env: Record<string, string> = {},
  { durable = false, cold = false } = {},
): Promise<Pub> {
  const workspace = await startWorkspace(pubDatabases(pages));
  const folder = durable ? fs.mkdtempSync(path.join(os.tmpdir(), 'pub-')) : undefined;
  const services: TestApp[] = [];
  const open = async (more: Record<string, string> = {}) => {
    const service = await testApp({
      ...(folder && { DATABASE_URL: `file:${path.join(folder, 'pub.db')}` }),
      WORKSPACE_API_KEY: KEY,
      WORKSPACE_API_URL: workspace.url,
      ...PUB_DATABASES,
      ...env,
      ...more,
    });
    service.ctx.workspace = createWorkspace(service.ctx.config, service.ctx.log, { sleep: async () => {} });
    services.push(service);
    return service;
  };
  const service = await open();
  if (!cold) {
    await service.app.ready();
    await refreshDisplay(service.ctx);
    // The members' calendar reads its events from the workspace too, and each change that it hears of starts that.
    await refreshFeed(service.calendarContext);
  }
  return {
    service,
    workspace,
    pages: (database) =>
      workspace.databases.find(({ id }) => id === DATABASES[database][0])!.sources[0]!.pages,
    async refresh() {
      const { ctx, get } = services.at(-1)!;
      await Promise.all([get('/api/events'), get('/api/tenders')]);
      await refreshDisplay(ctx);
    },
    async restart(more) {
      await services.pop()?.[Symbol.asyncDispose]();
      return open(more);
    },
    async [Symbol.asyncDispose]() {
      for (const service of services) await service[Symbol.asyncDispose]();
      await workspace[Symbol.asyncDispose]();
      if (folder) fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
