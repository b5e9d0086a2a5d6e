/** Draws a switch, and a bar of the weights of variants. */
import { printable } from "../../../cli/printable.ts";
import { sharesInWords } from "../../words/users-in-words.ts";

interface SwitchProps {
  /** What it switches: "checkout in production". */
  label: string;
  enabled: boolean;
  /** Whether the shown draft switches it. */
  hasDraft?: boolean;
  press(): void;
}

export function switchButton({ label, enabled, hasDraft = false, press }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      class={hasDraft ? "switch drafted" : "switch"}
      aria-checked={enabled}
      aria-label={printable(label)}
      onClick={press}
    />
  );
}

type WeightedVariants = readonly { name: string; weight: number }[];

/**
 * The label has the names, so that no colour is the only sign. `rollout`: the share of users who get the variants; the rest of
 * the bar is empty.
 */
export function weightBar(variants: WeightedVariants, colourOf: (name: string) => string, rollout = 1) {
  const label = printable(sharesInWords(variants, " · "));
  const whole = variants.reduce((sum, { weight }) => sum + weight, 0);
  return (
    <span class="stack" role="img" aria-label={label} title={label}>
      {variants.map(
        ({ name, weight }) =>
          weight * rollout > 0 && (
            <i key={name} style={{ flexGrow: weight * rollout, background: colourOf(name) }} />
          ),
      )}
      {rollout < 1 && <i class="none" style={{ flexGrow: whole * (1 - rollout) }} />}
    </span>
  );
}
