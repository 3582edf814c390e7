import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { onRouteHookHandler, RouteOptions } from 'fastify';
import type { App } from './http.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The guard of the route's scope, for the table of routes; a permission takes precedence there. */
    guard?: 'officer' | 'device';
  }
}

/** An onRoute hook that records the guard of all routes in its scope. */
export const guardedBy =
  (guard: 'officer' | 'device'): onRouteHookHandler =>
  (route) => {
    route.config = { ...route.config, guard };
  };

/**
 * Collects the routes that are registered from now on. Slow, because it reads a stack trace for each.
 * @returns a function that formats them, one line each: method, address, the declaring file relative to `root`, and
 * its guard: a permission, `officer`, `device`, or `-` for everybody
 */
export function collectRoutes(app: App, root: string): () => string {
  const routes: { route: RouteOptions; file: string }[] = [];
  app.addHook('onRoute', (route) => {
    routes.push({ route, file: declaringFile(new Error().stack ?? '', root) });
  });
  return () => {
    const lines = routes.flatMap(({ route, file }) =>
      // HEAD is answered by the routes for GET.
      [route.method]
        .flat()
        .filter((method) => method !== 'HEAD')
        .map((method) => `${withoutVersion(route.url)}\t${method}\t${file}\t${guardOf(route)}`),
    );
    return `${[...new Set(lines)].sort().map(columns).join('\n')}\n`;
  };
}

/** Removes the version from addresses of assets: it changes with every asset. */
function withoutVersion(url: string): string {
  return url.replace(/^\/assets\/[0-9a-f]{12}\//, '/assets/<version>/');
}

function guardOf({ config }: RouteOptions): string {
  return [config?.permission ?? config?.guard ?? '-'].flat().join('|');
}

/** The innermost file of our own code in a stack that is not in the kernel, else the innermost one in the kernel. */
function declaringFile(stack: string, root: string): string {
  const files = [...stack.matchAll(/file:\/\/\S+?\.ts(?=:\d)/g)]
    .map(([url]) => path.relative(root, fileURLToPath(url)))
    .filter((file) => file.startsWith('src/') && file !== 'src/kernel/http/route-table.ts');
  return files.find((file) => !file.startsWith('src/kernel/')) ?? files[0] ?? 'a library';
}

function columns(line: string): string {
  const [url = '', method = '', file = '', guard = ''] = line.split('\t');
  return `${method.padEnd(6)} ${url.padEnd(46)} ${file.padEnd(42)} ${guard}`;
}
