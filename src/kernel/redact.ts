const SECRET_VALUES = /([?&](?:t|token|u|v|email)=)[^&#]*/gi;

/** A URL for the log, without the values that open a ballot or a calendar, or name a person. */
export function redactUrl(url: string): string {
  return url.replace(SECRET_VALUES, '$1…');
}
