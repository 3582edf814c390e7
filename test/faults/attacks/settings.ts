// Settings with which the service must not start.
import { end, launch, tempFolder } from '#test/faults/service.ts';
import { type Alone, type Outcome, unless } from './attack.ts';

async function shortKey(): Promise<Outcome> {
  const start = async (ADMIN_API_KEY: string) => {
    const folder = tempFolder();
    const settings = {
      NODE_ENV: 'production',
      DATABASE_URL: `file:${folder}/data/publichouse.db`,
      ADMIN_API_KEY,
    };
    try {
      await end(await launch(folder, settings), 'SIGTERM');
      return 'started';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const one = await start('x');
  const nineteen = await start('x'.repeat(19));
  return {
    saw: [one, nineteen].map((what) => what.replace(/^.*listened: /s, '').trim()).join('; '),
    wrong: [
      ...unless(one.includes('ADMIN_API_KEY'), 'a key of one character is accepted'),
      ...unless(nineteen.includes('ADMIN_API_KEY'), 'a key of 19 characters is accepted'),
    ],
  };
}

export const start: Alone[] = [['a short ADMIN_API_KEY in production', shortKey]];
