import { z } from 'zod';
import { longText, neededText, picture, shortText, tick, webPage } from '#content/records/fields.ts';
import { defineKind } from '#content/records/kind.ts';

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
    { label: 'Name', words: ({ full_name }) => full_name, leads: true },
    { label: 'On the page', words: ({ active }) => (active ? 'Yes' : 'No') },
    { label: 'On the screens', words: ({ meet }) => (meet ? 'Yes' : 'No') },
  ],
  labels: {
    full_name: 'Name',
    active: 'On the page “Behind the bar”',
    meet: 'Introduced on the screens',
    show_profile: 'Profile shown while on duty',
    bio: 'About',
    payment_a: 'Tips',
    payment_b: 'Tips, another way',
    page_url: 'Their own page',
    picture: 'Picture',
  },
});
