import type { Check } from '#kernel/checks/checks.ts';
import type { Context } from '#kernel/context.ts';
import { t } from '#kernel/language/message.ts';
import { momentInWords } from '#kernel/language/times.ts';
import type { OpenIdProvider } from './provider.ts';

/** The check of the OpenID provider; none for clubs without one. */
export function checkProvider(
  { now, config }: Pick<Context, 'now' | 'config'>,
  provider: OpenIdProvider,
): Check[] {
  if (!provider.isSetUp) return [];
  provider.look();
  const check = { name: 'openid', title: t('settings.check.openid') };
  const moment = (at: number) => momentInWords(at, now(), config.TIME_ZONE);
  const { problem, lastSignIn } = provider.state;
  if (problem)
    return [
      {
        ...check,
        state: problem.kind === 'unreachable' ? 'attention' : 'failing',
        text: t('settings.check.provider_fails', {
          provider: provider.name,
          when: moment(problem.at),
          reason: problem.reason,
        }),
        remedy: problem.kind === 'clock' ? t('settings.check.keep_time') : t('settings.check.by_mail'),
      },
    ];
  const text =
    lastSignIn === undefined
      ? t('settings.check.no_sign_in', { provider: provider.name })
      : t('settings.check.last_sign_in', { provider: provider.name, when: moment(lastSignIn) });
  return [{ ...check, state: 'ok', text }];
}
