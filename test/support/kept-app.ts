import { once } from 'node:events';
import type { AddressInfo, ListenOptions } from 'node:net';
import Fastify from 'fastify';
import type { App } from '#kernel/http/http.ts';

type Callback = (...args: unknown[]) => unknown;
type Moment = 'onReady' | 'preClose' | 'onClose';
/** The onRoute hooks of a scope and of its parents. */
type Scope = Callback[];

const ROUTES = ['get', 'post', 'put', 'patch', 'delete', 'all', 'route'];
const REGISTERING = [
  ...ROUTES,
  ...['addHook', 'decorate', 'decorateRequest', 'setErrorHandler', 'setNotFoundHandler'],
  ...['setValidatorCompiler', 'setSerializerCompiler', 'addContentTypeParser', 'removeAllContentTypeParsers'],
];
/** The mark that `fastify-plugin` sets on the plugins of libraries. */
const LIBRARY = Symbol.for('skip-override');

/**
 * A Fastify instance that services use one after another. Registering some 400 routes takes Fastify many times as long
 * as building the rest of a service, and the result is always the same. So Fastify gets wrappers, each of which calls
 * the function of the current service: `buildApp` runs completely for each service, without state of the one before,
 * but from the second service on nothing is registered with Fastify. `npm run test:fresh` does without.
 */
export class KeptApp {
  /** Everything passed to Fastify, in order: functions of the current service, other values of the first. */
  readonly #passed: unknown[] = [];
  #at = 0;
  #complete = false;
  #app: App | undefined;
  #moments: Record<Moment, Callback[]> = { onReady: [], preClose: [], onClose: [] };
  #started: Promise<void> | undefined;
  /** Whether it was closed, or served a WebSocket. */
  #spent = false;
  /** The service that uses it now: one that has ended may be closed again later, which must not close the next. */
  #service = 0;
  /** The bare server's number of connection listeners, and the names of its own functions. */
  #connectionListeners = 0;
  #functions: string[] = [];
  readonly #open = new Set<unknown>();

