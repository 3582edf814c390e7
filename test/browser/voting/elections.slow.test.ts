// Every type of election, from the form for a new one to its result. Only the yes-or-no vote walks all pages that the
// types share. The ballots of yes-or-no votes and of polls have no script before the review page, and results have
// none.
import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { listeningService, SCRIPT } from '#test/support/browser/browser-service.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { addPoll, addRanked } from '#test/support/factories.ts';
import { message } from '#test/support/messages.ts';
import { shared } from '#test/support/shared-app.ts';
import * as steps from './election-steps.ts';

const [ADA, BO, CY, NONE] = ['Ada Thornbury', 'Bo Lindqvist', 'Cyrus Okafor', 'None of the above'] as const;
const BUDGET = 'Shall the club adopt the budget for 2027?';
const TRIP = 'Where does the summer trip go?';
const QUIZ = 'Which evenings suit you for the quiz?';
const CHAIR = 'Chair of the wine committee';
const PAPER = 'Annual meeting, counted on paper';
const HIDDEN = { hide_results_until_close: true, publish_results_to_home: true };
const PLAIN = { javaScriptEnabled: false };
const VOTED = { settings: HIDDEN, close_at: '2026-11-22T01:00:00Z' };

const openTab = keptTabs();
const theService = shared(() => listeningService());

/** Each test begins without elections, so that all can use the same titles. */
async function begin(options: BrowserContextOptions) {
  const service = await theService();
  await steps.deleteElections(service);
  return { service, ...steps.takeTurns(await openTab(service.origin, options)) };
}

