import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { commas } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { enteredLines, errorAt } from '#views/components/entered.ts';
import { openField, tickBox } from '#views/components/fields.ts';
import { choiceGroup, hiddenInputs, selectField } from '#views/components/forms.ts';
import type { SettingsPageProps } from './props.ts';

/** The leagues that most clubs watch, by their paths at the source. Any other can be written. */
const KNOWN: Record<string, Words | string> = {
  'football/nfl': 'NFL',
  'football/college-football': t('settings.leagues.college_football'),
  'baseball/mlb': 'MLB',
  'basketball/nba': 'NBA',
  'basketball/wnba': 'WNBA',
  'basketball/mens-college-basketball': t('settings.leagues.college_basketball'),
  'hockey/nhl': 'NHL',
  'soccer/uefa.champions': t('settings.leagues.champions_league'),
  'soccer/uefa.europa': t('settings.leagues.europa_league'),
  'soccer/eng.1': t('settings.leagues.premier_league_england'),
  'soccer/eng.2': t('settings.leagues.championship_england'),
  'soccer/sco.1': t('settings.leagues.premiership_scotland'),
  'soccer/ger.1': t('settings.leagues.bundesliga_germany'),
  'soccer/esp.1': t('settings.leagues.la_liga_spain'),
  'soccer/ita.1': t('settings.leagues.serie_italy'),
  'soccer/fra.1': t('settings.leagues.ligue_1_france'),
  'soccer/ned.1': t('settings.leagues.eredivisie_netherlands'),
  'soccer/por.1': t('settings.leagues.primeira_liga_portugal'),
  'soccer/bra.1': t('settings.leagues.serie_brazil'),
  'soccer/mex.1': t('settings.leagues.liga_mx_mexico'),
  'soccer/usa.1': 'MLS',
};

/** The name of a league by its path; the path of one that is not known. */
export const leagueName = (path: string): Words | string => KNOWN[path] ?? path;

const NAME = 'sports_leagues';

/** A tick for each league, those of the club first, and a field for one that is not in the list. */
export function leagueFields({ settings, overruled, refused }: SettingsPageProps): Html {
  const chosen = settings.sports_leagues;
  const variable = overruled[NAME];
  if (variable !== undefined)
    return html`<div class="field"><p class="settings-decided"><strong>${t('settings.leagues.leagues')}</strong><br>${commas(chosen.map(leagueName))}</p>
<p class="hint">${t('settings.leagues.set_servers_administrator', { variable })}</p></div>`;
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
  const asItIs =
    first === undefined
      ? t('settings.leagues.none')
      : t('settings.leagues.as_it_is', { first: leagueName(first) });
  const others = listed.filter((path) => path !== first);
  return html`${hiddenInputs({ [NAME]: '' })}
${selectField({
  // Sent before the ticks, so it comes first in the list.
  name: NAME,
  id: 'first-league',
  label: t('settings.leagues.league_comes_first'),
  value: '',
  hint: t('settings.leagues.choose_moves_top_list_others'),
  options: [
    { value: '', label: asItIs },
    ...others.map((path) => ({ value: path, label: leagueName(path) })),
  ],
})}
<div class="settings-leagues">${choiceGroup({ name: NAME, label: t('settings.leagues.leagues'), hint: t('settings.leagues.two_games_time_league_first'), error, rows, plain: true })}</div>
${openField({
  name: NAME,
  id: 'another-league',
  label: t('settings.leagues.another_league'),
  hint: t('settings.leagues.path_source_scores_such_soccer'),
  value: sent.filter((path) => !listed.includes(path)).join(', '),
})}`;
}
