import { z } from 'zod';
import { DAY, MINUTE } from '#kernel/clock.ts';
import { listOf, optionalText, wholeNumber } from '#kernel/http/validation.ts';
import { t } from '#kernel/language/message.ts';
import { coded } from '#kernel/messages/messages.ts';
import { screenLabel } from '#pub/display/screen-label.ts';

/** The default texts of each kind of takeover, its default minutes, and the most it may last. */
export const PRESETS = {
  last_orders: {
    title: t('tv.takeover.last_orders'),
    text: t('tv.takeover.last_orders_text'),
    minutes: 20,
    most: 60,
  },
  voting: {
    title: t('tv.takeover.voting'),
    text: t('tv.takeover.voting_text'),
    minutes: 60,
    most: DAY / MINUTE,
  },
  leave: { title: t('tv.takeover.leave'), text: t('tv.takeover.leave_text'), minutes: 15, most: 15 },
  own: { title: undefined, text: undefined, minutes: 15, most: DAY / MINUTE },
} as const;

export type TakeoverKind = keyof typeof PRESETS;

const KINDS = Object.keys(PRESETS) as TakeoverKind[];
export const TITLE_AT_MOST = 60;
const TEXT_AT_MOST = 120;
/** Characters of title and text together: at 12 per cent of the screen's height no more fit. */
export const LETTERS_AT_MOST = 140;
/** Beside a QR code there is less room. */
export const LETTERS_BESIDE_QR = 80;
const SCREENS_AT_MOST = 50;

/** A takeover to start. Defaults: the minutes of its kind, all screens. Screens have the names of their heartbeats. */
export const TakeoverInput = z
  .object({
    kind: z.enum(KINDS, coded('not_one_of', { values: KINDS })),
    title: optionalText(TITLE_AT_MOST),
    text: optionalText(TEXT_AT_MOST),
    /** The target of a QR code: the path of a page of this service, such as `/events`, or its whole address. */
    qr: optionalText(300),
    minutes: z.preprocess(
      (minutes) => (minutes === '' ? undefined : minutes),
      wholeNumber(1, DAY / MINUTE).optional(),
    ),
    screens: listOf(screenLabel, SCREENS_AT_MOST)
      .default([])
      // A form sends an empty name for all screens.
      .transform((names) => [...new Set(names)].filter((name) => name !== '')),
  })
  .superRefine(({ kind, title, text, qr, minutes = 0 }, issues) => {
    const { most: cap } = PRESETS[kind];
    if (minutes > cap)
      issues.addIssue({
        code: 'custom',
        path: ['minutes'],
        message: coded('too_long_for_notice', { max: cap }),
      });
    if (kind === 'own' && !title && !text)
      issues.addIssue({ code: 'custom', path: ['title'], message: coded('empty') });
    const most = qr ? LETTERS_BESIDE_QR : LETTERS_AT_MOST;
    if ((title?.length ?? 0) + (text?.length ?? 0) > most)
      issues.addIssue({
        code: 'custom',
        path: ['text'],
        message: coded(qr ? 'notice_too_long_with_qr' : 'notice_too_long', { max: most }),
      });
  });
