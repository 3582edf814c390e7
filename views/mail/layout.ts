import { Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { formatted, type Reader, Words } from '#kernel/language/words.ts';
import { LOGO, type MailClub } from '#kernel/mail/club.ts';
import { type MailContent, oneLine } from '#kernel/mail/message.ts';
import { contactAddress } from '#kernel/settings/inputs.ts';
import { definitionList } from '#views/components/structure.ts';
import { darkStyle, type Look, STYLE } from './style.ts';

/** A mail ready to send; its text and its HTML have the same content. */
export type Mail = MailContent;

/** A text of a mail, or of what people wrote. */
export type Text = Words | string;

/** The parts of every mail, all in plain text. */
export interface MailParts<T = Text> {
  /** The club that sends the mail. */
  club: MailClub;
  subject: T;
  /** The preview that a mailbox shows beside the subject. */
  preheader: T;
  /** Comes first and marks a test mail. */
  notice?: T | undefined;
  eyebrow: T;
  heading: T;
  body: readonly Block<T>[];
  /** The main link, shown as a button; a mail that only informs has none. */
  link?: MailLink<T> | undefined;
  /** Shown below the link. */
  advice?: T | undefined;
  /** Why this person gets this mail. */
  why: T;
  /** The link to unsubscribe. */
  stop?: MailLink<T> | undefined;
}

export interface MailLink<T = Text> {
  label: T;
  href: string;
}

/**
 * A paragraph, an emphasised text, a sentence with the page that it is about, named facts, a list of titles that may have a
 * note, or a code with a picture that a machine reads, which is a file of the mail, and the page that shows it.
 */
export type Block<T = Text> =
  | { kind: 'text'; text: T }
  | { kind: 'outcome'; text: T }
  | { kind: 'page'; text: T; href: string }
  | { kind: 'facts'; facts: readonly (readonly [name: T, value: T])[] }
  | { kind: 'list'; items: readonly { title: T; note?: T | undefined }[] }
  | { kind: 'code'; name: T; code: string; picture: string; link: MailLink<T> };

/** What a mail says on paper to a reader: without pictures of codes, and without the link. */
export function onPaper(parts: MailParts, reader: Reader) {
  const { club, eyebrow, heading, body } = written(parts, reader);
  return { reader, club: club.name, eyebrow, heading, content: html`${body.map(drawn)}` };
}

function drawn(block: Block<string>): Html | null {
  switch (block.kind) {
    case 'text':
    case 'outcome':
      return html`<p>${block.text}</p>`;
    case 'page':
      // With the key of the invitation, without which a meeting for members alone does not open.
      return html`<p>${block.text}<br>${block.href.replace(/^https?:\/\//, '')}</p>`;
    case 'facts':
      return definitionList(block.facts);
    case 'list':
      return html`<ul${isNumbered(block) && html` role="list"`}>${block.items.map(
        ({ title, note }) => html`<li>${title}${note && html`<br><span class="small">${note}</span>`}</li>`,
      )}</ul>`;
    case 'code':
      return null;
  }
}

/** The parts of a mail as a reader reads them. */
interface Said extends MailParts<string> {
  reader: Reader;
}

/**
 * Renders a mail. No text in it can begin a new line, a header or an HTML element.
 * @param second a reader of another language, in which the mail says the same once more, below
 */
export function renderMail(parts: MailParts, reader: Reader, second?: Reader): Mail {
  const said = [reader, ...(second ? [second] : [])].map((one) => written(parts, one)) as [Said, ...Said[]];
  return {
    subject: subjectOf(said[0].subject),
    text: plainText(said),
    html: document(said).for(reader),
  };
}

const written = (parts: MailParts, reader: Reader): Said => ({
  ...(inWords(parts, reader) as MailParts<string>),
  reader,
});

function inWords(value: unknown, reader: Reader): unknown {
  if (value instanceof Words) return withOneStop(value.for(reader));
  if (Array.isArray(value)) return value.map((one) => inWords(one, reader));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inWords(one, reader)]));
}

/** A name that ends with a full stop, as `Ruderclub e. V.`, at the end of a sentence: there is only one. */
const withOneStop = (text: string): string => text.replace(/(?<!\.)\.\.(?!\.)/g, '.');

const LONGEST_SUBJECT = 150;
const LONGEST_EXCERPT = 280;

