/** Compares names by code points, as DynamoDB does where it sorts the features of a list. */

/** UTF-8 has the order of code points; `<` compares UTF-16 units, which puts an emoji before U+E000. */
export function compareCodePoints(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
