/** Collects what a document, an import or an export leaves out or has differently, and why. */

/** For example: "payload" is missing because "flagd has no exact values of one type", in the feature "checkout". */
interface Omission<What = string> {
  what: What;
  why: string;
  /** The name of the feature, or of what else it is missing in. */
  which: string;
}

export type Omissions = ReturnType<typeof createOmissions>;

/** The omissions of a document that SDKs load. Imports and exports have others too. */
export interface DocumentOmissions {
  add(omission: Omission<OmittedFromDocument>): void;
}

type OmittedFromDocument = "features" | "payload" | "absent payload" | "stickiness" | "weightType";

interface Group extends Omit<Omission, "which"> {
  which: Set<string>;
}

/** Counts each `which` once for a `what` and a `why`. */
export function createOmissions() {
  const groups = new Map<string, Group>();
  return {
    add({ what, why, which }: Omission): void {
      const id = JSON.stringify([what, why]);
      const group = groups.get(id) ?? { what, why, which: new Set() };
      groups.set(id, group);
      group.which.add(which);
    },
    list: () => [...groups.values()].map(toListed),
    /** Lists those by which users get something else. */
    listDecisive: () => [...groups.values()].filter(({ what }) => decisiveOmissions.has(what)).map(toListed),
  };
}

function toListed({ what, why, which }: Group) {
  return { what, why, count: which.size, which: [...which] };
}

/** Without one of these, an SDK evaluates something else than the feature says. */
const decisiveOmissions: ReadonlySet<string> = new Set<OmittedFromDocument>([
  "features",
  "payload",
  "stickiness",
]);
