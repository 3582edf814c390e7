// The demo outbox: shows every mail that the service wrote.
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { html } from '#kernel/html.ts';
import { parseMail } from '#test/stand-ins/parse-mail.ts';

const LISTED = 200;

/** Serves a folder of .eml files: a list of the newest, and each as its reader would see it. */
export async function showOutbox(folder: string, port: number): Promise<AsyncDisposable> {
  const server = http.createServer((request, response) => {
    const name = path.basename(decodeURIComponent(request.url ?? '/'));
    const file = path.join(folder, name);
    const found = name.endsWith('.eml') && fs.existsSync(file);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(found ? parseMail(fs.readFileSync(file, 'utf8')).html : list(folder));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function list(folder: string): string {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.eml')) : [];
  const mails = names
    .map((name) => ({ name, at: fs.statSync(path.join(folder, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at)
    .slice(0, LISTED)
    .map(({ name }) => {
      const { headers } = parseMail(fs.readFileSync(path.join(folder, name), 'utf8'));
      return { name, to: headers.to ?? '', subject: headers.subject ?? '' };
    });
  return html`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Outbox</title><body><h1>${names.length === 1 ? '1 mail' : `${names.length} mails, the newest first`}</h1>
<ul>${mails.map(({ name, to, subject }) => html`<li><a href="/${name}">${subject || name}</a> to ${to}</li>`)}</ul></body></html>`.toString();
}
