/**
 * Lets a sentence continue after a colon, in lower case. The name of a header at its start, such as `If-Match`, stays.
 */
export function afterColon(sentence: string): string {
  return sentence.replace(/^[A-Z](?=[a-z]* )/, (letter) => letter.toLowerCase());
}
