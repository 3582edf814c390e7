// Applies an nginx configuration in a real loopback proxy: which headers are forwarded, and what is logged.
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';

export interface Directive {
  name: string;
  args: string[];
  /** The directives of a block. */
  block?: Directive[];
}

/** The directives of a configuration file. @throws when a brace or a semicolon is missing */
export function parseNginx(text: string): Directive[] {
  const tokens = text.match(/#.*|'[^']*'|"[^"]*"|[{};]|[^\s{};]+/g) ?? [];
  const stack: Directive[][] = [[]];
  const words: string[] = [];
  for (const token of tokens) {
    if (token.startsWith('#')) continue;
    if (token === '}') {
      if (words.length > 0 || stack.length === 1) throw new Error(`Unexpected } after ${words.join(' ')}`);
      stack.pop();
    } else if (token === '{' || token === ';') {
      const [name = '', ...args] = words.splice(0);
      const directive: Directive = { name, args, ...(token === '{' && { block: [] }) };
      stack.at(-1)!.push(directive);
      if (directive.block) stack.push(directive.block);
    } else words.push(token.replace(/^(['"])(.*)\1$/, '$2'));
  }
  if (words.length > 0 || stack.length > 1) throw new Error('The file ends inside a directive');
  return stack[0]!;
}

export const named = (block: readonly Directive[] = [], name: string) =>
  block.filter((directive) => directive.name === name);

/** Returns the directives of a name that apply in the last of `levels` (outermost first): nginx merges no levels. */
export function inherited(levels: readonly Directive[][], name: string): Directive[] {
  return levels.map((level) => named(level, name)).findLast((found) => found.length > 0) ?? [];
}

export interface LoopbackProxy extends AsyncDisposable {
  port: number;
  /** The lines of its access log. */
  logged: string[];
}

/**
 * Runs the TLS server of a configuration on a free port, in front of a service on `upstream`: with a certificate as it
 * is, without one as plain http.
 */
export async function playNginx(
  root: Directive[],
  upstream: number,
  certificate?: { cert: string; key: string },
): Promise<LoopbackProxy> {
  const tls = named(root, 'server').find(({ block }) =>
    named(block, 'listen').some(({ args }) => args.includes('ssl')),
  );
  if (!tls?.block) throw new Error('No server listens with ssl');
  const site = tls.block;
  const logged: string[] = [];

  const server = certificate ? https.createServer(certificate) : http.createServer();
  server.on('request', (request, response) => {
    const { onward, log } = pass(request);
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      response.on('close', () => answer.destroy());
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => log(response.statusCode));
  });
  server.on('upgrade', (request, socket) => {
    const { onward, log } = pass(request);
    const answer = (message: http.IncomingMessage) => {
      socket.write(headOf(message));
      log(message.statusCode);
    };
    onward.on('upgrade', (message, upstreamSocket) => {
      answer(message);
      upstreamSocket.pipe(socket).pipe(upstreamSocket);
      upstreamSocket.on('error', () => socket.destroy());
      socket.on('close', () => upstreamSocket.destroy());
    });
    onward.on('response', (message) => {
      answer(message);
      message.pipe(socket);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });

  function pass(request: http.IncomingMessage) {
    const { host, url } = splitTarget(request);
    const levels = [root, site, locationOf(site, url.split('?', 1)[0]!).block ?? []];
    const variables = variablesOf(root, request, host, url);
    const headers = forwardedHeaders(request, inherited(levels, 'proxy_set_header'), variables);
    const { method } = request;
    const onward = http.request({
      host: '127.0.0.1',
      port: upstream,
      method,
      path: url,
      headers,
      agent: false,
    });
    request.pipe(onward);
    const log = (status = 502) => {
      variables.set('status', String(status));
      for (const { args } of inherited(levels, 'access_log')) logged.push(lineOf(root, args[1], variables));
    };
    return { onward, log };
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    logged,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Returns the exact location, else the one with the longest prefix; other kinds are not supported. */
function locationOf(site: Directive[], path: string): Directive {
  const locations = named(site, 'location');
  const exact = locations.find(({ args }) => args[0] === '=' && args[1] === path);
  const prefixes = locations.filter(({ args }) => args.length === 1 && path.startsWith(args[0]!));
  const [longest] = prefixes.toSorted((a, b) => b.args[0]!.length - a.args[0]!.length);
  const found = exact ?? longest;
  if (!found) throw new Error(`No location for ${path}`);
  return found;
}

/** Returns the forwarded headers: the client's without hop-by-hop ones, then the rules; an empty value removes one. */
function forwardedHeaders(
  request: http.IncomingMessage,
  rules: Directive[],
  variables: Map<string, string>,
): http.OutgoingHttpHeaders {
  // Names with underscores are dropped (underscores_in_headers is off).
  const kept = Object.entries(request.headers).filter(([name]) => !name.includes('_'));
  const headers: http.OutgoingHttpHeaders = {
    ...Object.fromEntries(kept),
    host: 'proxy_host',
    connection: 'close',
  };
  for (const name of ['te', 'keep-alive', 'expect', 'upgrade']) delete headers[name];
  for (const { args } of rules) {
    const [name = '', value = ''] = args;
    const filled = fill(value, variables);
    if (filled === '') delete headers[name.toLowerCase()];
    else headers[name.toLowerCase()] = filled;
  }
  return headers;
}

/** Returns host and address of a request. In absolute form (`GET http://host/path`) the Host header is ignored. */
function splitTarget({ url = '/', headers }: http.IncomingMessage): { host: string; url: string } {
  const [, host = headers.host ?? '', rest = url] = /^https?:\/\/([^/?]*)(.*)$/i.exec(url) ?? [];
  return { host: host.replace(/:\d+$/, '').toLowerCase(), url: rest.startsWith('/') ? rest : `/${rest}` };
}

function variablesOf(
  root: Directive[],
  { method = '', headers, socket }: http.IncomingMessage,
  host: string,
  url: string,
): Map<string, string> {
  const [path = '', args = ''] = url.split(/\?(.*)/s);
  const variables = new Map<string, string>([
    ['remote_addr', socket.remoteAddress ?? ''],
    ['host', host],
    ['http_host', headers.host ?? ''],
    ['scheme', 'https'],
    ['uri', decoded(path)],
    ['request_uri', url],
    ['args', args],
    ['request_method', method],
    ['request', `${method} ${url} HTTP/1.1`],
    ['http_upgrade', headers.upgrade ?? ''],
    ['http_referer', headers.referer ?? ''],
    ...['body_bytes_sent', 'request_time', 'time_iso8601'].map((name) => [name, '-'] as const),
  ]);
  for (const { args, block = [] } of named(root, 'map')) {
    const [source = '', target = ''] = args;
    variables.set(target.slice(1), mapped(block, fill(source, variables), variables));
  }
  return variables;
}

/** Returns the mapped value: of the equal row, else of the first matching expression (`~`), else the default. */
function mapped(rows: readonly Directive[], value: string, variables: Map<string, string>): string {
  const same = rows.find(({ name }) => name === value);
  for (const { name, args } of same ? [] : rows.filter((row) => row.name.startsWith('~'))) {
    const found = new RegExp(name.slice(1)).exec(value);
    if (!found) continue;
    for (const [group, text] of Object.entries(found.groups ?? {})) variables.set(group, text);
    return fill(args[0] ?? '', variables);
  }
  return (same ?? named(rows, 'default')[0])?.args[0] ?? '';
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Returns the head of a response as text for an upgraded socket. */
function headOf({ statusCode, statusMessage, rawHeaders }: http.IncomingMessage): string {
  const lines = rawHeaders.flatMap((text, at) => (at % 2 === 0 ? [`${text}: ${rawHeaders[at + 1]}`] : []));
  return [`HTTP/1.1 ${statusCode} ${statusMessage}`, ...lines, '', ''].join('\r\n');
}

function lineOf(root: Directive[], format: string | undefined, variables: Map<string, string>): string {
  const found = named(root, 'log_format').find(({ args }) => args[0] === format);
  if (!found) throw new Error(`No log_format ${format}: nginx would log whole requests`);
  return fill(found.args.slice(1).join(''), variables);
}

function fill(text: string, variables: Map<string, string>): string {
  return text.replace(/\$(\w+)/g, (_whole, name: string) => {
    const value = variables.get(name);
    if (value === undefined) throw new Error(`The variable $${name} is not played`);
    return value;
  });
}
