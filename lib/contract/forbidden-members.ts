/** Names that could reach a prototype: refused wherever a body holds them, in pointers and as members. */
export const forbiddenMembers: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
