import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { errorAt, namedErrors } from '#views/components/entered.ts';
import { field, selectField } from '#views/components/forms.ts';
import { errorSummary } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';

const LABELS: Record<string, string> = {
  code: 'Code',
  name: 'Your name',
  email: 'Your e-mail address',
  club_name: 'The club’s name',
  time_zone: 'Time zone',
  base_url: 'The address of this service',
};

/** The page that creates the first owner. */
export function setUpPage({
  errors = [],
  entered = {},
  club,
}: {
  errors?: readonly FieldError[];
  entered?: Readonly<Record<string, unknown>>;
  /** The settings that can be chosen here; the environment decides the others. */
  club: { name?: string; zone?: string; address?: string };
}): Html {
  const at = (name: string) => {
    const value = entered[name];
    const error = errorAt(errors, name);
    return { name, error, value: typeof value === 'string' ? value : '' };
  };
  const body = html`${errorSummary(namedErrors(errors, LABELS))}
${pageHeader({ title: 'Set up your club', lede: 'You become its first owner. Owners decide who may do what.' })}
<form class="card" method="post" action="/set-up">
${field({ ...at('code'), label: 'Code', hint: 'The service printed it when it was started: three groups of four, after “Set up”.', autocomplete: 'off', spellcheck: false, maxlength: 64 })}
${field({ ...at('name'), label: 'Your name', autocomplete: 'name', maxlength: 200 })}
${field({ ...at('email'), label: 'Your e-mail address', hint: 'From now on you sign in with a code that is mailed there.', type: 'email', autocomplete: 'email', spellcheck: false, maxlength: 254 })}
${club.name !== undefined && field({ ...at('club_name'), label: 'The club’s name', hint: `Mails are sent in it. Left empty: ${club.name}.`, optional: true, autocomplete: 'organization', maxlength: 100 })}
${club.zone !== undefined && selectField({ ...at('time_zone'), value: at('time_zone').value || club.zone, label: 'The time zone of the club', options: zones(club.zone) })}
${club.address !== undefined && field({ ...at('base_url'), value: at('base_url').value || club.address, label: 'The address of this service', hint: 'Links in mails begin with it. Check it: it must be the address that members open. Left empty, no mail is sent until an owner enters it under Settings.', optional: true, type: 'url', autocomplete: 'off', spellcheck: false, maxlength: 500 })}
<div class="actions"><button class="button button-large">Set up</button></div></form>`;
  return page({ title: 'Set up your club', body });
}

/** All known time zones, and the one in use. */
function zones(inUse: string): { value: string; label: string }[] {
  const all = new Set([...Intl.supportedValuesOf('timeZone'), inUse]);
  return [...all].sort().map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
}
