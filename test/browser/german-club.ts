// A club in Germany that is set up in a German browser, with a mail server. Each page, mail and file that somebody sees
// is looked at for words of a language that its reader did not ask for; the test says all of them at its end.
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Arguments, t } from '#kernel/language/message.ts';
import type { Texts } from '#kernel/language/texts.ts';
import { startJobs } from '#kernel/scheduler.ts';
import { SetUpCode } from '#people/set-up.ts';
import { ownAuthority } from '#test/stand-ins/certificates.ts';
import { type ReceivedMail, startMailServer } from '#test/stand-ins/mail-server.ts';
import { NOON, testApp } from '#test/support/app.ts';
import { sharedBrowser } from '#test/support/browser/browser.ts';
import { DESK, drawn, openTab } from '#test/support/browser/browser-service.ts';
import { buildApp } from '../../src/app.ts';
import { jobs } from '../../src/jobs.ts';
import { foreignIn, foreignTo, textsOf, textsOfHtml } from './foreign-words.ts';

/** A browser in the club's town. */
export const GERMAN = { locale: 'de-DE', timezoneId: 'Europe/Berlin' } as const;
export const TV = { viewport: { width: 1920, height: 1080 } };

/** A text as readers in Germany find it. */
export const de = <Key extends keyof Texts>(key: Key, ...values: Arguments<Key>): string =>
  t(key, ...values).for({ language: 'de', locale: 'de-DE' });

const LIMITS = ['GENERAL', 'ADMIN', 'VOTE', 'SIGN_IN'].map((name) => [`RATE_LIMIT_${name}`, '100000']);
const ENV = {
  ...Object.fromEntries(LIMITS),
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  LOCAL_BYPASS: undefined,
  EDGE_ACCESS_TRUST_HEADERS: undefined,
  TRUSTED_PROXIES: undefined,
};

export type GermanClub = Awaited<ReturnType<typeof openGermanClub>>;

type Fields = Record<string, string | boolean | string[]>;

