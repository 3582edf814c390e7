import { type Html, html } from '#kernel/html.ts';
import { enteredLines, errorAt } from '#views/components/entered.ts';
import { openField, tickBox } from '#views/components/fields.ts';
import { choiceGroup, hiddenInputs, selectField } from '#views/components/forms.ts';
import type { SettingsPageProps } from './props.ts';

/** The leagues that most clubs watch, by their paths at the source. Any other can be written. */
const KNOWN: Record<string, string> = {
  'football/nfl': 'NFL',
  'football/college-football': 'College football',
  'baseball/mlb': 'MLB',
  'basketball/nba': 'NBA',
  'basketball/wnba': 'WNBA',
  'basketball/mens-college-basketball': 'College basketball',
  'hockey/nhl': 'NHL',
  'soccer/uefa.champions': 'Champions League',
  'soccer/uefa.europa': 'Europa League',
  'soccer/eng.1': 'Premier League (England)',
  'soccer/eng.2': 'Championship (England)',
  'soccer/sco.1': 'Premiership (Scotland)',
  'soccer/ger.1': 'Bundesliga (Germany)',
  'soccer/esp.1': 'La Liga (Spain)',
  'soccer/ita.1': 'Serie A (Italy)',
  'soccer/fra.1': 'Ligue 1 (France)',
  'soccer/ned.1': 'Eredivisie (Netherlands)',
  'soccer/por.1': 'Primeira Liga (Portugal)',
  'soccer/bra.1': 'Série A (Brazil)',
  'soccer/mex.1': 'Liga MX (Mexico)',
  'soccer/usa.1': 'MLS',
};

/** The name of a league by its path; the path of one that is not known. */
export const leagueName = (path: string): string => KNOWN[path] ?? path;

const NAME = 'sports_leagues';

/** A tick for each league, those of the club first, and a field for one that is not in the list. */
export function leagueFields({ settings, overruled, refused }: SettingsPageProps): Html {
  const chosen = settings.sports_leagues;
  const variable = overruled[NAME];
  if (variable !== undefined)
    return html`<div class="field"><p class="settings-decided"><strong>Leagues</strong><br>${chosen.map(leagueName).join(', ')}</p>
<p class="hint">Set by the server’s administrator: ${variable}.</p></div>`;
  const { entered = {}, errors = [] } = refused ?? {};
  const sent = NAME in entered ? enteredLines(entered, NAME).split('\n').filter(Boolean) : chosen;
  const error = errorAt(errors, NAME);
  const listed = [...new Set([...chosen, ...Object.keys(KNOWN)])];
  const rows = listed.map((path, at) =>
    tickBox({
      name: NAME,
      id: at === 0 ? NAME : `league-${at}`,
      value: path,
      label: leagueName(path),
      checked: sent.includes(path),
    }),
  );
  const [first] = chosen;
  const asItIs = first === undefined ? 'None' : `As it is: ${leagueName(first)}`;
  const others = listed.filter((path) => path !== first);
  return html`${hiddenInputs({ [NAME]: '' })}
${selectField({
  // Sent before the ticks, so it comes first in the list.
  name: NAME,
  id: 'first-league',
  label: 'League that comes first',
  value: '',
  hint: 'The one that you choose moves to the top of the list; the others follow as they are.',
  options: [
    { value: '', label: asItIs },
    ...others.map((path) => ({ value: path, label: leagueName(path) })),
  ],
})}
<div class="settings-leagues">${choiceGroup({ name: NAME, label: 'Leagues', hint: 'Of two games at a time, that of the league that is first in the list is shown.', error, rows, plain: true })}</div>
${openField({
  name: NAME,
  id: 'another-league',
  label: 'Another league',
  hint: 'Its path at the source of scores, such as soccer/irl.1. Leave this empty otherwise.',
  value: sent.filter((path) => !listed.includes(path)).join(', '),
})}`;
}
