// Generates pictures, because the demo has no photographs.
import sharp from 'sharp';
import type { Drawing } from './clubs/club.ts';

const draw = async (svg: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await sharp(Buffer.from(svg)).png().toBuffer());

const COATS = ['#1f4d3a', '#8c2f2b', '#1d2b4f', '#a86f1c', '#5a3f63'];
const SKINS = ['#e8c4a2', '#c98f68', '#f0d3b8', '#8a5a3c'];
const HAIRS = ['#2b1a14', '#7a4a24', '#d9b26a', '#1a1512', '#8d8a86'];

/** Draws a portrait; each number gives another person. @param width in pixels; the height is 4/3 of it */
export function drawPortrait(who: number, width = 900): Promise<Uint8Array<ArrayBuffer>> {
  const of = <Item>(list: readonly Item[], step = 1) => list[(who * step) % list.length];
  const long = who % 2 === 0;
  return draw(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${(width * 4) / 3}" viewBox="0 0 900 1200">
    <rect width="900" height="1200" fill="#efe6d5"/><rect y="760" width="900" height="440" fill="#d9c9a8"/>
    ${[90, 240, 620, 770].map((x, i) => `<rect x="${x}" y="${180 + (i % 2) * 60}" width="70" height="${580 - (i % 2) * 60}" rx="26" fill="${['#5f7f6d', '#a86f1c', '#7d8fa8', '#8c2f2b'][i]}" opacity=".55"/>`).join('')}
    <path d="M150 1200 C170 880 330 820 450 820 S730 880 750 1200Z" fill="${of(COATS)}"/>
    <path d="M380 690h140v150q-70 70-140 0z" fill="${of(SKINS)}"/>
    ${long ? `<path d="M250 520c0-230 400-230 400 0v260q-60 40-90-40V540H340v200q-30 80-90 40z" fill="${of(HAIRS)}"/>` : ''}
    <ellipse cx="450" cy="540" rx="150" ry="190" fill="${of(SKINS)}"/>
    <path d="M296 500c-6-190 314-190 308 0-40-80-90-100-150-104-70-4-120 40-158 104z" fill="${of(HAIRS)}"/>
    <circle cx="395" cy="545" r="13" fill="#241a14"/><circle cx="505" cy="545" r="13" fill="#241a14"/>
    <path d="M390 630q60 50 120 0" fill="none" stroke="#6e2f26" stroke-width="10" stroke-linecap="round"/>
    ${who % 4 === 1 ? `<path d="M360 600q90-40 180 0-10 60-90 50-80 10-90-50z" fill="${of(HAIRS)}" opacity=".9"/>` : ''}</svg>`);
}

const PLACES: Record<Drawing, string> = {
  roof: `<rect width="1600" height="1000" fill="#20384a"/><circle cx="1250" cy="210" r="90" fill="#f1e2b8"/>
    <path d="M0 760 L420 420 L840 760Z" fill="#8c2f2b"/><path d="M620 760 L1060 360 L1600 800 V760Z" fill="#6e2320"/>
    ${Array.from({ length: 9 }, (_, i) => `<path d="M${i * 110 - 40} ${790 - Math.min(i, 8 - i) * 62} h150" stroke="#b5524a" stroke-width="8" opacity=".6"/>`).join('')}
    <rect y="760" width="1600" height="240" fill="#3b2a1e"/>
    ${Array.from({ length: 7 }, (_, i) => `<rect x="${90 + i * 220}" y="820" width="120" height="130" rx="8" fill="#f0c35e"/>`).join('')}`,
  band: `<rect width="1600" height="1000" fill="#2a1c18"/>
    ${[300, 800, 1300].map((x) => `<path d="M${x - 40} 0 L${x + 40} 0 L${x + 260} 1000 L${x - 260} 1000Z" fill="#f0c35e" opacity=".13"/>`).join('')}
    ${Array.from({ length: 8 }, (_, i) => `<path d="M${i * 230} 0 q60 ${i % 2 ? 90 : 60} 0 640 h120 q-60 -300 0 -640z" fill="#6e2320" opacity="${i > 1 && i < 6 ? 0.25 : 0.8}"/>`).join('')}
    <rect y="820" width="1600" height="180" fill="#4a3324"/><rect y="820" width="1600" height="14" fill="#a86f1c"/>
    ${[
      [420, '#1f4d3a', '#e8c4a2', 'M300 700 L560 560 L575 590 L320 740Z'],
      [800, '#8c2f2b', '#8a5a3c', 'M792 430 h16 v390 h-16z M770 400 h60 v50 h-60z'],
      [
        1180,
        '#1d2b4f',
        '#f0d3b8',
        'M1190 420 q80 30 70 160 q90 90 40 240 h-160 q-50 -150 40 -240 q-10 -100 10 -160z',
      ],
    ]
      .map(
        ([x, coat, skin, thing]) =>
          `<path d="M${Number(x) - 110} 830 q0 -330 110 -330 t110 330z" fill="${coat}"/><circle cx="${x}" cy="430" r="74" fill="${skin}"/><path d="M${Number(x) - 78} 430 q0 -100 78 -100 t78 100 q-40 -50 -78 -50 t-78 50z" fill="#1a1512"/><path d="${thing}" fill="#d9a05a"/>`,
      )
      .join('')}`,
};

/** Draws a place of the club, 1600 by 1000 pixels. */
export const drawPlace = (drawing: Drawing): Promise<Uint8Array<ArrayBuffer>> =>
  draw(
    `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1000" viewBox="0 0 1600 1000">${PLACES[drawing]}</svg>`,
  );

/** Writes a PDF of one page: a title and lines below it, in the letters of Western Europe. */
export function drawPdf(title: string, lines: readonly string[]): Uint8Array<ArrayBuffer> {
  const shown = (text: string) => `(${text.replace(/[\\()]/g, '\\$&')})`;
  const text = [
    'BT /F1 22 Tf 72 740 Td',
    `${shown(title)} Tj /F1 13 Tf 0 -14 Td`,
    ...lines.map((line) => `0 -24 Td ${shown(line)} Tj`),
    'ET',
  ].join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  return Uint8Array.from(
    Buffer.from(
      `${file}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer << /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
      'latin1',
    ),
  );
}
