import type { TenderBody } from '../kinds/tender.ts';
import { type ContentForm, readPicture, typed } from './form.ts';

const TEXTS = ['full_name', 'bio', 'payment_a', 'payment_b', 'page_url'] as const;
const TICKS = ['active', 'meet', 'show_profile'] as const;

export const tenderForm: ContentForm = {
  toForm(body) {
    const tender = body as TenderBody;
    return {
      ...Object.fromEntries(TEXTS.map((name) => [name, tender[name]])),
      ...Object.fromEntries(TICKS.map((name) => [name, String(tender[name])])),
      'picture.id': tender.picture ?? '',
    };
  },
  fromForm: (entered) => ({
    ...Object.fromEntries(TEXTS.map((name) => [name, typed(entered, name)])),
    ...Object.fromEntries(TICKS.map((name) => [name, typed(entered, name) === 'true'])),
    ...readPicture(entered),
  }),
};
