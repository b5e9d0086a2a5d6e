/** Says where a draft would write, by the outcomes of its dry run. */
import type { Draft } from "./request.ts";
import type { EnvironmentPreview, Preview } from "./send.ts";

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

/** The API makes an undo strict, and a change with a limit of moves. */
export function writesAllOrNothing({ undo, mostMoves }: Draft): boolean {
  return undo !== "" || mostMoves !== "";
}

export function environmentNames(environments: readonly { environment: string }[]): string[] {
  return environments.map(({ environment }) => environment);
}
