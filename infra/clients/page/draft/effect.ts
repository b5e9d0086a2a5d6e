/** Says where a draft would write, by the outcomes of its dry run. */
import { strictBurgeeOptions } from "../../api/headers.ts";
import type { Draft } from "./draft.ts";
import type { EnvironmentPreview, Preview } from "./send-draft.ts";

interface Effect {
  /** The environments that the draft would change. */
  changing: readonly EnvironmentPreview[];
  /** The names of the environments that an earlier attempt has changed. */
  done: readonly string[];
  /** The environment in which the request would fail. */
  failing: EnvironmentPreview | undefined;
}

/** A dry run lists the environments after the first failure too, which the request would not reach. */
export function effectOf(draft: Draft, { environments }: Preview): Effect {
  const failing = environments.find(({ outcome }) => outcome === "failed");
  const reached = failing ? environments.slice(0, environments.indexOf(failing)) : environments;
  const changing = reached.filter(({ outcome }) => outcome === "would patch");
  const done = environments.filter(({ outcome }) => outcome === "already patched");
  return {
    changing: failing && writesAllOrNothing(draft) ? [] : changing,
    done: environmentNames(done),
    failing,
  };
}

/** Whether the request writes nothing if one environment would fail: an undo, or a change with an option that makes it strict. */
export function writesAllOrNothing(draft: Draft): boolean {
  return draft.undo !== "" || strictBurgeeOptions.some((name) => draft[name] !== "");
}

export function environmentNames(environments: readonly { environment: string }[]): string[] {
  return environments.map(({ environment }) => environment);
}
