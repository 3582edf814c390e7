import fs from 'node:fs';
import { expect, it } from 'vitest';
import { textsInCode } from './support/texts-in-code.ts';

/** Sources, or folders, whose sentences are for no reader of a page, mail, screen or print, and why. */
const NOT_FOR_READERS: Readonly<Record<string, string>> = {
  'src/app.ts': 'the name of the product in /openapi.json',
  'src/calendar/analytics.ts': 'a header',
  'src/calendar/feed/ics-check.ts': 'the log',
  'src/calendar/feed/ics.ts': 'PRODID',
  'src/calendar/subscriptions/subscriptions.ts': 'a sentence of JSON',
  'src/content/ical/windows-zones.ts': 'names of zones as calendar programs write them',
  'src/content/import/describe.ts': 'what a script prints',
  'src/content/menu/notes.ts': 'a sentence of JSON, beside its words',
  'src/kernel/access/sender-tokens.ts': 'the key of a row',
  'src/kernel/access/sessions.ts': 'names of browsers',
  'src/kernel/access/trust.ts': 'names of headers',
  'src/kernel/config.ts': 'the start of the service',
  'src/kernel/db/': 'SQL, the log, and the programs of whoever runs the server',
  'src/kernel/environment/': 'descriptions of variables',
  'src/kernel/house-network.ts': 'what a terminal says at the start',
  'src/kernel/http/pages.ts': 'a security policy',
  'src/kernel/images/share-image.ts': 'names of fonts',
  'src/kernel/lists/read-csv.ts': 'an error for programs',
  'src/kernel/live/sockets.ts': 'why a stream is closed, for programs',
  'src/kernel/mail/limits.ts': 'reasons that are stored, with their words in kernel/mail/reasons.ts',
  'src/kernel/mail/mailer.ts': 'reasons that are stored, with their words in kernel/mail/reasons.ts',
  'src/kernel/mail/message.ts':
    'reasons that are stored, with their words in kernel/mail/reasons.ts, and the name of the product',
  'src/kernel/mail/providers.ts': 'names of providers',
  'src/kernel/mail/reasons.ts': 'reasons as they are stored, beside their words',
  'src/kernel/mail/sender.ts': 'reasons that are stored, with their words in kernel/mail/reasons.ts',
  'src/kernel/mail/transport.ts': 'a reason that is stored, with its words in kernel/mail/reasons.ts',
  'src/kernel/messages/json-sentences.ts': 'sentences of JSON alone',
  'src/kernel/shared/decode.js': 'names of encodings',
  'src/kernel/thread.ts': 'the log',
  'src/kernel/workspace/records.ts': 'names of the columns of a workspace',
  'src/mails.ts': 'reasons that are stored, with their words in kernel/mail/reasons.ts',
  'src/main.ts': 'the start of the service',
  'src/people/erase/finish.ts': 'the log',
  'src/people/erase/tables.ts': 'what replaces a name in the database',
  'src/people/oidc/problems.ts': 'the code of an error of a program',
  'src/pub/display/workspace-check.ts': 'what a script prints',
  'src/pub/menu/undo.ts': 'the key of an act',
  'src/pub/now-playing/controls-sockets.ts': 'why a socket is closed, for programs',
  'src/pub/plays/scrobble-sender.ts': 'the protocol of ListenBrainz',
  'src/pub/screen/games.ts': 'a name in the feed of a source that gives none',
  'src/pub/setlist/rollups/vibe-compass.ts': 'codes of JSON',
  'src/pub/weather/weather.ts': 'the log',
  'src/routes/calendar/subscriptions.ts': 'sentences of JSON',
  'src/routes/content/records.ts': 'summaries in /openapi.json',
  'src/routes/meetings/batches.ts': 'a sentence of JSON',
  'src/routes/meetings/chair-acts.ts': 'a sentence of JSON',
  'src/routes/people/mail-code.ts': 'a sentence of JSON',
  'src/routes/pub/listenbrainz.ts': 'the protocol of ListenBrainz',
  'src/routes/voting/ballot-papers/ballot-papers.ts': 'a sentence of JSON',
  'src/routes/voting/ballots/card-cookie.ts': 'what is hashed',
  'src/routes/voting/elections/elections.ts': 'a sentence of JSON',
  'src/routes/voting/elections/manual-results.ts': 'a sentence of JSON that document 1 fixes',
  'src/routes/voting/elections/options.ts': 'a sentence of JSON',
  'src/routes/voting/invitations/distribution-lists.ts': 'a sentence of JSON',
  'src/routes/voting/my-elections.ts': 'sentences of JSON',
  'src/voting/ballot-papers/casting.ts': 'a sentence of JSON that document 1 fixes',
  'src/voting/ballots/ballots.ts': 'a sentence of JSON that document 1 fixes',
  'src/voting/ballots/tokens.ts': 'a sentence of JSON that document 1 fixes',
  'src/voting/counting/differences.ts': 'the log and a script',
  'src/voting/counting/export.ts': 'a file for counting programs',
  'src/voting/counting/outcome.ts': 'how figures of earlier versions name an answer',
  'src/voting/counting/publication.ts': 'sentences of JSON',
  'src/voting/counting/recheck.ts': 'the log and a script',
  'src/voting/counting/results-mail.ts':
    'reasons that are stored, with their words in kernel/mail/reasons.ts',
  'src/voting/elections/workspace-link.ts': 'names of the columns of a workspace',
  'src/voting/invitations/invites.ts': 'a reason that is stored, with its words in kernel/mail/reasons.ts',
  'src/voting/invitations/not-sent.ts': 'reasons that are stored, with their words in kernel/mail/reasons.ts',
  'src/voting/shared/ballot-file.ts':
    'the lines of a ballot, which pages, scripts and the browser spell alike',
  'views/assets/admin/admin.js': 'a header',
  'views/assets/admin/bulk-invites.js': 'a header, and a sentence of JSON that is looked for',
  'views/assets/admin/mail-reasons.js': 'sentences of JSON, beside their words',
  'views/assets/tv/mix.js': 'the key of a storage',
  'views/assets/tv/model.js': 'the name of the product',
  'views/assets/tv/screen.js': 'the key of a storage',
  'views/content/roster.ts': 'a name with its initial',
  'views/design/': 'the page of components, for developers',
  'views/mail/style.ts': 'a style sheet',
  'views/meetings/minutes/docx.ts': 'markup of a document',
  'views/pub/charts/compass.ts': 'codes of JSON',
  'views/pub/tv/frame.ts': 'attributes',
  'views/voting/admin/invitations/invite-fields.ts': 'the example of an address',
  'views/voting/ballots/check.ts': 'the lines of a ballot as src/voting/shared/ballot-file.ts spells them',
};

