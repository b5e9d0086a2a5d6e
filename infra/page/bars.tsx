/** Draws a switch, and the variants of an environment as one bar of their weights. */
import { printable } from "../cli/printable.ts";

interface Switch {
  /** Where it is: "checkout in production". */
  label: string;
  enabled: boolean;
  /** Whether the page asks about it. */
  isAsked?: boolean;
  press(): void;
}

export function switchButton({ label, enabled, isAsked = false, press }: Switch) {
  return (
    <button
      type="button"
      role="switch"
      class={isAsked ? "switch asked" : "switch"}
      aria-checked={enabled}
      aria-label={printable(label)}
      onClick={press}
    />
  );
}

type Weighted = readonly { name: string; weight: number }[];

/** The names are in the bar's label too: no colour is the only sign. */
export function stack(variants: Weighted, colourOf: (name: string) => string) {
  const label = printable(sharesOf(variants));
  return (
    <span class="stack" role="img" aria-label={label} title={label}>
      {variants.map(
        ({ name, weight }) =>
          weight > 0 && <i key={name} style={{ flexGrow: weight, background: colourOf(name) }} />,
      )}
    </span>
  );
}

/** "blue 45 % · red 10 %" */
export function sharesOf(variants: Weighted): string {
  const whole = variants.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const percent = (weight: number) => Number(((weight / whole) * 100).toFixed(1));
  return variants.map(({ name, weight }) => `${name} ${percent(weight)} %`).join(" · ");
}
