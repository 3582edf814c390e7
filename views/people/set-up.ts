import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
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
    label: t('sign-in.set_up.code'),
    hint: t('sign-in.set_up.code_hint'),
  },
  club_name: { label: t('sign-in.set_up.club_name') },
  name: { label: t('sign-in.set_up.name') },
  email: {
    label: t('sign-in.set_up.email'),
    hint: t('sign-in.set_up.email_hint'),
  },
  language: {
    label: t('sign-in.set_up.language'),
    hint: t('sign-in.set_up.language_hint'),
  },
  country: { label: t('sign-in.set_up.country') },
  time_zone: { label: t('sign-in.set_up.time_zone') },
  base_url: {
    label: t('sign-in.set_up.address'),
    hint: t('sign-in.set_up.address_hint'),
  },
};

/** The page that creates the first owner. */
export function setUpPage({
  errors = [],
  entered,
  club,
  language,
}: {
  errors?: readonly FieldError[];
  /** What was sent, if it was refused. Until then the browser may preset language, country and time zone. */
  entered?: Readonly<Record<string, unknown>>;
  /** The settings that can be chosen here; the environment decides the others. */
  club: { name?: string; place?: Place; zone?: string; address?: string };
  /** Of the reader: countries and languages stand by their names in it. */
  language: string;
}): Html {
  const inputs = inputsOf(WORDS, { entered, errors });
  const at = (name: keyof typeof WORDS, preset = '') => {
    const input = inputs.at(name);
    return { ...input, value: input.value || preset };
  };
  const { place, zone, address } = club;
  const body = html`${errorSummary(namedErrors(errors, labelsOf(WORDS)))}
${pageHeader({
  title: t('sign-in.set_up.title'),
  lede: t('sign-in.set_up.lede'),
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
    hint: t('sign-in.set_up.club_name_hint', { name: club.name }),
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
  html`${selectField({ ...at('language', place.language), options: options(listLanguages(language)) })}
${selectField({ ...at('country', place.country), options: options(listCountries(language)) })}`
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
<div class="actions"><button class="button button-large">${t('sign-in.set_up.button')}</button></div></form>`;
  return page({
    title: t('sign-in.set_up.title'),
    body,
    nav: SET_UP,
    givesAddress: true,
    scripts: ['people/set-up.js'],
  });
}

const options = (entries: readonly Named[]) =>
  entries.map(({ code, name }) => ({ value: code, label: name }));
