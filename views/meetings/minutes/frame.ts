import { formatWhen } from '#kernel/local-time.ts';
import type { Block, Minutes } from '#meetings/minutes/versions.ts';

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
      ? [{ is: 'note' as const, text: `Something does not agree: ${differences.join('; ')}.` }]
      : []),
  ];
  if (state !== 'signed') return [...begun, ...rest];
  return [
    ...begun,
    ...later.map(({ at, item, what, reason, by }): Block => {
      const when = formatWhen(Date.parse(at), zone);
      return {
        is: 'note',
        text: `Corrected after signing on ${when}: ${reason ? `${reason} ` : ''}(“${item}”: ${what}${by === undefined ? '' : ` by ${by}`})`,
      };
    }),
    ...rest,
    { is: 'note', text: `SHA-256 of these minutes as they were signed, without this line: ${sha256}` },
  ];
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
