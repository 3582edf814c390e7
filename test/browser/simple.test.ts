import { afterEach, describe, expect, test } from 'vitest';
import { listeningService, SCRIPT } from '#test/support/browser-service.ts';
import { keptTabs } from '#test/support/kept-tabs.ts';
import { shared } from '#test/support/shared-app.ts';
import * as steps from './election-steps.ts';

const TITLE = 'Shall the club adopt the budget for 2027?';
const openTab = keptTabs();
const theService = shared(() => listeningService());
afterEach(async () => steps.deleteElections(await theService()));

describe.each(SCRIPT)('%s', (_, options) => {
  test('a yes-or-no vote, from the form to the result', async () => {
    const service = await theService();
    const { officer, voter } = steps.takeTurns(await openTab(service.origin, options));

    await steps.goAtDesk(officer, '/admin');
    expect(await steps.words(officer)).toContain('No elections yet');
    await steps.beginElection(officer, TITLE, /^Yes or no/);
    await officer
      .getByLabel('Description')
      .fill('The treasurer asks for 48,200 dollars.\n\nQuestions welcome.');
    await steps.previewAndCreate(officer, TITLE, ['48,200 dollars', 'Yes', 'No', 'Abstain']);
    expect(await steps.words(officer)).toContain('nobody can vote yet: there are no voting codes');
    const links = await steps.makeTokens(officer, 5);

    await steps.goOnPhone(voter, links[0]!);
    await steps.heading(voter, TITLE).waitFor();
    expect(await steps.words(voter)).toContain('Voting closes Sat, Nov 21, 2026, 8:00 PM');
    await steps.button(voter, 'Review my choice').click();
    await voter.getByRole('alert').getByText('Choose yes, no or abstain.').waitFor();
    await voter.getByText('No', { exact: true }).click();
    expect(await steps.review(voter)).toContain('You vote\n\nNo');
    await steps.button(voter, 'Change my answer').click();
    expect(await voter.getByRole('radio', { name: 'No' }).isChecked()).toBe(true);
    await voter.getByText('Yes', { exact: true }).click();
    expect(await steps.review(voter)).toContain('You vote\n\nYes');
    await steps.castAndRead(voter, links[0]!);

    await steps.castOthers(service, links.slice(1), [
      { choice: 'yes' },
      { choice: 'no' },
      { choice: 'abstain' },
    ]);
    await steps.expectHidden(voter, TITLE, '4 of 5 voting codes were used (80%).', /2 yes|So far|Passed/);
    await steps.closeVoting(officer, TITLE, '4 of 5 voting codes were used. 1 person has not voted yet.');
    const result = await steps.expectResult(voter, TITLE, 'Passed: 2 yes to 1 no.');
    expect(await steps.barsOf(result, 'Votes')).toEqual(['Yes 2 50%', 'No 1 25%', 'Abstain 1 25%']);
    await steps.unfold(result, 'How it was counted');
    await result.getByText('It passes when more ballots say yes than no').waitFor();
    await steps.expectClosed(voter, links[4]!);
  });
});
