import { getDatesAhead, previewDates } from '#content/events/ahead.ts';
import { EVENT } from '#content/events/kind.ts';
import { announcementForm } from '#content/forms/announcement.ts';
import { beginEvent, eventForm } from '#content/forms/event.ts';
import type { ContentForm, FormValues } from '#content/forms/form.ts';
import { hoursForm } from '#content/forms/hours.ts';
import { menuItemForm, menuSectionForm, offerForm } from '#content/forms/menu.ts';
import { rosterForm } from '#content/forms/roster.ts';
import { specialForm } from '#content/forms/special.ts';
import { tenderForm } from '#content/forms/tender.ts';
import { ANNOUNCEMENT } from '#content/kinds/announcement.ts';
import { HOURS } from '#content/kinds/hours.ts';
import { MENU_ITEM } from '#content/kinds/menu-item.ts';
import { MENU_SECTION } from '#content/kinds/menu-section.ts';
import { OFFER } from '#content/kinds/offer.ts';
import { ROSTER } from '#content/kinds/roster.ts';
import { SPECIAL } from '#content/kinds/special.ts';
import { TENDER } from '#content/kinds/tender.ts';
import type { Body, Kind } from '#content/records/kind.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { notFound } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import type { FormParts } from '#views/content/editor.ts';
import { datesPanel, seriesPanel } from '#views/content/event-dates.ts';
import { announcementFields } from '#views/content/fields/announcement.ts';
import { eventFields } from '#views/content/fields/event.ts';
import { hoursFields } from '#views/content/fields/hours.ts';
import { menuItemFields, menuSectionFields, offerFields } from '#views/content/fields/menu.ts';
import { rosterFields } from '#views/content/fields/roster.ts';
import { specialFields } from '#views/content/fields/special.ts';
import { tenderFields } from '#views/content/fields/tender.ts';

/** How records of a kind are edited: their form and its page. */
export interface Editor extends Omit<FormParts, 'labels'> {
  kind: Kind;
  form: ContentForm;
  /** Returns the initial values of a new record. @param date `asked` is the requested date, may be empty */
  begin?(date: { today: string; asked: string }): FormValues;
  /** Other pages about all its records. */
  ways?: readonly { href: string; label: Words }[];
  /** Returns a panel above the form of a stored record. */
  panel?(ctx: Context, id: string): Html;
  /** Returns the dates of a stored series, for a page of their own; undefined for any other record. */
  dates?(ctx: Context, id: string): Html | undefined;
  /** Returns the dates for an unsaved form, if the form has a button for it. @throws 400 */
  preview?(ctx: Context, input: Body, id?: string): Html;
}

const editor = <K>(one: Omit<Editor, 'kind'> & { kind: K }): Editor => one as unknown as Editor;

/** The field of a problem in the forms of the list of drinks and food. */
function idOfMenu(path: string): string {
  if (/^(days|show_on|marks|items|sections)/.test(path)) return `${path.replace(/\..*/, '')}-group`;
  if (/^allergens(\.|$)/.test(path)) return 'allergens-group';
  return path === 'between' ? 'between.from' : path;
}

