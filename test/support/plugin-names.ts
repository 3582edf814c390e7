const NAME = Symbol.for('fastify.display-name');

/**
 * Gives every function the property from which Fastify takes a plugin's name. Without it Fastify compares the plugin
 * with the exports of each loaded module: a sixth of the time of a test that uses little but the service itself.
 */
Object.defineProperty(Function.prototype, NAME, {
  configurable: true,
  get(this: { name: string }) {
    return this.name || 'anonymous';
  },
  set(this: object, value: string) {
    Object.defineProperty(this, NAME, { value, configurable: true, writable: true });
  },
});
