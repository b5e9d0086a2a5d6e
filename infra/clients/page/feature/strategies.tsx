/** Draws which users get a feature in an environment: its strategies as sentences, with forms that edit them. */
import { formatPointer } from "../../../../lib/contract/json.ts";
import { lastSortOrder } from "../../../../lib/contract/unleash-rules.ts";
import { printable, printableLines } from "../../../cli/printable.ts";
import { newRollout } from "../../api/new-rollout.ts";
import { operators } from "../../words/operators.ts";
import { reachedPercent, userIdsIn } from "../../words/users-in-words.ts";
import { newPageId } from "../draft/draft.ts";
import type { Operation } from "../draft/patch.ts";
import { button, Choice, text } from "../elements/controls.tsx";
import { Field, PercentField } from "../elements/fields.tsx";
import { ownMember } from "../own-member.ts";
import type { ShownEnvironment, ShownStrategy } from "../requests/shown.ts";
import { strategyList } from "../strategy-list.ts";
import { constraintValues } from "../words/format.ts";
import { ConstraintForm } from "./constraint-form.tsx";
import { VariantRows } from "./variant-rows.tsx";

interface StrategiesProps {
  feature: string;
  before: ShownEnvironment;
  after: ShownEnvironment;
  /** Whether the draft is an undo. */
  isUndo: boolean;
  colourOf(name: string): string;
  edit(operations: readonly Operation[]): void;
}

export function StrategyForms({ feature, before, after, isUndo, colourOf, edit }: StrategiesProps) {
  const strategies = strategyList(after.strategies);
  const add = () => {
    const last = Math.max(-1, ...strategies.map(({ sortOrder }) => sortOrder));
    const value = {
      ...newRollout(feature, "100"),
      sortOrder: Math.min(lastSortOrder, last + 1),
      constraints: [],
      variants: {},
    };
    edit([{ op: "add", path: `/strategies/${newPageId()}`, value }]);
  };
  const { targeting, environment } = after;
  const everyone = targeting
    ? "In flagd, the logic below decides who gets the flag."
    : "Everyone gets the flag.";
  const usersWhenOn = strategies.length === 0 ? everyone : "";
  const users = before.enabled ? usersWhenOn : `Off: no user gets it. When on: ${usersWhenOn}`;
  return (
    <div class="who">
      {users && <p>{users}</p>}
      {strategies.map(({ id, ...strategy }, index) => (
        <StrategyForm
          key={id}
          {...{ id, strategy, environment, isUndo, colourOf, edit }}
          isFirst={index === 0}
          before={ownMember(before.strategies, id)}
        />
      ))}
      {Object.entries(before.strategies).map(
        ([id, strategy]) =>
          !Object.hasOwn(after.strategies, id) && (
            <p key={id}>
              <del>{text(strategy.title || strategyName(strategy))}</del> <small>removed</small>
            </p>
          ),
      )}
      {button(strategies.length === 0 ? "Limit who gets the flag" : "Add a strategy", add, { class: "link" })}
      {targeting && (
        <details>
          <summary>flagd's own logic</summary>
          <pre>{printableLines(JSON.stringify(targeting, null, 2))}</pre>
        </details>
      )}
    </div>
  );
}

type Constraint = ShownStrategy["constraints"][number];

interface StrategyProps extends Pick<StrategiesProps, "isUndo" | "colourOf" | "edit"> {
  id: string;
  strategy: ShownStrategy;
  before: ShownStrategy | undefined;
  environment: string;
  isFirst: boolean;
}

