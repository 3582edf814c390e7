import { type Html, html } from '#kernel/html.ts';

/** The inline styles of the parts of a mail: many mail programs ignore style sheets. */

const SANS = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const SERIF = "Georgia,'Times New Roman',serif";
const PAPER = '#faf7f1';
const SHEET = '#fffdf9';
const INK = '#1d1b16';
const SOFT = '#5f5a4e';
const BRASS = '#7d500f';
const RULE = '#ddd5c5';

export const STYLE = {
  body: `margin:0;padding:0;background-color:${PAPER};-webkit-text-size-adjust:100%`,
  preheader: 'display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;mso-hide:all',
  page: `background-color:${PAPER}`,
  margin: 'padding:32px 16px',
  column: 'max-width:600px;margin:0 auto',
  club: `padding:20px 32px;background-color:${SHEET};border:1px solid ${RULE};border-bottom:0;border-radius:6px 6px 0 0;font:bold 17px/1.4 ${SERIF};color:${INK}`,
  logo:
    'height:40px;max-width:200px;margin:0 12px 0 ' +
    '0;padding:3px;border-radius:4px;background-color:#faf7f1;vertical-align:middle',
  sheet: `padding:12px 32px 24px;background-color:${SHEET};border-left:1px solid ${RULE};border-right:1px solid ${RULE}`,
  second: `padding:24px 32px;background-color:${SHEET};border:1px solid ${RULE};border-bottom:0`,
  notice: `margin:0 0 20px;padding:10px 14px;border:1px solid ${BRASS};border-radius:6px;font:bold 15px/1.5 ${SANS};color:${BRASS}`,
  eyebrow: `margin:0 0 4px;font:bold 15px/1.5 ${SANS}`,
  heading: `margin:0 0 16px;font:bold 28px/1.25 ${SERIF};color:${INK};overflow-wrap:anywhere`,
  text: `margin:0 0 16px;font:17px/1.55 ${SANS};color:${INK};overflow-wrap:anywhere`,
  outcome: `margin:0 0 16px;font:bold 21px/1.4 ${SERIF};color:${INK};overflow-wrap:anywhere`,
  facts: 'margin:0 0 20px',
  factName: `padding:2px 16px 2px 0;vertical-align:top;white-space:nowrap;font:17px/1.5 ${SANS};color:${SOFT}`,
  factValue: `padding:2px 0;vertical-align:top;font:bold 17px/1.5 ${SANS};color:${INK};overflow-wrap:anywhere`,
  item: `padding:12px 0;border-top:1px solid ${RULE}`,
  itemTitle: `font:bold 17px/1.5 ${SANS};color:${INK};overflow-wrap:anywhere`,
  itemNote: `font:15px/1.5 ${SANS};color:${SOFT}`,
  picture: 'padding:0 16px 0 0;vertical-align:middle;width:132px',
  beside: `vertical-align:middle;font:15px/1.5 ${SANS}`,
  code: `font:bold 21px/1.4 ${SANS};color:${INK};white-space:nowrap`,
  buttonRow: 'margin:8px 0 20px',
  buttonCell: `border-radius:6px;mso-padding-alt:14px 28px`,
  button: `display:inline-block;padding:14px 28px;border-radius:6px;font:bold 17px/1.2 ${SANS};color:#faf7f1;text-decoration:none`,
  small: `margin:0 0 20px;font:14px/1.55 ${SANS};color:${SOFT}`,
  address: `color:${INK};word-break:break-all`,
  stop: `color:${SOFT}`,
  foot: `padding:16px 32px 20px;background-color:${SHEET};border:1px solid ${RULE};border-radius:0 0 6px 6px;font:14px/1.55 ${SANS};color:${SOFT}`,
} as const;

export type Look = keyof typeof STYLE;

/** The dark theme and the narrow layout, where the mail program supports them. */
export const darkStyle = (
  accent: string,
): Html => html`:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){.margin{padding:0!important}.sheet{padding-left:20px!important;padding-right:20px!important;border-left:0!important;border-right:0!important;border-radius:0!important}.fact{display:block!important;padding-right:0!important}}
@media (prefers-color-scheme:dark){.paper{background-color:#14130f!important}.sheet{background-color:#1d1b16!important}.sheet,.rule{border-color:#37332a!important}.ink{color:#ece6d9!important}.soft{color:#b3ab9b!important}.green{color:${accent}!important}.brass{color:#d8a550!important;border-color:#d8a550!important}.button{background-color:${accent}!important}.button-words{color:#14130f!important}}`;
