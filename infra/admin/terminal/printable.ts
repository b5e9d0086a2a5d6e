/** Names come from callers; a control character in one must not command the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
