/** What can happen next. */
import type { Local } from "./history.ts";
import type { Choice, Fault, World } from "./world.ts";

/** The session retries the call, and nothing else follows. */
const ofOneCall: readonly Fault[] = ["response-lost", "request-lost", "throttled", "overtaken"];

export interface Possible {
  faults: readonly Fault[];
  /** Whether the scenario adds, changes or removes API keys. */
  changesKeys: boolean;
  /** Without reductions. */
  isWhole: boolean;
}

/** As far as the budget goes. The process that went last comes first. */
export function choicesOf({ locals, strays, last, left }: World, possible: Possible): Choice[] {
  const ready = [...locals.keys()].filter((process) => (locals[process]?.calls.length ?? 0) > 0);
  const looking = ready.find(
    (process) => !possible.changesKeys && !possible.isWhole && looksUpKey(locals[process]),
  );
  if (looking !== undefined) return choicesAt(looking, false).map((choice) => ({ ...choice, isFree: true }));
  const isLastReady = last !== undefined && ready.includes(last);
  const inOrder = ready.sort((one, other) => Number(other === last) - Number(one === last));
  const ofProcesses = inOrder.flatMap((process) => {
    const isPreemption = isLastReady && process !== last;
    return isPreemption && left.preemptions <= 0 ? [] : choicesAt(process, isPreemption);
  });
  return [...ofProcesses, ...strays.map((_, stray) => ({ stray }))];

  function choicesAt(process: number, isPreemption: boolean): Choice[] {
    const local = locals[process] as Local;
    return [...local.calls.keys()].flatMap((call) => {
      const faults = left.faults > 0 ? faultsAt(local, call, possible) : [];
      const plain = { process, call, isPreemption };
      return [plain, ...faults.map((fault) => ({ ...plain, fault }))];
    });
  }
}

/** Where no operator changes keys, a look-up returns the same at any time, so it is done first. */
function looksUpKey({ calls: [call, ...others] }: Local = { calls: [] } as never): boolean {
  if (others.length > 0 || call?.operation !== "GetItem") return false;
  return (call.input.Key as { pk: { S: string } }).pk.S.startsWith("KEY#");
}

/** A read that is retried is one that is performed later. A fault of the whole process strikes it at one call. */
function faultsAt({ calls, hasTimer, attempts }: Local, call: number, possible: Possible): Fault[] {
  return possible.faults.filter((fault) => {
    if (ofOneCall.includes(fault)) return calls[call]?.isWrite || possible.isWhole;
    // An operator has no deadline.
    if (fault === "deadline") return hasTimer && call === 0 && attempts.at(-1)?.wish;
    return fault !== "killed" || call === 0;
  });
}

export function labelOf(choice: Choice, { locals }: World): string {
  if ("stray" in choice) return `late${choice.stray > 0 ? `/${choice.stray + 1}` : ""}`;
  const { process, call, fault } = choice;
  return `${locals[process]?.name}${call > 0 ? `/${call + 1}` : ""}${fault ? `:${fault}` : ""}`;
}
