// Written by `npm run texts -- --write`.
import type { Tag, Value } from '#kernel/language/words.ts';

export interface Values {
  'people.me.codes_how': { link: Tag };
  'people.me.codes_left': { n: number };
  'people.me.correct_minutes': { title: Value };
  'people.me.have_passkeys': { n: number };
  'people.me.minutes': { title: Value };
  'people.me.sign_out_device': { hidden: Tag; browser: Value };
  'people.me.since_last_seen': { since: Value; seen: Value; network: Value };
  'people.own_elections.address_changed': { address: Value };
  'people.own_elections.closed': { closes: Value };
  'people.own_elections.closes': { closes: Value };
  'people.own_elections.mail_link': { hidden: Tag; address: Value; title: Value };
  'people.own_elections.opens': { opens: Value };
  'people.own_elections.vote': { hidden: Tag; title: Value };
  'people.own_elections.waiting': { questions: Value };
  'people.role.until': { role: Value; until: Value };
  'people.task.new': { n: Value };
  'people.task.not_published': { n: Value };
  'people.task.waits': { task: Value; waits: Value };
}
