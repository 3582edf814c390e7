/** Topics of the pub's news: say `ctx.hub.tell(TOPICS.plays)` after the commit of the change. */
export const TOPICS = {
  /** A play was stored, changed, hidden or re-kinded. */
  plays: 'plays',
  /** A heartbeat came. */
  device: 'device',
  /** A display setting was changed. */
  controls: 'controls',
  /** Lyrics were found or entered. */
  lyrics: 'lyrics',
  /** The device told where in the song it is. */
  offset: 'offset',
  /** A genre was found. */
  genres: 'genres',
  /** A wish for the lights or the sound was set, fulfilled or refused. */
  room: 'room',
  nowShowing: 'now-showing',
  requests: 'requests',
  content: 'content',
} as const;
