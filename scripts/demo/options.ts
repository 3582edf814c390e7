// The options of `npm run demo`.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '#kernel/config.ts';
import { listCatalogues } from '#kernel/language/catalogues.ts';
import { CLUBS } from './clubs/index.ts';

const NAMES = Object.keys(CLUBS);
const LANGUAGES = [...listCatalogues(), 'pseudo'];

const USAGE = `A whole club on this machine: elections, screens, music, calendar, mails.

  npm run demo -- [options]

  --club NAME          which club: ${NAMES.join(' or ')} (${NAMES[0]})
  --language XX        the language of the club: a folder of views/languages, with English for texts that it lacks, or
                       pseudo, which shows what is in no catalogue and what becomes too long
  --set-up             a new club without anybody, to walk the set-up of its first owner
  --port N             where it listens; N+1 is the outbox (3000)
  --speed N            how many times faster than life the evening goes, 1 to 1000 (1)
  --screenshots DIR    takes the pictures of the README into DIR, and ends
  --log                shows the service's own log
  --help               shows this`;

export interface Options {
  /** A key of `CLUBS`. */
  club: string;
  /** A tag, or `pseudo`; undefined for that of the club. */
  language: string | undefined;
  setUp: boolean;
  host: string;
  port: number;
  speed: number;
  /** The folder for the screenshots. */
  screenshots: string | undefined;
  log: boolean;
  /** The folder of all files of this demo: one for each port, so that two demos can run at once. */
  folder: string;
}

/** An error in the command or its environment, with a message for the user. */
export class Refused extends Error {}

/** @returns the options, or the help text if it is requested. @throws Refused that names the wrong option */
export function readOptions(args = process.argv.slice(2), environment = process.env): Options | string {
  const values = parse(args);
  if (values.help) return USAGE;
  if (!Object.hasOwn(CLUBS, values.club))
    throw new Refused(`--club must be ${NAMES.join(' or ')}, not “${values.club}”`);
  if (values.language !== undefined && !LANGUAGES.includes(values.language))
    throw new Refused(`--language must be ${LANGUAGES.join(' or ')}, not “${values.language}”`);
  if (values['set-up'] && values.screenshots) throw new Refused('--screenshots needs a club, not --set-up');
  const port = numberFrom('--port', values.port, { least: 1, most: 65_534, whole: true });
  // In a container the environment sets the folder of the database and the address to listen on.
  const { HOST, DATABASE_URL } = environment;
  const usual = readConfig({ HOST, DATABASE_URL }, '');
  const beside = path.dirname(usual.DATABASE_URL.replace(/^file:/, ''));
  return {
    club: values.club,
    setUp: values['set-up'],
    language: values.language,
    log: values.log,
    port,
    host: usual.HOST,
    speed: numberFrom('--speed', values.speed, { least: 1, most: 1_000 }),
    screenshots: values.screenshots && path.resolve(values.screenshots),
    folder: path.resolve(beside, 'demo', String(port)),
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        club: { type: 'string', default: NAMES[0] ?? '' },
        language: { type: 'string' },
        'set-up': { type: 'boolean', default: false },
        port: { type: 'string', default: '3000' },
        speed: { type: 'string', default: '1' },
        screenshots: { type: 'string' },
        log: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    const [what = ''] = (error as Error).message.split('. ');
    throw new Refused(
      `${what}. Options follow two dashes: npm run demo -- --speed 20; npm run demo -- --help lists them`,
    );
  }
}

function numberFrom(
  name: string,
  text: string,
  { least, most, whole = false }: { least: number; most: number; whole?: boolean },
): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= least && value <= most && (!whole || Number.isInteger(value))) return value;
  throw new Refused(
    `${name} must be a ${whole ? 'whole ' : ''}number from ${least} to ${most}, not “${text}”`,
  );
}
