/** Collects what a document leaves out or has differently, and why. */

export type Omissions = ReturnType<typeof createOmissions>;

interface Group {
  what: string;
  why: string;
  which: Set<string>;
}

/** Counts a thing once that is left out in several places for the same reason. */
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
    /** Counts what an SDK would evaluate differently from Burgee. */
    countServedOtherwise: () =>
      [...groups.values()].filter(isDecisive).reduce((sum, { which }) => sum + which.size, 0),
    /** Lists what an SDK would evaluate differently from Burgee, which `--strict` refuses. */
    refusedByStrict: () => [...groups.values()].filter(isDecisive).map(toOmission),
  };
}

function toOmission({ what, why, which }: Group) {
  return { what, why, count: which.size, which: [...which] };
}

function isDecisive({ what }: Group): boolean {
  return decisive.has(what);
}

/** Leaving one of these out changes what an SDK evaluates. */
const decisive: ReadonlySet<string> = new Set([
  "features",
  "payload",
  "stickiness",
  "overrides",
  "constraints",
]);
