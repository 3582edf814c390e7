import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { unfold } from '#test/support/browser/accessible.ts';
import {
  DESK,
  drawn,
  type ListeningService,
  LONGEST_PRESS_MS,
  listeningService,
  SCRIPT,
  sendForm,
  watch,
} from '#test/support/browser/browser-service.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { timersByHand } from '#test/support/browser/page-timers.ts';
import { message, onPage } from '#test/support/messages.ts';
import { appoint, phone } from '#test/support/people/patrons.ts';

const openTab = keptTabs();
let service: ListeningService;
let olga: Record<string, string>;
let tom: Record<string, string>;

beforeAll(async () => {
  service = await listeningService({
    SETLIST_REQUESTS_ENABLED: 'on',
    FEEDBACK_ENABLED: 'on',
    NOW_SHOWING_ENABLED: 'on',
    SCREENINGS_ENABLED: 'on',
  });
  olga = await appoint(service, 'olga@club.example', 'owner');
  tom = await appoint(service, 'tom@club.example', 'tender');
});
afterAll(() => service[Symbol.asyncDispose]());

/** Opens the one tab of this file for somebody. */
async function open(who: Record<string, string>, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await openTab(service.origin, options);
  // What an earlier test did can no longer be undone.
  service.clock.now += 10_000;
  await page.setExtraHTTPHeaders(who);
  return page;
}
const text = (page: Page, selector: string) =>
  page.evaluate(
    (at) => (document.querySelector<HTMLElement>(at)?.innerText ?? '').replace(/\s+/g, ' ').trim(),
    selector,
  );
const beat = (extras: object = {}) => service.post('/api/now-playing/ingest', { heartbeat: true, ...extras });
const command = async () => (await service.get('/api/dmx/desired')).json();

/** Requests a song from a new phone. */
async function another(artist: string, title: string): Promise<void> {
  service.clock.now += 1;
  await phone(service).post('/api/setlist/request', { artist, title });
}

test.each(SCRIPT)(
  'a command goes to the lights, and the page shows when it was executed, %s',
  async (_how, options) => {
    const script = options.javaScriptEnabled !== false;
    await beat();
    const page = await open(tom, options);
    const troubles = watch(page.context(), service.origin);
    const timers = await timersByHand(page, 4_000);
    await page.goto('/admin/pub/room');
    await page.getByText('A scene by its name').click();
    await page.getByLabel('Name').fill(script ? 'Quiz night' : 'Last call');
    await page.getByRole('button', { name: 'Ask for it' }).click();
    await expect
      .poll(() => text(page, '#lights-state'))
      .toContain(`${script ? 'Quiz night' : 'Last call'}. Waiting`);
    await expect.poll(() => text(page, '#said')).toBe('The command was sent to the lights.');

    await beat({ applied_intent: { set_at: (await command()).desiredSetAt, ok: true } });
    await (script ? timers.fire() : page.goto('/admin/pub/room'));
    const on = `Lights: ${script ? 'Quiz night' : 'Last call'}.`;
    await expect.poll(() => text(page, '#lights-state')).toContain(on);

    // Until a moment after the page was redrawn, a tap at the place of another button does nothing.
    const blackout = page.getByRole('button', { name: /Blackout/ });
    const asked = async () => {
      if ((await blackout.textContent()) === 'Blackout') await blackout.click();
      return blackout.textContent();
    };
    await expect.poll(asked).toBe('Undo: Blackout, asked');
    expect((await command()).desired).toEqual({ action: 'blackout' });
    // Without script the page may be left while its fonts are still loading.
    if (script) expect(troubles).toEqual([]);
  },
);

test('the page polls its own URL without the message of the last action', async () => {
  const page = await open(tom);
  await page.goto('/admin/pub/room?done=lights&part=sound');
  const polled = page.waitForRequest((request) => request.resourceType() === 'fetch');
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  expect(new URL((await polled).url()).search).toBe('?part=sound');
});

test.each(SCRIPT)(
  'a part that is on another page is one link away, and its old address leads there, %s',
  async (_how, options) => {
    const page = await open(tom, options);
    await page.goto('/admin/pub');
    await page.getByRole('link', { name: 'Lights', exact: true }).click();
    await page.waitForURL('**/admin/pub/room#lights');
    await page.getByRole('button', { name: /Blackout/ }).waitFor();
    if (options.javaScriptEnabled === false) return;
    await page.goto('/admin/pub#setlist');
    await page.waitForURL('**/admin/pub/heard#setlist');
  },
);

