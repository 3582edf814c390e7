/** The actor for PUB_ADMIN_TOKEN, as named in records and in JSON answers. */
export const TOKEN_ACTOR = 'token:pub_admin';

/** An actor in words for people. */
export const actorWords = (actor: string): string =>
  actor === TOKEN_ACTOR ? 'a script with the pub’s key' : actor;
