import { describe, expect, test } from 'vitest';
import { fieldError } from '#kernel/http/errors.ts';
import { ENGLISH, Words } from '#kernel/language/words.ts';
import { pageText } from '#test/support/page-text.ts';
import { candidates } from '#test/views/samples.ts';
import { adminPaperPage } from '#views/voting/admin/ballot-paper/ballot-paper.ts';
import type { PaperPageProps } from '#views/voting/admin/ballot-paper/props.ts';
import { adminElectionPage } from '#views/voting/admin/election/election.ts';
import type { ElectionPageProps } from '#views/voting/admin/election/props.ts';
import { afterForm, FORMS, type FormName, noticeOf } from '#views/voting/admin/sections/forms.ts';
import type { SharedProps } from '#views/voting/admin/sections/props.ts';
import { invitations } from './invitations-samples.ts';
import { electionProps, pageOf } from './samples.ts';

type Shown = Pick<SharedProps, 'problem' | 'done' | 'doneAt'>;

const ranked = { ...electionProps().election, ballot_type: 'RANKED_CONDORCET' as const };
const poll = { ...ranked, ballot_type: 'POLL' as const };
const options = candidates(['Ada', 'Bo']).map((option) => ({ ...option, editable: true }));
const everything: Partial<ElectionPageProps> = {
  options,
  ballots: 0,
  invitations: invitations(),
  workspace: { synced: null, failure: null },
};

function paperPage(shown: Shown): string {
  const { times, batches } = electionProps();
  const props: PaperPageProps = {
    page: pageOf(shown),
    mayInvite: true,
    election: { id: 'p1', title: 'AGM', description: null, invite_mode: null, isPaper: true, status: 'open' },
    times,
    batches,
    publicUrl: 'https://club.example/p/p1',
    turnout: { issued: 30, used: 12, invited: 2 },
    publication: { results_visible: false },
    invitations: invitations(),
    questions: [],
    settings: {},
    joinable: [{ id: 'e1', title: 'Shall we?' }],
    ...shown,
  };
  return pageText(adminPaperPage(props));
}

const electionPage = (shown: Shown, election: ElectionPageProps['election'] = ranked) =>
  pageText(adminElectionPage(electionProps({ ...everything, page: pageOf(shown), election, ...shown })));

const ALONE: Partial<Record<FormName, ((shown: Shown) => string)[]>> = {
  questions: [paperPage],
  options: [(shown) => electionPage(shown, poll)],
};
const ON_BOTH: FormName[] = [
  'tokens',
  'batches',
  'invite',
  'reminders',
  'results-email',
  'wording',
  'dates',
  'settings',
  'checks',
  'close',
  'delete',
];
const pagesOf = (form: FormName) =>
  ALONE[form] ?? (ON_BOTH.includes(form) ? [electionPage, paperPage] : [electionPage]);

const forms = Object.keys(FORMS) as FormName[];

describe.each(forms)('the form “%s”', (form) => {
  const [word] = Object.keys(FORMS[form].words);

  test.each(pagesOf(form).map((page) => [page]))('is found by what is wrong with it', (page) => {
    const entered = { batch_name: 'Shall we?' };
    const alone = page({ problem: { form, message: 'It was refused', errors: [], entered } });
    const [, whole] = /class="error-link" href="#([^"]+)">It was refused</.exec(alone) ?? [];

    expect(alone).toMatch(new RegExp(`<section[^>]* id="${whole}"`));
    if (word === undefined) return;
    const path = form === 'checks' ? 'settings.quorum' : word;
    const errors = [fieldError(path, 'required')];
    const named = page({ problem: { form, message: '', errors, entered } });
    const [, field] = /class="error-link" href="#([^"]+)"/.exec(named) ?? [];
    expect(named).toContain(` id="${field}"`);
  });

  test.each(pagesOf(form).map((page) => [page]))('leads back to its section, with a notice', (page) => {
    const done: unknown = 'done' in FORMS[form] ? FORMS[form].done : {};
    const isSeveral = typeof done === 'object' && done !== null && !(done instanceof Words);
    for (const key of isSeveral ? Object.keys(done) : [form]) {
      const of = page === paperPage ? { id: 'p1', isPaper: true } : { id: 'e1' };
      const [path, section] = afterForm(of, form, key).split(/\?.*#|\?.*/);
      const notice = noticeOf(key, 'other');
      const said = notice.done?.for(ENGLISH);
      const shown = page(notice);

      expect(notice.doneAt ?? '').toBe(section);
      expect(shown).toContain(said);
      expect(shown).toContain(`href="${path}" aria-current="page"`);
      if (notice.doneAt !== undefined) {
        expect(shown.slice(shown.indexOf(` id="${section}"`))).toContain(said);
      }
    }
  });
});

test('a notice or a problem says what the page is about', () => {
  expect(noticeOf('settings', 'paper').done?.for(ENGLISH)).toContain('every question');
  expect(noticeOf('settings', 'other').done?.for(ENGLISH)).not.toContain('every question');
  expect(noticeOf('unknown', 'other')).toEqual({ done: undefined, doneAt: undefined });
  const problem = { form: 'close' as const, message: 'No', errors: [], entered: {} };
  expect(paperPage({ problem })).toContain('The ballot paper was not closed');
  expect(electionPage({ problem })).toContain('The election was not closed');
});