describe.each(SCRIPT)('%s', (_, options) => {
  const scripted = options.javaScriptEnabled !== false;

  test('a yes-or-no vote, from the form to the result', async () => {
    const { service, officer, voter } = await begin(options);
    await steps.goAtDesk(officer, '/admin');
    expect(await steps.words(officer)).toContain('No elections yet');
    await steps.link(officer, 'New election').first().click();
    await steps.fillForm(officer, BUDGET, /^Yes or no(?! to each)/);
    if (scripted) await steps.refuse(officer, BUDGET);
    await steps.fillTimes(officer, '2026-11-21T09:00', '2026-11-21T20:00');
    await officer.getByLabel('Description').fill('The treasurer asks for 48,200 dollars.\n\nAny questions?');
    if (!scripted) await steps.preview(officer, BUDGET, ['48,200 dollars', 'Yes', 'No', 'I abstain']);
    await steps.create(officer, BUDGET);
    expect(await steps.words(officer)).toContain('nobody can vote yet: there are no voting codes');
    const links = await steps.makeTokens(officer, 5);

    await steps.goOnPhone(voter, links[0]!);
    await steps.heading(voter, BUDGET).waitFor();
    expect(await steps.words(voter)).toContain('Voting closes Sat, Nov 21, 2026, 8:00 PM');
    if (!scripted) {
      await steps.button(voter, 'Review my choice').click();
      await voter.getByRole('alert').getByText(message('choose_answer')).waitFor();
      await voter.getByText('No', { exact: true }).click();
      expect(await steps.review(voter)).toContain('You vote\n\nNo');
      await steps.button(voter, 'Change my answer').click();
      expect(await voter.getByRole('radio', { name: 'No' }).isChecked()).toBe(true);
    }
    await voter.getByText('Yes', { exact: true }).click();
    expect(await steps.review(voter)).toContain('You vote\n\nYes');
    await steps.castAndRead(voter, 'code');

    await steps.castOthers(service, links.slice(1), [
      { choice: 'yes' },
      { choice: 'no' },
      { choice: 'abstain' },
    ]);
    if (!scripted) {
      await steps.expectUsed(voter, links[0]!);
      await steps.goOnPhone(voter, '/');
      await steps.heading(voter, 'Vote').waitFor();
      expect(await steps.words(voter)).not.toMatch(/2 yes|So far|Carried:/);
      await voter.getByRole('link', { name: 'Read and vote' }).click();
      await steps.title(voter, BUDGET).waitFor();
      const text = await steps.words(voter);
      expect(text).toContain('The result appears here when voting closes');
      expect(text).toContain('4 of 5 voting codes were used (80%).');
      expect(text).not.toMatch(/2 yes|So far|Carried:/);
    }
    await steps.closeVoting(officer, BUDGET, '4 of 5 voting codes were used. 1 person has not voted yet.');
    // The pages that follow have no script.
    if (scripted) return;
    const result = await steps.expectResult(voter, BUDGET, 'Carried: 2 yes to 1 no.');
    expect(await steps.barsOf(result, 'Votes')).toEqual(['Yes 2 50%', 'No 1 25%', 'Abstain 1 25%']);
    await steps.unfold(voter.locator('main'), 'How it was counted');
    await voter.getByText('It passes when more ballots say yes than no').waitFor();
    await steps.expectClosed(voter, links[4]!);
  });

  test('a ranked election, from the form to the result', async () => {
    const { service, officer, voter } = await begin(options);
    let id: string;
    if (scripted) {
      await steps.goAtDesk(officer, '/admin/elections/new');
      await steps.fillForm(officer, CHAIR, /^Ranked(?!,)/);
      await officer.getByLabel('Candidates of a ranked ballot').fill(`${ADA}\n${BO}\n${CY}`);
      await officer.getByLabel('Add “None of the above”').check();
      await steps.preview(officer, CHAIR, ['Rank all 4 candidates', ADA, BO, NONE]);
      await steps.create(officer, CHAIR);
      id = steps.idOf(officer);
    } else {
      const fields = { ...VOTED, title: CHAIR, none_of_the_above: true };
      ({ id } = await addRanked(service, [ADA, BO, CY], fields));
    }
    const links = await steps.addLinks(service, id, 8, 'vote');

    await steps.goOnPhone(voter, links[0]!);
    await steps.heading(voter, CHAIR).waitFor();
    const rank = (name: string) => voter.getByLabel(name).filter({ has: voter.locator('option') });
    const ranks = () => Promise.all([ADA, BO, CY, NONE].map((name) => rank(name).inputValue()));
    if (scripted) {
      for (const name of [ADA, CY, BO, NONE]) await steps.button(voter, `Add ${name} to your order`).click();
    } else {
      for (const name of [ADA, CY]) await rank(name).selectOption('1');
      await rank(NONE).selectOption('4');
      await steps.button(voter, 'Review my choice').click();
      const alert = await voter.getByRole('alert').innerText();
      expect(alert).toContain(`${BO} has no rank yet.`);
      expect(alert).toContain(`${CY} has rank 1, which ${ADA} has already.`);
      expect(await ranks()).toEqual(['1', '', '1', '4']);
      await rank(CY).selectOption('2');
      await rank(BO).selectOption('3');
    }
    expect(await steps.review(voter)).toMatch(steps.inOrder(ADA, CY, BO, NONE));
    await steps.button(voter, 'Change my answer').click();
    await steps.heading(voter, CHAIR).waitFor();
    await voter.waitForLoadState();
    expect(await ranks()).toEqual(['1', '3', '2', '4']);
    await rank(BO).selectOption('2');
    if (!scripted) await rank(CY).selectOption('3');
    expect(await ranks()).toEqual(['1', '2', '3', '4']);
    expect(await steps.review(voter)).toMatch(steps.inOrder(ADA, BO, CY, NONE));
    await steps.castAndRead(voter);

    const ids = await steps.idsOf(service, id);
    const circle = [
      [ADA, BO, CY],
      [BO, CY, ADA],
      [CY, ADA, BO],
    ].map((order) => ({ ranking: [...order, NONE].map((name) => ids[name]) }));
    await steps.castOthers(service, links.slice(1), [...circle, ...circle]);
    await steps.expectHidden(service, id, '7 of 8 voting codes were used (87.5%).', /So far|leads|chain/);
    // The page of the result has no script.
    if (!scripted) return;
    await service.post(`/admin/elections/${id}/close`);
    const sentence = `${ADA} wins: by the strongest chain of preferences.`;
    const result = await steps.openResult(service, voter, id, sentence);
    expect(await result.innerText()).toContain('the preferences run in a circle');
    expect(await steps.barsOf(result, 'First choices')).toEqual([
      `${ADA} 3 42.9%`,
      `${BO} 2 28.6%`,
      `${CY} 2 28.6%`,
      `${NONE} 0 0%`,
    ]);
    const cells = result.getByRole('table', { name: 'Head to head' }).getByRole('row', { name: `A ${ADA}` });
    expect(await cells.getByRole('cell').allInnerTexts()).toEqual(
      ['–', '5▲ wins', '3', '7▲ wins'].map(spoken),
    );
    await steps.unfold(voter.locator('main'), 'Strongest chains');
    await voter.getByRole('table', { name: 'Strongest chains' }).waitFor();
  });
});

test('a poll for one option, from its page to the result, without script', async () => {
  const { service, officer, voter } = await begin(PLAIN);
  const { id, ids } = await addPoll(service, ['Mystic Seaport', 'Hudson Valley', 'Cape May'], {
    ...VOTED,
    title: TRIP,
  });
  await steps.goAtDesk(officer, `/admin/elections/${id}/ballot`);
  await steps.addAndRemove(officer, 'option', 'Stay at home', 'Cape May');
  const links = await steps.addLinks(service, id, 4, 'vote/poll');

  await steps.goOnPhone(voter, links[0]!);
  await steps.heading(voter, TRIP).waitFor();
  expect(await voter.getByRole('radio').count()).toBe(3);
  await steps.button(voter, 'Review my choice').click();
  await voter.getByRole('alert').getByText(message('choose_option')).waitFor();
  await voter.getByText('Stay at home', { exact: true }).click();
  expect(await steps.review(voter)).toContain('You choose\n\nStay at home');
  await steps.button(voter, 'Change my answer').click();
  expect(await voter.getByRole('radio', { name: 'Stay at home' }).isChecked()).toBe(true);
  await voter.getByText('Hudson Valley', { exact: true }).click();
  expect(await steps.review(voter)).toContain('You choose\n\nHudson Valley');
  await steps.castAndRead(voter);
  await steps.expectUsed(voter, links[0]!);

  const others = ['Hudson Valley', 'Mystic Seaport'].map((name) => ({ selected_option: ids[name] }));
  await steps.castOthers(service, links.slice(1), others);
  await steps.expectHidden(service, id, '3 of 4 voting codes were used (75%).', /66\.7%|So far|leads/);
  await service.post(`/admin/elections/${id}/close`);
  expect(await steps.textOf(service, `/admin/elections/${id}/ballot`)).toContain(
    '3 ballots are in, so this list is fixed',
  );
  const result = await steps.openResult(service, voter, id, 'Hudson Valley wins: 2 of 3 ballots.');
  expect(await steps.barsOf(result, 'Votes')).toEqual([
    'Mystic Seaport 1 33.3%',
    'Hudson Valley Winner 2 66.7%',
    'Stay at home 0 0%',
  ]);
  await steps.expectClosed(voter, links[3]!);
});

