/** Orders text by code points, the same on every machine. */

/** UTF-8 has the order of code points; `<` compares UTF-16 units, which puts an emoji before U+E000. */
export function compareCodePoints(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
