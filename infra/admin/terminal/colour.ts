/** Colours for people at a terminal. There are none in a pipe, nor where NO_COLOR asks for none. */

/** Gets lines that are safe to print, and adds codes for the terminal. */
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
