import type { Club } from '#test/support/people/roll.ts';

/** Reads a file of members without changing anything. */
export const check = async (club: Club, csv: string, options: object = {}) => {
  const { status, body } = await club.call('POST', 'people/import', { csv, dry_run: true, ...options });
  return { status, ...body };
};

/** Reads a file, and applies what it would change. */
export const apply = async (club: Club, csv: string, options: object = {}) => {
  const made = await check(club, csv, options);
  const send = { csv, dry_run: false, check: made.check, ...options };
  const { status, body } = await club.call('POST', 'people/import', send);
  return { status, ...body };
};

/** How many rows are of which kind: none, except `some`. */
export const counts = (some: object) => ({
  new: 0,
  changed: 0,
  same: 0,
  unclear: 0,
  invalid: 0,
  missing: 0,
  ...some,
});
