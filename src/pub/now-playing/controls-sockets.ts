import type { WebSocket } from 'ws';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { controlsMessage, findControls } from './controls.ts';

const PING_MS = 30 * SECOND;
/** What a client may leave unread before it is cut. */
const BACKLOG_BYTES = 64 * 1024;

interface Client {
  socket: WebSocket;
  /** It has answered since the last ping. */
  alive: boolean;
  told?: string;
}

/** The sockets that are told how the display switches stand, at once and after every change. What they say is ignored. */
export class ControlsSockets {
  readonly #ctx: Context;
  readonly #clients = new Set<Client>();
  readonly #deafen: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#deafen = ctx.hub.on('controls', () => this.#tell([...this.#clients]));
  }

  /** Takes a socket in, for a client that it counts as. */
  open(socket: WebSocket, from: string): void {
    // Others may have come in since this one was let through.
    if (this.#ctx.connections.full(from)) {
      socket.close(1013, 'Too many open connections');
      return;
    }
    const client: Client = { socket, alive: true };
    const leave = this.#ctx.connections.enter(from);
    this.#clients.add(client);
    socket.on('pong', () => {
      client.alive = true;
    });
    socket.once('close', () => {
      leave();
      this.#clients.delete(client);
      if (this.#clients.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
    this.#timer ??= setInterval(() => this.#ping(), PING_MS);
    this.#tell([client]);
  }

  /** Says nothing more. The sockets are closed with the server. */
  close(): void {
    this.#deafen();
    clearInterval(this.#timer);
  }

  #tell(clients: Client[]): void {
    findControls(this.#ctx.db).then(
      (controls) => {
        const message = controlsMessage(controls);
        for (const client of clients) this.#send(client, message);
      },
      (err: unknown) => this.#ctx.log.error({ err }, 'the display switches could not be read'),
    );
  }

  #send(client: Client, message: string): void {
    if (client.told === message || client.socket.readyState !== client.socket.OPEN) return;
    client.told = message;
    if (client.socket.bufferedAmount > BACKLOG_BYTES) client.socket.terminate();
    else client.socket.send(message);
  }

  #ping(): void {
    for (const client of this.#clients) {
      if (!client.alive) client.socket.terminate();
      else {
        client.alive = false;
        client.socket.ping();
      }
    }
  }
}
