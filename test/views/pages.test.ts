import { describe, expect, test } from 'vitest';
import { html } from '#kernel/html.ts';
import { badField, fieldError } from '#kernel/http/errors.ts';
import { pageText } from '#test/support/page-text.ts';
import { addPseudoLanguage, PSEUDO, pseudoText } from '#test/support/pseudo-language.ts';
import { confirmPanel } from '#views/components/forms.ts';
import { errorSummary } from '#views/components/notices.ts';
import { definitionList } from '#views/components/structure.ts';
import { errorPage } from '#views/error.ts';
import { page } from '#views/layout.ts';
import { viewOf } from '#views/voting/ballot-types.ts';
import { reviewPage } from '#views/voting/ballots/review.ts';
import { electionPage } from '#views/voting/election.ts';
import { candidates, closes, election, everyPage, officer, opens, settings, simple } from './samples.ts';

const HOSTILE = `"><img src=x onerror=alert(1)> & '</script><b style="x">`;
const { ballotPage: simpleBallot } = viewOf('SIMPLE_TRIPLE');
const { ballotPage: pollBallot } = viewOf('POLL');
const { ballotPage: rankedBallot } = viewOf('RANKED_CONDORCET');
const frame = { election: election(), closes, few: false, token: 't1', submissionId: 's1' };

describe.each(Object.entries(everyPage(HOSTILE)))('%s', (name, document) => {
  const text = pageText(document);

  /** The markup without quoted values, which are data. */
  const markup = text.replace(/"[^"]*"/g, '""');

  test('escapes whatever people typed', () => {
    expect(markup.match(/<img|<b |<\/script>(?!\n)/g)).toBeNull();
    if (name !== 'home, empty') expect(text.includes('&lt;img src=x')).toBe(true);
  });

  test('keeps to the content security policy: nothing inline, nothing from elsewhere', () => {
    expect(markup.match(/<style|<[^>]+\s(style|on[a-z]+)=/g)).toBeNull();
    const sources = [...text.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)];
    // The policy allows pictures in a page: the icon is one.
    const isIcon = ([tag]: RegExpMatchArray) => tag.startsWith('<link rel="icon" href="data:image/svg+xml,');
    for (const [, address] of sources.filter((source) => !isIcon(source)))
      expect(address).toMatch(/^\/assets\//);
    // Data is no script: the texts of the modules.
    for (const [script] of text.matchAll(/<script(?! type="application\/json")[^>]*>/g))
      expect(script).toContain('src="');
  });

  test('says voting code and check number, not token and fingerprint', () => {
    expect(text.replaceAll(/<[^>]*>/g, ' ').match(/\b(tokens?|fingerprints?)\b/gi)).toBeNull();
  });

  test('has one title, one main and one first heading', () => {
    for (const tag of ['<title>', '<main ', '<h1 ']) expect(text.split(tag).length).toBe(2);
  });
});

test('an empty home page has nothing typed in it and says what to do', () => {
  expect(pageText(everyPage('x')['home, empty']!)).toContain('If you were sent a voting link, open it');
});

test('only a page that was given an API key has it', () => {
  const body = html`<h1>x</h1>`;
  expect(pageText(page({ title: 'x', body, area: 'officer', viewer: officer('k"1') }))).toContain(
    '<meta name="admin-api-key" content="k&quot;1">',
  );
  expect(pageText(page({ title: 'x', body, area: 'officer', viewer: officer() }))).not.toContain(
    'admin-api-key',
  );
});

test('the officers’ navigation marks the current page', () => {
  const text = pageText(
    page({ title: 'x', body: html``, area: 'officer', viewer: officer(), nav: '/admin' }),
  );
  expect(text.match(/<a href="([^"]+)" aria-current="page"/)?.[1]).toBe('/admin');
});