const sources = ['src', 'views'].flatMap((folder) =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((file) => /\.(ts|js)$/.test(file)),
);

it('no text for people stands outside the catalogues', () => {
  const isForReaders = (file: string) => !Object.keys(NOT_FOR_READERS).some((path) => file.startsWith(path));
  const found = sources
    .filter(isForReaders)
    .map((file) => ({ file, texts: textsInCode(fs.readFileSync(file, 'utf8')) }))
    .filter(({ texts }) => texts.length > 0);
  const outside = found.flatMap(({ file, texts }) =>
    texts.map(({ line, text }) => `${file}:${line} ${text}`),
  );
  expect(outside).toEqual([]);
});

it.each([
  ['const a = html`<p>Two votes</p>`;', ['Two votes']],
  [`const a = html\`<p>\${t('a.b')}</p><code>npm run demo</code>\`;`, []],
  [`const a = html\`<button aria-label="Close it">\${icon('x')}</button>\`;`, ['Close it']],
  [`const a = html\` aria-describedby="\${id}" hidden\`;`, []],
  [`const a = html\`<p>\${n > 1 ? html\`Several\` : 'None of them.'}</p>\`;`, ['Several', 'None of them.']],
  ["const a = 'Nobody has voted';", ['Nobody has voted']],
  [`const a = \`\${name} has voted.\`;`, ['… has voted.']],
  [`const a = \`\${day} to \${last}\`;`, ['… to …']],
  [`const a = html\`<b>\${name}</b>: \${value}\`;`, ['…: …']],
  [`const a = \`\${name}: \${value}\`, b = \`\${hour}:\${minute}\`;`, ['…: …']],
  ["const a = 'not_found', b = 'GET', c = 'SELECT id FROM a';", []],
  ["// It's a comment\nlog.info({ id }, 'Mail was sent');", []],
  ["throw new TypeError('There is no text');", []],
  [`app.get('/a', { schema: { summary: 'Read a list' } }, /Don't (be) "read/);`, []],
])('%s has the texts %j', (source, texts) => {
  expect(
    textsInCode(source)
      .map(({ text }) => text)
      .toSorted(),
  ).toEqual([...texts].sort());
});
