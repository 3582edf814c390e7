import type { Viewer } from '#kernel/access/permissions.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import type { HereOnly, Site } from '#kernel/site.ts';
import { hiddenInputs } from './forms.ts';
import { notice } from './notices.ts';
import { linkTo } from './slots.ts';

/** What it means to let the house in, in one sentence. */
export const HOUSE_MEANS = t('common.here_only.means');

/** The words of the switch. */
export const LET_IN = t('common.here_only.let_in');

const link = linkTo(groupPath('address'));

const WHY: Record<HereOnly, (mayChange: boolean) => Html> = {
  closed: (mayChange) =>
    mayChange
      ? html`<p>${t('common.here_only.let_in_means', { means: HOUSE_MEANS })}</p>`
      : html`<p>${t('common.here_only.ask_owner')}</p>`,
  failed: (mayChange) =>
    html`<p>${mayChange ? t('common.here_only.failed', { link }) : t('common.here_only.failed_ask')}</p>`,
  fixed: (mayChange) =>
    html`<p>${mayChange ? t('common.here_only.fixed', { link }) : t('common.here_only.fixed_ask')}</p>`,
};

/**
 * Says that the address on this page works on this computer only, with the switch for those who may use it.
 * @param back where the switch leads back to; without it the notice only says where the switch is
 */
export function hereOnlyNotice(
  { hereOnly, needsSetUp }: Pick<Site, 'hereOnly' | 'needsSetUp'>,
  viewer: Viewer | undefined,
  back: string | undefined,
): Html | null {
  if (hereOnly === undefined) return null;
  if (needsSetUp && hereOnly === 'closed')
    return onScreen(html`<p>${t('common.here_only.set_up_first')}</p>`);
  const mayChange = viewer?.permissions.has('settings:write') ?? false;
  const why =
    hereOnly === 'closed' && mayChange && back === undefined
      ? html`<p>${t('common.here_only.where', { link })}</p>`
      : WHY[hereOnly](mayChange);
  const button =
    hereOnly === 'closed' &&
    mayChange &&
    back !== undefined &&
    html`<form method="post" action="${LETS_IN}">${hiddenInputs({ next: back })}<button class="button">${LET_IN}</button></form>`;
  return onScreen(html`${why}${button}`);
}

/** Not on paper: it would move what is cut out. */
const onScreen = (text: Html): Html =>
  html`<div class="screen-only">${notice('attention', text, TITLE)}</div>`;

/** Where the switch is sent. */
const LETS_IN = '/admin/settings/house-network';

const TITLE = t('common.here_only.title');
