// The demo's outbox: a web page with the mails that the service sent.
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { html } from '#kernel/html.ts';
import { parseMail } from '#test/stand-ins/parse-mail.ts';
import { listenOn } from './ports.ts';

const LISTED = 200;

const STYLE = `body { max-width: 40rem; margin: 2rem auto; padding: 0 1rem; font: 17px/1.5 system-ui, sans-serif }
ul { padding: 0; list-style: none } li { padding: .6rem 0; border-top: 1px solid #8885 } :root { color-scheme: light dark }
small { display: block; overflow-wrap: anywhere }`;

/** Serves a folder of .eml files: a list of the newest, and each mail as its recipient would see it. */
export async function showOutbox(folder: string, host: string, port: number): Promise<AsyncDisposable> {
  const server = http.createServer((request, response) => {
    const name = path.basename(decodeURIComponent(request.url ?? '/'));
    const file = path.join(folder, name);
    const found = name.endsWith('.eml') && fs.existsSync(file);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(found ? parseMail(fs.readFileSync(file, 'utf8')).html : list(folder));
  });
  await listenOn(server, host, port);
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
  const count = names.length === 1 ? '1 mail' : `${names.length} mails, the newest first`;
  return html`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Outbox</title><style>${STYLE}</style><body><h1>${names.length === 0 ? 'No mail yet' : count}</h1>
<p>What the demo would have sent. Load this page again for newer ones.</p>
<ul>${mails.map(({ name, to, subject }) => html`<li><a href="/${name}">${subject || name}</a><small>to ${to}</small></li>`)}</ul></body></html>`.toString();
}
