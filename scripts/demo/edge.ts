// The demo's access edge: passes everything on to the service and says who is there, as a real one does after signing in.
import { once } from 'node:events';
import http from 'node:http';

/** Listens on `port` before the service at `target`; everybody who comes through is `email`. */
export async function standBefore(target: URL, email: string, port: number): Promise<AsyncDisposable> {
  const server = http.createServer((request, response) => {
    const onward = http.request(
      {
        host: target.hostname,
        port: target.port,
        method: request.method,
        path: request.url,
        headers: said(request),
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };

  function said(request: http.IncomingMessage): http.OutgoingHttpHeaders {
    return { ...request.headers, 'edge-access-authenticated-user-email': email };
  }
}
