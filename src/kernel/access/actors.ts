/** Who acts with PUB_ADMIN_TOKEN, as records and answers to programs name it. */
export const TOKEN_ACTOR = 'token:pub_admin';

/** Who acts, in words for people. */
export const actorWords = (actor: string): string =>
  actor === TOKEN_ACTOR ? 'a script with the pub’s key' : actor;