/** So long that a tap counts wherever the last one was, and whatever has moved meanwhile. */
const letMomentPass = (page: Page) =>
  page.evaluate(() => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + 1_000;
  });

test('decisions on song requests are made, and undone', async () => {
  await another('Toto', 'Africa');
  const page = await open(olga, DESK);
  await timersByHand(page, LONGEST_PRESS_MS);
  await page.goto('/admin/pub');
  // Another song is requested while the button is pressed.
  await page.getByRole('button', { name: /Accept.*Africa/ }).hover();
  await page.mouse.down();
  await another('Queen', 'Radio Ga Ga');
  const polled = page.waitForResponse((response) => response.request().resourceType() === 'fetch');
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await (await polled).finished();
  await drawn(page);
  await page.mouse.up();
  await page.getByRole('button', { name: /^Undo.*Accept.*Africa/ }).waitFor();
  await page.getByRole('button', { name: /^Decline.*Radio Ga Ga/ }).click();
  await expect.poll(() => text(page, '#requests-state')).toBe('One song waits.');

  // A tap at the same place counts again after a moment.
  await letMomentPass(page);
  await page.getByRole('button', { name: /^Undo.*Decline.*Radio Ga Ga/ }).click();
  await expect.poll(() => text(page, '#requests-state')).toBe('2 songs wait, in the order of play.');
  await page.getByText('Decline, because … (Radio Ga Ga)').click();
  const row = page.locator('.asked-songs > li', { hasText: 'Radio Ga Ga' });
  await row.getByLabel('Reason, shown to the person who asked').fill('Twice this week');
  // An update of the page keeps what is being typed.
  await another('ABBA', 'SOS');
  await letMomentPass(page);
  await page.getByRole('button', { name: /Played.*Africa/ }).click();
  await page.getByRole('button', { name: /^Accept.*SOS/ }).waitFor();
  await expect.poll(() => text(page, '#requests-state')).toBe('2 songs wait, in the order of play.');
  expect(await row.getByLabel('Reason, shown to the person who asked').inputValue()).toBe('Twice this week');
  await row.getByLabel('Reason, shown to the person who asked').press('Enter');
  await expect.poll(() => text(page, '#requests-state')).toBe('One song waits.');
  service.clock.now += 10_000;
  await page.reload();
  await page.getByText('Declined tonight: 1').click();
  await page.getByRole('button', { name: /Put back.*Radio Ga Ga/ }).click();
  await expect.poll(() => text(page, '#requests-state')).toBe('2 songs wait, in the order of play.');
});

test('a command that is refused says why, beside its button', async () => {
  const page = await open(tom);
  await page.goto('/admin/pub/room');
  await page.getByText('A scene by its name').click();
  await page.getByLabel('Name').fill('x'.repeat(64));
  await page.getByLabel('Name').evaluate((field: HTMLInputElement) => {
    field.removeAttribute('maxlength');
    field.value = 'x'.repeat(65);
  });
  await page.getByRole('button', { name: 'Ask for it' }).click();
  await expect.poll(() => text(page, '#said')).toContain(message('too_long', { max: 64 }));
  expect(await page.locator('#said').evaluate((element) => element.getBoundingClientRect().top >= 0)).toBe(
    true,
  );
});

test('the response page to a natively submitted form keeps polling like the page itself', async () => {
  const page = await open(tom);
  const timers = await timersByHand(page, 4_000);
  await page.goto('/admin/pub/room');
  await sendForm(page, '/admin/pub/lights', { action: 'scene', name: ' ' });
  await page.getByText('Nothing was changed').waitFor();
  const asked = page.waitForResponse((response) => response.request().method() === 'GET');
  await timers.fire();
  expect([new URL((await asked).url()).pathname, (await asked).status()]).toEqual(['/admin/pub/room', 200]);
  expect(await page.locator('#away').count()).toBe(0);
});

test('an open page shows new parts once they are needed, and closes when its user loses the role', async () => {
  const page = await open(await appoint(service, 'ed@club.example', 'events'));
  const timers = await timersByHand(page, 4_000);
  await page.goto('/admin/pub/heard');
  expect(await page.locator('#films, .jump a[href="#films"]').count()).toBe(0);
  await service.post('/api/admin/now-showing', { mode: 'movie', label: 'The Third Man' }, olga);
  await timers.fire();
  await page.getByRole('button', { name: /End it.*The Third Man/ }).waitFor();
  await page.locator('.jump a[href="#films"]').waitFor();

  const ed = () => build.deleteFrom('person_roles').where('role', '=', 'events');
  await service.ctx.write((tx) => tx.run(ed()));
  await page.getByRole('button', { name: /End it/ }).click();
  await page.getByText('This needs the permission “Screenings: revert, close, rename”').waitFor();
  await timers.fire();
  await page.getByText(onPage('role_required')).waitFor();
});

