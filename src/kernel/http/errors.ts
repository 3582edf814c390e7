import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import {
  type Args,
  adviceOf,
  type Code,
  jsonParams,
  type Message,
  type Params,
  pageTextOf,
  say,
  sentenceOf,
} from '#kernel/messages/messages.ts';
import { FieldProblem } from './field-names.ts';

/** An invalid field of a request: `path` is its place in the body or query, separated by dots. */
export interface FieldError extends Message {
  readonly path: string;
  /** The sentence for JSON. */
  readonly message: string;
}

/** An error as JSON: its sentences, its code with the values in them, and the further keys of some. */
export interface ErrorJson {
  error: string;
  code: Code;
  params: ReturnType<typeof jsonParams>;
  errors?: (Pick<FieldError, 'path' | 'message' | 'code'> & { params: ReturnType<typeof jsonParams> })[];
  message?: string;
  [key: string]: unknown;
}

/** What an error has besides its code: the fields it is about, and further keys of the JSON answer. */
interface Details {
  errors?: readonly FieldError[] | undefined;
  extra?: Record<string, unknown> | undefined;
}

/** An error that is shown to the client: its status and the code of its sentence. */
export class AppError<C extends Code = Code> extends Error implements Message {
  readonly statusCode: number;
  readonly code: Code;
  readonly params: Params;
  readonly errors: readonly FieldError[] | undefined;
  readonly extra: Record<string, unknown> | undefined;

  constructor(statusCode: number, code: C, ...[params = {}, details = {}]: Args<C, [details?: Details]>) {
    super(sentenceOf({ code, params }));
    this.statusCode = statusCode;
    this.code = code;
    this.params = params;
    this.errors = details.errors;
    this.extra = details.extra;
  }

  /** An error of a message whose code is known only at run time. */
  static of(statusCode: number, { code, params }: Message, details: Details = {}): AppError {
    return new AppError<Code>(statusCode, code, params as never, details);
  }

  /** What a page says; undefined for what pages always say for the status. */
  get pageText(): Words | undefined {
    const [first] = this.errors ?? [];
    if (this.code !== 'invalid_field' || !first) return pageTextOf(this);
    const problem = pageTextOf(first);
    return problem && t('errors.invalid_field', { field: first.path, problem });
  }

  /** What the answer to a form says: a field is named by its label on the page. */
  get formText(): Words | undefined {
    const [first] = this.errors ?? [];
    const problem = this.code === 'invalid_field' && first && pageTextOf(first);
    return problem ? new FieldProblem(first.path, problem) : this.pageText;
  }

  /** The JSON answer. */
  get answer(): ErrorJson {
    const advice = adviceOf(this);
    return {
      error: this.message,
      code: this.code,
      params: jsonParams(this),
      ...(this.errors && {
        errors: this.errors.map((one) => ({
          path: one.path,
          message: one.message,
          code: one.code,
          params: jsonParams(one),
        })),
      }),
      ...(advice !== undefined && { message: advice }),
      ...this.extra,
    };
  }
}

export const fieldError = <C extends Code>(path: string, code: C, ...[params]: Args<C>): FieldError =>
  fieldErrorOf(path, { code, params: params ?? {} });

export const fieldErrorOf = (path: string, { code, params }: Message): FieldError => ({
  path,
  code,
  params,
  message: sentenceOf({ code, params }),
});

/** 400 (or another status) for some fields: the sentence names the first one. */
export function badFields(
  errors: readonly FieldError[],
  { status = 400, extra }: { status?: number; extra?: Record<string, unknown> } = {},
): AppError {
  const [first = fieldError('', 'invalid_request')] = errors;
  const said =
    first.path === '' ? first : say('invalid_field', { field: first.path, problem: first.message });
  return AppError.of(status, said, { errors, extra });
}

/** 400 for one field: the sentence names it, and `errors` points at it. */
export const badField = <C extends Code>(path: string, code: C, ...params: Args<C>): AppError =>
  badFields([fieldError(path, code, ...params)]);

/**
 * Runs work on a part of a request, such as one of several elections.
 * @throws what it throws, with the path of the part before the fields of a 400
 */
export function inField<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw inPart(path, error);
  }
}

/** An error of a part of a request, with the path of the part before its fields. */
export const inPart = (path: string, error: unknown): unknown =>
  error instanceof AppError && error.errors && error.statusCode === 400
    ? badFields(error.errors.map((field) => ({ ...field, path: `${path}.${field.path}` })))
    : error;

type More = [details?: Details];
export const badRequest = <C extends Code>(code: C, ...more: Args<C, More>) =>
  new AppError(400, code, ...more);
export const forbidden = <C extends Code>(code: C, ...more: Args<C, More>) =>
  new AppError(403, code, ...more);
export const notFound = <C extends Code>(code: C, ...more: Args<C, More>) => new AppError(404, code, ...more);
export const conflict = <C extends Code>(code: C, ...more: Args<C, More>) => new AppError(409, code, ...more);

/**
 * 429 with Retry-After.
 * @param ms milliseconds until it makes sense to try again
 * @param extra further keys of the answer
 */
export function tooManyRequests<C extends Code>(
  code: C,
  ms: number,
  ...[params, extra]: Args<C, [extra?: Record<string, unknown>]>
): AppError {
  const retryAfter = Math.max(1, Math.ceil(ms / 1_000));
  return AppError.of(429, { code, params: params ?? {} }, { extra: { ...extra, retryAfter } });
}
