// Attacks on the integrity of a vote, against the real process on real files. Prints one line per attack: what was
// tried, what was observed, and whether it was prevented or is shown on the public page. Exit code 1 when any was not.
// Words after the script's name select the attacks whose name contains them.
import type { Alone, Outcome } from './attacks/attack.ts';
import { afterClose } from './audit/after-close.ts';
import { arrival } from './audit/arrival.ts';
import { backups } from './audit/backups.ts';
import { clockJump } from './audit/clock-jump.ts';
import { commitments } from './audit/commitments.ts';
import { hidden } from './audit/hidden.ts';
import { lengths } from './audit/lengths.ts';
import { liveJoin } from './audit/live-join.ts';
import { logAndLock } from './audit/log-and-lock.ts';
import { shuffledOrder } from './audit/shuffled-order.ts';
import { tampering } from './audit/tampering.ts';
import { twoPeople } from './audit/two-people.ts';

const ATTACKS: Alone[] = [
  ...clockJump,
  ...shuffledOrder,
  ...hidden,
  ...liveJoin,
  ...lengths,
  ...tampering,
  ...commitments,
  ...backups,
  ...arrival,
  ...afterClose,
  ...logAndLock,
  ...twoPeople,
];

const words = process.argv.slice(2);
let broken = 0;
for (const [name, run] of ATTACKS) {
  if (!words.every((word) => name.includes(word))) continue;
  const { saw, wrong } = await outcomeOf(run);
  const complaint = wrong.length > 0 ? ` -- ${wrong.join('; ')}` : '';
  console.log(`${wrong.length === 0 ? 'held  ' : 'BROKEN'} ${name}: ${saw}${complaint}`);
  if (wrong.length > 0) broken += 1;
}
console.log(broken === 0 ? 'Everything held.' : `${broken} attacks were not held off.`);
// Services left running by a failed attack are ended with the process.
process.exit(broken === 0 ? 0 : 1);

/** An attack that fails with an error has shown nothing, so it counts as broken too. */
function outcomeOf(run: () => Promise<Outcome>): Promise<Outcome> {
  return run().catch((error: Error) => ({ saw: 'the attack itself failed', wrong: [error.message] }));
}
