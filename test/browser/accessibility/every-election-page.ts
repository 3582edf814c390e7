// Every page of the elections, each with the steps that open it.
import type { Page } from 'playwright-core';
import { addElections, type SampleElections } from '#test/browser/voting/election-fixtures.ts';
import { type ListeningService, listeningService, sendForm } from '#test/support/browser/browser-service.ts';
import { addSlips, addTokens } from '#test/support/factories.ts';
import { addCodes, addPaper, castPaper, FIVE, motion } from '#test/voting/ballot-papers/a-paper.ts';
import { type AuditedPage, at, form, toPrint } from './page-audit.ts';

export interface EveryElectionPage extends AsyncDisposable {
  voter: AuditedPage[];
  officer: AuditedPage[];
  /** The origins that pages may come from. */
  origins: string[];
}

const NOBODY = '01900000-0000-7000-8000-000000000000';

export async function everyElectionPage(): Promise<EveryElectionPage> {
  const service = await listeningService();
  const bare = await listeningService({ RATE_LIMIT_GENERAL: '1' });
  const sample = await addElections(service);
  const papers = await paperPages(service);
  return {
    voter: [
      ...emptyPages(bare),
      ...publicPages(service, sample),
      ...ballotPages(service, sample),
      ...papers.voter,
    ],
    officer: [
      ...emptyDesk(bare),
      ...officerPages(service, sample),
      ...deskPages(service, sample),
      ...askPages(service, sample),
      ...writingPages(service, sample),
      ...papers.officer,
    ],
    origins: [service.origin, bare.origin],
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await bare[Symbol.asyncDispose]();
    },
  };
}

function emptyPages(bare: ListeningService): AuditedPage[] {
  return [
    ...at(bare, { 'home, empty': '/' }),
    ...at(bare, { 'no such election': `/e/${NOBODY}` }, 404),
    ...at(bare, { 'too many': `/e/${NOBODY}` }, 429),
  ];
}

function emptyDesk(bare: ListeningService): AuditedPage[] {
  return at(bare, {
    'dashboard, empty': '/admin',
    'audit log, empty': '/admin/audit-logs',
    'lists, none': '/admin/distribution-lists',
  });
}

function publicPages(service: ListeningService, sample: SampleElections): AuditedPage[] {
  const pages = {
    home: '/',
    archive: '/archive',
    'election, scheduled': `/e/${sample.scheduled}`,
    'election, open, hidden': `/e/${sample.budget}`,
    'election, open, live': `/e/${sample.trip}`,
    'election, ranked': `/e/${sample.treasurer}`,
    'check, before the close': `/e/${sample.treasurer}/check`,
    check: `/e/${sample.dogs}/check`,
    'count the ballots': `/e/${sample.chair}/recount`,
    'mail me my link': '/vote/my-elections',
    'type a code': '/vote',
    'election, wrong code': `/e/${sample.budget}?t=wrong`,
    'token missing': `/e/${sample.budget}/vote`,
    'token invalid': `/e/${sample.budget}/vote?t=wrong`,
  };
  const results = {
    'result, yes or no': `/e/${sample.dogs}`,
    'result, poll, tie': `/e/${sample.menu}`,
    'result, yes or no to each': `/e/${sample.discharge}`,
    'result, seats, tie': `/e/${sample.committee}`,
    'result, ranked, circle': `/e/${sample.chair}`,
    'result, ranked, tie': `/e/${sample.tie}`,
    'result, several seats': `/e/${sample.counted}`,
    'result, a lot is awaited': `/e/${sample.seats}`,
    'result, some ranked': `/e/${sample.rooms}`,
    'result, ranked, every pair': `/e/${sample.chair}/results/matrix`,
    'result, quorum not met': `/e/${sample.quorum}`,
    'result, no ballots': `/e/${sample.silent}`,
    'result, certified': `/e/${sample.paper}`,
  };
  const walls = {
    'wall, hidden': `/e/${sample.budget}/results?wall=1`,
    'wall, result': `/e/${sample.chair}/results?wall=1`,
    'wall, several seats': `/e/${sample.counted}/results?wall=1`,
  };
  const nowhere = {
    'no such page': '/cellar',
    'my elections, wrong link': '/vote/my-elections?token=wrong&email=ada%40club.example',
  };
  const check = `/e/${sample.dogs}/check`;
  return [
    ...at(service, pages),
    form(service, 'type a code, refused', '/vote', { code: 'K7P4-2MQX-9TDW-5HRD' }),
    form(service, 'check refused', check, { code: 'mine' }),
    form(service, 'check, not found', check, { code: '0'.repeat(32) }),
    ...toPrint(at(service, results)),
    ...at(service, walls),
    ...at(service, nowhere, 404),
  ];
}

