/** Collects what a document leaves out, and why. */

export type Omissions = ReturnType<typeof createOmissions>;

interface Group {
  what: string;
  why: string;
  which: Set<string>;
}

/** The same thing in several places counts once. */
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
    /** How much an SDK would evaluate differently from Burgee. */
    countServedOtherwise: () =>
      [...groups.values()].filter(isDecisive).reduce((sum, { which }) => sum + which.size, 0),
    /** What `--strict` refuses: an SDK would evaluate it differently from Burgee. */
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
