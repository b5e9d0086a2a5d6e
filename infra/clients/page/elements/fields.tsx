/** Draws fields that commit what the user typed: a text, or a percentage. */
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { printable } from "../../../cli/printable.ts";
import { Failed } from "./controls.tsx";
import { percentIssue, readPercent } from "./percentage.ts";

interface FieldProps {
  label: string;
  value: string;
  commit(value: string): void;
  /** Why a value is invalid, or "". The field keeps an invalid value, marks it and does not commit it. */
  issueOf?(value: string): string;
  class?: string;
  isReadOnly?: boolean;
  placeholder?: string;
}

const noIssue = () => "";

/**
 * A text field that commits its value on Enter, or when it loses the focus. Escape discards what was typed.
 * A value that the field shows with escapes cannot be edited: it would be stored as it is shown.
 */
export function Field({
  label,
  value,
  commit,
  issueOf = noIssue,
  isReadOnly = false,
  ...others
}: FieldProps) {
  const field = useRef<HTMLInputElement>(null);
  // Commits to the state that the user saw when they began to type, which a refresh may have replaced since.
  const commitOfStart = useRef(commit);
  const id = useId();
  const [issue, setIssue] = useState("");
  const isEscaped = printable(value) !== value;
  const mark = (input: HTMLInputElement, found: string) => {
    input.setCustomValidity(found);
    setIssue(found);
  };
  const restore = (input: HTMLInputElement) => {
    input.value = printable(value);
    mark(input, "");
  };
  useEffect(() => {
    // A refresh keeps what the user is typing.
    if (field.current && field.current !== document.activeElement) restore(field.current);
  }, [value]);
  return (
    <>
      <input
        ref={field}
        aria-label={printable(label)}
        title={printable(label)}
        defaultValue={printable(value)}
        disabled={isReadOnly}
        readOnly={isEscaped}
        autocomplete="off"
        aria-invalid={issue !== ""}
        {...(issue && { "aria-describedby": id })}
        onChange={({ currentTarget }) => {
          const given = currentTarget.value.trim();
          const isSame = given === printable(value);
          const found = isSame ? "" : issueOf(given);
          mark(currentTarget, found);
          if (found) return;
          // The draft decides what the field shows.
          restore(currentTarget);
          if (!isSame) commitOfStart.current(given);
        }}
        onFocus={() => {
          commitOfStart.current = commit;
        }}
        onBlur={({ currentTarget }) => currentTarget.validity.valid && restore(currentTarget)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === "Enter") currentTarget.blur();
          if (key === "Escape") restore(currentTarget);
        }}
        {...others}
      />
      <Failed error={issue} id={id} />
      {isEscaped && <small>It has a line break or a hidden character: change it as JSON.</small>}
    </>
  );
}

type PercentProps = Omit<FieldProps, "value" | "commit" | "issueOf"> & {
  value: number;
  /** Whether fractions are invalid. */
  isWhole?: boolean;
  commit(value: number): void;
};

export function PercentField({ value, commit, isWhole = false, ...others }: PercentProps) {
  return (
    <Field
      {...others}
      class="pct"
      value={`${Number(value.toFixed(1))} %`}
      issueOf={(given) => percentIssue(given, isWhole)}
      commit={(given) => commit(readPercent(given))}
    />
  );
}