test('a poll for several options, from the form to the result, with script', async () => {
  const { service, officer, voter } = await begin({});
  await steps.goAtDesk(officer, '/admin/elections/new');
  await steps.fillForm(officer, QUIZ, /^Poll/);
  await officer.getByLabel('Options or names').fill('Tuesday\nWednesday\nThursday');
  await steps.preview(officer, QUIZ, [/Choose one(?! or)/, 'Tuesday', 'Thursday']);
  await officer.getByLabel('Each voter chooses one option or more').check();
  await steps.preview(officer, QUIZ, ['Choose one or more', 'Tuesday', 'Thursday']);
  await steps.create(officer, QUIZ);
  const id = steps.idOf(officer);
  const links = await steps.addLinks(service, id, 3, 'vote/poll');

  await steps.goOnPhone(voter, links[0]!);
  await steps.button(voter, 'Review my choice').click();
  await voter.getByRole('alert').getByText(message('choose_options')).waitFor();
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
  await steps.castAndRead(voter);

  const ids = await steps.idsOf(service, id);
  await steps.castOthers(service, links.slice(1), [{ selected_options: [ids.Thursday] }]);
  await steps.expectHidden(service, id, '2 of 3 voting codes were used (66.7%).', /100%|So far|most/);
  await service.post(`/admin/elections/${id}/close`);
  const result = await steps.openResult(service, voter, id, 'Thursday was chosen most: 2 of 2 ballots.');
  expect(await steps.barsOf(result, 'Votes')).toEqual([
    'Tuesday 0 0%',
    'Wednesday 1 50%',
    'Thursday Winner 2 100%',
  ]);
  await steps.unfold(voter.locator('main'), 'How it was counted');
  await voter.getByText('they may add up to more than 100%').waitFor();
});

test('a vote that was held on paper is recorded with its certified results, without script', async () => {
  const { service, officer, voter } = await begin(PLAIN);
  await steps.goAtDesk(officer, '/admin/elections/new');
  await steps.fillForm(officer, PAPER, /^Yes or no(?! to each)/);
  await steps.refuse(officer, PAPER);
  await officer.getByLabel('It is over already').check();
  await steps.button(officer, 'Create the election').click();
  await steps.title(officer, PAPER).waitFor();
  const id = steps.idOf(officer);
  await steps.goToPart(officer, 'Voting codes');
  expect(await steps.words(officer)).toContain('Voting has closed, so no more voting codes can be made.');
  await steps.goToPart(officer, 'Overview');

  await steps.link(officer, 'Enter certified results').click();
  const what = officer.getByLabel('What was voted on');
  expect(await what.inputValue()).toBe(PAPER);
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
  const problem = officer.getByRole('alert');
  await problem.getByText('The certified results were not saved').waitFor();
  expect(await problem.innerText()).toContain('Accounts of 2025, Accepted: votes: needs a whole number');
  await officer.getByLabel('Votes for Accepted').fill('97');
  await steps.button(officer, 'Save the certified results').first().click();
  await officer.getByRole('status').getByText('The certified results were saved.').waitFor();

  const desk = officer.url();
  const result = await steps.openResult(service, voter, id, 'President: Josephine Marlowe: 61 of 99.');
  const text = await result.innerText();
  expect(text).toContain('Accounts of 2025: Accepted: 97 of 97.');
  expect(text).toContain('Ines Albrecht and Tom Varga');
  expect(await steps.barsOf(result, 'Accounts of 2025')).toEqual(['Accepted Most votes 97 100%']);
  expect(text).not.toContain('Turnout');

  await steps.goAtDesk(officer, desk);
  await steps.link(officer, 'Back to the counted result …').click();
  await officer.getByText('2 contests with 3 items').waitFor();
  await steps.button(officer, 'Delete the certified figures').click();
  await officer.getByRole('status').getByText('The counted result is shown again.').waitFor();
  for (const path of ['/', `/e/${id}`])
    expect(await steps.textOf(service, path)).toContain('No ballots were cast.');
});

function spoken(text: string) {
  return expect.stringMatching(new RegExp(`^${text.replaceAll(' ', '\\s*')}$`));
}
