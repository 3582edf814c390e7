/** One property of a calendar: `DTSTART;TZID=Europe/Berlin:20261124T200000`. Names are in upper case. */
export interface Line {
  name: string;
  params: Record<string, string>;
  value: string;
}

/** The values of these never contain a colon, but unquoted time zone names may. */
const TIMES = new Set(['DTSTART', 'DTEND', 'EXDATE', 'RDATE', 'RECURRENCE-ID']);
const PARAMS_AT_MOST = 20;
const PARAMS_LENGTH = 2_000;

/** Returns the property name of a line in upper case; undefined if it has none. */
export function nameOf(line: string): string | undefined {
  return /^([a-z0-9-]{1,40})[;:]/i.exec(line)?.[1]?.toUpperCase();
}

/** Parses a line whose name is known; undefined if it has no value. */
export function parseLine(line: string, name: string): Line | undefined {
  const colon = TIMES.has(name) ? line.lastIndexOf(':') : endOfParams(line);
  if (colon < 0) return undefined;
  const params = parseParams(line.slice(name.length + 1, Math.min(colon, PARAMS_LENGTH)));
  return { name, params, value: line.slice(colon + 1).trim() };
}

function endOfParams(line: string): number {
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at];
    if (char === '"') quoted = !quoted;
    else if (char === ':' && !quoted) return at;
  }
  // The closing quote is missing: falls back to the first colon.
  return line.indexOf(':');
}

function parseParams(text: string): Record<string, string> {
  const params: Record<string, string> = Object.create(null);
  const parts = text.match(/(?:"[^"]*"|[^;])+/g) ?? [];
  for (const part of parts.slice(0, PARAMS_AT_MOST)) {
    const equals = part.indexOf('=');
    if (equals < 1) continue;
    params[part.slice(0, equals).trim().toUpperCase()] ??= part
      .slice(equals + 1)
      .replaceAll('"', '')
      .trim();
  }
  return params;
}
