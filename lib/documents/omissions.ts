/** Collects what a document leaves out or has differently, and why. */

export type Omissions = ReturnType<typeof createOmissions>;

interface Group {
  what: string;
  why: string;
  which: Set<string>;
}

/** Counts each `which` once for a `what` and a `why`. */
export function createOmissions() {
  const groups = new Map<string, Group>();
  return {
    add(what: string, why: string, which: string): void {
      const id = JSON.stringify([what, why]);
      const group = groups.get(id) ?? { what, why, which: new Set() };
      groups.set(id, group);
      group.which.add(which);
    },
    list: () => [...groups.values()].map(toOmission),
    /** Lists the omissions that change what an SDK evaluates. */
    listDecisive: () => [...groups.values()].filter(({ what }) => decisive.has(what)).map(toOmission),
  };
}

function toOmission({ what, why, which }: Group) {
  return { what, why, count: which.size, which: [...which] };
}

const decisive: ReadonlySet<string> = new Set(["features", "payload", "stickiness"]);
