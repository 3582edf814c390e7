import { HOUR, isoTime } from '#kernel/clock.ts';
import { t } from '#kernel/language/message.ts';
import { forClub } from '#kernel/locale.ts';
import { SURE, type Verdict } from '#pub/now-playing/device.ts';
import type { Game } from './games.ts';
import { gameNamed } from './hint.ts';
import type { Override } from './override.ts';

/** The card of the bar TV: what is on the big screen. */
export interface Card {
  enabled: boolean;
  showing: boolean;
  mode: Override['mode'];
  kind: 'none' | 'game' | 'movie' | 'generic';
  title: string;
  subtitle: string | null;
  label: string | null;
  game: Game | null;
  /** What decided: staff, the device, or the schedule when the device detected sports but not which game. */
  source: 'override' | 'verdict' | 'schedule';
  /** The confidence of the verdict, if one decided. */
  confidence: number | null;
  since: string | null;
  resolvedAt: string;
  /** When the override expires. */
  expiresAt: string | null;
}

/** The input of `resolveCard`. */
export interface CardInput {
  enabled: boolean;
  override: Override;
  /** The valid verdict of the device, see now-playing/device.ts. */
  verdict: Verdict | null;
  games: readonly Game[];
  /** The name of the film that is being screened. */
  screening: string | null;
  now: number;
}

/** Computes the card. An override by staff takes precedence over the device; a score is never guessed. */
export function resolveCard(input: CardInput): Card {
  const { enabled, override, now } = input;
  return {
    enabled,
    ...(override.mode === 'automatic' ? automatic(input) : decided(input)),
    mode: override.mode,
    label: override.label,
    resolvedAt: isoTime(now),
    expiresAt: override.expiresAt,
  };
}

type Resolved = Omit<Card, 'enabled' | 'mode' | 'label' | 'resolvedAt' | 'expiresAt'>;

function decided({ override, games, screening }: CardInput): Resolved {
  const { mode, label, gameId, setAt } = override;
  const base = { ...NOTHING, source: 'override', since: setAt } as const;
  if (mode === 'off' || mode === 'automatic') return base;
  if (mode === 'movie')
    return { ...base, showing: true, kind: 'movie', title: label ?? screening ?? forClub(MOVIE) };
  if (mode === 'generic')
    return { ...base, showing: true, kind: 'generic', title: label ?? forClub(GENERIC) };
  const game = games.find(({ id }) => id === gameId);
  if (game) return { ...base, ...gameCard(game) };
  // The game is on the screen, but no longer on the scoreboard.
  return { ...base, showing: true, kind: 'game', title: label ?? forClub(t('tv.showing.game')) };
}

function automatic({ verdict, games, screening, now }: CardInput): Resolved {
  if (!verdict || verdict.confidence < SURE) return NOTHING;
  const { kind, confidence } = verdict;
  const base = { ...NOTHING, source: 'verdict', confidence, since: isoTime(verdict.since) } as const;
  if (kind === 'movie' || kind === 'tv')
    return { ...base, showing: true, kind: 'movie', title: screening ?? forClub(MOVIE) };
  if (kind !== 'sports') return NOTHING;

  // Stale scores do not show which game is on now.
  const fresh = games.filter(({ stale }) => !stale);
  const live = fresh.filter(({ state }) => state === 'in');
  const named = gameNamed(verdict.hint, live) ?? gameNamed(verdict.hint, fresh.filter(aboutToStart(now)));
  if (named) return { ...base, ...gameCard(named) };
  const likely = live.length === 1 ? live[0] : confidence >= VERY_SURE ? favourite(live) : undefined;
  if (likely) return { ...base, ...gameCard(likely), source: 'schedule' };
  return { ...base, showing: true, kind: 'generic', title: forClub(t('tv.showing.live_sports')) };
}

const MOVIE = t('pub.screen.movie_night');
const GENERIC = t('tv.tv.big_screen');
const VERY_SURE = 0.8;

const NOTHING: Resolved = {
  showing: false,
  kind: 'none',
  title: '',
  subtitle: null,
  game: null,
  source: 'verdict',
  confidence: null,
  since: null,
};

const gameCard = (game: Game) =>
  ({ showing: true, kind: 'game', title: game.name, subtitle: game.detail || null, game }) as const;

/** The game of the highest priority, unless another has the same. */
function favourite(live: readonly Game[]): Game | undefined {
  const [best, next] = live.toSorted((one, other) => other.priority - one.priority);
  return best && best.priority !== next?.priority ? best : undefined;
}

/** Whether a game starts within the next hour: its broadcast may begin before the game does. */
const aboutToStart = (now: number) => {
  const from = isoTime(now);
  const to = isoTime(now + HOUR);
  return ({ state, startIso }: Game) => state === 'pre' && startIso >= from && startIso < to;
};
