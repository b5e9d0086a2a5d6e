/** Parses and formats JSON Pointers (RFC 6901). */

/** Section 3: "~" stands only in "~0" and "~1". */
export const pointerPattern = /^(?:\/[^~]*(?:~[01][^~]*)*)?$/;

/** Refused in pointers and as members of a body: these names could reach a prototype. */
export const forbiddenMembers: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Section 4: replaces "~1" before "~0", so that "~01" becomes "~1" and not "/". */
export function parsePointer(text: string): string[] {
  const tokens = text.split("/").slice(1);
  if (!text.includes("~")) return tokens;
  return tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function formatPointer(path: readonly PropertyKey[]): string {
  return path.map((token) => `/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
