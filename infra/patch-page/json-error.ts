/** Finds the line at which a text stops being JSON: not every browser names it. */

const string = /\s*"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*"/iuy;
const scalar = /\s*(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;

/** Empty for JSON. */
export function jsonError(text: string): string {
  try {
    JSON.parse(text);
    return "";
  } catch (error) {
    const { message } = error as SyntaxError;
    const line = text.slice(0, endOfJson(text)).split("\n").length;
    return `Line ${line}: ${message.replace(/( in JSON)? at (position|line) .*/s, "")}`;
  }
}

/** The offset of the first token that cannot be there. */
function endOfJson(text: string): number {
  let offset = 0;
  const has = (token: RegExp): boolean => {
    token.lastIndex = offset;
    const isThere = token.test(text);
    if (isThere) offset = token.lastIndex;
    return isThere;
  };
  const value = (): boolean => {
    if (has(/\s*\[/y)) return has(/\s*\]/y) || list(value, /\s*\]/y);
    if (has(/\s*\{/y)) return has(/\s*\}/y) || list(() => has(string) && has(/\s*:/y) && value(), /\s*\}/y);
    return has(string) || has(scalar);
  };
  const list = (element: () => boolean, end: RegExp): boolean => {
    do if (!element()) return false;
    while (has(/\s*,/y));
    return has(end);
  };
  value();
  has(/\s*/y);
  return offset;
}
