// A proxy on loopback that reads an nginx configuration and does to the headers what nginx would do.
import { once } from 'node:events';
import fs from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Directive {
  name: string;
  args: string[];
  block: Directive[];
}

export interface Proxy extends AsyncDisposable {
  url: string;
}

/** Passes requests on to `upstream` by the locations of the configuration, whatever address they name. */
export async function startProxy(configFile: string, upstream: string): Promise<Proxy> {
  const config = readNginx(fs.readFileSync(configFile, 'utf8'));
  const { hostname, port } = new URL(upstream);
  const server = http.createServer((request, response) => {
    pass(request)
      .on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(response);
        answer.on('error', () => response.destroy());
        response.on('close', () => answer.destroy());
      })
      .on('error', () => response.destroy());
  });
  server.on('upgrade', (request: IncomingMessage, socket) => {
    socket.on('error', () => socket.destroy());
    const upgraded = pass(request);
    const say = ({ statusCode, statusMessage, rawHeaders }: IncomingMessage) => {
      const pairs = rawHeaders.flatMap((name, at) =>
        at % 2 === 0 ? `${name}: ${rawHeaders[at + 1]}\r\n` : [],
      );
      socket.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${pairs.join('')}\r\n`);
    };
    upgraded.on('upgrade', (answer, other) => {
      say(answer);
      other.pipe(socket).pipe(other);
      other.on('error', () => socket.destroy());
      socket.on('close', () => other.destroy());
    });
    upgraded.on('response', (answer) => {
      say(answer);
      answer.pipe(socket);
    });
    upgraded.on('error', () => socket.destroy());
  });

  function pass(request: IncomingMessage): http.ClientRequest {
    const headers = headersFor(config, request, `${hostname}:${port}`);
    const { method, url } = request;
    const passed = http.request({ hostname, port, method, path: url, headers, setHost: false, agent: false });
    request.pipe(passed);
    return passed;
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** What nginx sends on: its own Host and Connection, what the location sets, and everything else of the client. */
function headersFor(
  config: Directive[],
  request: IncomingMessage,
  proxyHost: string,
): Record<string, string | string[]> {
  const set = headersOf(config, request.url?.split('?')[0] ?? '/');
  const headers: Record<string, string | string[]> = {};
  for (const [name, values = []] of Object.entries(request.headersDistinct)) {
    // nginx drops names with underscores.
    if (!name.includes('_')) headers[name] = values;
  }
  for (const name of ['connection', 'upgrade', 'keep-alive', 'expect', 'te']) delete headers[name];
  headers.host = proxyHost;
  headers.connection = 'close';
  for (const [name, value] of set) {
    const text = value.replace(/\$(\w+)/g, (_all, variable) => nginxValue(variable, request));
    // An empty value sends no header at all.
    if (text === '') delete headers[name];
    else headers[name] = text;
  }
  return headers;
}

function nginxValue(variable: string, { headers, socket }: IncomingMessage): string {
  const host = headers.host ?? '';
  const peer = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const forwarded = [headers['x-forwarded-for'], peer].flat().filter(Boolean).join(', ');
  const values: Record<string, string> = {
    host: host.toLowerCase().replace(/:\d+$/, ''),
    http_host: host,
    remote_addr: peer,
    proxy_add_x_forwarded_for: forwarded,
    scheme: 'http',
    http_upgrade: String(headers.upgrade ?? ''),
    connection_upgrade: headers.upgrade ? 'upgrade' : 'close',
  };
  const value = values[variable];
  if (value === undefined) throw new Error(`The proxy does not know $${variable}`);
  return value;
}

/** The proxy_set_header lines in force for a path: a level with lines of its own inherits none. */
function headersOf(config: Directive[], path: string): [name: string, value: string][] {
  let level = config;
  let set: Directive[] = [];
  while (true) {
    const own = level.filter(({ name }) => name === 'proxy_set_header');
    if (own.length > 0) set = own;
    const next = blockFor(level, path);
    if (!next) return set.map(({ args: [name = '', value = ''] }) => [name.toLowerCase(), value]);
    level = next.block;
  }
}

function blockFor(level: Directive[], path: string): Directive | undefined {
  const outer = level.find(({ name, block }) => name === 'http' || (name === 'server' && proxies(block)));
  if (outer) return outer;
  const locations = level.filter(({ name }) => name === 'location');
  const exact = locations.find(({ args }) => args[0] === '=' && args[1] === path);
  const prefixes = locations
    .filter(({ args }) => path.startsWith(args.at(-1) ?? '') && args[0] !== '=')
    .sort((a, b) => (b.args.at(-1)?.length ?? 0) - (a.args.at(-1)?.length ?? 0));
  return exact ?? prefixes[0];
}

const proxies = (block: Directive[]): boolean =>
  block.some(({ name, block }) => name === 'proxy_pass' || proxies(block));

export function readNginx(text: string): Directive[] {
  const words = text.replace(/#[^\n]*/g, '').match(/"[^"]*"|'[^']*'|[{};]|[^\s{};]+/g) ?? [];
  let at = 0;
  const read = (): Directive[] => {
    const directives: Directive[] = [];
    let line: string[] = [];
    while (at < words.length) {
      const word = words[at++] ?? '';
      if (word === '}') return directives;
      if (word !== ';' && word !== '{') line.push(word.replace(/^(["'])(.*)\1$/, '$2'));
      else {
        const [name = '', ...args] = line;
        directives.push({ name, args, block: word === '{' ? read() : [] });
        line = [];
      }
    }
    return directives;
  };
  return read();
}
