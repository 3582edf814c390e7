declare module 'fastify' {
  interface FastifyContextConfig {
    /** A dangerous act: whoever does it has proved within ten minutes that it is them. */
    sudo?: boolean;
  }
}

export {};