/** In the order of the overview page. */
export const EDITORS: readonly Editor[] = [
  editor({
    kind: EVENT,
    words: {
      name: 'event',
      one: t('content-admin.editors.event'),
      many: t('content-admin.editors.events'),
      create: t('content-admin.editors.new_event'),
    },
    form: eventForm,
    fields: eventFields,
    takesPicture: true,
    scripts: ['content/live-dates.js'],
    begin: ({ today, asked }) => beginEvent(asked || today),
    panel: (ctx, id) => seriesPanel(getDatesAhead(ctx, id)),
    dates: (ctx, id) => {
      const ahead = getDatesAhead(ctx, id);
      return ahead.isSeries ? datesPanel(ahead) : undefined;
    },
    preview: (ctx, input, id) => datesPanel(previewDates(ctx, input, id)),
    idOf: (path) => {
      if (path === 'rule') return 'repeat';
      if (path === 'until') return 'ends-group';
      if (path === 'weekdays' || path === 'nths') return `${path}-group`;
      return path.replace(/^extra.*/, 'dates');
    },
  }),
  editor({
    kind: ANNOUNCEMENT,
    words: {
      name: 'announcement',
      one: t('content-admin.editors.announcement'),
      many: t('content-admin.editors.announcements'),
      create: t('content-admin.editors.new_announcement'),
    },
    form: announcementForm,
    fields: announcementFields,
    takesPicture: true,
    idOf: (path) => {
      if (/^(from|until)$/.test(path)) return `${path}.date`;
      if (/^days/.test(path)) return 'days-group';
      if (path === 'between') return 'between.from';
      return path.replace(/^screens.*/, 'screens-group');
    },
  }),
  editor({
    kind: MENU_SECTION,
    words: {
      name: 'menu_section',
      one: t('content-admin.editors.section'),
      many: t('content-admin.editors.sections_list'),
      create: t('content-admin.editors.new_menu_section'),
    },
    form: menuSectionForm,
    fields: menuSectionFields,
    begin: () => ({ show_on: ['screens', 'phones', 'print'] }),
    idOf: idOfMenu,
  }),
  editor({
    kind: MENU_ITEM,
    words: {
      name: 'menu_item',
      one: t('content-admin.editors.drink_food'),
      many: t('content-admin.editors.drinks_food'),
      create: t('content-admin.editors.new_menu_item'),
    },
    form: menuItemForm,
    fields: menuItemFields,
    takesPicture: true,
    timeless: true,
    ways: [
      { href: '/admin/content/prices', label: t('content-admin.editors.all_prices') },
      { href: '/admin/content/menu-import', label: t('content-admin.editors.add_file') },
    ],
    idOf: idOfMenu,
  }),
  editor({
    kind: OFFER,
    words: {
      name: 'offer',
      one: t('content-admin.editors.offer'),
      many: t('content-admin.editors.offers'),
      create: t('content-admin.editors.new_offer'),
    },
    form: offerForm,
    fields: offerFields,
    idOf: idOfMenu,
  }),
  editor({
    kind: HOURS,
    words: {
      name: 'hours',
      one: t('content-admin.editors.week_hours'),
      many: t('content-admin.editors.opening_hours'),
      create: t('content-admin.editors.new_hours'),
    },
    form: hoursForm,
    fields: hoursFields,
    begin: ({ today, asked }) => ({ from: asked || today }),
    idOf: (path) => (/\.(before|after)$/.test(path) ? path.replace(/.*\./, '') : path),
  }),
  editor({
    kind: SPECIAL,
    words: {
      name: 'special',
      one: t('content-admin.editors.special_day'),
      many: t('content-admin.editors.special_days'),
      create: t('content-admin.editors.new_special'),
    },
    form: specialForm,
    fields: specialFields,
    begin: ({ asked }) => ({ from: asked }),
    idOf: (path) => (path === 'closed' ? 'as-group' : path),
  }),
  editor({
    kind: ROSTER,
    words: {
      name: 'roster',
      one: t('content-admin.editors.roster_entry'),
      many: t('content-admin.editors.roster'),
      create: t('content-admin.editors.new_roster'),
    },
    form: rosterForm,
    fields: rosterFields,
    begin: ({ today, asked }) => ({ date: asked || today }),
    idOf: (path) => path.replace(/^tenders.*/, 'tenders-group').replace(/^range$/, 'range.opens'),
  }),
  editor({
    kind: TENDER,
    words: {
      name: 'tender',
      one: t('content-admin.editors.person_behind_bar'),
      many: t('content-admin.editors.behind_bar'),
      create: t('content-admin.editors.new_tender'),
    },
    form: tenderForm,
    fields: tenderFields,
    takesPicture: true,
    timeless: true,
    // Faces are in the upper part of most photos, so the focus is the top middle.
    begin: () => ({ active: 'true', 'picture.focus': '2' }),
    idOf: (path) => path,
  }),
];

/** @throws 404 */
export function getEditor(name: string): Editor {
  const found = EDITORS.find(({ kind }) => kind.name === name);
  if (!found) throw notFound('no_such_kind');
  return found;
}
