/** Lists what can happen next. */
import type { Local } from "./history.ts";
import type { Choice, Fault, World } from "./world.ts";

/** The session, or a proxy, retries the call, and nothing else follows. */
const ofOneCall: readonly Fault[] = ["response-lost", "repeated", "throttled", "late"];

export interface Possible {
  faults: readonly Fault[];
  /** Without reductions. */
  isWhole: boolean;
}

export function choicesOf({ locals, strays, faultsLeft }: World, possible: Possible): Choice[] {
  const ofProcesses = locals.flatMap((local, process) =>
    [...local.calls.keys()].flatMap((call): Choice[] => {
      const faults = faultsLeft > 0 ? faultsAt(local, call, possible) : [];
      return [{ process, call }, ...faults.map((fault) => ({ process, call, fault }))];
    }),
  );
  return [...ofProcesses, ...strays.map((_, stray) => ({ stray }))];
}

/** A read that is retried is one that is performed later. A fault of the whole process strikes it at one call. */
function faultsAt({ calls, hasTimer, attempts }: Local, call: number, possible: Possible): Fault[] {
  return possible.faults.filter((fault) => {
    if (ofOneCall.includes(fault)) return calls[call]?.isWrite || possible.isWhole;
    // An operator has no deadline.
    if (fault === "deadline") return hasTimer && call === 0 && attempts.at(-1)?.intent;
    return fault !== "killed" || call === 0;
  });
}
