import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { EventStreams } from '#kernel/live/event-stream.ts';
import { ensureConnectionSlot } from '#kernel/live/sockets.ts';
import { getMeeting } from '#meetings/meetings.ts';
import { roomJson, roomState } from './room.ts';
import { closeTimers } from './timers.ts';

/** How often a meeting is looked at besides what the chair does with an item, and sent if it is another one. */
const LOOK_MS = 250;
/** It is sent at every fourth look at most for figures alone, which every vote changes. */
const LOOKS = 4;

/**
 * The streams of meetings. All who follow one get the same event, which is made only after something was stored: at once
 * for what the chair does, once a second at most for how many are present and have voted.
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
    const room = this.#rooms.getOrInsertComputed(meetingId, () =>
      this.#enter(meetingId, data.meeting.public),
    );
    room.streams.open(request, reply, [{ event: 'meeting', data }]);
  }

  /** Ends every stream. */
  close(): void {
    for (const { streams } of this.#rooms.values()) streams.close();
  }

  #enter(meetingId: string, isPublic: boolean): Room {
    const { now, connections, config } = this.#ctx;
    const leave = this.#ctx.hub.on('meetings', () => void this.#update(meetingId, room));
    const room: Room = {
      sent: '',
      version: '',
      looks: 0,
      seen: '',
      isLooking: false,
      isPublic,
      streams: new EventStreams({
        now,
        connections,
        lifetimeMs: config.NOW_PLAYING_SSE_MAX_CONNECTION_MS,
        onTick: () => void this.#update(meetingId, room),
        onEmpty: () => {
          leave();
          if (this.#rooms.get(meetingId) === room) this.#rooms.delete(meetingId);
        },
        tickMs: LOOK_MS,
      }),
    };
    return room;
  }

  async #update(meetingId: string, room: Room): Promise<void> {
    // A slow look must not send its older room after a newer one.
    if (room.isLooking) return;
    room.isLooking = true;
    room.looks += 1;
    try {
      await closeTimers(this.#ctx);
      const seen = roomState(this.#ctx, meetingId);
      if (room.seen === seen) return;
      const data = await roomJson(this.#ctx, meetingId);
      // Who may follow is asked again: the others come back and are refused.
      if (room.isPublic && !data.meeting.public) {
        this.#rooms.delete(meetingId);
        room.streams.close();
        return;
      }
      room.isPublic = data.meeting.public;
      // The figures wait, and are looked at again.
      if (data.version === room.version && room.looks < LOOKS) return;
      room.seen = seen;
      const text = JSON.stringify(data);
      if (text === room.sent) return;
      room.sent = text;
      room.version = data.version;
      room.looks = 0;
      room.streams.send([{ event: 'meeting', data }]);
    } catch (error) {
      this.#ctx.log.error(error, 'a meeting could not be sent to those who follow it');
    } finally {
      room.isLooking = false;
    }
  }
}

interface Room {
  streams: EventStreams;
  /** What was sent last, the looks since then, and the state in which it was looked at. */
  sent: string;
  version: string;
  looks: number;
  seen: string;
  isLooking: boolean;
  /** Whether everybody may follow, as it was looked at last. */
  isPublic: boolean;
}