  /** Passed to `buildApp` in place of Fastify. */
  readonly create = ((options: object) => {
    this.#at = 0;
    this.#service += 1;
    this.#moments = { onReady: [], preClose: [], onClose: [] };
    this.#started = undefined;
    if (this.#app) this.#replace(options);
    else this.#app = this.#firstOf(this.#keep(options) as object);
    this.#freeServer(this.#app.server);
    return this.#scope(this.#app, []);
  }) as unknown as typeof Fastify;

  /** Call it after the last route. @throws Error when the service lacks routes of the first one */
  built(): void {
    if (this.#complete && this.#at !== this.#passed.length)
      throw new Error('A part of the routes is missing');
    this.#complete = true;
  }

  /** Ends the service. @returns whether the instance is reusable: it answered every request */
  async end(): Promise<boolean> {
    const app = this.#app as App;
    if (app.server.listening && !this.#spent) await this.#stopListening(app.server);
    for (let turn = 0; turn < 20 && this.#open.size > 0; turn += 1) await new Promise(setImmediate);
    if (this.#spent || this.#open.size > 0) {
      await app.close();
      return false;
    }
    await this.#run('preClose');
    await this.#run('onClose');
    return true;
  }

  #firstOf(options: object): App {
    const app = Fastify(options) as unknown as App;
    this.#connectionListeners = app.server.listenerCount('connection');
    this.#functions = functionsOf(app.server);
    app.addHook('preClose', () => this.#run('preClose'));
    app.addHook('onClose', () => this.#run('onClose'));
    app.addHook('onRequest', (request, _reply, done) => {
      this.#open.add(request);
      done();
    });
    app.addHook('onResponse', (request, _reply, done) => {
      this.#open.delete(request);
      done();
    });
    app.server.on('upgrade', () => {
      this.#spent = true;
    });
    return app;
  }

  /** Listens with the server itself: Fastify's own `listen` can be called only once. @returns the address */
  async #listen(app: App, options: ListenOptions): Promise<string> {
    await app.ready();
    app.server.listen(options);
    await once(app.server, 'listening');
    return `http://${options.host}:${(app.server.address() as AddressInfo).port}`;
  }

  /** Stops in the order of Fastify: streams end, no connection is accepted, running requests are answered. */
  async #stopListening(server: App['server']): Promise<void> {
    const closed = once(server, 'close');
    await this.#run('preClose');
    server.close();
    await closed;
  }

  /** Undoes what the previous service changed on the server. */
  #freeServer(server: App['server']): void {
    for (const listener of server.listeners('connection').slice(this.#connectionListeners))
      server.removeListener('connection', listener as Callback);
    for (const name of functionsOf(server))
      if (!this.#functions.includes(name)) Reflect.deleteProperty(server, name);
  }

  async #run(moment: Moment): Promise<void> {
    const callbacks = this.#moments[moment].splice(0);
    for (const callback of moment === 'onClose' ? callbacks.toReversed() : callbacks) await callback();
  }

  /** The instance as `buildApp` sees it. */
  #scope(app: App, hooks: Scope): App {
    const service = this.#service;
    const scope: App = new Proxy(app, {
      get: (_, name) => {
        // Fastify instances are thenable: `await` would return the instance behind this proxy.
        if (name === 'then') return undefined;
        if (name === 'register')
          return (plugin: Callback, options: object) => this.#register(app, hooks, plugin, options);
        if (name === 'inject' || name === 'ready' || name === 'listen' || name === 'close')
          return async (...args: unknown[]) => {
            if (name === 'close' && service !== this.#service) return undefined;
            this.#spent ||= name === 'close';
            this.#started ??= this.#run('onReady');
            await this.#started;
            if (name === 'listen') return this.#listen(app, args[0] as ListenOptions);
            return Reflect.apply(app[name] as Callback, app, args);
          };
        const value = Reflect.get(app, name, app);
        if (typeof value !== 'function') return value;
        if (!REGISTERING.includes(String(name))) return value.bind(app);
        return (...args: unknown[]) => {
          if (name !== 'addHook' || !this.#keepHook(app, hooks, args))
            this.#pass(app, hooks, String(name), value, args);
          return scope;
        };
      },
    });
    return scope;
  }

  async #register(app: App, hooks: Scope, plugin: Callback, options: object): Promise<void> {
    const own = !(LIBRARY in plugin);
    if (!this.#complete)
      await app.register(
        (own ? async (inner: App) => plugin(this.#scope(inner, [...hooks]), options) : plugin) as never,
        options,
      );
    else if (own) await plugin(this.#scope(app, [...hooks]), options);
  }

  /** @returns false for request hooks, which Fastify keeps */
  #keepHook(app: App, hooks: Scope, [name, hook]: unknown[]): boolean {
    if (name === 'onRoute') {
      hooks.push(hook as Callback);
      if (!this.#complete) app.addHook(name, hook as never);
      return true;
    }
    if (!Object.hasOwn(this.#moments, name as string)) return false;
    this.#moments[name as Moment].push(hook as Callback);
    return true;
  }

  #pass(app: App, hooks: Scope, name: string, method: Callback, args: unknown[]): void {
    if (!this.#complete) {
      const passed = args.map((value) => this.#keep(value));
      Reflect.apply(method, app, passed);
      return;
    }
    for (const value of args) this.#replace(value);
    if (hooks.length === 0 || !ROUTES.includes(name)) return;
    const route =
      name === 'route'
        ? { ...(args[0] as object) }
        : { method: name.toUpperCase(), url: args[0], ...(args[1] as object) };
    // Some onRoute hooks count or inspect the routes.
    for (const hook of hooks) hook(route);
  }

  /** Stores a value passed by the first service. @returns what Fastify gets in its place */
  #keep(value: unknown, name?: string): unknown {
    if (name === 'schema') return value;
    if (typeof value === 'function' || name === 'loggerInstance') return this.#keepCallable(value as object);
    if (Array.isArray(value)) return value.map((one) => this.#keep(one));
    if (isPlain(value)) {
      const entries = Object.entries(value);
      this.#passed.push(entries.map(([key]) => key));
      return Object.fromEntries(entries.map(([key, one]) => [key, this.#keep(one, key)]));
    }
    this.#passed.push(constantOf(value));
    return value;
  }

  #keepCallable(value: object): unknown {
    const at = this.#passed.push(value) - 1;
    const present = () => this.#passed[at] as Callback;
    if (typeof value === 'object')
      return new Proxy({}, { get: (_, name) => Reflect.get(present() as object, name) });
    return function (this: unknown, ...args: unknown[]) {
      return Reflect.apply(present(), this, args);
    };
  }

  /** Puts the functions of the current service in the place of those before, and compares all else. */
  #replace(value: unknown, name?: string): void {
    if (name === 'schema') return;
    if (typeof value === 'function' || name === 'loggerInstance') {
      if (typeof this.#passed[this.#at] !== typeof value) throw this.#isOther(value);
      this.#passed[this.#at++] = value;
    } else if (Array.isArray(value)) {
      for (const one of value) this.#replace(one);
    } else if (isPlain(value)) {
      const keys = this.#passed[this.#at++];
      let count = 0;
      if (!Array.isArray(keys)) throw this.#isOther(Object.keys(value));
      for (const key in value) if (keys[count++] !== key) throw this.#isOther(Object.keys(value));
      if (keys.length !== count) throw this.#isOther(Object.keys(value));
      for (const key in value) this.#replace(value[key], key);
    } else if (!Object.is(this.#passed[this.#at++], constantOf(value))) throw this.#isOther(value);
  }

  #isOther(value: unknown): Error {
    return new Error(`The routes are others than those of the service before: ${value} at ${this.#at}`);
  }
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  Object.getPrototypeOf(value ?? 0) === Object.prototype;

/** What two services pass alike: a value, or an object of the same class. */
const constantOf = (value: unknown): unknown => (typeof value === 'object' ? value?.constructor : value);

const functionsOf = (server: object): string[] =>
  Object.entries(server)
    .filter(([, value]) => typeof value === 'function')
    .map(([name]) => name);
