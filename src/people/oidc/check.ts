import type { Check } from '#kernel/checks/checks.ts';
import type { Context } from '#kernel/context.ts';
import { momentInWords } from '#kernel/local-time.ts';
import type { OpenIdProvider } from './provider.ts';

/** The check of the OpenID provider; none for clubs without one. */
export function checkProvider(
  { now, config }: Pick<Context, 'now' | 'config'>,
  provider: OpenIdProvider,
): Check[] {
  if (!provider.isSetUp) return [];
  provider.look();
  const check = { name: 'openid', title: 'OpenID' };
  const moment = (at: number) => momentInWords(at, now(), config.TIME_ZONE);
  const { problem, lastSignIn } = provider.state;
  if (problem)
    return [
      {
        ...check,
        state: problem.kind === 'unreachable' ? 'attention' : 'failing',
        text: `Nobody can sign in with ${provider.name}, ${moment(problem.at)}: ${problem.reason}.`,
        remedy:
          problem.kind === 'clock'
            ? 'Let both machines keep their time (NTP). Until then people sign in by mail.'
            : 'Until then people sign in by mail.',
      },
    ];
  const text =
    lastSignIn === undefined
      ? `Nobody has signed in with ${provider.name} since the start.`
      : `Last sign-in with ${provider.name}: ${moment(lastSignIn)}.`;
  return [{ ...check, state: 'ok', text }];
}
