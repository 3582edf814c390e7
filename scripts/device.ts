// A simulated capture device: npm run device -- --speed 20 --seed 7 --url http://127.0.0.1:3000
import { parseArgs } from 'node:util';
import { readConfig } from '#kernel/config.ts';
import { stopSignal } from '#kernel/stop-signal.ts';
import { serveCovers } from './device/covers.ts';
import { playNight } from './device/device.ts';
import { planNight } from './device/night.ts';

const USAGE = `Sends a night of plays to the service, as the capture device in the pub does.

  --url URL        address of the service (http://127.0.0.1:3000)
  --speed N        times faster than life (1)
  --hours N        length of the night (7)
  --seed N         the same seed gives the same night (1)
  --no-covers      no album covers (there are none for a service elsewhere)
  --quiet          says nothing

The token is NOW_PLAYING_INGEST_TOKEN, of the environment or of .env. Ctrl-C ends the night.`;

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:3000' },
      speed: { type: 'string', default: '1' },
      hours: { type: 'string', default: '7' },
      seed: { type: 'string', default: '1' },
      covers: { type: 'boolean', default: true },
      quiet: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(USAGE);

  const speed = positive('--speed', values.speed);
  const steps = planNight({ seed: Number(values.seed) || 0, hours: positive('--hours', values.hours) });
  const signal = stopSignal();
  // Covers are served on this machine, so only a service on this machine can load them.
  const near = ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(values.url).hostname);
  await using covers = values.covers && near ? await serveCovers() : undefined;
  const report = await playNight(steps, {
    url: values.url.replace(/\/+$/, ''),
    token: readConfig().NOW_PLAYING_INGEST_TOKEN,
    speed,
    signal,
    ...(covers && { coverOf: ({ album }) => covers.urlOf(album) }),
    ...(!values.quiet && { say: (line) => console.log(`${new Date().toLocaleTimeString('en-GB')} ${line}`) }),
  });
  if (!values.quiet) console.log({ ...report, stored: report.stored.length });
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${name} must be a number above 0`);
  return value;
}