function ballotPages(service: ListeningService, sample: SampleElections): AuditedPage[] {
  const { origin } = service;
  const auditedPage = (
    name: string,
    id: string,
    then: (page: Page, address: string, token: string) => Promise<unknown>,
  ): AuditedPage => ({
    name,
    async open(page) {
      const [token = ''] = await addTokens(service, id, 1);
      await then(page, `${origin}/e/${id}/vote`, token);
    },
  });
  const opened = (page: Page, address: string, token: string) => page.goto(`${address}?t=${token}`);
  const untouched = (page: Page, address: string, token: string) =>
    sendForm(page, `${address}/review`, { token });
  const chosen =
    (answer: Record<string, string | string[]>) => (page: Page, address: string, token: string) =>
      sendForm(page, `${address}/review`, { token, ...answer });
  const names = async (id: string, list: 'candidates' | 'options') =>
    (await service.get(`/e/${id}`)).json().election[list].map((one: { id: string }) => one.id);
  const whole = (id: string, field: string, list: 'candidates' | 'options', to: string) =>
    async function choose(page: Page, address: string, token: string) {
      await sendForm(page, `${address}${to}`, { token, [field]: await names(id, list) });
    };
  return [
    auditedPage('ballot, yes or no', sample.budget, opened),
    auditedPage('ballot, poll', sample.trip, opened),
    auditedPage('ballot, poll for several', sample.evenings, opened),
    auditedPage('ballot, ranked', sample.treasurer, opened),
    auditedPage('ballot, yes or no to each', sample.board, opened),
    auditedPage('ballot, yes or no to each, untouched', sample.board, untouched),
    auditedPage('review, yes or no to each', sample.board, async (page, address, token) => {
      const [one = '', other = ''] = await names(sample.board, 'options');
      const answers = { [`answers.${one}`]: 'yes....', [`answers.${other}`]: 'no.....' };
      await sendForm(page, `${address}/review`, { token, ...answers });
    }),
    auditedPage('ballot, yes or no, untouched', sample.budget, untouched),
    auditedPage('ballot, poll, untouched', sample.trip, untouched),
    auditedPage('ballot, some to rank', sample.trustees, opened),
    auditedPage('ballot, ranked, untouched', sample.treasurer, untouched),
    auditedPage('review, yes or no', sample.budget, chosen({ choice: 'yes' })),
    auditedPage(
      'review, poll',
      sample.evenings,
      whole(sample.evenings, 'selected_options', 'options', '/review'),
    ),
    auditedPage(
      'review, ranked',
      sample.treasurer,
      whole(sample.treasurer, 'ranking', 'candidates', '/review'),
    ),
    auditedPage('review, some ranked', sample.trustees, async (page, address, token) => {
      const [one = '', other = ''] = await names(sample.trustees, 'candidates');
      await sendForm(page, `${address}/review`, { token, ranking: [one, other] });
    }),
    auditedPage('confirmation', sample.budget, (page, address, token) =>
      sendForm(page, address, { token, choice: 'yes' }),
    ),
    auditedPage(
      'confirmation with a code',
      sample.treasurer,
      whole(sample.treasurer, 'ranking', 'candidates', ''),
    ),
    auditedPage('ballot refused', sample.budget, (page, address, token) =>
      sendForm(page, address, { token }),
    ),
    auditedPage('election, good code', sample.budget, (page, address, token) =>
      page.goto(`${address.replace(/\/vote$/, '')}?t=${token}`),
    ),
    auditedPage('token not open yet', sample.scheduled, opened),
    auditedPage('token without candidates', sample.unready, opened),
    auditedPage('token used', sample.budget, async (page, address, token) => {
      await service.post(new URL(address).pathname, { token, choice: 'no' });
      await page.goto(`${address}?t=${token}`);
    }),
    ...at(service, { 'token too late': `/e/${sample.chair}/vote?t=${sample.late}` }),
  ];
}

