import { afterEach, describe, expect, test } from 'vitest';
import { listeningService, SCRIPT } from '#test/support/browser-service.ts';
import { keptTabs } from '#test/support/kept-tabs.ts';
import { shared } from '#test/support/shared-app.ts';
import * as steps from './election-steps.ts';

const ONE = 'Where does the summer trip go?';
const SEVERAL = 'Which evenings suit you for the quiz?';
const openTab = keptTabs();
const theService = shared(() => listeningService());
afterEach(async () => steps.deleteElections(await theService()));

describe.each(SCRIPT)('%s', (_, options) => {
  test('a poll for one option, from the form to the result', async () => {
    const service = await theService();
    const { officer, voter } = steps.takeTurns(await openTab(service.origin, options));

    await steps.beginElection(officer, ONE, /^Poll/);
    await officer.getByLabel('Options of a poll').fill('Mystic Seaport\nHudson Valley\nCape May');
    await steps.previewAndCreate(officer, ONE, ['Choose one', 'Mystic Seaport', 'Cape May']);
    await steps.addAndRemove(officer, 'option', 'Stay at home', 'Cape May');
    const links = await steps.makeTokens(officer, 4);

    await steps.goOnPhone(voter, links[0]!);
    await steps.heading(voter, ONE).waitFor();
    expect(await voter.getByRole('radio').count()).toBe(3);
    await steps.button(voter, 'Review my choice').click();
    await voter.getByRole('alert').getByText('Choose one option.').waitFor();
    await voter.getByText('Stay at home', { exact: true }).click();
    expect(await steps.review(voter)).toContain('You choose\n\nStay at home');
    await steps.button(voter, 'Change my answer').click();
    expect(await voter.getByRole('radio', { name: 'Stay at home' }).isChecked()).toBe(true);
    await voter.getByText('Hudson Valley', { exact: true }).click();
    expect(await steps.review(voter)).toContain('You choose\n\nHudson Valley');
    await steps.castAndRead(voter, links[0]!);

    const ids = await steps.idsOf(service, links[0]!);
    const others = ['Hudson Valley', 'Mystic Seaport'].map((name) => ({ selected_option: ids[name] }));
    await steps.castOthers(service, links.slice(1), others);
    await steps.expectHidden(voter, ONE, '3 of 4 voting codes were used (75%).', /66\.7%|So far|leads/);
    await steps.closeVoting(officer, ONE, '3 of 4 voting codes were used.');
    expect(await steps.words(officer)).toContain('3 ballots are in, so this list is fixed');
    const result = await steps.expectResult(voter, ONE, 'Hudson Valley wins: 2 of 3 ballots.');
    expect(await steps.barsOf(result, 'Votes')).toEqual([
      'Mystic Seaport 1 33.3%',
      'Hudson Valley Winner 2 66.7%',
      'Stay at home 0 0%',
    ]);
    await steps.expectClosed(voter, links[3]!);
  });

  test('a poll for several options, from the form to the result', async () => {
    const service = await theService();
    const { officer, voter } = steps.takeTurns(await openTab(service.origin, options));

    await steps.beginElection(officer, SEVERAL, /^Poll/);
    await officer.getByLabel('Options of a poll').fill('Tuesday\nWednesday\nThursday');
    await officer.getByLabel('Each voter chooses one option or more').check();
    await steps.previewAndCreate(officer, SEVERAL, ['Choose one or more', 'Tuesday', 'Thursday']);
    const links = await steps.addLinks(service, officer, 3, 'vote/poll');

    await steps.goOnPhone(voter, links[0]!);
    await steps.button(voter, 'Review my choice').click();
    await voter.getByRole('alert').getByText('Choose at least one option.').waitFor();
    await voter.getByText('Tuesday', { exact: true }).click();
    await voter.getByText('Thursday', { exact: true }).click();
    expect(await steps.review(voter)).toMatch(/You choose\s+Tuesday\s+Thursday/);
    await steps.button(voter, 'Change my answer').click();
    const checked = () =>
      Promise.all(['Tuesday', 'Wednesday', 'Thursday'].map((name) => voter.getByLabel(name).isChecked()));
    expect(await checked()).toEqual([true, false, true]);
    await voter.getByText('Tuesday', { exact: true }).click();
    await voter.getByText('Wednesday', { exact: true }).click();
    expect(await steps.review(voter)).toMatch(/You choose\s+Wednesday\s+Thursday/);
    await steps.castAndRead(voter, links[0]!);

    const ids = await steps.idsOf(service, links[0]!);
    await steps.castOthers(service, links.slice(1), [{ selected_options: [ids.Thursday] }]);
    await steps.expectHidden(voter, SEVERAL, '2 of 3 voting codes were used (66.7%).', /100%|So far|most/);
    await steps.closeVoting(officer, SEVERAL, '2 of 3 voting codes were used.');
    const result = await steps.expectResult(voter, SEVERAL, 'Thursday was chosen most: 2 of 2 ballots.');
    expect(await steps.barsOf(result, 'Votes')).toEqual([
      'Tuesday 0 0%',
      'Wednesday 1 50%',
      'Thursday Winner 2 100%',
    ]);
    await steps.unfold(result, 'How it was counted');
    await result.getByText('they may add up to more than 100%').waitFor();
  });
});
