import { isText } from '#kernel/language/catalogues.ts';
import { t } from '#kernel/language/message.ts';
import type { Texts } from '#kernel/language/texts.ts';
import { commas } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { ownValue } from '#kernel/own-value.ts';

/** The actions that have words of their own. */
type Action = Extract<keyof Texts, `audit.action.${string}`>;
const isAction = (key: string): key is Action => isText(key);

/** An action in plain words: `Invitation sent`, `1,500 invitations sent`. */
export function actionWords(action: string, count = 1): Words {
  const key = `audit.action.${action}`;
  if (isAction(key)) return t(key, { count });
  const plain = action.replaceAll(/[._]/g, ' ');
  return t('audit.other', { count, action: plain.charAt(0).toUpperCase() + plain.slice(1) });
}

/** The words for what the details of an entry hold, by key. */
const DETAILS: Readonly<Record<string, Words>> = {
  abstain: t('audit.detail.abstain'),
  added: t('audit.detail.added'),
  after: t('audit.detail.after'),
  artist: t('audit.detail.artist'),
  as: t('audit.detail.as'),
  'as of': t('audit.detail.as_of'),
  balanced: t('audit.detail.balanced'),
  'ballot set sha256': t('audit.detail.ballot_set_sha256'),
  'ballot type': t('audit.detail.ballot_type'),
  ballots: t('audit.detail.ballots'),
  'base url': t('audit.detail.base_url'),
  batch: t('audit.detail.batch'),
  'batch name': t('audit.detail.batch_name'),
  before: t('audit.detail.before'),
  blank: t('audit.detail.blank'),
  books: t('audit.detail.books'),
  'by two': t('audit.detail.by_two'),
  'calendar id': t('audit.detail.calendar_id'),
  cards: t('audit.detail.cards'),
  change: t('audit.detail.change'),
  changed: t('audit.detail.changed'),
  class: t('audit.detail.class'),
  'client sha256': t('audit.detail.client_sha256'),
  'cloned from': t('audit.detail.cloned_from'),
  'close at': t('audit.detail.close_at'),
  'closes at': t('audit.detail.closes_at'),
  'club name': t('audit.detail.club_name'),
  codes: t('audit.detail.codes'),
  'codes sha256': t('audit.detail.codes_sha256'),
  count: t('audit.detail.count'),
  created: t('audit.detail.created'),
  currency: t('audit.detail.currency'),
  desired: t('audit.detail.desired'),
  digits: t('audit.detail.digits'),
  door: t('audit.detail.door'),
  'drawn by': t('audit.detail.drawn_by'),
  electors: t('audit.detail.electors'),
  'electors sha256': t('audit.detail.electors_sha256'),
  elsewhere: t('audit.detail.elsewhere'),
  enabled: t('audit.detail.enabled'),
  ended: t('audit.detail.ended'),
  'entries kept': t('audit.detail.entries_kept'),
  'expires at': t('audit.detail.expires_at'),
  fields: t('audit.detail.fields'),
  'figures sha256': t('audit.detail.figures_sha256'),
  from: t('audit.detail.from'),
  'from close at': t('audit.detail.from_close_at'),
  'from open at': t('audit.detail.from_open_at'),
  'game id': t('audit.detail.game_id'),
  giver: t('audit.detail.giver'),
  group: t('audit.detail.group'),
  guests: t('audit.detail.guests'),
  'handed out': t('audit.detail.handed_out'),
  height: t('audit.detail.height'),
  'held at': t('audit.detail.held_at'),
  here: t('audit.detail.here'),
  hint: t('audit.detail.hint'),
  holder: t('audit.detail.holder'),
  id: t('audit.detail.id'),
  'in box': t('audit.detail.in_box'),
  invalid: t('audit.detail.invalid'),
  'invite id': t('audit.detail.invite_id'),
  issued: t('audit.detail.issued'),
  item: t('audit.detail.item'),
  'item id': t('audit.detail.item_id'),
  items: t('audit.detail.items'),
  'keeps lots': t('audit.detail.keeps_lots'),
  kind: t('audit.detail.kind'),
  label: t('audit.detail.label'),
  late: t('audit.detail.late'),
  'left with card': t('audit.detail.left_with_card'),
  letters: t('audit.detail.letters'),
  lines: t('audit.detail.lines'),
  'list id': t('audit.detail.list_id'),
  locale: t('audit.detail.locale'),
  lost: t('audit.detail.lost'),
  mail: t('audit.detail.mail'),
  mails: t('audit.detail.mails'),
  meeting: t('audit.detail.meeting'),
  method: t('audit.detail.method'),
  minutes: t('audit.detail.minutes'),
  mode: t('audit.detail.mode'),
  motion: t('audit.detail.motion'),
  name: t('audit.detail.name'),
  'next item id': t('audit.detail.next_item_id'),
  no: t('audit.detail.no'),
  nomination: t('audit.detail.nomination'),
  note: t('audit.detail.note'),
  number: t('audit.detail.number'),
  numbers: t('audit.detail.numbers'),
  'offers allowed': t('audit.detail.offers_allowed'),
  'open at': t('audit.detail.open_at'),
  'opens at': t('audit.detail.opens_at'),
  option: t('audit.detail.option'),
  order: t('audit.detail.order'),
  pack: t('audit.detail.pack'),
  packs: t('audit.detail.packs'),
  'page id': t('audit.detail.page_id'),
  paper: t('audit.detail.paper'),
  papers: t('audit.detail.papers'),
  'papers handed out': t('audit.detail.papers_handed_out'),
  paused: t('audit.detail.paused'),
  people: t('audit.detail.people'),
  permission: t('audit.detail.permission'),
  person: t('audit.detail.person'),
  'personal sha256': t('audit.detail.personal_sha256'),
  picture: t('audit.detail.picture'),
  pile: t('audit.detail.pile'),
  'play id': t('audit.detail.play_id'),
  present: t('audit.detail.present'),
  'previous head': t('audit.detail.previous_head'),
  prices: t('audit.detail.prices'),
  printed: t('audit.detail.printed'),
  'projector lyrics': t('audit.detail.projector_lyrics'),
  proxies: t('audit.detail.proxies'),
  published: t('audit.detail.published'),
  question: t('audit.detail.question'),
  'question sha256': t('audit.detail.question_sha256'),
  questions: t('audit.detail.questions'),
  quorate: t('audit.detail.quorate'),
  reason: t('audit.detail.reason'),
  'receipts sha256': t('audit.detail.receipts_sha256'),
  record: t('audit.detail.record'),
  removed: t('audit.detail.removed'),
  'repeated by': t('audit.detail.repeated_by'),
  replaced: t('audit.detail.replaced'),
  represented: t('audit.detail.represented'),
  'request id': t('audit.detail.request_id'),
  'results sha256': t('audit.detail.results_sha256'),
  returned: t('audit.detail.returned'),
  route: t('audit.detail.route'),
  screen: t('audit.detail.screen'),
  'screening id': t('audit.detail.screening_id'),
  screens: t('audit.detail.screens'),
  seconders: t('audit.detail.seconders'),
  seconds: t('audit.detail.seconds'),
  sections: t('audit.detail.sections'),
  sender: t('audit.detail.sender'),
  'set aside': t('audit.detail.set_aside'),
  'set at': t('audit.detail.set_at'),
  settings: t('audit.detail.settings'),
  settled: t('audit.detail.settled'),
  sha256: t('audit.detail.sha256'),
  songs: t('audit.detail.songs'),
  source: t('audit.detail.source'),
  'sports leagues': t('audit.detail.sports_leagues'),
  state: t('audit.detail.state'),
  'subscriber id': t('audit.detail.subscriber_id'),
  success: t('audit.detail.success'),
  tables: t('audit.detail.tables'),
  takeover: t('audit.detail.takeover'),
  tap: t('audit.detail.tap'),
  'tapped at': t('audit.detail.tapped_at'),
  teller: t('audit.detail.teller'),
  text: t('audit.detail.text'),
  through: t('audit.detail.through'),
  'time zone': t('audit.detail.time_zone'),
  title: t('audit.detail.title'),
  to: t('audit.detail.to'),
  'to close at': t('audit.detail.to_close_at'),
  'to open at': t('audit.detail.to_open_at'),
  'tokens deleted': t('audit.detail.tokens_deleted'),
  'tokens issued': t('audit.detail.tokens_issued'),
  'tokens made': t('audit.detail.tokens_made'),
  'tokens mailed': t('audit.detail.tokens_mailed'),
  'tokens revoked': t('audit.detail.tokens_revoked'),
  'tokens used': t('audit.detail.tokens_used'),
  total: t('audit.detail.total'),
  'total ballots': t('audit.detail.total_ballots'),
  trial: t('audit.detail.trial'),
  turnout: t('audit.detail.turnout'),
  'two people': t('audit.detail.two_people'),
  unsure: t('audit.detail.unsure'),
  until: t('audit.detail.until'),
  used: t('audit.detail.used'),
  valid: t('audit.detail.valid'),
  'verification id': t('audit.detail.verification_id'),
  version: t('audit.detail.version'),
  void: t('audit.detail.void'),
  'vote entries': t('audit.detail.vote_entries'),
  'voted and gone': t('audit.detail.voted_and_gone'),
  voters: t('audit.detail.voters'),
  votes: t('audit.detail.votes'),
  was: t('audit.detail.was'),
  what: t('audit.detail.what'),
  while: t('audit.detail.while'),
  who: t('audit.detail.who'),
  width: t('audit.detail.width'),
  witnesses: t('audit.detail.witnesses'),
  yes: t('audit.detail.yes'),
};

