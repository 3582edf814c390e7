import fs from 'node:fs';
import { launch } from '#test/support/browser/browser.ts';

// prints of the demo: cards, letters, ballots, minutes, menu: node test/prints.tmp.ts ORIGIN LINK OUT
const [, , origin, link, out] = process.argv;
const browser = await launch();
const context = await browser.newContext({ viewport: { width: 794, height: 1123 } });
const page = await context.newPage();
await page.goto(link!);
const button = page.getByRole('button', { name: /Olga/ });
if (await button.count()) await button.first().click();
await page.waitForLoadState();
const list = await (
  await page.request.get(`${origin}/admin/meetings`, { headers: { accept: 'application/json' } })
).json();
const meetings = list.meetings ?? list;
const id = meetings[0].id;
const whole = await (
  await page.request.get(`${origin}/admin/meetings/${id}`, { headers: { accept: 'application/json' } })
).json();
console.log(
  whole.items.map((i: { title: string; state: string; kind: string }) => `${i.title} ${i.state}`).join(' | '),
);
const shot = async (name: string) => {
  await page.emulateMedia({ media: 'print' });
  await page.screenshot({ path: `${out}/${name}.png`, clip: { x: 0, y: 0, width: 794, height: 1123 } });
  await page.emulateMedia({ media: 'screen' });
};
const post = async (action: string, fields: Record<string, string>) => {
  await page.goto(`${origin}/admin/meetings/${id}`);
  await Promise.all([
    page.waitForEvent('domcontentloaded'),
    page.evaluate(
      ([to, f]) => {
        const form = document.createElement('form');
        form.method = 'post';
        form.action = to as string;
        for (const [n, v] of Object.entries(f as object)) {
          const i = document.createElement('input');
          i.type = 'hidden';
          i.name = n;
          i.value = v as string;
          form.append(i);
        }
        document.body.append(form);
        form.submit();
      },
      [action, fields] as const,
    ),
  ]);
  await page.waitForTimeout(800);
};
const m = `/admin/meetings/${id}`;
await post(`${m}/packs`, { class: whole.meeting.classes[0], packs: '1' });
await shot('cards-a4');
console.log(await page.title());
await post(`${m}/packs?paper=a6`, { class: whole.meeting.classes[0], packs: '1' });
await shot('cards-a6');
await post(`${m}/letters`, {});
await shot('letters');
console.log(await page.title());
const item =
  whole.items.find((i: { kind: string; state: string }) => i.kind === 'motion' && i.state === 'open') ??
  whole.items.find((i: { kind: string }) => i.kind === 'motion');
await page.goto(`${origin}${m}/items/${item.id}/papers`);
console.log(
  await page.title(),
  (
    await page
      .locator('main form')
      .evaluateAll((f) => f.map((x) => `${(x as HTMLFormElement).method} ${(x as HTMLFormElement).action}`))
  ).join('\n'),
  (await page.locator('main a').evaluateAll((f) => f.map((x) => (x as HTMLAnchorElement).href))).join('\n'),
);
await page.goto(`${origin}${m}/minutes`);
await shot('minutes');
fs.writeFileSync(`${out}/done`, '');
await browser.close();