/** The pages of a ballot paper, for voters and for officers; of two questions one was answered before. */
async function paperPages(
  service: ListeningService,
): Promise<{ voter: AuditedPage[]; officer: AuditedPage[] }> {
  const ended = await addPaper(service, [motion('The lease')], { settings: { receipts: 'content' } });
  await service.post(`/admin/elections/${ended.questions[0]}/close`, {});
  const { id, questions } = await addPaper(service, [...FIVE, motion('The garden')], {
    description: 'At eight.',
  });
  const [code = '', cast = ''] = await addCodes(service, id, 2);
  const [first = '', ...others] = questions;
  const path = `/p/${id}/vote`;
  const yes = { choice: 'yes' };
  for (const token of [code, cast]) await castPaper(service, id, { token, answers: { [first]: yes } });
  const last = others.at(-1)!;
  const rest = { token: code, [`${last}.choice`]: 'yes....' };
  const voter = [
    ...at(service, {
      'paper, open': `/p/${id}`,
      'paper, good code': `/p/${id}?t=${code}`,
      'paper, closed': `/p/${ended.id}`,
      'paper, check': `/p/${ended.id}/check`,
      'paper, code missing': path,
    }),
    ...at(service, { 'paper, ballots': `${path}?t=${code}` }),
    form(service, 'paper, check, not found', `/p/${ended.id}/check`, { code: '0'.repeat(32) }),
    form(service, 'paper, untouched', `${path}/review`, { token: code }),
    form(service, 'paper, review', `${path}/review`, rest),
    form(service, 'paper, answered meanwhile', path, { ...rest, [`${first}.choice`]: 'yes' }),
    {
      name: 'paper, confirmation',
      async open(page: Page) {
        await sendForm(page, service.origin + path, { token: cast, [`${last}.choice`]: 'yes' });
        await page.locator('.thanks').waitFor();
      },
    },
  ];
  const officer = at(service, {
    'desk, new paper': '/admin/papers/new',
    'desk, new question': `/admin/papers/${id}/questions/new?steps=committee,treasurer`,
    'desk, paper, open': `/admin/papers/${id}?done=added`,
    'desk, paper, closed': `/admin/papers/${ended.id}?done=closed`,
    'desk, paper, ask to delete': `/admin/papers/${id}?ask=delete`,
    'desk, paper, invitations': `/admin/papers/${id}/invitations`,
    'desk, question of a paper': `/admin/elections/${first}`,
    'desk, codes of a question': `/admin/elections/${first}/codes`,
    ...Object.fromEntries(
      ['codes', 'mails', 'ballot', 'rules', 'history'].map((under) => [
        `desk, paper, ${under}`,
        `/admin/papers/${id}/${under}`,
      ]),
    ),
  });
  return { voter, officer };
}

function officerPages(service: ListeningService, sample: SampleElections): AuditedPage[] {
  const desk = (id: string) => `/admin/elections/${id}`;
  const pages = at(service, {
    dashboard: '/admin?done=deleted',
    'dashboard, searched': '/admin?q=e&state=closed&sort=title',
    'new election': '/admin/elections/new',
    'new trial': '/admin/elections/new?trial=1',
    'copy of an election': `${desk(sample.chair)}/clone`,
    'chair, open': `${desk(sample.budget)}/chair`,
    'chair, closed': `${desk(sample.chair)}/chair`,
    'audit log, nothing found': `/admin/audit-logs?action=election.deleted&election_id=${sample.chair}`,
    'preview, circle': `${desk(sample.chair)}/results-preview`,
    'preview, certified': `${desk(sample.paper)}/results-preview`,
    'preview, not on the home page': `${desk(sample.quorum)}/results-preview`,
    invitations: '/admin/bulk-invites',
    lists: '/admin/distribution-lists',
    'certified results, new': `${desk(sample.quorum)}/manual-results`,
    'certified results, stored': `${desk(sample.paper)}/manual-results`,
    'a lot to draw': `${desk(sample.seats)}/lot`,
    'no lot to draw': `${desk(sample.counted)}/lot`,
  });
  const printed = {
    'audit log': '/admin/audit-logs',
    'one list': `/admin/distribution-lists/${sample.list}`,
  };
  const nowhere = { 'no such officer’s page': '/admin/cellar' };
  const hidden = { 'preview, hidden': `${desk(sample.budget)}/results-preview` };
  const option: AuditedPage = {
    name: 'an option',
    async open(page) {
      const [first] = (await service.get(`/e/${sample.evenings}`)).json().election.options;
      await page.goto(`${service.origin}${desk(sample.evenings)}/options/${first.id}`);
    },
  };
  return [
    ...pages,
    option,
    ...toPrint(at(service, printed)),
    ...at(service, hidden, 403),
    ...at(service, nowhere, 404),
  ];
}

