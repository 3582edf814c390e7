import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

interface HostAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export interface CalendarHost {
  /** The origin, without a path. */
  url: string;
  requests: { path: string; headers: http.IncomingHttpHeaders }[];
  /** Returns the answer to a path, or undefined if it writes the response itself. */
  answer: (
    path: string,
    headers: http.IncomingHttpHeaders,
    response: http.ServerResponse,
  ) => HostAnswer | undefined;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A calendar file with these events. */
export const calendarText = (events: readonly string[][], ...lines: string[]): string =>
  [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//other//EN', ...lines],
    ...events.flatMap((event) => ['BEGIN:VEVENT', ...event, 'END:VEVENT']),
    ...['END:VCALENDAR', ''],
  ].join('\r\n');

/** An event that begins at a time such as `20261121T200000`, in the zone of the club. */
export const eventLines = (title: string, start: string, ...lines: string[]): string[] => [
  ...[`UID:${title}@other`, 'DTSTAMP:20261101T000000Z', `DTSTART:${start}`, `SUMMARY:${title}`],
  ...lines,
];

/** Starts a host of external calendars on a free local port. */
export async function calendarHost(answer: CalendarHost['answer']): Promise<CalendarHost> {
  const server = http.createServer((request, response) => {
    const { url: path = '/', headers } = request;
    host.requests.push({ path, headers });
    const given = host.answer(path, headers, response);
    if (given) response.writeHead(given.status ?? 200, given.headers).end(given.body ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host: CalendarHost = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    answer,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return host;
}
