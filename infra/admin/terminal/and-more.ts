/** Joins the first lines of many, and says how many more there are. */
export function andMore(lines: readonly string[], most: number, indent = ""): string {
  const shown = lines.slice(0, most);
  const more = lines.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].map((line) => indent + line).join("\n");
}
