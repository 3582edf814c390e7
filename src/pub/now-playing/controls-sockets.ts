import type { WebSocket } from 'ws';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { controlsMessage, findControls } from './controls.ts';

const PING_MS = 30 * SECOND;
/** A client that leaves more than this unread is disconnected. */
const BACKLOG_BYTES = 64 * 1024;

interface Client {
  socket: WebSocket;
  /** Whether it has answered the last ping. */
  alive: boolean;
  lastMessage?: string;
}

/** Sends the display switches to sockets when they open and after every change. Incoming messages are ignored. */
export class ControlsSockets {
  readonly #ctx: Context;
  readonly #clients = new Set<Client>();
  readonly #unsubscribe: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#unsubscribe = ctx.hub.on('controls', () => this.#sendState([...this.#clients]));
  }

  /** Serves a socket. @param from the client whose open connections it counts towards */
  open(socket: WebSocket, from: string): void {
    // Checked again, because others may have connected during the handshake.
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
    this.#sendState([client]);
  }

  /** Stops sending. The server closes the sockets. */
  close(): void {
    this.#unsubscribe();
    clearInterval(this.#timer);
  }

  #sendState(clients: Client[]): void {
    const message = controlsMessage(findControls(this.#ctx.db));
    for (const client of clients) this.#send(client, message);
  }

  #send(client: Client, message: string): void {
    if (client.lastMessage === message || client.socket.readyState !== client.socket.OPEN) return;
    client.lastMessage = message;
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