describe('the error summary', () => {
  test('links to fields that exist, and changes the title of the page', () => {
    const errors = [
      fieldError('rank_c2', 'rank_missing', { name: 'Bo' }),
      fieldError('ranking', 'invalid', { problem: 'The order is not complete.' }),
    ];
    const text = pageText(rankedBallot({ ...frame, options: candidates(['Ada', 'Bo']), entry: {}, errors }));
    const targets = [...text.matchAll(/class="error-link" href="#([^"]+)"/g)].map(([, id]) => id);
    expect(targets).toEqual(['rank_c2', 'rank_c1']);
    for (const id of targets) expect(text).toContain(` id="${id}"`);
    expect(text.match(/Bo has no rank yet\./g)).toHaveLength(2);
    expect(text).toContain('Bo has no rank yet.');
    expect(text).toContain('<title>Error: ');
    expect(text).toContain('aria-describedby="rank_c2-error"');
  });

  test('links to a field that each kind of ballot has', () => {
    const errors = [fieldError('choice', 'invalid', { problem: 'Choose one.' })];
    const options = candidates(['Ada', 'Bo']);
    const multiple = {
      ...frame.election,
      settings: { ...settings, poll_response_type: 'multiple' as const },
    };
    for (const ballot of [
      simpleBallot({ ...frame, options: [], entry: '', errors }),
      pollBallot({ ...frame, options, entry: [], errors }),
      pollBallot({ ...frame, election: multiple, options, entry: [], errors }),
    ]) {
      const id = pageText(ballot).match(/class="error-link" href="#([^"]+)"/)?.[1];
      expect(pageText(ballot)).toContain(` id="${id}"`);
    }
  });

  test('is left out without errors', () => {
    expect(errorSummary([])).toBeNull();
  });

  test('comes with the values that were entered', () => {
    const text = pageText(rankedBallot({ ...frame, options: candidates(['Ada', 'Bo']), entry: { c2: '1' } }));
    expect(text.match(/<option value="1" selected>/g)).toHaveLength(1);
    expect(pageText(simpleBallot({ ...frame, options: [], entry: 'NO' }))).toMatch(
      /value="no\.{5}"[^>]* checked/,
    );
  });
});

describe('the review', () => {
  const ranking = [
    { id: 'c2', name: 'Bo' },
    { id: 'c1', name: 'Ada' },
  ];
  const text = pageText(
    reviewPage({
      ...frame,
      inclusionCode: 'code1',
      action: '/e/e1/vote',
      choice: { ranking, unranked: [] },
      longest: [{ ranking, unranked: [] }],
    }),
  );
  const [cast = '', edit = ''] = text.match(/<form[\s\S]*?<\/form>/g) ?? [];

  test('casts exactly what it shows', () => {
    expect(cast).toContain('action="/e/e1/vote"');
    expect(
      [...cast.matchAll(/name="([^"]+)" value="([^"]+)"/g)].map(([, name, value]) => `${name}=${value}`),
    ).toEqual([...['token=t1', 'submission_id=s1', 'inclusion_code=code1', 'ranking=c2', 'ranking=c1']]);
  });

  test('is as long with every choice, in whatever language', () => {
    const remove = addPseudoLanguage();
    try {
      const lengths = (['yes', 'no', 'abstain'] as const).map((choice) => {
        const page = reviewPage({
          ...frame,
          election: { ...frame.election, ballot_type: 'SIMPLE_TRIPLE' },
          action: '/e/e1/vote',
          choice,
          longest: ['yes', 'no', 'abstain'],
        });
        return Buffer.byteLength(pageText(page, { language: PSEUDO, locale: 'en-US' }));
      });
      expect(new Set(lengths).size).toBe(1);
    } finally {
      remove();
    }
  });

  test('names “none of the above” in the language of its reader, unless somebody has given it another name', () => {
    const remove = addPseudoLanguage();
    try {
      const names = ['None of the above', 'Nobody at all'].map((name) => {
        const choice = { ranking: [{ id: 'c1', name, is_none_of_the_above: true }], unranked: [] };
        const page = reviewPage({ ...frame, action: '/e/e1/vote', choice, longest: [choice] });
        const text = pageText(page, { language: PSEUDO, locale: 'en-US' });
        return /<span translate="no">(.*)<\/span><\/span><\/li>/.exec(text)?.[1];
      });
      // What the club wrote is marked with its language.
      expect(names).toEqual([pseudoText('None of the above'), '<span lang="en">Nobody at all</span>']);
      const own = { ranking: [{ id: 'c1', name: 'None of the above' }], unranked: [] };
      const page = reviewPage({ ...frame, action: '/e/e1/vote', choice: own, longest: [own] });
      expect(pageText(page, { language: PSEUDO, locale: 'en-US' })).toContain(
        '<span lang="en">None of the above<',
      );
    } finally {
      remove();
    }
  });

  test('goes back with all fields', () => {
    expect(edit).toContain('action="/e/e1/vote/review"');
    expect(edit).toContain('name="step" value="edit"');
    expect(edit).toContain('name="submission_id" value="s1"');
  });
});

