import { IcalInput } from '#content/ical/sources/input.ts';
import { readDueSources } from '#content/ical/sources/reading.ts';
import { addSource } from '#content/ical/sources/sources.ts';
import { HOUR } from '#kernel/clock.ts';
import { calendarHost, calendarText } from '#test/stand-ins/calendar-host.ts';
import { type TestApp, testApp } from '#test/support/app.ts';

/** Starts a service that has read a calendar with these events. */
export async function serviceWith(events: string[][], input: object = {}, header: string[] = []) {
  const host = await calendarHost(() => ({ body: calendarText(events, ...header) }));
  const service = await testApp();
  const id = await readSource(service, host.url, input);
  const end = service[Symbol.asyncDispose];
  return Object.assign(service, {
    id,
    /** Reads the calendar again, with other events in it. */
    async change(changed: string[][]) {
      host.answer = () => ({ body: calendarText(changed, ...header) });
      service.clock.now += 2 * HOUR;
      await readDueSources(service.ctx);
    },
    events: async () => (await service.get('/api/events')).json(),
    feed: async () => {
      await service.calendarContext.programmeFeed.refresh();
      return service.calendarContext.programmeFeed.feed?.body.toString() ?? '';
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await end();
    },
  });
}

/** @returns the id of the source */
export async function readSource(service: TestApp, address: string, input: object): Promise<string> {
  const whole = IcalInput.parse({ name: 'Band', address, goes_to: ['screens', 'calendar'], ...input });
  const id = await addSource(service.ctx, whole, { ip: 'the test', at: service.clock.now });
  await readDueSources(service.ctx);
  return id;
}
