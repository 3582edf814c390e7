import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { clubReader } from '#kernel/locale.ts';
import { zip } from '#kernel/zip.ts';
import type { Block } from '#meetings/minutes/versions.ts';
import { numbered, type ShownSignature, signatureLines } from './article.ts';
import { withoutControls } from './characters.ts';

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const MAIN = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

/** A4 in twentieths of a point. */
const PAGE_WIDTH = 11_906;
const MARGIN = 1_021;
const TEXT_WIDTH = PAGE_WIDTH - 2 * MARGIN;

export const DOCX_TYPE = `${MAIN}.document`;

/** The minutes as a file for word processors: Office Open XML with the few parts that these need. */
export function minutesDocx(
  title: string,
  blocks: readonly Block[],
  signatures: readonly ShownSignature[],
): Buffer {
  const annexes = blocks.findIndex(({ is }) => is === 'annex');
  const at = annexes < 0 ? blocks.length : annexes;
  const signed = signatureLines(signatures).map(([role, said]) =>
    paragraph('Signature', `${said?.for(clubReader()) ?? '_'.repeat(32)}\n${role.for(clubReader())}`),
  );
  const body = blocks.map(blockXml).toSpliced(at, 0, html`${signed}`);
  const document = html`<w:document xmlns:w="${WORD}"><w:body>${body}<w:sectPr><w:pgSz w:w="${PAGE_WIDTH}" w:h="16838"/><w:pgMar w:top="${MARGIN}" w:right="${MARGIN}" w:bottom="${MARGIN}" w:left="${MARGIN}" w:header="567" w:footer="567" w:gutter="0"/></w:sectPr></w:body></w:document>`;
  return zip([
    { name: '[Content_Types].xml', content: XML + TYPES },
    { name: '_rels/.rels', content: XML + RELATIONS },
    { name: 'docProps/core.xml', content: XML + core(title) },
    { name: 'word/document.xml', content: XML + document },
    { name: 'word/styles.xml', content: XML + STYLES },
    { name: 'word/settings.xml', content: XML + SETTINGS },
    { name: 'word/_rels/document.xml.rels', content: XML + DOCUMENT_RELATIONS },
  ]);
}

function blockXml(block: Block): Html {
  switch (block.is) {
    case 'title':
      return paragraph('Title', block.text);
    case 'heading':
      return paragraph('Heading1', block.text);
    case 'annex':
      return html`<w:p><w:pPr><w:pStyle w:val="Heading1"/><w:pageBreakBefore/></w:pPr>${run(block.text)}</w:p>`;
    case 'note':
      return paragraph('Note', block.text);
    case 'wording':
      return paragraph('Quote', block.text);
    case 'text':
      return html`${block.text.split(/\n{2,}/).map((part) => paragraph('Normal', part))}`;
    case 'list':
      return html`${numbered(block).map((line) => paragraph('List', line))}`;
    case 'facts':
      return html`${block.rows.map(
        ([term, value]) =>
          html`<w:p><w:pPr><w:pStyle w:val="Normal"/></w:pPr><w:r><w:rPr><w:b/></w:rPr>${text(`${t('common.label', { label: term }).for(clubReader())} `)}</w:r>${run(
            value,
          )}</w:p>`,
      )}`;
    case 'table':
      return html`${paragraph('Note', block.caption)}${tableXml(block)}${paragraph('Normal', '')}`;
  }
}

function tableXml({ columns, rows }: Extract<Block, { is: 'table' }>): Html {
  const cell = (value: string, index: number, heading: boolean) =>
    html`<w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/></w:tcPr><w:p><w:pPr><w:pStyle w:val="Cell"/>${
      columns[index]?.number && html`<w:jc w:val="right"/>`
    }</w:pPr><w:r>${heading && html`<w:rPr><w:b/></w:rPr>`}${text(value)}</w:r></w:p></w:tc>`;
  return html`<w:tbl><w:tblPr><w:tblStyle w:val="Grid"/><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>${columns.map(
    () => html`<w:gridCol w:w="${Math.floor(TEXT_WIDTH / columns.length)}"/>`,
  )}</w:tblGrid><w:tr><w:trPr><w:tblHeader/></w:trPr>${columns.map(({ label }, index) =>
    cell(label, index, true),
  )}</w:tr>${rows.map(
    (cells) =>
      html`<w:tr><w:trPr><w:cantSplit/></w:trPr>${cells.map((value, index) => cell(value, index, false))}</w:tr>`,
  )}</w:tbl>`;
}

const paragraph = (style: string, content: string): Html =>
  html`<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${run(content)}</w:p>`;

const run = (content: string): Child => content !== '' && html`<w:r>${text(content)}</w:r>`;

/** A text with its ends of lines. */
const text = (content: string): Html[] =>
  withoutControls(content)
    .split('\n')
    .map((line, index) => html`${index > 0 && html`<w:br/>`}<w:t xml:space="preserve">${line}</w:t>`);

const TYPES = html`<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${MAIN}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${MAIN}.styles+xml"/><Override PartName="/word/settings.xml" ContentType="${MAIN}.settings+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`;

const RELATIONS = html`<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/><Relationship Id="rId2" Type="${PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`;

const DOCUMENT_RELATIONS = html`<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/styles" Target="styles.xml"/><Relationship Id="rId2" Type="${OFFICE}/settings" Target="settings.xml"/></Relationships>`;

/** Without them Word opens the file in its mode for files of 2007. */
const SETTINGS = html`<w:settings xmlns:w="${WORD}"><w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat></w:settings>`;

const core = (title: string): Html =>
  html`<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${withoutControls(
    title,
  )}</dc:title></cp:coreProperties>`;

/** Sizes are in half points, spaces in twentieths of a point. */
function style(
  id: string,
  name: string,
  { size = 20, before = 0, after = 60, more = html``, bold = false } = {},
) {
  return html`<w:style w:type="paragraph"${id === 'Normal' && html` w:default="1"`} w:styleId="${id}"><w:name w:val="${name}"/>${
    id !== 'Normal' && html`<w:basedOn w:val="Normal"/>`
  }<w:pPr>${(id === 'Heading1' || id === 'Title') && html`<w:keepNext/>`}<w:spacing w:before="${before}" w:after="${after}"/>${more}${
    id === 'Heading1' && html`<w:outlineLvl w:val="0"/>`
  }</w:pPr><w:rPr>${bold && html`<w:b/>`}<w:sz w:val="${size}"/></w:rPr></w:style>`;
}

const INDENT = html`<w:ind w:left="340"/>`;

const STYLES = html`<w:styles xmlns:w="${WORD}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Calibri"/><w:sz w:val="20"/></w:rPr></w:rPrDefault></w:docDefaults>${[
  style('Normal', 'Normal'),
  style('Title', 'Title', { size: 32, after: 120, bold: true }),
  style('Heading1', 'heading 1', { size: 24, before: 160, bold: true }),
  style('Quote', 'Quote', { more: INDENT }),
  style('List', 'List', { after: 0, more: INDENT }),
  style('Note', 'Note', { size: 18 }),
  style('Cell', 'Cell', { size: 18, after: 0 }),
  style('Signature', 'Signature', { before: 480 }),
]}<w:style w:type="table" w:styleId="Grid"><w:name w:val="Table Grid"/><w:tblPr><w:tblBorders>${[
  'top',
  'left',
  'bottom',
  'right',
  'insideH',
  'insideV',
].map(
  (side) => html`<w:${side} w:val="single" w:sz="4" w:space="0" w:color="auto"/>`,
)}</w:tblBorders></w:tblPr></w:style></w:styles>`;
