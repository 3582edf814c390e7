import type { TenderBody } from '#content/kinds/tender.ts';
import { type ContentForm, readPicture, typed } from './form.ts';

const TEXTS = ['full_name', 'bio', 'payment_a', 'payment_b', 'page_url'] as const;
const TICKS = ['active', 'meet'] as const;

export const tenderForm: ContentForm = {
  toForm(body) {
    const tender = body as TenderBody;
    return {
      ...Object.fromEntries(TEXTS.map((name) => [name, tender[name]])),
      ...Object.fromEntries(TICKS.map((name) => [name, String(tender[name])])),
      'picture.id': tender.picture ?? '',
    };
  },
  // `show_profile` has no field: only the feeds for other displays carry it.
  fromForm: (entered, base) => ({
    show_profile: (base as TenderBody | undefined)?.show_profile ?? false,
    ...Object.fromEntries(TEXTS.map((name) => [name, typed(entered, name)])),
    ...Object.fromEntries(TICKS.map((name) => [name, typed(entered, name) === 'true'])),
    ...readPicture(entered),
  }),
};
