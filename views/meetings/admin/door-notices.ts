import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { allOf } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import type { DoorInput } from '#meetings/door/press.ts';
import { notice } from '#views/components/notices.ts';
import { mayDo } from '#views/voting/admin/frame.ts';
import { classSigns } from './class-sign.ts';
import { cardsOf, type DoorProps, printed, whyWaiting } from './door-row.ts';

/** The classes of which no card was ever printed. */
export const unprintedOf = ({ cards }: Pick<DoorProps, 'cards'>): ReadonlySet<string> =>
  new Set(Object.entries(cards).flatMap(([name, { pile }]) => (pile === null ? [name] : [])));

/** Without cards people are checked in, and vote by hand. */
export function unprintedNotice(props: DoorProps): Html | null {
  const { meeting, cards } = props;
  const without = [...unprintedOf(props)];
  if (meeting.state === 'closed' || without.length === 0) return null;
  const isAll = without.length === Object.keys(cards).length;
  const print = mayDo(props, 'elections:run')
    ? t('meetings-admin.door.print_cards_votes_phone_paper', {
        link: (inside) => html`<a href="#print">${inside}</a>`,
      })
    : t('meetings-admin.door.ask_officer_print_cards_votes');
  return notice(
    'attention',
    html`<p>${isAll ? t('meetings-admin.door.votes_show_hands_until_some') : t('meetings-admin.door.whoever_class_votes_show_hands')} ${print}</p>`,
    isAll
      ? t('meetings-admin.shared.cards_printed')
      : t('meetings-admin.door.no_cards_of_classes', { classes: allOf(without) }),
  );
}

/** Cards do not work while no pack of their class is open, and none can be handed out once the pile is used up. */
export function unopened({ meeting, cards, packs }: DoorProps): Html | null {
  if (meeting.state === 'closed') return null;
  const path = `/admin/meetings/${meeting.id}`;
  const empty = Object.entries(cards).filter(([, { pile }]) => pile === 0);
  return html`${empty.map(([name]) => {
    const next = packs.find((pack) => pack.state === 'printed' && pack.class === name);
    const isFirst = !packs.some((pack) => pack.state === 'open' && pack.class === name);
    return notice(
      'danger',
      next
        ? html`<form method="post" action="${path}/packs/${next.id}/open"><button class="button">${t('meetings-admin.door.open_pack', { number: next.number })}</button></form>`
        : t('meetings-admin.door.print_another_pack_below_open', {
            link: (inside) => html`<a href="#cards">${inside}</a>`,
          }),
      isFirst
        ? t('meetings-admin.door.pack_open_cards_work_yet', { name })
        : t('meetings-admin.door.card_left_pile', { name }),
    );
  })}`;
}

/** Cards that were given back can vote until they are scanned. */
export function unscanned({ given_back, scanned }: DoorProps): Html | null {
  const missing = Object.entries(given_back).filter(([name, given]) => given > (scanned[name] ?? 0));
  return missing.length === 0
    ? null
    : html`${missing.map(([name, given]) =>
        notice(
          'attention',
          t('meetings-admin.door.cards_given_back_scanned_scan', {
            given,
            name,
            scanned: scanned[name] ?? 0,
            left: given - (scanned[name] ?? 0),
          }),
          t('meetings-admin.door.card_given_back_scanned'),
        ),
      )}`;
}

/** What to do now: the cards to hand out, or to take back. */
export function said({ meeting, passed, returned, replaced, cards }: DoorProps): Html | null {
  if (replaced)
    return notice(
      'success',
      t('meetings-admin.door.lost_void_what_voted_stays'),
      t('meetings-admin.door.hand_out', { cards: cardsOf(replaced) ?? '' }),
    );
  if (returned)
    return notice(
      returned.unknown > 0 ? 'attention' : 'success',
      returned.unknown > 0
        ? t('meetings-admin.door.cards_returned_void_codes_card', {
            returned: returned.returned,
            unknown: returned.unknown,
          })
        : t('meetings-admin.door.cards_returned_void', { returned: returned.returned }),
    );
  return passed ? saidOf(passed, meeting.classes, unprintedOf({ cards })) : null;
}

function saidOf(
  { action, cards: due, takes = {}, undone = {}, link_ended, ...answer }: NonNullable<DoorProps['passed']>,
  classes: readonly string[],
  unprinted: ReadonlySet<string>,
): Html {
  const cards = printed(due, { unprinted });
  const hand = cardsOf(cards);
  const back = cardsOf(takes);
  const words: Record<DoorInput['action'], () => [title: Words, text?: Words | undefined]> = {
    in: () =>
      hand === undefined
        ? [
            t('meetings-admin.door.checked'),
            Object.keys(due).length > 0
              ? t('meetings-admin.door.cards_printed_vote_show_hands')
              : answer.waits
                ? t('meetings-admin.door.hand_out_card')
                : t('meetings-admin.door.hand_out_card_theirs_vote'),
          ]
        : [t('meetings-admin.door.hand_out', { cards: hand }), t('meetings-admin.door.pile_whichever_comes')],
    card: () => [
      t('meetings-admin.door.hand_out', { cards: hand ?? '' }),
      t('meetings-admin.door.pile_whichever_comes'),
    ],
    out: () =>
      back === undefined
        ? [
            t('meetings-admin.shared.left'),
            unprinted.size === classes.length
              ? undefined
              : t('meetings-admin.door.whoever_keeps_card_counts_come'),
          ]
        : [t('meetings-admin.shared.left'), t('meetings-admin.door.scan_below_names', { back })],
    undo: () =>
      back !== undefined
        ? [t('meetings-admin.door.taken_back'), t('meetings-admin.door.scan_below_card_taken_back', { back })]
        : [
            Object.keys(undone).length > 0
              ? t('meetings-admin.door.taken_back_card_handed_out')
              : t('meetings-admin.door.taken_back'),
          ],
    all_out: () => [
      t('meetings-admin.door.everybody_left'),
      t('meetings-admin.door.cards_stay_valid_end_renew'),
    ],
  };
  const [title, text] = words[action]();
  return html`${notice('success', html`${classSigns(classes, action === 'out' || action === 'undo' ? takes : cards)}${text}`, title)}${
    answer.waits &&
    notice(
      'attention',
      whyWaiting({
        questions: answer.waits_for ?? [],
        ...(answer.holder !== undefined && { holder: answer.holder }),
        ...(answer.waits_cards && { cards: answer.waits_cards }),
      }),
      t('meetings-admin.door.wait_card'),
    )
  }${
    link_ended &&
    notice(
      'attention',
      t('meetings-admin.door.vote_card_now_wrong_person'),
      t('meetings-admin.door.link_ended'),
    )
  }`;
}
