import type { TestApp } from '#test/support/app.ts';

export const TOKEN = 'the token of the player';
export const SUBMIT = '/api/listenbrainz/1/submit-listens';

const RECORDING = '98255a8c-017a-4bc7-8dd6-1fa36124572b';
const RELEASE = 'bf9e91ea-8029-4a04-a26a-224e00a83266';
const ARTIST = 'db92a151-1ac2-438b-bc43-b82e149ddd50';

export interface Song {
  artist: string;
  title: string;
  album?: string;
  /** Seconds. */
  length?: number;
}

/** How a program reports a song while it plays, and once it was heard. */
export interface Player {
  name: string;
  headers: Record<string, string>;
  /** The path that it derives from its configured base URL. */
  address: string;
  metadata(song: Song): object;
}

const basics = ({ artist, title, album }: Song) => ({
  artist_name: artist,
  track_name: title,
  ...(album && { release_name: album }),
});

/** Requests as in the source code of these programs. */
export const PLAYERS: Player[] = [
  {
    name: 'multi-scrobbler',
    headers: { authorization: `Token ${TOKEN}`, 'content-type': 'application/json' },
    address: SUBMIT,
    metadata: (song) => ({
      ...basics(song),
      additional_info: {
        ...(song.length && { duration: song.length }),
        recording_mbid: RECORDING,
        artist_mbids: [ARTIST],
        release_mbid: RELEASE,
        submission_client: 'multi-scrobbler',
        submission_client_version: '0.10.1',
        artist_names: [song.artist],
        media_player: 'Spotify',
        music_service: 'spotify.com',
        music_service_name: 'Spotify',
        spotify_id: 'https://open.spotify.com/track/7',
        origin_url: 'https://open.spotify.com/track/7',
        tracknumber: 3,
      },
    }),
  },
  {
    name: 'Navidrome',
    headers: { authorization: `Token ${TOKEN}`, 'content-type': 'application/json; charset=UTF-8' },
    address: '/api/listenbrainz/1/submit-listens',
    metadata: (song) => ({
      ...basics(song),
      additional_info: {
        submission_client: 'navidrome',
        submission_client_version: '0.58.0',
        tracknumber: 3,
        artist_names: [song.artist],
        artist_mbids: [''],
        ...(song.length && { duration_ms: song.length * 1000 }),
      },
    }),
  },
  {
    name: 'Jellyfin',
    headers: { authorization: `token ${TOKEN}`, 'content-type': 'application/json; charset=utf-8' },
    address: '/api/listenbrainz//1/submit-listens',
    metadata: (song) => ({
      ...basics(song),
      additional_info: {
        artist_mbids: [],
        release_mbid: '',
        media_player: 'Jellyfin',
        media_player_version: '10.10',
        submission_client: 'ListenBrainz plugin for Jellyfin',
        submission_client_version: '5.0',
        ...(song.length && { duration_ms: song.length * 1000 }),
      },
    }),
  },
  {
    name: 'Music Assistant',
    headers: { authorization: `Token ${TOKEN}` },
    address: '/1/submit-listens',
    metadata: (song) => ({
      ...basics(song),
      additional_info: {
        ...(song.length && { duration: song.length, duration_played: Math.ceil(song.length / 2) }),
        listening_from: 'music-assistant',
      },
    }),
  },
  {
    name: 'listenbrainz-mpd',
    headers: { authorization: `Token ${TOKEN}`, 'content-type': 'application/json' },
    address: '/api/listenbrainz/1/submit-listens/',
    metadata: (song) => ({
      ...basics(song),
      additional_info: {
        track_mbid: RECORDING,
        tracknumber: '3',
        tags: ['dub', 'roots'],
        media_player: 'MPD',
        submission_client: 'listenbrainz-mpd',
        submission_client_version: '2.3.8',
        ...(song.length && { duration_ms: song.length * 1000 }),
      },
    }),
  },
];

export const [MULTI] = PLAYERS as [Player];

/** Sends a document as a player does. */
export function submit(service: TestApp, document: unknown, player: Player = MULTI) {
  return service.request({
    method: 'POST',
    url: player.address,
    headers: player.headers,
    payload: typeof document === 'string' ? document : JSON.stringify(document),
  });
}

export const playing = (song: Song, player: Player = MULTI) => ({
  listen_type: 'playing_now',
  payload: [{ track_metadata: player.metadata(song) }],
});

/** @param at milliseconds */
export const listen = (song: Song, at: number, player: Player = MULTI) => ({
  listened_at: Math.floor(at / 1000),
  track_metadata: player.metadata(song),
});

export const single = (song: Song, at: number, player: Player = MULTI) => ({
  listen_type: 'single',
  payload: [listen(song, at, player)],
});