/** The beginning of a longer text on one line, cut at a word. */
export function excerpt(text: string, longest?: number): string;
export function excerpt(text: Text, longest?: number): Text;
export function excerpt(text: Text, longest = LONGEST_EXCERPT): Text {
  if (text instanceof Words) return formatted((reader) => excerpt(text.for(reader), longest));
  const line = oneLine(text);
  if (line.length <= longest) return line;
  const cut = line.slice(0, longest);
  const word = cut.lastIndexOf(' ');
  return `${(word > longest / 2 ? cut.slice(0, word) : cut).replace(/[\s.,;:\ud800-\udbff]+$/, '')}…`;
}

function subjectOf(text: string): string {
  return excerpt(text, LONGEST_SUBJECT);
}

function plainText(said: readonly [Said, ...Said[]]): string {
  const [{ club, reader }] = said;
  const paragraphs = [
    said.map(contentText).join('\n\n* * *\n\n'),
    `--\n${said.map(sentBy).join('\n')}`,
    houseText(club, reader),
    ...said.map(({ stop, reader }) => stop && linkText(stop, reader)),
  ];
  return `${paragraphs.filter(Boolean).join('\n\n')}\n`;
}

function contentText({ notice, eyebrow, heading, body, link, advice, reader }: Said): string {
  const paragraphs = [
    notice,
    `${oneLine(eyebrow)}\n${oneLine(heading)}`,
    ...body.map((block) => blockText(block, reader)),
    link && linkText(link, reader),
    advice,
  ];
  return paragraphs.filter(Boolean).join('\n\n');
}

const linkText = ({ label, href }: MailLink<string>, reader: Reader): string =>
  `${t('common.label', { label }).for(reader)}\n${href}`;

const sentBy = ({ club, why, reader }: Said): string =>
  oneLine(withOneStop(t('mail.layout.sent_by', { club: club.name, why }).for(reader)));

function blockText(block: Block<string>, reader: Reader): string {
  const fact = (name: string, value: string) => t('common.named', { name, value }).for(reader);
  switch (block.kind) {
    case 'text':
    case 'outcome':
      return oneLine(block.text);
    case 'page':
      return `${oneLine(block.text)}\n${block.href}`;
    case 'facts':
      return block.facts.map(([name, value]) => fact(name, oneLine(value))).join('\n');
    case 'list':
      return block.items
        .map(
          ({ title, note }) =>
            `${isNumbered(block) ? '' : '* '}${oneLine(title)}${note === undefined ? '' : `\n  ${oneLine(note)}`}`,
        )
        .join('\n');
    case 'code':
      return `${fact(oneLine(block.name), block.code)}\n${fact(block.link.label, block.link.href)}`;
  }
}

/** Whether the titles of a list begin with numbers of their own, which stand in place of bullets. */
const isNumbered = ({ items }: Extract<Block<string>, { kind: 'list' }>): boolean =>
  items.every(({ title }) => /^\d+[a-z]*\. /.test(title));

function document(said: readonly [Said, ...Said[]]): Html {
  const [{ club, subject, preheader, reader }] = said;
  const several = said.length > 1;
  return html`<!DOCTYPE html>
<html lang="${reader.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subjectOf(subject)}</title>
<style>${darkStyle(club.accent.accent_dark)}</style>
</head>
<body class="paper" style="${STYLE.body}">
<div style="${STYLE.preheader}">${oneLine(preheader)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="paper" style="${STYLE.page}">
<tr><td align="center" class="margin" style="${STYLE.margin}">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="${STYLE.column}">
<tr><td class="ink rule sheet" style="${STYLE.club}">${
    club.hasLogo && html`<img src="${LOGO}" alt="" height="40" style="${STYLE.logo}">`
  }${oneLine(club.name)}</td></tr>
${said.map(
  (one, at) => html`<tr><td${several && langOf(one)} class="${at > 0 && 'rule '}sheet" style="${
    at === 0 ? STYLE.sheet : STYLE.second
  }">
${contentHtml(one, at === 0)}
</td></tr>\n`,
)}<tr><td class="soft rule sheet" style="${STYLE.foot}">${said.map(
    (one, at) =>
      html`${at > 0 && html`<br>`}${several ? html`<span${langOf(one)}>${footHtml(one)}</span>` : footHtml(one)}`,
  )}${houseHtml(club)}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>`;
}

const langOf = ({ reader }: Said): Html => html` lang="${reader.language}"`;

