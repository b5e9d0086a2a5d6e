/** A sentence after a colon starts in lower case. Names of headers stay as they are. */
export function afterColon(sentence: string): string {
  return sentence.replace(/^[A-Z](?=[a-z]* )/, (letter) => letter.toLowerCase());
}
