import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import PQueue from 'p-queue';
import { HOUR } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import {
  AppError,
  badField,
  badFields,
  badRequest,
  fieldError,
  tooManyRequests,
} from '#kernel/http/errors.ts';
import type { Args, Code } from '#kernel/messages/messages.ts';

/** The names of the file fields. */
export const FILE_FIELDS = { picture: 'picture', document: 'document' } as const;
export const FILE_FIELD = FILE_FIELDS.picture;

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

/** Reads forms that may contain a file; few files at a time, because each is held in memory. */
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
            fail(badField(part.fieldname, 'field_too_long'));
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
        const { takesPicture, takesDocument } = request.routeOptions.config;
        const isTaken =
          (takesPicture && fieldname === FILE_FIELDS.picture) ||
          (takesDocument && fieldname === FILE_FIELDS.document);
        if (!isTaken) refused = badField(fieldname, 'file_not_taken');
        const client = request.actor ?? request.client;
        const allowance = limiter.hit('picture uploads', client, AN_HOUR, HOUR);
        if (!allowance.allowed) refused = tooManyRequests('too_many_pictures', allowance.resetAt - now());
        else if (this.#places.size >= WAITING_AT_MOST) refused = tooManyRequests('pictures_busy', 10_000);
        else if (!refused) await this.#enter(closed);
      }
      if (!refused) chunks.push(chunk);
    }
    if (refused) throw refused;
    if (file.truncated) throw tooLarge(fieldname);
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

/** Refuses a body larger than any form with a file by its Content-Length, before reading it. */
export function ensureSize({ headers }: Pick<FastifyRequest, 'headers'>, field: string): void {
  const length = headers['content-length'];
  if (length === undefined) throw new AppError(411, 'length_missing');
  if (Number(length) > TOTAL_BYTES) throw tooLarge(field);
}

const tooLarge = (field: string = FILE_FIELD) => uploadError(413, field, 'file_too_large');

/** The error of one field with another status than 400. */
export const uploadError = <C extends Code>(
  status: number,
  path: string,
  code: C,
  ...params: Args<C>
): AppError => badFields([fieldError(path, code, ...params)], { status });

/** Adds a field as the other form parser does: a name that occurs several times holds a list. */
function addField(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (!Object.hasOwn(fields, name)) fields[name] = value;
  else fields[name] = [fields[name], value].flat();
}

const CODES: Record<string, () => AppError> = {
  FST_REQ_FILE_TOO_LARGE: () => tooLarge(),
  FST_FILES_LIMIT: () => uploadError(413, FILE_FIELD, 'one_file_only'),
  FST_FIELDS_LIMIT: () => new AppError(413, 'too_many_fields'),
  FST_PARTS_LIMIT: () => new AppError(413, 'too_many_fields'),
};

/** Converts errors of the library and the stream; a body that was cut off has no error code of its own. */
function refusalOf(error: Error & { code?: string }): AppError {
  return CODES[error.code ?? '']?.() ?? badRequest('form_cut_off');
}
