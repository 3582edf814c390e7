import { t } from '#kernel/language/message.ts';
import { formatWhen, semicolons } from '#kernel/language/times.ts';
import type { Block, Minutes } from '#meetings/minutes/versions.ts';
import { type Draft, writtenBlocks } from './draft.ts';

/**
 * What stands around minutes and is no part of what was signed: what does not agree, what changed a result
 * afterwards, and their own check number.
 */
export function framedBlocks(
  blocks: readonly Block[],
  { state, sha256, later, differences }: Pick<Minutes, 'state' | 'sha256' | 'later' | 'differences'>,
  zone: string,
): Block[] {
  const [title, ...rest] = blocks;
  const begun = [
    ...(title ? [title] : []),
    ...(differences.length > 0
      ? [
          {
            is: 'note' as const,
            text: t('meetings.minutes.differs', {
              differences: semicolons(differences) ?? '',
            }),
          },
        ]
      : []),
  ];
  if (state !== 'signed') return writtenBlocks([...begun, ...rest]);
  return writtenBlocks([
    ...begun,
    ...later.map(({ at, item, what, reason, by }): Draft => {
      const when = formatWhen(Date.parse(at), zone);
      const change = by === undefined ? what : t('meetings.minutes.later_by', { what, people: by });
      return {
        is: 'note',
        text: reason
          ? t('meetings.minutes.later_reason', { when, reason, item, what: change })
          : t('meetings.minutes.later', { when, item, what: change }),
      };
    }),
    ...rest,
    { is: 'note', text: t('meetings.minutes.sha', { number: sha256 }) },
  ]);
}

/** Who signed minutes, as it is shown. */
export const shownSignatures = (
  { config }: { config: { TIME_ZONE: string } },
  { signatures }: Pick<Minutes, 'signatures'>,
) =>
  signatures.map(({ as, name, signed_at }) => ({
    as,
    name,
    when: formatWhen(Date.parse(signed_at), config.TIME_ZONE),
  }));
