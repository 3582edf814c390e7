import type { App } from '#kernel/http/http.ts';

export interface Route {
  method: string;
  /** With its parameters: `/e/:id/vote`. */
  path: string;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Returns every route: those of /openapi.json, hidden ones, and some paths without a route. */
export function readRoutes(app: App): Route[] {
  const nowhere = ['/admin/nowhere', '/api/admin/nowhere', '/api/admin/'].map((path) => ({
    method: 'GET',
    path,
  }));
  const all = [...described(app), ...printed(app), ...nowhere];
  return [...new Map(all.map((route) => [`${route.method} ${route.path}`, route])).values()];
}

function described(app: App): Route[] {
  return Object.entries(app.swagger().paths ?? {}).flatMap(([path, methods]) =>
    Object.keys(methods ?? {})
      .map((method) => ({
        method: method.toUpperCase(),
        path: path.replace(/\{([\w*]+)\}/g, ':$1').replace(':*', '*'),
      }))
      .filter(({ method }) => METHODS.includes(method)),
  );
}

/** Reads routes from the tree that the router prints. */
function printed(app: App): Route[] {
  const routes: Route[] = [];
  const parents: string[] = [];
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', part = '', methods = ''] = /^([│├└─\s]*)(\S+)(?: \(([A-Z, ]+)\))?/.exec(line) ?? [];
    // Wildcards are printed without the path before them.
    if (!part || part === '*') continue;
    const depth = indent.length / 4;
    parents.length = depth;
    parents[depth] = part;
    const path = parents.join('');
    for (const method of methods.split(', ')) {
      if (METHODS.includes(method)) routes.push({ method, path });
    }
  }
  return routes;
}

/** Whether only officers and staff may use it. */
export const isGuarded = ({ path }: Route): boolean => /^\/(admin|api\/admin|metrics)(\/|$)/.test(path);

/** Replaces parameters of a path by an election's id or by an unknown id. */
export function fill(path: string, election: string): string {
  return path
    .replace(/(\/(?:elections|e)\/):id/, `$1${election}`)
    .replace(/:\w+/g, '00000000-0000-4000-8000-000000000000')
    .replace('*', 'anything');
}