function StrategyForm({ id, strategy, before, environment, isUndo, isFirst, colourOf, edit }: StrategyProps) {
  const { name, title = "", disabled = false, parameters, constraints, variants } = strategy;
  const path = `/strategies${formatPointer([id])}`;
  const set = (member: string, value: unknown) => edit([{ op: "add", path: path + member, value }]);
  const setParameter = (member: string, value: string) => set(`/parameters${formatPointer([member])}`, value);
  const rollout = reachedPercent(parameters.rollout);
  const was = before?.parameters.rollout;
  const where = `${environment}, strategy ${title || id}`;
  const isKept = (constraint: Constraint) =>
    constraints.some((each) => JSON.stringify(each) === JSON.stringify(constraint));
  const removed = before?.constraints.filter((each) => !isKept(each)) ?? [];
  const hasVariants = Object.keys(variants).length > 0 || Object.keys(before?.variants ?? {}).length > 0;
  return (
    <section
      class={disabled ? "strategy disabled" : "strategy"}
      aria-label={printable(`Strategy ${title || id}`)}
    >
      {title && <small>{text(title)}</small>}
      <p>
        {!isFirst && "or "}
        {name === "flexibleRollout" ? (
          <>
            <PercentField
              label={`Rollout in ${where}`}
              value={rollout}
              isWhole={true}
              commit={(value) => setParameter("rollout", String(value))}
            />{" "}
            of users get it{byStickiness(parameters.stickiness)}{" "}
            {was !== undefined && was !== parameters.rollout && <small>{text(`was ${was} %`)}</small>}
          </>
        ) : (
          matchedUsers(name, parameters)
        )}
        {name === "userWithId" && before && usersOf(before.parameters) !== usersOf(parameters) && (
          <small> {text(`was ${usersOf(before.parameters)}`)}</small>
        )}
        {!before && <small> new</small>} {disabled && <small>disabled</small>}
      </p>
      {name === "flexibleRollout" && (
        <input
          type="range"
          min="0"
          max="100"
          aria-label={printable(`Slide the rollout in ${where}`)}
          value={rollout}
          onChange={({ currentTarget }) => setParameter("rollout", currentTarget.value)}
        />
      )}
      {constraints.map((constraint) => (
        <p class="and" key={JSON.stringify(constraint)}>
          and {constraintInWords(constraint)}
        </p>
      ))}
      {removed.map((constraint) => (
        <p class="and" key={`removed ${JSON.stringify(constraint)}`}>
          <del>and {constraintInWords(constraint)}</del> <small>removed</small>
        </p>
      ))}
      <details>
        <summary aria-label={printable(`Edit the strategy ${title || id}`)}>edit</summary>
        <ConstraintForm constraints={constraints} save={(list) => set("/constraints", list)} />
        <StrategyFields
          {...{ strategy, where, set, setParameter }}
          remove={() => edit([{ op: "remove", path }])}
        />
        {!hasVariants && variantRows()}
      </details>
      {hasVariants && variantRows()}
    </section>
  );

  function variantRows() {
    return (
      <VariantRows
        {...{ isUndo, colourOf, edit }}
        base={`${path}/variants`}
        where={where}
        before={before?.variants ?? {}}
        after={variants}
        isSorted={false}
      />
    );
  }
}

interface StrategyFieldsProps {
  strategy: ShownStrategy;
  where: string;
  set(member: string, value: unknown): void;
  setParameter(name: string, value: string): void;
  remove(): void;
}

function StrategyFields({ strategy, where, set, setParameter, remove }: StrategyFieldsProps) {
  const { name, title = "", disabled = false, parameters } = strategy;
  return (
    <div class="fields">
      {name === "flexibleRollout" && (
        <span class="field">
          Stickiness
          <Field
            label={`Stickiness in ${where}`}
            value={parameters.stickiness ?? "default"}
            commit={(value) => setParameter("stickiness", value || "default")}
          />
        </span>
      )}
      {name === "userWithId" && (
        <span class="field">
          Users
          <Field
            label={`Users in ${where}`}
            value={parameters.userIds ?? ""}
            commit={(value) => setParameter("userIds", value)}
          />
        </span>
      )}
      <span class="field">
        Title
        <Field label={`Title in ${where}`} value={title} commit={(value) => set("/title", value)} />
      </span>
      <span class="field">
        State
        <Choice
          label={`State in ${where}`}
          value={String(disabled)}
          choices={{ false: "enabled", true: "disabled" }}
          choose={(value) => set("/disabled", value === "true")}
        />
      </span>
      {button("Remove the strategy", remove, { class: "danger" })}
    </div>
  );
}

function strategyName({ name, parameters }: ShownStrategy): string {
  return name === "flexibleRollout" ? `${reachedPercent(parameters.rollout)} % of users get it` : name;
}

function byStickiness(stickiness = "default") {
  return stickiness === "default" ? "" : [", by ", <strong key="by">{text(stickiness)}</strong>];
}

function usersOf({ userIds }: ShownStrategy["parameters"]): string {
  return userIdsIn(userIds).join(", ");
}

function constraintInWords(constraint: Constraint) {
  const { inverted, contextName, operator, caseInsensitive } = constraint;
  return (
    <>
      {inverted && "not: "}
      <strong>{text(contextName)}</strong> {operators[operator] ?? operator}{" "}
      {text(constraintValues(constraint))}
      {caseInsensitive && " in any case"}
    </>
  );
}

function matchedUsers(name: string, parameters: ShownStrategy["parameters"]) {
  if (name === "default") return "Every user gets the flag";
  if (name === "userWithId")
    return ["The users ", <strong key="users">{text(usersOf(parameters))}</strong>, " get it"];
  const given = Object.entries(parameters).map((entry) => entry.join(" "));
  return text(`Users whom the strategy ${name} matches get it (${given.join(", ")})`);
}
