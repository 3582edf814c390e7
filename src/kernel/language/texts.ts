// The types of the texts. Their keys are those of the English catalogues: data of which only the compiler reads the types
// here, while `catalogues.ts` reads the files. `npm run texts -- --write` writes the types of values into `texts/`.
import type audit from '#languages/en/audit.json';
import type calendar from '#languages/en/calendar.json';
import type common from '#languages/en/common.json';
import type content from '#languages/en/content.json';
import type contentAdmin from '#languages/en/content-admin.json';
import type errors from '#languages/en/errors.json';
import type errorsAdmin from '#languages/en/errors-admin.json';
import type mail from '#languages/en/mail.json';
import type meetings from '#languages/en/meetings.json';
import type meetingsAdmin from '#languages/en/meetings-admin.json';
import type people from '#languages/en/people.json';
import type peopleAdmin from '#languages/en/people-admin.json';
import type pub from '#languages/en/pub.json';
import type pubStaff from '#languages/en/pub-staff.json';
import type settings from '#languages/en/settings.json';
import type signIn from '#languages/en/sign-in.json';
import type tv from '#languages/en/tv.json';
import type voting from '#languages/en/voting.json';
import type votingAdmin from '#languages/en/voting-admin.json';
import type { Values as Audit } from './texts/audit.ts';
import type { Values as Calendar } from './texts/calendar.ts';
import type { Values as Common } from './texts/common.ts';
import type { Values as Content } from './texts/content.ts';
import type { Values as ContentAdmin } from './texts/content-admin.ts';
import type { Values as Errors } from './texts/errors.ts';
import type { Values as ErrorsAdmin } from './texts/errors-admin.ts';
import type { Values as Mail } from './texts/mail.ts';
import type { Values as Meetings } from './texts/meetings.ts';
import type { Values as MeetingsAdmin } from './texts/meetings-admin.ts';
import type { Values as People } from './texts/people.ts';
import type { Values as PeopleAdmin } from './texts/people-admin.ts';
import type { Values as Pub } from './texts/pub.ts';
import type { Values as PubStaff } from './texts/pub-staff.ts';
import type { Values as Settings } from './texts/settings.ts';
import type { Values as SignIn } from './texts/sign-in.ts';
import type { Values as Tv } from './texts/tv.ts';
import type { Values as Voting } from './texts/voting.ts';
import type { Values as VotingAdmin } from './texts/voting-admin.ts';

/** The English texts of each area. */
export interface Catalogues {
  common: typeof common;
  errors: typeof errors;
  mail: typeof mail;
  voting: typeof voting;
  'sign-in': typeof signIn;
  people: typeof people;
  pub: typeof pub;
  tv: typeof tv;
  calendar: typeof calendar;
  content: typeof content;
  meetings: typeof meetings;
  'voting-admin': typeof votingAdmin;
  audit: typeof audit;
  'people-admin': typeof peopleAdmin;
  'pub-staff': typeof pubStaff;
  'content-admin': typeof contentAdmin;
  'meetings-admin': typeof meetingsAdmin;
  settings: typeof settings;
  'errors-admin': typeof errorsAdmin;
}

/** The values of the texts that have some. */
interface Values
  extends Common,
    Errors,
    Mail,
    Voting,
    SignIn,
    People,
    Pub,
    Tv,
    Calendar,
    Content,
    Meetings,
    VotingAdmin,
    Audit,
    PeopleAdmin,
    PubStaff,
    ContentAdmin,
    MeetingsAdmin,
    Settings,
    ErrorsAdmin {}

type ValuesOf<Key extends string> = Key extends keyof Values ? Values[Key] : Record<never, never>;
type Key = { [Area in keyof Catalogues]: `${Area}.${keyof Catalogues[Area] & string}` }[keyof Catalogues];
type ByKey = { [Name in Key]: ValuesOf<Name> };

/** The texts of the catalogues, with their values. */
export interface Texts extends ByKey {}

type ByCode<Area extends keyof Catalogues> = {
  [Name in keyof Catalogues[Area] & string as Name extends `${string}.${string}`
    ? never
    : Name]: ValuesOf<`${Area}.${Name}`>;
};

/** What pages say for errors, by their codes: a code is the name of a text without a dot. */
export interface ErrorTexts extends ByCode<'errors'>, ByCode<'errors-admin'> {}
