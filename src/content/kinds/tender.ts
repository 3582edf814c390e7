import { z } from 'zod';
import { longText, neededText, picture, shortText, tick, webPage } from '#content/records/fields.ts';
import { defineKind } from '#content/records/kind.ts';
import { t } from '#kernel/language/message.ts';

/** A tender: somebody who works behind the bar. */
export type TenderBody = z.output<typeof schema>;
const schema = z.strictObject({
  full_name: neededText(200),
  /** Listed in the directory. */
  active: tick(true),
  /** Introduced on a slide. */
  meet: tick(false),
  show_profile: tick(false),
  bio: longText(4_000),
  payment_a: shortText(300),
  payment_b: shortText(300),
  page_url: webPage,
  picture,
});

export const TENDER = defineKind({
  name: 'tender',
  schema,
  title: ({ full_name }) => full_name,
  columns: [
    { label: t('content-admin.kinds.name'), words: ({ full_name }) => full_name, leads: true },
    {
      label: t('content-admin.kinds.page'),
      words: ({ active }) => (active ? t('content-admin.kinds.yes') : t('content-admin.kinds.no')),
    },
    {
      label: t('content-admin.kinds.on_screens'),
      words: ({ meet }) => (meet ? t('content-admin.kinds.yes') : t('content-admin.kinds.no')),
    },
  ],
  labels: {
    full_name: t('content-admin.kinds.name'),
    active: t('content-admin.kinds.page_behind_bar'),
    meet: t('content-admin.kinds.introduced_screens'),
    show_profile: t('content-admin.kinds.profile_shown_while_duty'),
    bio: t('content-admin.kinds.about'),
    payment_a: t('content-admin.kinds.tips'),
    payment_b: t('content-admin.kinds.tips_another_way'),
    page_url: t('content-admin.kinds.own_page'),
    picture: t('content-admin.kinds.picture'),
  },
});
