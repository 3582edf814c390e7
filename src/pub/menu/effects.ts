import { MENU_ITEM } from '#content/kinds/menu-item.ts';
import { MENU_SECTION, type MenuSectionBody } from '#content/kinds/menu-section.ts';
import { listPublished } from '#content/records/published.ts';
import type { Context } from '#kernel/context.ts';
import { t } from '#kernel/language/message.ts';
import { anyOf } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { type MenuFacts, readMenu } from './facts.ts';

/** What may be wrong with the list: a sentence, and where it is put right. It blocks nothing. */
export interface MenuWarning {
  text: Words;
  href: string;
  label: Words;
}

type Effect = Pick<MenuWarning, 'text'> & Partial<MenuWarning>;

const TAPS = { href: '/admin/pub#menu', label: t('pub-staff.menu_check.set_up_taps') };
const PLACES = {
  screens: t('pub-staff.menu_check.screens'),
  phones: t('pub-staff.menu_check.phones'),
  print: t('pub-staff.menu_check.paper'),
} as const;

/**
 * What a record of the list does to others: what guests do not see because of it. Nothing for records of other kinds.
 * @param id of a record that was published once, or removed
 */
export function listMenuEffects(ctx: Context, kind: string, id: string): Effect[] {
  const facts = readMenu(ctx);
  if (kind === MENU_SECTION.name) return sectionEffects(ctx, facts, id);
  return kind === MENU_ITEM.name ? itemEffects(ctx, facts, id) : [];
}

function sectionEffects(ctx: Context, { sections, taps }: MenuFacts, id: string): Effect[] {
  const items = listPublished(ctx, MENU_ITEM).filter(({ body }) => body.section === id);
  const entries = items.length;
  if (entries === 0) return [];
  const section = sections.find((one) => one.id === id);
  if (!section) return [{ text: t('pub-staff.menu_check.section_not_published', { entries }) }];
  const { body } = section;
  const tapped = new Set(taps.map(({ item_id }) => item_id));
  const waiting = body.on_tap ? items.filter((item) => !tapped.has(item.id)).length : 0;
  const hidden = Object.entries(PLACES).flatMap(([place, word]) =>
    body.show_on[place as keyof typeof PLACES] ? [] : [word],
  );
  return [
    ...(waiting > 0 ? [{ ...TAPS, text: t('pub-staff.menu_check.untapped', { drinks: waiting }) }] : []),
    ...(isTimed(body) ? [{ text: t('pub-staff.menu_check.at_times', { entries }) }] : []),
    ...(hidden.length > 0
      ? [{ text: t('pub-staff.menu_check.not_on', { entries, places: anyOf(hidden) }) }]
      : []),
  ];
}

const isTimed = ({ days, between }: MenuSectionBody) => days.length > 0 || between !== null;

function itemEffects(ctx: Context, { sections, items, taps }: MenuFacts, id: string): Effect[] {
  const item = listPublished(ctx, MENU_ITEM).find((one) => one.id === id);
  const listed = items.some((one) => one.id === id);
  const own = taps.filter(({ item_id }) => item_id === id);
  const section = item && sections.find((one) => one.id === item.body.section);
  if (item && !listed) return [{ text: t('pub-staff.menu_check.its_section_not_published') }];
  if (section?.body.on_tap && own.length === 0)
    return [{ ...TAPS, text: t('pub-staff.menu_check.not_until_tapped') }];
  if (item) return [];
  return own.map(({ tap }) => ({
    text: t('pub-staff.menu_check.tap_still_has', { tap }),
    href: `/admin/pub/taps/${tap}`,
    label: t('pub-staff.menu_check.choose_another'),
  }));
}

/** Sections of which guests see nothing, because no tap has any of their drinks. */
export const untappedSections = ({ sections, items, taps }: MenuFacts): MenuWarning[] =>
  sections
    .filter(({ body }) => body.on_tap)
    .flatMap(({ id, body: { title } }) => {
      const drinks = items.filter(({ body }) => body.section === id);
      const isShown = drinks.some((drink) => taps.some(({ item_id }) => item_id === drink.id));
      return isShown || drinks.length === 0
        ? []
        : [
            {
              ...TAPS,
              text: t('pub-staff.menu_check.section_untapped', { section: title, drinks: drinks.length }),
            },
          ];
    });
