/** Chooses the colours of variants by their names: the same in every environment, and in nearly every feature. */

/** Colours by Paul Tol, which colour-blind people can distinguish, and which differ in lightness. */
const palette = ["#4477aa", "#ee8866", "#44aa99", "#ccbb44", "#aa4499", "#66ccee", "#999933", "#cc6677"];

/** The colours of variants that are named after a colour. */
const coloursByName: Readonly<Record<string, string>> = {
  amber: "#e8a33d",
  azure: "#66ccee",
  black: "#38424d",
  blue: "#4477aa",
  brown: "#99664d",
  cyan: "#66ccee",
  gray: "#8d99a6",
  green: "#3a9a5b",
  grey: "#8d99a6",
  navy: "#3d4f99",
  orange: "#ee8866",
  pink: "#e58ab8",
  purple: "#aa4499",
  red: "#cc4455",
  teal: "#44aa99",
  violet: "#8866cc",
  white: "#d5dbe1",
  yellow: "#ccbb44",
};

/** `names`: of all variants of a feature. A name that is no colour gets a colour unlike those in use. */
export function coloursOf(names: Iterable<string>): (name: string) => string {
  const colours = new Map<string, string>();
  const ofName = (name: string) =>
    Object.hasOwn(coloursByName, name.toLowerCase()) ? coloursByName[name.toLowerCase()] : undefined;
  const sorted = [...new Set(names)].sort();
  for (const name of sorted) {
    const own = ofName(name);
    if (own) colours.set(name, own);
  }
  for (const name of sorted) {
    if (colours.has(name)) continue;
    const start = hash(name) % palette.length;
    const turned = [...palette.slice(start), ...palette.slice(0, start)];
    const used = [...colours.values()];
    const differs = (colour: string) => used.every((other) => distance(colour, other) > 70);
    colours.set(name, turned.find(differs) ?? turned.find((each) => !used.includes(each)) ?? turned[0] ?? "");
  }
  return (name) => colours.get(name) ?? "";
}

/** The distance of two colours as points of red, green and blue. */
function distance(one: string, other: string): number {
  const parts = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const [left, right] = [parts(one), parts(other)];
  return Math.hypot(...left.map((part, index) => part - (right[index] ?? 0)));
}

function hash(text: string): number {
  return [...text].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) >>> 0, 7);
}