/** @param said what the club and its people write: names, titles, songs */
export async function openGermanClub(said: readonly string[], env: Record<string, string> = {}) {
  await using resources = new AsyncDisposableStack();
  const service = resources.use(await testApp({ ...ENV, ...env }));
  const { ctx, calendarContext, clock } = service;
  // The time of the club goes on, from a Saturday at six in the evening.
  let ahead = NOON - Date.now();
  Object.defineProperty(clock, 'now', {
    get: () => Date.now() + ahead,
    set: (now: number) => {
      ahead = now - Date.now();
    },
  });
  resources.use(startJobs(jobs(ctx, calendarContext), ctx.log));
  const code = new SetUpCode(ctx.now);
  const app = await buildApp(ctx, { calendarContext, setUpCode: code });
  resources.defer(() => app.close());
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  const authority = ownAuthority();
  const password = 'ein Kennwort';
  const tls = { ...authority.issue({ ip: '127.0.0.1' }), how: 'starttls' } as const;
  const server = await startMailServer({ password, tls });

  const known = new Set(said.flatMap((text) => text.toLowerCase().match(/\p{L}{2,}/gu) ?? []));
  const found = new Map<string, string>();
  const looked = new Set<string>();
  /** Notes what is foreign in some texts. @param place where it is found first */
  const note = (place: string, texts: readonly string[], language = 'de') => {
    looked.add(place);
    for (const text of foreignIn(texts, foreignTo(language, 'de'), known))
      if (!found.has(`${language} ${text}`)) found.set(`${language} ${text}`, place);
  };

  const club = {
    ...service,
    app,
    origin,
    code: code.shown,
    mails: server.mails,
    looked,
    note,
    /** What nobody should have found: where, in which language it should be, and what it says. */
    findings: () => [...found].map(([text, place]) => `${place} → ${text}`),
    tab: async (options: BrowserContextOptions = {}): Promise<Page> => {
      const page = await openTab(await sharedBrowser(), origin, { ...DESK, ...GERMAN, ...options });
      await page.clock.install({ time: clock.now });
      page.setDefaultTimeout(15_000);
      return page;
    },
    /** Looks at a page, whose reader reads this language. */
    look: async (page: Page, name = '', language = 'de') => {
      const place =
        `${name} ${new URL(page.url()).pathname.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id')}`.trim();
      expect([place, await page.locator('html').getAttribute('lang')]).toEqual([
        place,
        expect.stringMatching(new RegExp(`^${language}`)),
      ]);
      for (const frame of page.frames()) {
        if (!frame.url().startsWith(origin)) continue;
        note(place, await textsOf(frame), language);
      }
      return page;
    },
    /** Opens an address and looks at it. @param status what it is answered with */
    visit: async (page: Page, url: string, { status = 200, language = 'de', to = '', step = '' } = {}) => {
      const answer = await page.goto(url);
      await club.look(page, step && `${step}:`, language);
      const { pathname } = new URL(url, origin);
      expect([url, answer?.status(), new URL(page.url()).pathname]).toEqual([url, status, to || pathname]);
    },
    /**
     * Sends a form of the page as a person does, and looks at what follows.
     * @param form a selector, or the form @param by which of its buttons, if not its last one
     */
    send: async (
      page: Page,
      form: string | Locator,
      fields: Fields = {},
      { language = 'de', by = '' } = {},
    ) => {
      const at = typeof form === 'string' ? page.locator(form).first() : form;
      // What the browser would ask for is refused by the service.
      await at.evaluate((own: HTMLFormElement) => {
        own.noValidate = true;
        for (const fold of document.querySelectorAll('details')) fold.open = true;
      });
      await fill(at, fields);
      const button = at.locator('button:not([type=button]):not([formaction])');
      const loaded = page.waitForEvent('load').catch(() => undefined);
      const [answer] = await Promise.all([
        page.waitForResponse(
          (one) => one.request().isNavigationRequest() || one.request().method() === 'POST',
        ),
        (by ? at.locator(`button${by}`) : button.last()).click(),
      ]);
      if (answer.request().isNavigationRequest()) await loaded;
      else {
        await answer.finished();
        // A script may open another page now.
        await drawn(page).catch(() => page.waitForLoadState());
      }
      await club.look(page, '', language);
    },
    /** Presses a button or follows a link by its name, and looks at the page that it leads to. */
    press: async (page: Page, name: string | RegExp, role: 'button' | 'link' = 'button', language = 'de') => {
      await Promise.all([page.waitForEvent('load'), page.getByRole(role, { name }).first().click()]);
      await club.look(page, '', language);
    },
    /** Asks for JSON, as a program of somebody who is signed in on a page. @throws if it is refused */
    // biome-ignore lint/suspicious/noExplicitAny: answers of many kinds
    ask: async (page: Page, method: string, url: string, body?: object, more: object = {}): Promise<any> => {
      const { status, text } = await page.evaluate(
        async ([how, to, sent, own]) => {
          const headers = {
            accept: 'application/json',
            ...(sent && { 'content-type': 'application/json' }),
            ...own,
          };
          const answer = await fetch(to, { method: how, headers, ...(sent && { body: sent }) });
          return { status: answer.status, text: await answer.text() };
        },
        [method, url, body && JSON.stringify(body), more] as const,
      );
      if (status >= 400) throw new Error(`${method} ${url}: ${status} ${text}`);
      return text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text;
    },
    /** The texts of a file that somebody downloads on a page. */
    download: async (page: Page, url: string): Promise<Buffer> => {
      const bytes = await page.evaluate(async (to) => {
        const answer = await fetch(to);
        if (!answer.ok) throw new Error(`${to}: ${answer.status}`);
        return [...new Uint8Array(await answer.arrayBuffer())];
      }, url);
      return Buffer.from(bytes);
    },
    /** Waits for a mail, and looks at its subject and both of its parts. @param after those that had arrived before */
    mailTo: async (
      address: string,
      { after = 0, language = 'de', holds = '' } = {},
    ): Promise<ReceivedMail> => {
      const find = () =>
        server.mails
          .slice(after)
          .findLast(({ recipients, text }) => recipients.includes(address) && text.includes(holds));
      await expect.poll(find, { timeout: 20_000 }).toBeDefined();
      return club.readMail(find()!, language);
    },
    readMail: (mail: ReceivedMail, language = 'de'): ReceivedMail => {
      const { subject = '', from = '' } = mail.headers;
      const place = `mail “${subject}” to ${mail.recipients[0]}`;
      note(
        place,
        [subject, from.replace(/<.*>/, ''), ...mail.text.split('\n'), ...textsOfHtml(mail.html)],
        language,
      );
      if (mail.calendar) note(`${place}, calendar`, textsOfCalendar(mail.calendar), language);
      return mail;
    },
    /** Enters the code that is mailed to somebody who signs in. */
    signIn: async (
      page: Page,
      email: string,
      { language = 'de', mailed = language }: { language?: string; mailed?: string } = {},
    ) => {
      const after = server.mails.length;
      await club.visit(page, '/sign-in', { language });
      await club.send(page, 'main form:has([name=email])', { email }, { language });
      const mail = await club.mailTo(email, { after, language: mailed, holds: '/sign-in/link' });
      const [typed = ''] = (mail.headers.subject ?? '').split(' ');
      await club.send(page, 'form:has([name=code])', { code: typed }, { language });
    },
    /** The owner sets the club up, and enters the mail server. */
    setUp: async ({ name, owner, email }: { name: string; owner: string; email: string }): Promise<Page> => {
      const page = await club.tab();
      await club.visit(page, '/');
      await page.goto(`/set-up#${code.shown}`);
      await club.look(page);
      await page.getByLabel(de('sign-in.set_up.club_name')).fill(name);
      await page.getByLabel(de('sign-in.set_up.name')).fill(owner);
      await page.getByLabel(de('sign-in.set_up.email')).fill(email);
      await club.press(page, de('sign-in.set_up.button'));
      await club.visit(page, '/admin/settings/mail');
      const form = page.locator('#mail');
      const mail = {
        'mail.from_email': `post@verein.example`,
        'mail.host': '127.0.0.1',
        'mail.port': String(server.port),
        'mail.user': 'verein',
        'mail.password': password,
        'mail.ca': authority.ca,
        'mail.encryption': 'starttls',
      };
      await club.send(page, form, mail);
      return page;
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
  const all = resources.move();
  return club;
}

/** Fills in fields by their names: ticks, choices and texts. */
async function fill(form: Locator, fields: Fields): Promise<void> {
  for (const [name, value] of Object.entries(fields)) {
    const named = form.locator(`[name="${name}"]:not([type=hidden], [type=file])`);
    const kind = await named
      .first()
      .evaluate((field: HTMLInputElement) => (field.tagName === 'SELECT' ? 'select' : field.type));
    if (typeof value === 'boolean') await named.setChecked(value);
    else if (kind === 'radio' || kind === 'checkbox')
      for (const one of [value].flat()) await form.locator(`[name="${name}"][value="${one}"]`).check();
    else if (kind === 'select') await named.selectOption(value);
    else await named.first().fill([value].flat().join('\n'));
  }
}

/** What a calendar program shows of an iCalendar file. */
export const textsOfCalendar = (file: string): string[] =>
  file
    .replaceAll(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
    .flatMap(
      (line) =>
        /^(?:SUMMARY|DESCRIPTION|LOCATION|COMMENT|CATEGORIES|X-WR-CALNAME|X-WR-CALDESC|NAME)[^:]*:(.*)$/.exec(
          line,
        )?.[1] ?? [],
    )
    .map((text) => text.replaceAll('\\n', ' ').replaceAll('\\', ''));
