import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { announceSettings, isOverruled, storeSettings } from '#kernel/db/settings.ts';
import { badField } from '#kernel/http/errors.ts';
import { clubName } from '#kernel/mail/message.ts';
import { accentOf } from '#kernel/settings/colours.ts';
import { chosenParts } from '#kernel/settings/parts.ts';
import { SETTING_NAMES, type SettingsInput } from '#kernel/settings/settings.ts';
import { findPicture } from './pictures/pictures.ts';

/** Returns the effective settings of the club, and the names of those that the environment overrides. */
export function readSettings(ctx: Context) {
  const { club, BASE_URL, LOCALE, TIME_ZONE, SPORTS_LEAGUES } = ctx.config;
  return {
    settings: {
      base_url: BASE_URL ?? null,
      club_name: clubName(ctx.config),
      short_name: club.short_name,
      contact: club.contact,
      imprint_url: club.imprint_url,
      privacy_url: club.privacy_url,
      logo: club.logo,
      ...accentOf(club.accent),
      locale: LOCALE,
      time_zone: TIME_ZONE,
      sports_leagues: SPORTS_LEAGUES,
      parts: chosenParts(ctx),
    },
    overruled: SETTING_NAMES.filter((name) => isOverruled(ctx.config, name)),
  };
}

/**
 * Returns the settings that a submitted form changes. Settings equal to the current ones are left out, so that they
 * keep following the environment and what is configured.
 */
export function changedSettings(ctx: Context, given: SettingsInput): SettingsInput {
  const { settings } = readSettings(ctx);
  const differs = ([name, value]: [string, unknown]) => settings[name as keyof typeof settings] !== value;
  const parts = Object.entries(given.parts ?? {}).filter(
    ([part, on]) => settings.parts[part as keyof typeof settings.parts] !== on,
  );
  const { parts: _all, ...rest } = given;
  return { ...Object.fromEntries(Object.entries(rest).filter(differs)), parts: Object.fromEntries(parts) };
}

/**
 * Stores some of the settings and applies them. Settings that the environment overrides are stored too, for when it no
 * longer does.
 * @throws 400 for a logo that is not a stored picture
 */
export async function changeSettings(
  ctx: Context,
  { accent_light: _light, accent_dark: _dark, ...given }: SettingsInput,
  actor: Actor,
): Promise<void> {
  await ctx.write((tx) => {
    const logo = given.logo && findPicture(tx, given.logo)?.id;
    if (given.logo && !logo) throw badField('logo', 'no_such_picture');
    storeSettings(tx, { ...given, ...(logo && { logo }) }, actor);
  });
  announceSettings(ctx);
}
