// A founder tries the voting with friends: one form, ballots on phones, the result.
import { expect, test } from 'vitest';
import { type ReceivedMail, startMailServer } from '#test/stand-ins/mail-server.ts';
import { BASE, mailTo } from '#test/support/app.ts';
import { NARROW } from '#test/support/browser/accessible.ts';
import { loadAxe, violations } from '#test/support/browser/axe.ts';
import { listeningService, resize, SCRIPT, watch } from '#test/support/browser/browser-service.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { afterLast, shared } from '#test/support/shared-app.ts';
import * as steps from './election-steps.ts';

const QUESTION = 'Pizza or the harbour walk on Friday? Yes is pizza';
const FRIENDS = ['ann', 'bo', 'cy', 'dee', 'eli'].map((name) => `${name}@club.example`);

const openTab = keptTabs();
const atEnd = afterLast();
const theService = shared(async () => {
  const server = await startMailServer({}, atEnd);
  return Object.assign(await listeningService(mailTo(server.url)), { server });
});

test.each(SCRIPT)('%s: a trial with five friends, three of whom vote on their phones', async (_, options) => {
  const service = await theService();
  await steps.deleteElections(service);
  service.server.mails.splice(0);
  const tab = await openTab(service.origin, options);
  await loadAxe(tab);
  const troubles = watch(tab.context(), service.origin);
  const { officer, voter } = steps.takeTurns(tab);
  const isTrial = async (page: typeof voter) => {
    const banners = await page.getByText('This is a trial.', { exact: true }).all();
    expect(banners).toHaveLength(1);
    expect(await banners[0]!.isVisible()).toBe(true);
  };
  const isAccessible = async (page: typeof voter) => {
    if (options.javaScriptEnabled === false) return;
    expect(await violations(page)).toEqual([]);
  };
  const here = ({ text }: ReceivedMail) => /https:\S+/.exec(text)![0].replace(BASE, service.origin);

  await steps.goAtDesk(officer, '/admin');
  await steps.link(officer, 'Try it with five friends').click();
  await steps.title(officer, 'Try it with five friends').waitFor();
  await isAccessible(officer);
  await officer.getByLabel('Question').fill(QUESTION);
  await officer.getByRole('textbox', { name: 'Addresses' }).fill(FRIENDS.join('\n'));
  if (options.javaScriptEnabled !== false)
    expect(await officer.getByLabel('How many codes').isVisible()).toBe(false);
  await steps.button(officer, 'Start the trial').click();
  await steps.title(officer, QUESTION).waitFor();
  await isTrial(officer);
  await isAccessible(officer);
  const id = steps.idOf(officer);
  expect(service.server.mails.flatMap(({ recipients }) => recipients)).toEqual(FRIENDS);

  for (const [at, choice] of (['Yes', 'No', 'Yes'] as const).entries()) {
    await steps.goOnPhone(voter, here(service.server.mails[at]!));
    await isTrial(voter);
    await voter.getByText(choice, { exact: true }).click();
    expect(await steps.review(voter)).toContain(`You vote\n\n${choice}`);
    await isTrial(voter);
    await steps.button(voter, 'Cast my vote').click();
    await voter.locator('.thanks h1').waitFor();
    await isTrial(voter);
  }
  await isAccessible(voter);

  await steps.goAtDesk(officer, `/admin/elections/${id}/chair`);
  await isTrial(officer);
  await steps.link(officer, 'Close voting now …').click();
  await steps.button(officer, 'Close voting now').click();
  await officer.getByText('Carried: 2 yes to 1 no.').first().waitFor();

  await steps.goOnPhone(voter, `/e/${id}`);
  await voter.getByText('Carried: 2 yes to 1 no.').waitFor();
  await isTrial(voter);
  await resize(voter, NARROW);
  expect(await voter.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(NARROW.width);
  await steps.goAtDesk(officer, `/e/${id}/results?wall=1`);
  await isTrial(officer);
  await steps.goOnPhone(voter, '/');
  expect(await steps.words(voter)).not.toContain('Pizza');
  expect(troubles).toEqual([]);
});
