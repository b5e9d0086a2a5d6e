/** Ends a list where the rest would not fit in a response. */
import { limits } from "../../contract/limits.ts";

/** Returns the first elements that fit beside `others`, at least one. */
export function firstThatFit<Element>(list: readonly Element[], others: unknown = {}): readonly Element[] {
  // Lambda's response has the body as a JSON string.
  const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
  let bytes = bytesOf(others);
  const end = list.findIndex((element, index) => {
    bytes += bytesOf(element);
    return index > 0 && bytes > limits.listBytes;
  });
  return end < 0 ? list : list.slice(0, end);
}
