/** Collects what a document leaves out or has differently, and why. */

export type Omissions = ReturnType<typeof createOmissions>;

interface Group {
  what: string;
  why: string;
  which: Set<string>;
}

/** A thing that is left out in several places for the same reason counts once. */
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
    /** Lists what makes an SDK evaluate something else than Burgee has. */
    listDecisive: () => [...groups.values()].filter(({ what }) => decisive.has(what)).map(toOmission),
  };
}

function toOmission({ what, why, which }: Group) {
  return { what, why, count: which.size, which: [...which] };
}

/** Leaving one of these out changes what an SDK evaluates. */
const decisive: ReadonlySet<string> = new Set(["features", "payload", "stickiness"]);
