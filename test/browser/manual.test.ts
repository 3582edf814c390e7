import { afterEach, describe, expect, test } from 'vitest';
import { listeningService, SCRIPT } from '#test/support/browser-service.ts';
import { keptTabs } from '#test/support/kept-tabs.ts';
import { shared } from '#test/support/shared-app.ts';
import * as steps from './election-steps.ts';

const TITLE = 'Annual meeting, counted on paper';
const openTab = keptTabs();
const theService = shared(() => listeningService());
afterEach(async () => steps.deleteElections(await theService()));

describe.each(SCRIPT)('%s', (_, options) => {
  test('a vote that was held on paper is recorded with its certified results', async () => {
    const service = await theService();
    const { officer, voter } = steps.takeTurns(await openTab(service.origin, options));

    await steps.beginElection(officer, TITLE, /^Yes or no/);
    await officer.getByLabel('Open at once').uncheck();
    await officer.getByLabel('Opens', { exact: true }).fill('2026-11-20T19:00');
    await officer.getByLabel('Closes', { exact: true }).fill('2026-11-20T21:00');
    await steps.button(officer, 'Create the election').click();
    const problem = officer.getByRole('alert');
    await problem.getByText('The election was not made yet').waitFor();
    expect(await problem.innerText()).toContain('Closes: has to be in the future.');
    // The error is above one of the two fields, which stay aligned.
    const [opens, closes] = await Promise.all(
      ['Opens', 'Closes'].map(async (label) => {
        const box = await officer.getByLabel(label, { exact: true }).boundingBox();
        return box && box.y + box.height;
      }),
    );
    expect(opens).toBe(closes);
    expect(await officer.getByLabel('Title', { exact: true }).inputValue()).toBe(TITLE);
    await officer.getByLabel('It is over already').check();
    await steps.button(officer, 'Create the election').click();
    await steps.title(officer, TITLE).waitFor();
    expect(await steps.words(officer)).toContain('Voting has closed, so no more voting codes can be made.');

    await steps.link(officer, 'Enter certified results').click();
    const what = officer.getByLabel('What was voted on');
    expect(await what.inputValue()).toBe(TITLE);
    expect(await officer.getByLabel('Answer or name 2').inputValue()).toBe('No');
    await what.fill('President');
    await officer.getByLabel('Answer or name 1').fill('Josephine Marlowe');
    await officer.getByLabel('Votes for Yes').fill('61');
    await officer.getByLabel('Answer or name 2').fill('Arthur Pym');
    await officer.getByLabel('Votes for No').fill('38');
    await steps.button(officer, 'Something else that was voted on').click();
    await what.nth(1).fill('Accounts of 2025');
    const second = officer.getByRole('region', { name: 'What else was voted on (2)' });
    await second.getByLabel('Answer or name 1').fill('Accepted');
    await officer.getByLabel('Certified by').fill('Ines Albrecht and Tom Varga');
    await steps.button(officer, 'Save the certified results').first().click();
    await problem.getByText('The certified results were not saved').waitFor();
    expect(await problem.innerText()).toContain('Accounts of 2025, Accepted: votes: needs a whole number');
    await officer.getByLabel('Votes for Accepted').fill('97');
    await steps.button(officer, 'Save the certified results').first().click();
    await officer.getByRole('status').getByText('The certified results were saved.').waitFor();

    const desk = officer.url();
    const result = await steps.expectResult(voter, TITLE, 'Certified results of 2 contests.');
    const text = await result.innerText();
    expect(text).toContain('Josephine Marlowe: 61 of 99.');
    expect(text).toContain('Ines Albrecht and Tom Varga');
    expect(await steps.barsOf(result, 'Accounts of 2025')).toEqual(['Accepted Most votes 97 100%']);
    expect(text).not.toContain('Turnout');

    await steps.goAtDesk(officer, desk);
    await steps.link(officer, 'Back to the counted result …').click();
    await officer.getByText('2 contests with 3 items').waitFor();
    await steps.button(officer, 'Delete the certified figures').click();
    await officer.getByRole('status').getByText('The counted result stands again.').waitFor();
    await steps.expectResult(voter, TITLE, 'No ballots were cast.');
  });
});
