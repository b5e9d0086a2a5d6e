/** Colours lines for a terminal; not in a pipe, nor where NO_COLOR is set. */

/** Adds terminal codes to a line that is already safe to print. */
export type Paint = (line: string, index: number) => string;

const bold = [1, 22] as const;
const signs: Record<string, readonly [on: number, off: number]> = {
  "+": [32, 39],
  "-": [31, 39],
  "~": [33, 39],
};

/** The first line of a table. */
export const heading: Paint = (line, index) => (index === 0 ? painted(line, bold) : line);

/** What is created is green, what is removed red, what is updated yellow. */
export const differences: Paint = (line) => {
  const sign = signs[/^ *([+~-]) /.exec(line)?.[1] ?? ""];
  return sign ? painted(line, sign) : line;
};

/** Node respects NO_COLOR and FORCE_COLOR, and knows what the terminal can do. */
export function isColoured(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && stream.hasColors();
}

function painted(text: string, [on, off]: readonly [number, number]): string {
  return `\u001b[${on}m${text}\u001b[${off}m`;
}
