/** An invalid field of a request: `path` is its place in the body or query, separated by dots. */
export interface FieldError {
  path: string;
  message: string;
}

/** An error that is shown to the client: its status and one sentence, with the fields it is about. */
export class AppError extends Error {
  readonly statusCode: number;
  readonly errors: FieldError[] | undefined;
  /** Further keys of the JSON answer. */
  readonly extra: Record<string, unknown> | undefined;

  constructor(
    statusCode: number,
    message: string,
    { errors, extra }: { errors?: FieldError[]; extra?: Record<string, unknown> } = {},
  ) {
    super(message);
    this.statusCode = statusCode;
    this.errors = errors;
    this.extra = extra;
  }
}

export const badRequest = (message: string, errors?: FieldError[]) =>
  new AppError(400, message, errors ? { errors } : {});
/** 400 for one field: the sentence names it, and `errors` points at it. */
export const badField = (path: string, message: string) =>
  badRequest(`${path}: ${message}`, [{ path, message }]);
export const forbidden = (message: string) => new AppError(403, message);
export const notFound = (message = 'Not found') => new AppError(404, message);

/**
 * 429 with Retry-After.
 * @param ms milliseconds until it makes sense to try again
 * @param extra further keys of the answer
 */
export function tooManyRequests(error: string, ms: number, extra: Record<string, unknown> = {}): AppError {
  const retryAfter = Math.max(1, Math.ceil(ms / 1_000));
  return new AppError(429, error, { extra: { ...extra, retryAfter } });
}
