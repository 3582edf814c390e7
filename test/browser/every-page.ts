// Every page of the elections, each with the way to it.
import type { Page } from 'playwright-core';
import { type ListeningHouse, listeningHouse, sendForm } from '#test/support/browser-house.ts';
import { addTokens } from '#test/support/factories.ts';
import { type Club, foundClub } from './club.ts';
import { at, form, toPrint, type Visit } from './visits.ts';

export interface EveryPage extends AsyncDisposable {
  voter: Visit[];
  officer: Visit[];
  /** The origins that pages may come from. */
  origins: string[];
}

const NOBODY = '01900000-0000-7000-8000-000000000000';

export async function everyPage(): Promise<EveryPage> {
  const house = await listeningHouse();
  const bare = await listeningHouse({ RATE_LIMIT_GENERAL: '1' });
  const club = await foundClub(house);
  return {
    voter: [...emptyPages(bare), ...publicPages(house, club), ...ballotPages(house, club)],
    officer: [
      ...emptyDesk(bare),
      ...officerPages(house, club),
      ...deskPages(house, club),
      ...askPages(house, club),
      ...writingPages(house, club),
    ],
    origins: [house.origin, bare.origin],
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]();
      await bare[Symbol.asyncDispose]();
    },
  };
}

function emptyPages(bare: ListeningHouse): Visit[] {
  return [
    ...at(bare, { 'home, empty': '/' }),
    ...at(bare, { 'no such election': `/e/${NOBODY}` }, 404),
    ...at(bare, { 'too many': `/e/${NOBODY}` }, 429),
  ];
}

function emptyDesk(bare: ListeningHouse): Visit[] {
  return at(bare, {
    'dashboard, empty': '/admin',
    'audit log, empty': '/admin/audit-logs',
    'lists, none': '/admin/distribution-lists',
  });
}

function publicPages(house: ListeningHouse, club: Club): Visit[] {
  const pages = {
    home: '/',
    'election, scheduled': `/e/${club.scheduled}`,
    'election, open, hidden': `/e/${club.budget}`,
    'election, open, live': `/e/${club.trip}`,
    'election, ranked': `/e/${club.treasurer}`,
    'election, wrong code': `/e/${club.budget}?t=wrong`,
    'token missing': `/e/${club.budget}/vote`,
    'token invalid': `/e/${club.budget}/vote?t=wrong`,
  };
  const results = {
    'result, yes or no': `/e/${club.dogs}`,
    'result, poll, tie': `/e/${club.menu}`,
    'result, ranked, circle': `/e/${club.chair}`,
    'result, ranked, tie': `/e/${club.tie}`,
    'result, quorum not met': `/e/${club.quorum}`,
    'result, no ballots': `/e/${club.silent}`,
    'result, certified': `/e/${club.paper}`,
  };
  const nowhere = {
    'no such page': '/cellar',
    'my elections, wrong link': '/vote/my-elections?token=wrong&email=ada%40club.example',
  };
  return [...at(house, pages), ...toPrint(at(house, results)), ...at(house, nowhere, 404)];
}

