import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { EventStreams } from '#kernel/live/event-stream.ts';
import { ensureConnectionSlot } from '#kernel/live/sockets.ts';
import { getMeeting } from '../meetings.ts';
import { roomJson } from './room.ts';
import { closeTimers } from './timers.ts';

/**
 * The streams of meetings. All who follow one get the same event, which is made once a second at most, and only after
 * something was stored.
 */
export class MeetingStreams {
  readonly #ctx: Context;
  readonly #rooms = new Map<string, Room>();

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /** Sends a client the room, and from then on each change. @throws 404; 503 when too many are connected */
  async open(request: FastifyRequest, reply: FastifyReply, meetingId: string): Promise<void> {
    getMeeting(this.#ctx.db, meetingId);
    ensureConnectionSlot(this.#ctx, request, reply);
    const data = await roomJson(this.#ctx, meetingId);
    const room = this.#rooms.getOrInsertComputed(meetingId, () => this.#enter(meetingId));
    room.streams.open(request, reply, [{ event: 'meeting', data }]);
  }

  /** Ends every stream. */
  close(): void {
    for (const { streams } of this.#rooms.values()) streams.close();
  }

  #enter(meetingId: string): Room {
    const { now, connections, config } = this.#ctx;
    const room: Room = {
      sent: '',
      seen: -1,
      streams: new EventStreams({
        now,
        connections,
        lifetimeMs: config.NOW_PLAYING_SSE_MAX_CONNECTION_MS,
        onTick: () => void this.#update(meetingId, room),
      }),
    };
    return room;
  }

  async #update(meetingId: string, room: Room): Promise<void> {
    try {
      await closeTimers(this.#ctx);
      const seen = this.#ctx.changes();
      if (room.seen === seen) return;
      room.seen = seen;
      const data = await roomJson(this.#ctx, meetingId);
      const text = JSON.stringify(data);
      if (text === room.sent) return;
      room.sent = text;
      room.streams.send([{ event: 'meeting', data }]);
    } catch (error) {
      this.#ctx.log.error(error, 'a meeting could not be sent to those who follow it');
    }
  }
}

interface Room {
  streams: EventStreams;
  /** What was sent last, and the number of stored changes then. */
  sent: string;
  seen: number;
}
