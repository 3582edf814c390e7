/** The object's own value under an untrusted name; undefined for inherited names such as `constructor`. */
export function ownValue<Value>(
  object: Readonly<Record<string, Value>>,
  name: string | undefined,
): Value | undefined {
  return name !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}
