/** Draws the environments of a feature side by side, as they are and as the patch would leave them. */
import type { Variant } from "../../lib/contract/variants.ts";
import type { Outcome } from "./api.ts";
import { differing, find, membersOf } from "./compare.ts";
import { text } from "./controls.tsx";
import { applied } from "./draft.ts";
import { named, steps, type View } from "./look.ts";

const labels: Record<Outcome, string> = {
  patched: "will be patched",
  unchanged: "stays as it is",
  failed: "stops here",
  "not attempted": "not attempted",
};

export function Environments({ view }: { view: View }) {
  const columns = toColumns(view);
  const names = columns.flatMap(({ before, after }) => [...before, ...after].map(({ name }) => name));
  const rows = [...new Set(names)].sort((left, right) => left.localeCompare(right, "en"));
  const isIndexed = view.draft.form === "index";
  return (
    <div class="environments">
      {columns.map((column, place) => (
        <section
          key={column.name}
          class={`environment ${column.step ?? ""}`}
          style={{ gridRow: `span ${rows.length + 1}` }}
          aria-labelledby={`environment-${place}`}
        >
          <header>
            <h3 id={`environment-${place}`}>{text(column.name)}</h3>
            {column.step && <span class="badge">{labels[column.step]}</span>}
            {column.message && <p class="issue">{text(column.message)}</p>}
          </header>
          <ol style={{ gridRow: `span ${Math.max(1, rows.length)}` }}>
            {rows.map((name) => (
              <Row key={name} {...{ name, column, isIndexed }} first={columns[0] ?? column} />
            ))}
            {rows.length === 0 && <li class="variant absent">no variants</li>}
          </ol>
        </section>
      ))}
    </div>
  );
}

/** `asked` is what the patch leaves, before normalisation. */
function toColumns({ current, planned, request: { patch, form } }: View) {
  const outcomes = steps(planned);
  return current.map(({ environment: name, variants: before }) => {
    const plan = named(planned, name);
    const step = plan && patch.length > 0 ? outcomes[planned.indexOf(plan)] : undefined;
    const isPatched = plan && step === "patched";
    const asked: Variant[] = (isPatched && applied(before, patch, form)) || [];
    return { name, step, message: plan?.message, before, after: isPatched ? plan.variants : before, asked };
  });
}

type Column = ReturnType<typeof toColumns>[number];

/** A variant in an environment, compared with what the first environment has. */
function Row(row: { name: string; column: Column; first: Column; isIndexed: boolean }) {
  const { name, column, first, isIndexed } = row;
  const { before, after, asked } = column;
  const [had, has, other] = [find(before, name), find(after, name), find(first.after, name)];
  const variant = has ?? had;
  if (!variant) return <li class={`variant ${other ? "differs" : "absent"}`}>not in this environment</li>;
  const changed = had && has ? differing(had, has) : [];
  const state = !had ? "added" : !has ? "removed" : changed.length > 0 ? "changed" : "";
  const differs = !has || first === column ? [] : other ? differing(other, has) : [`no ${name} there`];
  const [was, is, wanted] = [had?.weight ?? 0, has?.weight ?? 0, find(asked, name)?.weight];
  const { weight: _, "weight type": __, ...members } = membersOf(variant);
  return (
    <li class={`variant ${state}`}>
      <p class="head">
        {isIndexed && had && <code class="index">/{before.indexOf(had)}</code>}
        <strong>{text(name)}</strong>
        {variant.weightType === "fix" && <span class="tag">fix</span>}
        {state && (state !== "changed" || was === is) && <span class={`tag ${state}`}>{state}</span>}
        <span class="weight">
          {had && was !== is && <del>{was}</del>} {has && (had && was !== is ? `→ ${is}` : is)}
        </span>
      </p>
      <div class="bar" aria-hidden="true">
        <i style={{ width: `${is / 10}%` }} />
        {had && was !== is && <i class="was" style={{ width: `${was / 10}%` }} />}
      </div>
      {has && wanted !== undefined && wanted !== is && (
        <p class="note">
          {wanted === was && had ? "normalised" : `the patch wrote ${wanted}, normalised to ${is}`}
        </p>
      )}
      <dl>
        {Object.entries(members).map(([member, value]) => (
          <div key={member} class={changed.includes(member) ? "changed" : ""}>
            <dt>{text(member)}</dt>
            {/* A long one scrolls, by keyboard too. */}
            <dd tabIndex={value.length > 150 || value.includes("\n") ? 0 : undefined}>{text(value)}</dd>
          </div>
        ))}
      </dl>
      {differs.length > 0 && (
        <p class="differs">
          differs from {text(first.name)}: {text(differs.join(", "))}
        </p>
      )}
    </li>
  );
}
