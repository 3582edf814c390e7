import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { AppError, type FieldError } from '#kernel/http/errors.ts';
import { parseInput, refusal } from '#kernel/http/validation.ts';
import { ownValue } from '#kernel/own-value.ts';

/** The fields of a form as they were sent. */
export function enteredOf({ body }: FastifyRequest): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

/** What a form means. @throws 400 naming its fields */
export function readForm<Input extends z.ZodType>(schema: Input, fields: unknown): z.output<Input> {
  const input = parseInput(schema, fields, 'form');
  if (!input.success) throw refusal(input.error);
  return input.data;
}

/** A refusal that a page can say to people; anything else goes on. */
export function refusalOf(error: unknown, reply: FastifyReply): { status: number; message: string } {
  if (!(error instanceof AppError) || error.statusCode >= 500) throw error;
  const { message, retryAfter } = error.extra ?? {};
  if (typeof retryAfter === 'number') reply.header('retry-after', retryAfter);
  const [problem] = error.errors ?? [];
  const sentence = problem ? inWords(problem) : error.message;
  return { status: error.statusCode, message: typeof message === 'string' ? message : sentence };
}

/** What forms call their fields; a name that is not here is one that no person typed into. */
const LABELS: Record<string, string> = {
  name: 'The name',
  email: 'The e-mail address',
  label: 'The title',
  reason: 'The reason',
  assignee: 'Who looks after it',
  tags: 'Each tag',
  note: 'The note',
  title: 'The title',
  artist: 'The artist',
};

function inWords({ path, message }: FieldError): string {
  if (/^[A-Z]/.test(message)) return `${message}.`;
  return `${ownValue(LABELS, path.replace(/\.\d+$/, '')) ?? `${path}:`} ${message}.`;
}
