import { type Args, type Code, pageTextOf, say } from '#kernel/messages/messages.ts';

/** The sentence of a code in JSON: tests quote texts by it. */
export { sentence as message } from '#kernel/messages/messages.ts';

/** What pages say for a code. */
export const onPage = <C extends Code>(code: C, ...params: Args<C>): string =>
  pageTextOf(say(code, ...params)) ?? '';
