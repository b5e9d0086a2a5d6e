/** Labelled controls, and text that the server sent. */
import type { ButtonHTMLAttributes, InputHTMLAttributes } from "preact";
import { printableLines } from "../printable.ts";

/** Never markup; and nothing in it hides, or reorders what stands around it. */
export function text(value: string) {
  return <bdi>{printableLines(String(value))}</bdi>;
}

export function Button(props: ButtonHTMLAttributes) {
  return <button type="button" {...props} />;
}

export function Field({ label, ...input }: { label: string } & InputHTMLAttributes) {
  return (
    <label>
      {label}
      <input autocomplete="off" spellcheck={false} {...input} />
    </label>
  );
}

export function valuesOf(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
}

interface Choice {
  label: string;
  name?: string;
  value?: string;
  /** Values, and what they are called if that is something else. */
  options: readonly (string | readonly [string, string])[];
  choose?(value: string): void;
}

export function Choice({ label, options, choose, ...select }: Choice) {
  const pairs = options.map((option) => (typeof option === "string" ? ([option, option] as const) : option));
  return (
    <label>
      {label}
      <select {...select} onChange={(event) => choose?.(event.currentTarget.value)}>
        {pairs.map(([value, called]) => (
          <option key={value} value={value}>
            {printableLines(called)}
          </option>
        ))}
      </select>
    </label>
  );
}
