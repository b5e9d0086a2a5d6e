/** Looks up a variant, a strategy or a feature by its name, which may be "toString": every object inherits such members. */
export function ownMember<Value>(members: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}
