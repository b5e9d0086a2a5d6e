/** A form that drafts a patch which copies one environment to another, wholly or in part. */
import type { App } from "./app.ts";
import { button, fieldsOf, options } from "./controls.tsx";
import type { Content, Flag } from "./load.ts";

const parts: Readonly<Record<string, readonly (keyof Content)[]>> = {
  Variants: ["variants"],
  "Who gets it": ["strategies", "dependencies", "targeting"],
  Switch: ["enabled"],
};

export function Promotion({ flag, app, close }: { flag: Flag; app: App; close(): void }) {
  const names = flag.environments.map(({ environment }) => environment);
  const promote = (values: Record<string, string>) => {
    const [source, target] = [values.from, values.to].map((name) =>
      flag.environments.find(({ environment }) => environment === name),
    );
    if (!source || !target || source === target) return;
    const wanted = Object.keys(parts).flatMap((part) => (values[part] ? (parts[part] ?? []) : []));
    const operations = wanted.flatMap((member) => {
      const path = `/${member}`;
      if (source[member] !== undefined) return { op: "add", path, value: source[member] };
      return target[member] === undefined ? [] : { op: "remove", path };
    });
    if (operations.length === 0) return;
    close();
    app.draftPatch(target.environment, operations);
  };
  return (
    <form class="line" onSubmit={(event) => promote(fieldsOf(event))}>
      <label class="line">
        From <select name="from">{options(names)}</select>
      </label>
      <label class="line">
        to{" "}
        <select name="to" value={names.at(-1) ?? ""}>
          {options(names)}
        </select>
      </label>
      {Object.keys(parts).map((part) => (
        <label class="line" key={part}>
          <input type="checkbox" name={part} defaultChecked={part !== "Switch"} /> {part}
        </label>
      ))}
      <button type="submit">Preview</button>
      {button("Cancel", close)}
    </form>
  );
}
