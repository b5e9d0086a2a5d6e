/** Sorts names by code points: on every machine the same, and as DynamoDB sorts. */

/** UTF-8 has the order of code points; `<` compares UTF-16 units, which puts an emoji before U+E000. */
export function compareCodePoints(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