describe('the page of an election', () => {
  const about = {
    election: election(),
    opens,
    closes,
    few: false,
    resultsWhen: 'Results appear at the close.',
  };

  test('links straight to the ballot if the link is valid', () => {
    const text = pageText(electionPage({ ...about, results: null, token: { value: 'a&b', state: 'valid' } }));
    expect(text).toContain('href="/e/e1/vote?t=a%26b"');
    expect(text).not.toContain('name="code"');
  });

  test('asks for the code if there is no link', () => {
    const text = pageText(electionPage({ ...about, results: null }));
    expect(text).toMatch(/<form method="post" action="\/vote"/);
    expect(text).toContain('name="code"');
  });

  test('says that the ballot was recorded if the link was used', () => {
    const text = pageText(electionPage({ ...about, results: null, token: { value: 't', state: 'used' } }));
    expect(text).toContain('A ballot was already recorded with this link');
    expect(text).not.toContain('Vote now');
  });

  test('shows only the turnout and the time of hidden results', () => {
    const text = pageText(electionPage({ ...about, results: null, turnout: { issued: 60, used: 18 } }));
    expect(text).toContain('18 of 60 voting codes were used (30%).');
    expect(text).toContain('Results appear at the close.');
    expect(text).not.toContain('How it was counted');
  });

  test('of a closed one says its days under the title, and keeps all that can be unfolded in one list', () => {
    const history = [{ action: 'election.closed', when: closes, metadata: {}, by: 'clock' }] as never;
    const days = 'Nov 18 to Nov 28, 2026, closed early';
    const shown = { ...about, election: { ...election(), status: 'closed' as const }, days, history };
    const text = pageText(electionPage({ ...shown, results: simple(31, 12) }));
    expect(text).toMatch(/<h1[^>]*>[^<]*<\/h1>\s*<p class="lede">Nov 18 to Nov 28, 2026, closed early<\/p>/);
    const more = text.slice(text.indexOf('<section class="more">'));
    for (const summary of [
      'The counts',
      'How it was counted',
      'What was published',
      'History of this election',
    ])
      expect(more).toContain(`<summary>${summary}</summary>`);
    expect(text.slice(text.indexOf('<main'), -more.length)).not.toContain('<summary>');
  });

  test('shows visible results', () => {
    expect(pageText(electionPage({ ...about, results: simple(31, 12) }))).toContain(
      'Carried: 31 yes to 12 no.',
    );
  });
});

test('a ballot links to the document of its election', () => {
  const link = '<a class="print-address" href="https://club.example/?Shall we?" rel="noreferrer noopener">';
  expect(pageText(simpleBallot({ ...frame, options: [], entry: '' }))).toContain(link);
  expect(
    pageText(
      simpleBallot({
        ...frame,
        election: { ...election(), attachment_url: null },
        options: [],
        entry: '',
      }),
    ),
  ).not.toContain('attached document');
});

test('the page for too many requests says when to try again', () => {
  expect(pageText(errorPage({ status: 429, retryAfter: 42 }))).toContain(
    'You can try again in <strong>42 seconds</strong>.',
  );
});

test('an error page shows no technical message', () => {
  const text = pageText(errorPage({ status: 400, message: badField('before', 'not_iso_time').pageText }));
  expect(text).toContain('Go back, check it, and send it again.');
  expect(text).not.toContain('ISO');
});

test('a confirmation names the word to type', () => {
  const panel = confirmPanel({
    title: 'Delete',
    text: '20 links',
    action: '/x',
    button: 'Delete 20 links',
    typed: { name: 'confirm', word: 'Bar' },
  });
  expect(pageText(panel)).toContain('Type “Bar” to confirm');
});

test('a ballot shows a short description, and folds a long one', () => {
  const ballot = (description: string) =>
    pageText(simpleBallot({ ...frame, election: { ...election(), description }, options: [], entry: '' }));
  const folded = '<summary>What this is about</summary>';
  expect(ballot('Two years, from January.')).toContain('<p>Two years, from January.</p>');
  expect(ballot('Two years, from January.')).not.toContain(folded);
  for (const long of ['word '.repeat(80), 'a line\n'.repeat(9)]) expect(ballot(long)).toContain(folded);
});

test('a time in a list of facts is not broken into two lines', () => {
  const list = pageText(definitionList([['Closes', 'Sat, Nov 21, 2026, 2:00 PM New York time']]));
  expect(list).toContain('2026, 2:00\u00a0PM New York time');
});
