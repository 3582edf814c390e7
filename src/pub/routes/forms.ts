import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { AppError } from '#kernel/errors.ts';
import { refusal } from '#kernel/validation.ts';

/** The fields of a form as they were sent. */
export function enteredOf({ body }: FastifyRequest): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

/** What a form means. @throws 400 naming its fields */
export function readForm<Input extends z.ZodType>(schema: Input, fields: unknown): z.output<Input> {
  const input = schema.safeParse(fields);
  if (!input.success) throw refusal(input.error);
  return input.data;
}

/** A refusal that a page can say to people; anything else goes on. */
export function refusalOf(error: unknown, reply: FastifyReply): { status: number; message: string } {
  if (!(error instanceof AppError) || error.statusCode >= 500) throw error;
  const { message, retryAfter } = error.extra ?? {};
  if (typeof retryAfter === 'number') reply.header('retry-after', retryAfter);
  return { status: error.statusCode, message: typeof message === 'string' ? message : error.message };
}