function deskPages(service: ListeningService, sample: SampleElections): AuditedPage[] {
  const desk = (id: string, query = '') => `/admin/elections/${id}${query}`;
  return at(service, {
    'desk, draft': desk(sample.draft, '?done=created'),
    'desk, scheduled': desk(sample.scheduled),
    'desk, yes or no, open': desk(sample.budget, '/rules?done=settings'),
    'desk, poll, open': desk(sample.trip),
    ...Object.fromEntries(
      (['draft', 'budget', 'treasurer', 'chair', 'paper'] as const).flatMap((one) =>
        ['codes', 'mails', 'ballot', 'rules', 'history'].map((under) => [
          `desk, ${one}, ${under}`,
          desk(sample[one], `/${under}`),
        ]),
      ),
    ),
    'desk, poll, untouched': desk(sample.evenings, '/ballot?done=option-added'),
    'desk, ranked, open': desk(sample.treasurer),
    'desk, ranked, published': desk(sample.chair),
    'desk, yes or no, closed': desk(sample.quorum, '?done=closed'),
    'desk, certified': desk(sample.paper),
  });
}

function askPages(service: ListeningService, sample: SampleElections): AuditedPage[] {
  const desk = (id: string, query: string) => `/admin/elections/${id}${query}`;
  const pages = at(service, {
    'ask to close': desk(sample.budget, '?ask=close'),
    'ask to delete': desk(sample.chair, '?ask=delete'),
    'ask to delete a batch': desk(sample.budget, '/codes?ask=batch&batch=Hall%2C%20at%20the%20door'),
    'ask to delete a used batch': desk(sample.chair, '/codes?ask=batch'),
    'ask for the counted result': desk(sample.paper, '?ask=computed'),
    'ask the chair to close': desk(sample.budget, '/chair?ask=close'),
  });
  return pages.map((audited) => ({ ...audited, part: '#ask' }));
}

function writingPages(service: ListeningService, sample: SampleElections): AuditedPage[] {
  const entered = { title: 'Chair of the house', description: 'For one year.', ballot_type: 'POLL' };
  const certified = { 'results.contests.0.items.0.label': 'Yes', 'results.contests.0.items.0.votes': '' };
  const desk = (id: string, under: string) => `/admin/elections/${id}${under}`;
  const preview = '/admin/elections/preview';
  const ranked = { ...entered, ballot_type: 'RANKED_CONDORCET', candidates: 'Ada\nBo' };
  return [
    form(service, 'form with errors', '/admin/elections', {
      ...entered,
      title: '',
      open_at: '',
      close_at: '',
    }),
    form(service, 'form with a preview, ranked', preview, ranked),
    { ...form(service, 'preview, poll', preview, { ...entered, options: 'Tea\nCoffee' }), part: '#preview' },
    {
      ...form(service, 'preview, yes or no', preview, { ...entered, ballot_type: 'SIMPLE_TRIPLE' }),
      part: '#preview',
    },
    form(service, 'tokens refused', desk(sample.budget, '/tokens'), { count: '5000', batch_name: 'Hall' }),
    form(service, 'dates refused', desk(sample.budget, '/dates?_method=PATCH'), {
      open_at: '2026-11-21T20:00',
      close_at: '2026-11-21T09:00',
    }),
    form(service, 'deletion refused', desk(sample.chair, '?_method=DELETE'), { confirm: 'Chair' }),
    form(service, 'certified results refused', desk(sample.quorum, '/manual-results?_method=PUT'), certified),
    form(service, 'certified results, more rows', desk(sample.quorum, '/manual-results/edit'), {
      ...certified,
      more: 'contest',
    }),
    ...toPrint([
      form(service, 'tokens, once', desk(sample.evenings, '/tokens'), {
        count: '10',
        batch_name: 'Hall, at the door',
      }),
    ]),
    {
      name: 'slips',
      printed: true,
      async open(page) {
        const tokens = [
          ...(await addSlips(service, sample.budget, 8)),
          ...(await addTokens(service, sample.budget, 2)),
        ];
        await sendForm(page, `${service.origin}${desk(sample.budget, '/tokens/print')}`, { tokens });
      },
    },
  ];
}
