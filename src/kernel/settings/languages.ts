/** The languages in which every text of the service exists; only these can be chosen. */
export const LANGUAGES: readonly string[] = ['en'];

/** The first of these that is complete, else English. One that was stored when more were offered has no effect. */
export const completeLanguage = (...tags: (string | null)[]): string =>
  tags.find((tag) => tag !== null && LANGUAGES.includes(tag)) ?? 'en';
