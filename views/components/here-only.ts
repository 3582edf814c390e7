import type { Viewer } from '#kernel/access/permissions.ts';
import { type Html, html } from '#kernel/html.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import type { HereOnly, Site } from '#kernel/site.ts';
import { hiddenInputs } from './forms.ts';
import { notice } from './notices.ts';

/** What it means to let the house in, in one sentence. */
export const HOUSE_MEANS =
  'Every device in the network of this house can then open this service, those of guests in your Wi-Fi too, and what is ' +
  'sent is not encrypted.';

/** The words of the switch. */
export const LET_IN = 'Let devices in this house reach it';

const SETTINGS = html`<a href="${groupPath('address')}">The settings of the address</a>`;

const WHY: Record<HereOnly, (mayChange: boolean) => Html> = {
  closed: (mayChange) =>
    mayChange
      ? html`<p>${LET_IN}? ${HOUSE_MEANS}</p>`
      : html`<p>An owner can let devices in this house reach it, under Settings, Address.</p>`,
  failed: (mayChange) =>
    html`<p>Devices in this house are let in, but nothing listens in its network. ${
      mayChange ? html`${SETTINGS} say why.` : 'An owner sees why under Settings, Address.'
    }</p>`,
  fixed: (mayChange) =>
    html`<p>${
      mayChange ? html`${SETTINGS} say what decides that.` : 'Whoever runs the server decides that.'
    }</p>`,
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
    return onScreen(html`<p>Once the club is set up, you can let devices in this house reach it.</p>`);
  const mayChange = viewer?.permissions.has('settings:write') ?? false;
  const why =
    hereOnly === 'closed' && mayChange && back === undefined
      ? html`<p>${SETTINGS} let devices in this house reach it.</p>`
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

const TITLE = 'This works on this computer only';
