import { Html, html } from '#kernel/html.ts';
import { LOGO, type MailClub } from '#kernel/mail/club.ts';
import { type MailContent, oneLine } from '#kernel/mail/message.ts';
import { contactAddress } from '#kernel/settings/inputs.ts';
import { definitionList } from '#views/components/structure.ts';
import { darkStyle, type Look, STYLE } from './style.ts';

/** A mail ready to send; its text and its HTML have the same content. */
export type Mail = MailContent;

/** The parts of every mail, all in plain text. */
export interface MailParts {
  /** The club that sends the mail. */
  club: MailClub;
  subject: string;
  /** The preview that a mailbox shows beside the subject. */
  preheader: string;
  /** Comes first and marks a test mail. */
  notice?: string | undefined;
  eyebrow: string;
  heading: string;
  body: readonly Block[];
  /** The main link, shown as a button; a mail that only informs has none. */
  link?: MailLink | undefined;
  /** Shown below the link. */
  advice?: string | undefined;
  /** Why this person gets this mail. */
  why: string;
  /** The link to unsubscribe. */
  stop?: MailLink | undefined;
}

export interface MailLink {
  label: string;
  href: string;
}

/**
 * A paragraph, an emphasised text, a sentence with the page that it is about, named facts, a list of titles that may have a
 * note, or a code with a picture that a machine reads, which is a file of the mail, and the page that shows it.
 */
export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'outcome'; text: string }
  | { kind: 'page'; text: string; href: string }
  | { kind: 'facts'; facts: readonly (readonly [name: string, value: string])[] }
  | { kind: 'list'; items: readonly { title: string; note?: string }[] }
  | { kind: 'code'; name: string; code: string; picture: string; link: MailLink };

/** What a mail says, on paper: without pictures of codes, and without the link. */
export const onPaper = ({ club, eyebrow, heading, body }: MailParts) => ({
  club: club.name,
  eyebrow,
  heading,
  content: html`${body.map(drawn)}`,
});

function drawn(block: Block): Html | null {
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

/** Renders a mail. No text in it can begin a new line, a header or an HTML element. */
export function renderMail(parts: MailParts): Mail {
  return { subject: subjectOf(parts.subject), text: plainText(parts), html: document(parts).toString() };
}

const LONGEST_SUBJECT = 150;
const LONGEST_EXCERPT = 280;

/** The beginning of a longer text on one line, cut at a word. */
export function excerpt(text: string, longest = LONGEST_EXCERPT): string {
  const line = oneLine(text);
  if (line.length <= longest) return line;
  const cut = line.slice(0, longest);
  const word = cut.lastIndexOf(' ');
  return `${(word > longest / 2 ? cut.slice(0, word) : cut).replace(/[\s.,;:\ud800-\udbff]+$/, '')}…`;
}

function subjectOf(text: string): string {
  return excerpt(text, LONGEST_SUBJECT);
}

function plainText(parts: MailParts): string {
  const { club, notice, eyebrow, heading, body, link, advice, why, stop } = parts;
  const paragraphs = [
    notice,
    `${oneLine(eyebrow)}\n${oneLine(heading)}`,
    ...body.map(blockText),
    link && `${link.label}:\n${link.href}`,
    advice,
    `--\nSent by ${ended(oneLine(club.name))} ${oneLine(why)}`,
    houseText(club),
    stop && `${stop.label}:\n${stop.href}`,
  ];
  return `${paragraphs.filter(Boolean).join('\n\n')}\n`;
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'text':
    case 'outcome':
      return oneLine(block.text);
    case 'page':
      return `${oneLine(block.text)}\n${block.href}`;
    case 'facts':
      return block.facts.map(([name, value]) => `${name}: ${oneLine(value)}`).join('\n');
    case 'list':
      return block.items
        .map(
          ({ title, note }) =>
            `${isNumbered(block) ? '' : '* '}${oneLine(title)}${note === undefined ? '' : `\n  ${oneLine(note)}`}`,
        )
        .join('\n');
    case 'code':
      return `${oneLine(block.name)}: ${block.code}\n${block.link.label}: ${block.link.href}`;
  }
}

/** Whether the titles of a list begin with numbers of their own, which stand in place of bullets. */
const isNumbered = ({ items }: Extract<Block, { kind: 'list' }>): boolean =>
  items.every(({ title }) => /^\d+[a-z]*\. /.test(title));

function document(parts: MailParts): Html {
  const { club, subject, preheader, notice, eyebrow, heading, body, link, advice, why, stop } = parts;
  return html`<!DOCTYPE html>
<html lang="en">
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
<tr><td class="sheet" style="${STYLE.sheet}">
${notice && html`<p class="brass" style="${STYLE.notice}">${notice}</p>`}
<p class="green" style="${STYLE.eyebrow};color:${club.accent.accent_light}">${oneLine(eyebrow)}</p>
<h1 class="ink" style="${STYLE.heading}">${oneLine(heading)}</h1>
${body.map(blockHtml)}
${
  link &&
  html`${button(link, club.accent.accent_light)}
<p class="soft" style="${STYLE.small}">If the button does not work, copy this address into your browser:<br>
<span class="ink" style="${STYLE.address}">${link.href}</span></p>`
}
${advice && paragraph(advice, 'text')}
</td></tr>
<tr><td class="soft rule sheet" style="${STYLE.foot}">Sent by ${ended(oneLine(club.name))} ${oneLine(why)}${
    stop && html` <a class="soft" style="${STYLE.stop}" href="${stop.href}">${stop.label}</a>`
  }${houseHtml(club)}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>`;
}

function blockHtml(block: Block): Html {
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
function houseText({ contact, imprint, privacy }: MailClub): string | undefined {
  const lines = [contact, imprint && `Imprint: ${imprint}`, privacy && `Privacy: ${privacy}`].filter(Boolean);
  return lines.length > 0 ? lines.join('\n') : undefined;
}

function houseHtml({ contact, imprint, privacy }: MailClub): Html {
  const link = (href: string, label: string) =>
    html`<a class="soft" style="${STYLE.stop}" href="${href}">${label}</a>`;
  const address = contact && contactAddress(contact);
  const parts = [
    contact && (address ? link(address, contact) : html`${contact}`),
    imprint && link(imprint, 'Imprint'),
    privacy && link(privacy, 'Privacy'),
  ].filter((part) => part instanceof Html);
  return html`${parts.map((part, index) => html`${index === 0 ? html`<br>` : ' · '}${part}`)}`;
}

/** A button that works in Outlook too, where the table cell carries the colour and the padding. */
function button({ label, href }: MailLink, colour: string): Html {
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="${STYLE.buttonRow}">
<tr><td class="button" bgcolor="${colour}" style="background-color:${colour};${STYLE.buttonCell}"><a class="button-words" href="${href}" style="${STYLE.button}">${label}</a></td></tr>
</table>`;
}

/** A name at the end of a sentence, with one full stop: `The Anchor.`, `Ruderclub e. V.`. */
export const ended = (name: string): string => (name.endsWith('.') ? name : `${name}.`);
