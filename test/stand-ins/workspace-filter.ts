import type { FakeColumn, FakePage } from './workspace-server.ts';

/** The filters that the service sends. */
export interface FakeFilter {
  property?: string;
  title?: { contains?: string };
  checkbox?: { equals: boolean };
  date?: { on_or_after?: string; before?: string };
  and?: FakeFilter[];
}

/** Returns the API's error for a filter: a property that does not exist or has another type. */
export function faultOf(
  filter: FakeFilter | undefined,
  columns: Record<string, FakeColumn>,
): string | undefined {
  if (!filter || filter.title) return undefined;
  if (filter.and) return filter.and.map((one) => faultOf(one, columns)).find(Boolean);
  const { property = '', ...condition } = filter;
  const [type = ''] = Object.keys(condition);
  if (!columns[property]) return `Could not find property with name or id: ${property}`;
  return columns[property].type === type
    ? undefined
    : `${property} is ${columns[property].type}, not ${type}.`;
}

export function fits(page: FakePage, filter: FakeFilter | undefined): boolean {
  if (!filter) return true;
  if (filter.and) return filter.and.every((one) => fits(page, one));
  if (filter.title) return titleOf(page).includes(filter.title.contains?.toLowerCase() ?? '');
  const value = page.properties[filter.property ?? ''];
  if (filter.checkbox) return value?.checkbox === filter.checkbox.equals;
  const { on_or_after: from, before } = filter.date ?? {};
  const start = (value?.date as { start: string } | null | undefined)?.start;
  if (start === undefined) return false;
  return (
    (!from || Date.parse(start) >= Date.parse(from)) && (!before || Date.parse(start) < Date.parse(before))
  );
}

function titleOf({ properties }: FakePage): string {
  const property = Object.values(properties).find(({ type }) => type === 'title');
  const parts = (property?.title ?? []) as { plain_text: string }[];
  return parts
    .map((part) => part.plain_text)
    .join('')
    .toLowerCase();
}