/** Keys of what the log counts at the door: a class, and what its people, or its proxies, have. */
const PEOPLE = /^(.+) (in|out) (held|none|back)$/;
const PROXIES = /^(.+) (?:given|(used))$/;

function keyWords(key: string, above: string | undefined): Words | string {
  const [, name, state, card] = (above === 'people' && PEOPLE.exec(key)) || [];
  if (name !== undefined)
    return t('audit.detail.door_people', {
      class: name === 'guest' ? t('audit.detail.guest') : name,
      state: state === 'in' ? 'in' : 'other',
      card: card === 'held' || card === 'back' ? card : 'other',
    });
  const [, giver, used] = (above === 'proxies' && PROXIES.exec(key)) || [];
  if (giver !== undefined)
    return t('audit.detail.door_proxies', { class: giver, state: used ? 'used' : 'other' });
  return ownValue(DETAILS, inWords(key)) ?? inWords(key);
}

/** `set_at` and `setAt` in words. Names of settings and of classes, which are keys too, stay. */
const inWords = (key: string): string =>
  key.includes('.')
    ? key
    : key
        .replaceAll('_', ' ')
        .replaceAll(/([a-z])([A-Z])/g, (_, before, letter) => `${before} ${letter.toLowerCase()}`);

/**
 * A key of the details in plain words, such as `hash of the question` for `question_sha256`. Keys without words stay.
 * @param path a key, after those that it is in
 */
export const detailWords = (path: readonly string[]): Words | string =>
  ownValue(DETAILS, path.map(inWords).join(' ')) ??
  commas(path.map((key, at) => keyWords(key, path[at - 1]))) ??
  '';
