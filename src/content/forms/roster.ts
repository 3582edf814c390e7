import type { RosterBody } from '#content/kinds/roster.ts';
import { type ContentForm, readRange, ticked, typed } from './form.ts';

export const rosterForm: ContentForm = {
  toForm(body) {
    const { date, range, tenders } = body as RosterBody;
    return { date, tenders, 'range.opens': range?.opens ?? '', 'range.closes': range?.closes ?? '' };
  },
  fromForm: (entered) => ({
    date: typed(entered, 'date'),
    range: readRange(entered, 'range'),
    tenders: ticked(entered, 'tenders'),
  }),
};
