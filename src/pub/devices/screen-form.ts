import type { Selectable } from 'kysely';
import { WEEKDAYS } from '#content/records/fields.ts';
import type { Context } from '#kernel/context.ts';
import type { ScreensTable } from '#kernel/db/schema.ts';
import { mixFromForm, presetFromForm } from './mix-form.ts';
import type { OffHours } from './off-hours.ts';
import { SCREEN } from './screen-record.ts';
import { nameOf, readOffHours } from './screens.ts';

/** How many ranges of a weekday the form has fields for, unless more are stored. */
export const RANGES_SHOWN = 2;
const RANGES_AT_MOST = 4;

type Fields = Record<string, unknown>;

/** How many ranges of each weekday the form shows. */
export const rangesShown = (offHours: OffHours): number =>
  typeof offHours === 'string'
    ? RANGES_SHOWN
    : Math.max(RANGES_SHOWN, ...WEEKDAYS.map((day) => offHours[day].length));

/** The fields of the form of a screen; weekdays as `off.mon.0.from`. */
export function screenToForm(
  ctx: Pick<Context, 'config'>,
  row: Selectable<ScreensTable>,
): Record<string, string> {
  const off_hours = readOffHours(row);
  const ranges =
    typeof off_hours === 'string'
      ? []
      : WEEKDAYS.flatMap((day) =>
          off_hours[day].flatMap(({ from, to }, index) => [
            [`off.${day}.${index}.from`, from],
            [`off.${day}.${index}.to`, to],
          ]),
        );
  return {
    ...SCREEN.entered(row, ctx),
    name: nameOf(row),
    off: typeof off_hours === 'string' ? off_hours : 'own',
    ...Object.fromEntries(ranges),
  };
}

/** Fields of the mixes of a screen, see mix-form.ts. */
const OF_MIXES = /^(?:mixes|shows|layout|section|tick\..*|picture\..*|web\..*|time\..*)$/;

/**
 * The body as a script would send it. Groups are one line, with commas; `preset` is the mix of a new screen, and with
 * `mixes` the form has those of a screen that is stored.
 */
export function screenFromForm(
  { off, preset, ...fields }: Fields,
  stored?: Parameters<typeof mixFromForm>[1],
): Fields {
  const others = Object.entries(fields).filter(([name]) => !name.startsWith('off.') && !OF_MIXES.test(name));
  return {
    ...SCREEN.readForm(Object.fromEntries(others)),
    ...presetFromForm(preset),
    ...(fields.mixes !== undefined && mixFromForm(fields, stored)),
    ...(off !== undefined && { off_hours: off === 'own' ? ownTimes(fields) : off }),
  };
}

function ownTimes(fields: Fields): Fields {
  const ranges = (day: string) =>
    Array.from({ length: RANGES_AT_MOST }, (_, index) => ({
      from: fields[`off.${day}.${index}.from`] ?? '',
      to: fields[`off.${day}.${index}.to`] ?? '',
    })).filter(({ from, to }) => from !== '' || to !== '');
  return Object.fromEntries(WEEKDAYS.map((day) => [day, ranges(day)]));
}