function ballotPages(house: ListeningHouse, club: Club): Visit[] {
  const { origin } = house;
  const visit = (
    name: string,
    id: string,
    then: (page: Page, address: string, token: string) => Promise<unknown>,
  ): Visit => ({
    name,
    async open(page) {
      const [token = ''] = await addTokens(house, id, 1);
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
    (await house.get(`/e/${id}`)).json().election[list].map((one: { id: string }) => one.id);
  const whole = (id: string, field: string, list: 'candidates' | 'options', to: string) =>
    async function choose(page: Page, address: string, token: string) {
      await sendForm(page, `${address}${to}`, { token, [field]: await names(id, list) });
    };
  return [
    visit('ballot, yes or no', club.budget, opened),
    visit('ballot, poll', club.trip, opened),
    visit('ballot, poll for several', club.evenings, opened),
    visit('ballot, ranked', club.treasurer, opened),
    visit('ballot, yes or no, untouched', club.budget, untouched),
    visit('ballot, poll, untouched', club.trip, untouched),
    visit('ballot, ranked, untouched', club.treasurer, untouched),
    visit('review, yes or no', club.budget, chosen({ choice: 'yes' })),
    visit('review, poll', club.evenings, whole(club.evenings, 'selected_options', 'options', '/review')),
    visit('review, ranked', club.treasurer, whole(club.treasurer, 'ranking', 'candidates', '/review')),
    visit('confirmation', club.budget, (page, address, token) =>
      sendForm(page, address, { token, choice: 'yes' }),
    ),
    visit('confirmation with a code', club.treasurer, whole(club.treasurer, 'ranking', 'candidates', '')),
    visit('ballot refused', club.budget, (page, address, token) => sendForm(page, address, { token })),
    visit('election, good code', club.budget, (page, address, token) =>
      page.goto(`${address.replace(/\/vote$/, '')}?t=${token}`),
    ),
    visit('token not open yet', club.scheduled, opened),
    visit('token without candidates', club.unready, opened),
    visit('token used', club.budget, async (page, address, token) => {
      await house.post(new URL(address).pathname, { token, choice: 'no' });
      await page.goto(`${address}?t=${token}`);
    }),
    ...at(house, { 'token too late': `/e/${club.chair}/vote?t=${club.late}` }),
  ];
}

function officerPages(house: ListeningHouse, club: Club): Visit[] {
  const desk = (id: string) => `/admin/elections/${id}`;
  const pages = at(house, {
    dashboard: '/admin?done=deleted',
    'new election': '/admin/elections/new',
    'audit log, nothing found': `/admin/audit-logs?action=election.deleted&election_id=${club.chair}`,
    'preview, hidden': `${desk(club.budget)}/results-preview`,
    'preview, circle': `${desk(club.chair)}/results-preview`,
    'preview, certified': `${desk(club.paper)}/results-preview`,
    'preview, not on the home page': `${desk(club.quorum)}/results-preview`,
    invitations: '/admin/bulk-invites',
    lists: '/admin/distribution-lists',
    'certified results, new': `${desk(club.quorum)}/manual-results`,
    'certified results, stored': `${desk(club.paper)}/manual-results`,
  });
  const printed = { 'audit log': '/admin/audit-logs', 'one list': `/admin/distribution-lists/${club.list}` };
  const nowhere = { 'no such officer’s page': '/admin/cellar' };
  return [...pages, ...toPrint(at(house, printed)), ...at(house, nowhere, 404)];
}

function deskPages(house: ListeningHouse, club: Club): Visit[] {
  const desk = (id: string, query = '') => `/admin/elections/${id}${query}`;
  return at(house, {
    'desk, draft': desk(club.draft, '?done=created'),
    'desk, scheduled': desk(club.scheduled),
    'desk, yes or no, open': desk(club.budget, '?done=settings'),
    'desk, poll, open': desk(club.trip),
    'desk, poll, untouched': desk(club.evenings, '?done=option-added'),
    'desk, ranked, open': desk(club.treasurer),
    'desk, ranked, published': desk(club.chair),
    'desk, yes or no, closed': desk(club.quorum, '?done=closed'),
    'desk, certified': desk(club.paper),
  });
}

function askPages(house: ListeningHouse, club: Club): Visit[] {
  const desk = (id: string, query: string) => `/admin/elections/${id}${query}`;
  const visits = at(house, {
    'ask to close': desk(club.budget, '?ask=close'),
    'ask to delete': desk(club.chair, '?ask=delete'),
    'ask to delete a batch': desk(club.budget, '?ask=batch&batch=Hall%2C%20at%20the%20door'),
    'ask to delete a used batch': desk(club.chair, '?ask=batch'),
    'ask for the counted result': desk(club.paper, '?ask=computed'),
  });
  return visits.map((visit) => ({ ...visit, part: '#ask' }));
}

function writingPages(house: ListeningHouse, club: Club): Visit[] {
  const entered = { title: 'Chair of the house', description: 'For one year.', ballot_type: 'POLL' };
  const certified = { 'results.contests.0.items.0.label': 'Yes', 'results.contests.0.items.0.votes': '' };
  const desk = (id: string, under: string) => `/admin/elections/${id}${under}`;
  const preview = '/admin/elections/preview';
  const ranked = { ...entered, ballot_type: 'RANKED_CONDORCET', candidates: 'Ada\nBo' };
  return [
    form(house, 'form with errors', '/admin/elections', { ...entered, title: '', open_at: '', close_at: '' }),
    form(house, 'form with a preview, ranked', preview, ranked),
    { ...form(house, 'preview, poll', preview, { ...entered, options: 'Tea\nCoffee' }), part: '#preview' },
    {
      ...form(house, 'preview, yes or no', preview, { ...entered, ballot_type: 'SIMPLE_TRIPLE' }),
      part: '#preview',
    },
    form(house, 'tokens refused', desk(club.budget, '/tokens'), { count: '5000', batch_name: 'Hall' }),
    form(house, 'dates refused', desk(club.budget, '/dates?_method=PATCH'), {
      open_at: '2026-11-21T20:00',
      close_at: '2026-11-21T09:00',
    }),
    form(house, 'deletion refused', desk(club.chair, '?_method=DELETE'), { confirm: 'Chair' }),
    form(house, 'certified results refused', desk(club.quorum, '/manual-results?_method=PUT'), certified),
    form(house, 'certified results, more rows', desk(club.quorum, '/manual-results/edit'), {
      ...{ ...certified, more: 'contest' },
    }),
    ...toPrint([
      form(house, 'tokens, once', desk(club.evenings, '/tokens'), {
        count: '10',
        batch_name: 'Hall, at the door',
      }),
    ]),
    {
      name: 'slips',
      printed: true,
      async open(page) {
        const tokens = await addTokens(house, club.budget, 10);
        await sendForm(page, `${house.origin}${desk(club.budget, '/tokens/print')}`, { tokens });
      },
    },
  ];
}
