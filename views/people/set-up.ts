import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { listCountries, listLanguages, listZones, type Named, type Place } from '#kernel/places.ts';
import { namedErrors } from '#views/components/entered.ts';
import { field, selectField } from '#views/components/forms.ts';
import { errorSummary } from '#views/components/notices.ts';
import { inputsOf, labelsOf } from '#views/components/record-fields.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';

/** The address of the set-up. */
const SET_UP = '/set-up';

const WORDS = {
  code: {
    label: 'Code',
    hint:
      'The service printed it when it was started: three groups of four, after “Set up”. The link below ' +
      'that line fills it in.',
  },
  club_name: { label: 'The club’s name' },
  name: { label: 'Your name' },
  email: {
    label: 'Your e-mail address',
    hint: 'From now on you sign in with a code that is mailed there.',
  },
  language: {
    label: 'Language',
    hint: 'Dates, times and numbers are written as in this language and country. The pages are in English.',
  },
  country: { label: 'Country' },
  time_zone: { label: 'Time zone' },
  base_url: {
    label: 'The address of this service',
    hint: 'Links in mails begin with it. Check it: it must be the address that members open.',
  },
};

/** The page that creates the first owner. */
export function setUpPage({
  errors = [],
  entered,
  club,
}: {
  errors?: readonly FieldError[];
  /** What was sent, if it was refused. Until then the browser may preset language, country and time zone. */
  entered?: Readonly<Record<string, unknown>>;
  /** The settings that can be chosen here; the environment decides the others. */
  club: { name?: string; place?: Place; zone?: string; address?: string };
}): Html {
  const inputs = inputsOf(WORDS, { entered, errors });
  const at = (name: keyof typeof WORDS, preset = '') => {
    const input = inputs.at(name);
    return { ...input, value: input.value || preset };
  };
  const { place, zone, address } = club;
  const body = html`${errorSummary(namedErrors(errors, labelsOf(WORDS)))}
${pageHeader({
  title: 'Set up your club',
  lede: 'You become its first owner. Everything else can be changed later, under Settings.',
})}
<form class="card" method="post" action="${SET_UP}"${!entered && html` data-preset`}>
${field({
  ...at('code'),
  autocomplete: 'off',
  spellcheck: false,
  autocapitalize: 'characters',
  maxlength: 64,
})}
${
  club.name !== undefined &&
  field({
    ...at('club_name'),
    hint: `Every page and mail has it. Left empty: ${club.name}.`,
    optional: true,
    autocomplete: 'organization',
    maxlength: 100,
  })
}
${field({ ...at('name'), autocomplete: 'name', maxlength: 200 })}
${field({
  ...at('email'),
  type: 'email',
  autocomplete: 'email',
  spellcheck: false,
  maxlength: 254,
})}
${
  place &&
  html`${selectField({ ...at('language', place.language), options: options(listLanguages()) })}
${selectField({ ...at('country', place.country), options: options(listCountries()) })}`
}
${
  zone !== undefined &&
  selectField({ ...at('time_zone', zone), options: options(listZones(at('time_zone', zone).value)) })
}
${
  address !== undefined &&
  field({
    ...at('base_url', address),
    optional: true,
    type: 'url',
    autocomplete: 'off',
    spellcheck: false,
    maxlength: 500,
  })
}
<div class="actions"><button class="button button-large">Set up</button></div></form>`;
  return page({
    title: 'Set up your club',
    body,
    nav: SET_UP,
    givesAddress: true,
    scripts: ['people/set-up.js'],
  });
}

const options = (entries: readonly Named[]) =>
  entries.map(({ code, name }) => ({ value: code, label: name }));
