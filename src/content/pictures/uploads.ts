import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import PQueue from 'p-queue';
import { HOUR } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { AppError, type FieldError, tooManyRequests } from '#kernel/http/errors.ts';

/** The name of the file field. */
export const FILE_FIELD = 'picture';

const FILE_BYTES = 10 * 1024 * 1024;
/** The maximum size of a form with a picture. */
const TOTAL_BYTES = 12 * 1024 * 1024;
const FIELD_BYTES = 20_000;

/** The form of an event has 49 fields with everything ticked; the others have fewer. */
export const FIELDS_AT_MOST = 60;

/** Limits for @fastify/multipart, which ignores Fastify's body limit. */
export const LIMITS = {
  fileSize: FILE_BYTES,
  files: 1,
  fields: FIELDS_AT_MOST,
  parts: FIELDS_AT_MOST + 2,
  fieldSize: FIELD_BYTES,
  fieldNameSize: 60,
  headerPairs: 40,
};

const AT_A_TIME = 2;
const WAITING_AT_MOST = 20;
const AN_HOUR = 60;

/** A parsed form: its fields, as other forms have them, and the file if one was chosen. */
export interface ReadForm {
  fields: Record<string, unknown>;
  file: Buffer | undefined;
  /** Why the form is refused, after all of it was read. */
  problem: AppError | undefined;
}

/** Reads forms that may contain a picture; few files at a time, because each is held in memory. */
export class Uploads {
  readonly #places = new PQueue({ concurrency: AT_A_TIME });

  /**
   * Reads a refused form to the end, so that the page can show its other fields again.
   * @param closed receives a function to be called when the file's slot is free for the next one
   */
  async read(ctx: Context, request: FastifyRequest, closed: (free: () => void) => void): Promise<ReadForm> {
    const read: ReadForm = { fields: {}, file: undefined, problem: undefined };
    const fail = (error: AppError) => {
      read.problem ??= error;
    };
    try {
      for await (const part of request.parts()) {
        if (part.type === 'field') {
          if (part.valueTruncated || part.fieldnameTruncated)
            fail(fieldError(400, part.fieldname, 'has too many characters'));
          addField(read.fields, part.fieldname, part.value);
        } else {
          const bytes = await this.#readFile(ctx, request, part, closed).catch((error: Error) => {
            if (!(error instanceof AppError)) throw error;
            fail(error);
          });
          if (bytes && bytes.length > 0) read.file = bytes;
        }
      }
    } catch (error) {
      fail(refusalOf(error as Error));
    }
    return read;
  }

  async #readFile(
    { limiter, now }: Context,
    request: FastifyRequest,
    { file, fieldname }: MultipartFile,
    closed: (free: () => void) => void,
  ): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let refused: AppError | undefined;
    let isFirst = true;
    for await (const chunk of file as AsyncIterable<Buffer>) {
      // A browser sends an empty file if none was chosen: it neither counts nor waits.
      if (isFirst) {
        isFirst = false;
        if (fieldname !== FILE_FIELD) refused = fieldError(400, fieldname, 'takes no file');
        const client = request.actor ?? request.client;
        const allowance = limiter.hit('picture uploads', client, AN_HOUR, HOUR);
        if (!allowance.allowed)
          refused = tooManyRequests('Too many pictures. Try again later', allowance.resetAt - now());
        else if (this.#places.size >= WAITING_AT_MOST)
          refused = tooManyRequests('Others are sending pictures. Try again in a moment', 10_000);
        else if (!refused) await this.#enter(closed);
      }
      if (!refused) chunks.push(chunk);
    }
    if (refused) throw refused;
    if (file.truncated) throw tooLarge();
    return Buffer.concat(chunks);
  }

  /** Waits for a slot, which is freed when the request is over. */
  #enter(closed: (free: () => void) => void): Promise<void> {
    return new Promise((enter) => {
      void this.#places.add(
        () =>
          new Promise<void>((free) => {
            closed(free);
            enter();
          }),
      );
    });
  }
}

/** Refuses a body larger than any form with a picture by its Content-Length, before reading it. */
export function ensureSize({ headers }: Pick<FastifyRequest, 'headers'>): void {
  const length = headers['content-length'];
  if (length === undefined) throw new AppError(411, 'Say how long it is: Content-Length is missing');
  if (Number(length) > TOTAL_BYTES) throw tooLarge();
}

const tooLarge = () => fieldError(413, FILE_FIELD, 'has more than 10 MB. Choose a smaller file');

/** Returns the error of one field, in the same format as validation errors. */
export function fieldError(status: number, path: string, message: string): AppError {
  const errors: FieldError[] = [{ path, message }];
  return new AppError(status, `${path}: ${message}`, { errors });
}

/** Adds a field as the other form parser does: a name that occurs several times holds a list. */
function addField(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (!Object.hasOwn(fields, name)) fields[name] = value;
  else fields[name] = [fields[name], value].flat();
}

const CODES: Record<string, () => AppError> = {
  FST_REQ_FILE_TOO_LARGE: tooLarge,
  FST_FILES_LIMIT: () => fieldError(413, FILE_FIELD, 'takes one file'),
  FST_FIELDS_LIMIT: () => new AppError(413, 'The form has too many fields'),
  FST_PARTS_LIMIT: () => new AppError(413, 'The form has too many fields'),
};

/** Converts errors of the library and the stream; a body that was cut off has no error code of its own. */
function refusalOf(error: Error & { code?: string }): AppError {
  return (
    CODES[error.code ?? '']?.() ?? new AppError(400, 'The form did not arrive whole. Please send it again')
  );
}
