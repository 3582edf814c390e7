import { describe, expect, it } from 'vitest';
import { send } from '#test/support/factories.ts';
import { message } from '#test/support/messages.ts';
import { sharedApp } from '#test/support/shared-app.ts';

const shared = sharedApp();

describe('an unknown or malformed election id', () => {
  const window = { open_at: '2026-11-21T16:00:00Z', close_at: '2026-11-22T16:00:00Z' };
  const manual = { results: { contests: [{ label: 'A', items: [{ label: 'B', votes: 1 }] }] } };
  const routes: [method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: object][] = [
    ['GET', '/e/:id'],
    ['GET', '/e/:id/results'],
    ['GET', '/e/:id/results/matrix'],
    ['GET', '/e/:id/vote'],
    ['GET', '/e/:id/vote/poll'],
    ['POST', '/e/:id/vote', { token: 'x', choice: 'yes' }],
    ['POST', '/e/:id/vote/poll', { token: 'x', selected_option: 'y' }],
    ['POST', '/e/:id/vote/review', { token: 'x' }],
    ['GET', '/admin/elections/:id'],
    ['GET', '/admin/elections/:id/results-preview'],
    ['GET', '/admin/elections/:id/manual-results'],
    ['GET', '/admin/elections/:id/published-status'],
    ['GET', '/admin/elections/:id/export'],
    ['GET', '/admin/elections/:id/tokens'],
    ['GET', '/admin/elections/:id/candidates'],
    ['GET', '/admin/elections/:id/options'],
    ['PATCH', '/admin/elections/:id/dates', window],
    ['PATCH', '/admin/elections/:id/settings', { settings: {} }],
    ['PATCH', '/admin/elections/:id/attachments', { attachment_url: null }],
    ['PUT', '/admin/elections/:id/manual-results', manual],
    ['DELETE', '/admin/elections/:id/manual-results'],
    ['POST', '/admin/elections/:id/close'],
    ['POST', '/admin/elections/:id/clone'],
    ['POST', '/admin/elections/:id/tokens', { count: 1 }],
    ['POST', '/admin/elections/:id/tokens/print', { tokens: ['x'] }],
    ['POST', '/admin/elections/:id/tokens/csv', { tokens: ['x'] }],
    ['DELETE', '/admin/elections/:id/batches', { batch_name: null }],
    ['POST', '/admin/elections/:id/candidates', { name: 'Ann' }],
    ['POST', '/admin/elections/:id/options', { name: 'Tea' }],
    ['DELETE', '/admin/elections/:id/candidates/x'],
    ['DELETE', '/admin/elections/:id/options/x'],
    ['DELETE', '/admin/elections/:id'],
  ];
  const ids = ['01a1ff0c-ee80-7c45-b891-da6da41179b8', 'nonsense', '%00', "'%20OR%201=1--", 'x'.repeat(65)];

  it.each(routes)('is a 404: %s %s', async (method, path, payload) => {
    const service = await shared();

    const answers = [];
    for (const id of ids) {
      const url = path.replace(':id', id);
      answers.push(
        method === 'GET' || method === 'POST'
          ? await service.request({
              method,
              url,
              ...(payload && { payload }),
              headers: { accept: 'application/json' },
            })
          : await send(service, method, url, payload),
      );
    }

    expect(answers.map(({ statusCode }) => statusCode)).toEqual(ids.map(() => 404));
    expect(answers[0]?.json()).toMatchObject({ error: message('election_not_found') });
  });

  it.each([
    ['tokens', { count: '0' }],
    ['dates?_method=PATCH', { open_at: 'soon' }],
    ['manual-results?_method=PUT', { notes: 'x' }],
  ])(
    'shows a refused form on the error page, because there is no page of the election: %s',
    async (form, fields) => {
      const service = await shared();

      const answer = await service.submit(`/admin/elections/nonsense/${form}`, fields);

      expect(answer.statusCode).toBe(400);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.body).not.toContain('<form method="post"');
    },
  );
});