test('an owner gives and takes roles, without script', async () => {
  const page = await open(olga, { javaScriptEnabled: false });
  await page.goto('/admin/pub/roles');
  await page.locator('summary', { hasText: 'New role' }).click();
  await page.getByLabel('E-mail address').fill('new@club.example');
  const form = page.locator('form', { has: page.getByLabel('E-mail address') });
  await form.getByRole('checkbox', { name: /^DJ/ }).check();
  await form.getByRole('button', { name: 'Give these roles' }).click();
  const row = page.locator('.people li', { hasText: 'new@club.example' });
  await expect.poll(() => row.locator('.person').textContent()).toContain('DJ');

  await row.locator('summary').click();
  await row.getByRole('button', { name: 'Take all roles away' }).click();
  await expect.poll(() => row.count()).toBe(0);
  await page.getByText('olga@club.example').first().click();
  await page.locator('.people li', { hasText: 'olga' }).getByRole('button', { name: 'Take all' }).click();
  await page.getByText(onPage('last_owner_stays')).waitFor();
});

test('feedback is read and settled, without script', async () => {
  await service.ctx.write((tx) => tx.run(build.deleteFrom('feedback')));
  await phone(service).post('/api/feedback', { message: 'More dark beer', rating: 4, name: 'Ann' });
  const page = await open(olga, { javaScriptEnabled: false });
  await page.goto('/admin/feedback');
  await page.getByText('One message is new.').waitFor();
  await page.getByRole('button', { name: 'Mark as seen' }).click();
  await page.getByText('No new messages.').waitFor();
  await page.getByText('More', { exact: true }).click();
  await page.getByLabel('Assigned to').fill('tom@club.example');
  await page.getByLabel('Tags').fill('beer, cellar ,');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => text(page, '.messages')).toContain('Tags beer, cellar');
  await page.getByRole('button', { name: 'Mark as done' }).click();
  await page.getByRole('button', { name: 'Reopen' }).waitFor();
  await page.getByRole('link', { name: 'Done 1' }).click();
  await page.getByText('More dark beer').waitFor();
});

test('controls behind the bar are large enough for wet fingers', async () => {
  await another('Toto', 'Africa');
  const page = await open(olga);
  for (const path of ['/admin/pub', '/admin/pub/room', '/admin/pub/heard']) {
    await page.goto(path);
    await unfold(page);
    const low = await page
      .locator('.room-controls button, .jump a')
      .evaluateAll((buttons) =>
        buttons
          .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 56)
          .map((one) => one.outerHTML),
      );
    expect([path, low]).toEqual([path, []]);
  }
});

test('on the smallest phone a German word fits into its button', async () => {
  await another('Toto', 'Rosanna');
  const speak = async (language: string | null) => {
    await service.ctx.write((tx) => tx.run(build.updateTable('persons').set({ language })));
  };
  await using things = new AsyncDisposableStack();
  await speak('de');
  things.defer(() => speak(null));
  const page = await open(olga, { viewport: { width: 320, height: 640 } });
  await page.goto('/admin/pub');
  expect(await text(page, '#requests')).toContain('Annehmen');
  const wide = await page
    .locator('.button')
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.outerHTML));
  expect(wide).toEqual([]);
});

test('up to five choices are one row, on the smallest phone too', async () => {
  await beat({ lighting: { action: 'brightness', params: { level: 50 } } });
  const page = await open(olga);
  for (const width of [320, 375, 1280]) {
    await page.setViewportSize({ width, height: 640 });
    await page.goto('/admin/pub/room');
    const rows = await page.locator('.segments:not(.segments-many)').evaluateAll((groups) =>
      groups.map((group) => {
        const tops = [...group.querySelectorAll('button')].map((one) => one.getBoundingClientRect().top);
        return [group.getAttribute('aria-label'), new Set(tops).size];
      }),
    );
    expect(rows.length).toBeGreaterThan(3);
    expect(rows.filter(([, tops]) => tops !== 1)).toEqual([]);
  }
});
