import { afterEach, describe, expect, test } from 'vitest';
import { listeningService, SCRIPT } from '#test/support/browser-service.ts';
import { keptTabs } from '#test/support/kept-tabs.ts';
import { shared } from '#test/support/shared-app.ts';
import * as steps from './election-steps.ts';

const TITLE = 'Chair of the wine committee';
const [ADA, BO, CY, NONE] = ['Ada Thornbury', 'Bo Lindqvist', 'Cyrus Okafor', 'None of the above'] as const;
const openTab = keptTabs();
const theService = shared(() => listeningService());
afterEach(async () => steps.deleteElections(await theService()));

describe.each(SCRIPT)('%s', (_, options) => {
  test('a ranked election, from the form to the result', async () => {
    const service = await theService();
    const { officer, voter } = steps.takeTurns(await openTab(service.origin, options));

    await steps.beginElection(officer, TITLE, /^Ranked/);
    await officer.getByLabel('Candidates of a ranked ballot').fill(`${ADA}\n${BO}\nWithdrawn already`);
    await officer.getByLabel('Add “None of the above”').check();
    await steps.previewAndCreate(officer, TITLE, ['Rank all 4 candidates', ADA, BO, NONE]);
    await steps.addAndRemove(officer, 'candidate', CY, 'Withdrawn already');
    const links = await steps.makeTokens(officer, 8);

    await steps.goOnPhone(voter, links[0]!);
    await steps.heading(voter, TITLE).waitFor();
    const rank = (name: string) => voter.getByLabel(name).filter({ has: voter.locator('option') });
    const ranks = () => Promise.all([ADA, BO, CY, NONE].map((name) => rank(name).inputValue()));
    if (options.javaScriptEnabled === false) {
      for (const name of [ADA, CY]) await rank(name).selectOption('1');
      await rank(NONE).selectOption('4');
      await steps.button(voter, 'Review my choice').click();
      const alert = await voter.getByRole('alert').innerText();
      expect(alert).toContain(`${BO} has no rank yet.`);
      expect(alert).toContain(`${CY} has rank 1, which ${ADA} has already.`);
      expect(await ranks()).toEqual(['1', '', '1', '4']);
      await rank(CY).selectOption('2');
      await rank(BO).selectOption('3');
    } else {
      for (const name of [ADA, CY, BO, NONE]) await steps.button(voter, `Add ${name} to your order`).click();
    }
    expect(await steps.review(voter)).toMatch(inOrder(ADA, CY, BO, NONE));
    await steps.button(voter, 'Change my answer').click();
    await steps.heading(voter, TITLE).waitFor();
    expect(await ranks()).toEqual(['1', '3', '2', '4']);
    await rank(BO).selectOption('2');
    if (options.javaScriptEnabled === false) await rank(CY).selectOption('3');
    expect(await ranks()).toEqual(['1', '2', '3', '4']);
    expect(await steps.review(voter)).toMatch(inOrder(ADA, BO, CY, NONE));
    await steps.castAndRead(voter, links[0]!);

    const ids = await steps.idsOf(service, links[0]!);
    const circle = [
      [ADA, BO, CY],
      [BO, CY, ADA],
      [CY, ADA, BO],
    ].map((order) => ({ ranking: [...order, NONE].map((name) => ids[name]) }));
    await steps.castOthers(service, links.slice(1), [...circle, ...circle]);
    await steps.expectHidden(voter, TITLE, '7 of 8 voting codes were used (87.5%).', /So far|leads|chain/);
    await steps.closeVoting(officer, TITLE, '7 of 8 voting codes were used.');

    const sentence = `${ADA} wins: by the strongest chain of preferences.`;
    const result = await steps.expectResult(voter, TITLE, sentence);
    expect(await result.innerText()).toContain('the preferences run in a circle');
    expect(await steps.barsOf(result, 'First choices')).toEqual([
      `${ADA} 3 42.9%`,
      `${BO} 2 28.6%`,
      `${NONE} 0 0%`,
      `${CY} 2 28.6%`,
    ]);
    const cells = result.getByRole('table', { name: 'Head to head' }).getByRole('row', { name: ADA });
    expect(await cells.getByRole('cell').allInnerTexts()).toEqual(
      ['–', '5▲ wins', '7▲ wins', '3'].map(spoken),
    );
    await steps.unfold(result, 'Strongest chains');
    await result.getByRole('table', { name: 'Strongest chains' }).waitFor();
    await steps.expectClosed(voter, links[7]!);
  });
});

/** Matches these names as a numbered list. */
function inOrder(...names: string[]): RegExp {
  return new RegExp(names.map((name, index) => `${index + 1}\\s*\\.?\\s+${name}`).join('\\s+'));
}

function spoken(text: string) {
  return expect.stringMatching(new RegExp(`^${text.replaceAll(' ', '\\s*')}$`));
}
