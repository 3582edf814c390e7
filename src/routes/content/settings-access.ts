import type { FastifyRequest } from 'fastify';
import { UNKNOWN_OFFICER } from '#kernel/access/actors.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { keepText } from '#kernel/language/kept-text.ts';
import { t } from '#kernel/language/message.ts';
import { commas } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { TEST_WAITS } from '#kernel/mail/limits.ts';
import { reasonWords } from '#kernel/mail/reasons.ts';
import type { Group } from '#kernel/settings/setting.ts';
import type { GivenSettings } from '#kernel/settings/settings.ts';
import { SETTING_NAMES, type SettingName, settingOf } from '#kernel/settings/table.ts';
import type { SensitiveAct } from '#people/approvals/approvals.ts';
import { type WayIn, warnAllOwners } from '#people/notices.ts';
import { FIELDS } from '#views/content/settings/fields.ts';

interface Access {
  /** How the notice names it, and the setting that says where it leads. */
  way: WayIn;
  act: (now: Words | string | null) => Words;
}

const HOUSE: Access = {
  way: 'house_network',
  act: (now) => (now === null ? t('settings.access.shut_out') : t('settings.access.let_in')),
};

/** The groups of settings that decide who comes in: every field of them. */
const ACCESS: Partial<Record<Group, Access>> = {
  address: {
    way: 'base_url',
    act: (now) =>
      now === null ? t('settings.access.remove_address') : t('settings.access.change_address', { now }),
  },
  mail: {
    way: 'mail.host',
    act: (now) =>
      now === null ? t('settings.access.remove_mail') : t('settings.access.change_mail', { now }),
  },
  'sign-in': {
    way: 'oidc.issuer',
    act: (now) =>
      now === null ? t('settings.access.remove_provider') : t('settings.access.change_provider', { now }),
  },
};

/** A change of settings that decide who comes in, which needs a fresh proof. */
export interface AccessChange {
  /** For each of these groups that changes: its words, where it leads now, and what changes. */
  changes: { access: Access; now: string | null; labels: (Words | string)[] }[];
  /** The act that a second person confirms where the club wants two. The first mail server needs nobody else. */
  sensitive?: SensitiveAct;
}

/** Finds what in a change decides who comes in; undefined if nothing does. */
export function findAccessChange(ctx: Context, given: GivenSettings): AccessChange | undefined {
  const { settings } = ctx.config;
  const differs = (name: SettingName) =>
    given[name] !== undefined && JSON.stringify(given[name]) !== JSON.stringify(settings[name]);
  const accessOf = (name: SettingName) => (name === 'house_network' ? HOUSE : ACCESS[settingOf(name).group]);
  const byAccess = Map.groupBy(SETTING_NAMES.filter(differs), accessOf);
  const changes = [...byAccess].flatMap(([access, names]) => {
    if (access === undefined) return [];
    const now = given[access.way] === undefined ? settings[access.way] : given[access.way];
    return [{ access, now: now ? String(now) : null, labels: names.map((name) => FIELDS[name].label) }];
  });
  if (changes.length === 0) return undefined;
  const toConfirm = changes.filter(({ access: { way } }) => way !== 'mail.host' || !isFirstServer(ctx));
  const [act, ...more] = toConfirm.map(({ access, now }) => access.act(now));
  if (act === undefined) return { changes };
  const details = toConfirm.map(({ labels }) => ({
    label: t('settings.access.what_changes'),
    value: joined(labels, (first, second) => t('settings.access.comma', { first, second })),
  }));
  return {
    changes,
    sensitive: {
      kind: 'address',
      act: joined([act, ...more], (first, second) => t('settings.access.semicolon', { first, second })),
      details,
    },
  };
}

/** Several texts in one that can be kept, see `keepText`. */
const joined = (
  [first = '', ...rest]: readonly (Words | string)[],
  join: (first: Words | string, second: Words | string) => Words,
): Words | string => (rest.length === 0 ? first : join(first, joined(rest, join)));

/** Whether the club never had a mail server: until then nobody could sign in by mail. */
function isFirstServer({ config, db }: Context): boolean {
  if (config.settings['mail.host'] !== null || config.MAILER_URL !== undefined) return false;
  const changed = build
    .selectFrom('audit_log')
    .select('id')
    .where('action', '=', 'settings.changed')
    .where('metadata', 'like', '%"mail.host"%');
  return db.first(changed.limit(1)) === undefined;
}

/** What became of the mails that warn the owners. */
export interface Warned {
  mails: number;
  failed: { email: string; error: string }[];
}

/**
 * Warns all owners of a change by the mail server of before, for the one after it may be the thief's. It is tried for
 * twenty seconds, and its failure stops nothing.
 * @returns undefined where no mail could be sent before, as for the first mail server
 */
export async function warnOwners(
  ctx: Context,
  request: FastifyRequest,
  { changes }: AccessChange,
): Promise<Warned | undefined> {
  const by = request.identity?.who ?? UNKNOWN_OFFICER;
  const all = await Promise.all(
    changes.map(({ access: { way: changed }, now, labels }) =>
      warnAllOwners(ctx, request, { changed, now, by, labels: labels.map(keepText) }, TEST_WAITS),
    ),
  );
  const tried = all.flat();
  if (tried.length === 0) return undefined;
  return {
    mails: tried.length,
    failed: tried.flatMap(({ email, error }) => (error === undefined ? [] : [{ email, error }])),
  };
}

/** Says on the page which warnings did not go out. */
export function failedWarning({ failed }: Warned): Words {
  const to = commas([...new Set(failed.map(({ email }) => email))]) ?? '';
  return t('settings.settings_access.warning_owners_go_out_mail', {
    to,
    error: reasonWords(failed[0]?.error ?? ''),
  });
}