function contentHtml(
  { club, notice, eyebrow, heading, body, link, advice, reader }: Said,
  isFirst: boolean,
): Html {
  const level = isFirst ? html`h1` : html`h2`;
  return html`${notice && html`<p class="brass" style="${STYLE.notice}">${notice}</p>`}
<p class="green" style="${STYLE.eyebrow};color:${club.accent.accent_light}">${oneLine(eyebrow)}</p>
<${level} class="ink" style="${STYLE.heading}">${oneLine(heading)}</${level}>
${body.map(blockHtml)}
${
  link &&
  html`${button(link, club.accent.accent_light)}
<p class="soft" style="${STYLE.small}">${t('mail.layout.button_fails').for(reader)}<br>
<span class="ink" style="${STYLE.address}">${link.href}</span></p>`
}
${advice && paragraph(advice, 'text')}`;
}

const footHtml = (one: Said): Html =>
  html`${sentBy(one)}${
    one.stop && html` <a class="soft" style="${STYLE.stop}" href="${one.stop.href}">${one.stop.label}</a>`
  }`;

function blockHtml(block: Block<string>): Html {
  switch (block.kind) {
    case 'text':
    case 'outcome':
      return paragraph(block.text, block.kind);
    case 'page':
      return html`<p class="ink" style="${STYLE.text}">${oneLine(block.text)}<br><a class="ink" style="${STYLE.address}" href="${block.href}">${block.href}</a></p>`;
    case 'facts':
      return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="${STYLE.facts}">
${block.facts.map(
  ([name, value]) => html`<tr><td class="soft fact" style="${STYLE.factName}">${name}</td>
<td class="ink fact" style="${STYLE.factValue}">${oneLine(value)}</td></tr>`,
)}
</table>`;
    case 'list':
      return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="${STYLE.facts}">
${block.items.map(
  ({ title, note }) => html`<tr>
<td class="rule" style="${STYLE.item}"><strong class="ink" style="${STYLE.itemTitle}">${oneLine(title)}</strong>${note !== undefined && html`<br><span class="soft" style="${STYLE.itemNote}">${oneLine(note)}</span>`}</td></tr>`,
)}
</table>`;
    case 'code':
      return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="${STYLE.facts}">
<tr><td style="${STYLE.picture}"><img src="${block.picture}" alt="" width="132" height="132"></td>
<td style="${STYLE.beside}"><span class="soft" style="${STYLE.itemNote}">${oneLine(block.name)}</span><br>
<span class="ink" style="${STYLE.code}">${block.code}</span><br>
<a class="soft" style="${STYLE.stop}" href="${block.link.href}">${block.link.label}</a></td></tr>
</table>`;
  }
}

function paragraph(text: string, look: Extract<Look, 'text' | 'outcome'>): Html {
  return html`<p class="ink" style="${STYLE[look]}">${oneLine(text)}</p>`;
}

/** The club's contact and the links that the law requires, one per line. */
function houseText({ contact, imprint, privacy }: MailClub, reader: Reader): string | undefined {
  const fact = (name: Words, value: string) => t('common.named', { name, value }).for(reader);
  const lines = [
    contact,
    imprint && fact(t('common.foot.imprint'), imprint),
    privacy && fact(t('common.foot.privacy'), privacy),
  ].filter(Boolean);
  return lines.length > 0 ? lines.join('\n') : undefined;
}

function houseHtml({ contact, imprint, privacy }: MailClub): Html {
  const link = (href: string, label: Text) =>
    html`<a class="soft" style="${STYLE.stop}" href="${href}">${label}</a>`;
  const address = contact && contactAddress(contact);
  const parts = [
    contact && (address ? link(address, contact) : html`${contact}`),
    imprint && link(imprint, t('common.foot.imprint')),
    privacy && link(privacy, t('common.foot.privacy')),
  ].filter((part) => part instanceof Html);
  return html`${parts.map((part, index) => html`${index === 0 ? html`<br>` : ' · '}${part}`)}`;
}

/** A button that works in Outlook too, where the table cell carries the colour and the padding. */
function button({ label, href }: MailLink<string>, colour: string): Html {
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="${STYLE.buttonRow}">
<tr><td class="button" bgcolor="${colour}" style="background-color:${colour};${STYLE.buttonCell}"><a class="button-words" href="${href}" style="${STYLE.button}">${label}</a></td></tr>
</table>`;
}
