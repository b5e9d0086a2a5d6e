/** Refuses keys that could be guessed, for a table on AWS, which anyone can reach. */
import { Refusal } from "../../../cli/refusal.ts";
import type { State } from "../../../state/state-file-schemas.ts";
import { createCommand } from "../words/permissions.ts";

const leastBits = 128;

export function requireStrongKeys({ apiKeys }: State): void {
  const lines = apiKeys.flatMap(({ name, key, permissions = [] }) => {
    if (key === undefined || bitsOf(key) >= leastBits) return [];
    return `\n    the key of ${JSON.stringify(name)}; make another: ${createCommand(name, permissions)}`;
  });
  if (lines.length === 0) return;
  const rule = `a key for a table on AWS needs at least ${leastBits} bits, as 22 letters and digits have`;
  throw new Refusal(`${rule}:${lines.join("")}`);
}

const alphabets: [characters: RegExp, size: number][] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/[0-9]/, 10],
  [/[^a-zA-Z0-9]/, 33],
];

/** Counts the bits that the key's length and alphabet allow: whether it was chosen at random cannot be seen. */
function bitsOf(key: string): number {
  const isHex = /^(?:[0-9a-f]*|[0-9A-F]*)$/.test(key);
  const used = alphabets.filter(([characters]) => characters.test(key));
  const size = used.reduce((sum, [, each]) => sum + each, 0);
  return key.length * Math.log2(isHex ? Math.min(size, 16) : size);
}
