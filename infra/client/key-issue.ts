/** Says why a header cannot carry an API key: an error of `fetch` would quote the key, or say nothing of it. */
export function keyIssue(key: string): string {
  if (/^[\x20-\x7e\x80-\xff]*$/.test(key)) return "";
  return "The API key has a line break, or a character that no header can carry; copy it again";
}
