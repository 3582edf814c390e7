/** The value under a name from outside; undefined for what every object inherits, such as `constructor`. */
export function ownValue<Value>(
  object: Readonly<Record<string, Value>>,
  name: string | undefined,
): Value | undefined {
  return name !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}
