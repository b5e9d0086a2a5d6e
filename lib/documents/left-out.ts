/** Collects what a document leaves out, and why. */

export type Omissions = ReturnType<typeof createOmissions>;

/** Why something is left out. Without a `differsFrom`, it depends on what is left out whether SDKs see it. */
interface Reason {
  text: string;
  /** From what the document then differs for SDKs. */
  differsFrom?: "Burgee" | "the file";
}

interface Group {
  what: string;
  why: string;
  which: Set<string>;
  differsFrom: Reason["differsFrom"];
}

/** The same thing in several places counts once. */
export function createOmissions() {
  const groups = new Map<string, Group>();
  return {
    add(what: string, why: string | Reason, which: string): void {
      const { text, differsFrom = decisive.has(what) ? "Burgee" : undefined }: Reason =
        typeof why === "string" ? { text: why } : why;
      const id = JSON.stringify([what, text]);
      const group = groups.get(id) ?? { what, why: text, which: new Set(), differsFrom };
      groups.set(id, group);
      group.which.add(which);
    },
    list: () => [...groups.values()].map(toOmission),
    /** What `--strict` refuses: an SDK would evaluate it differently from Burgee, or from the file. */
    refusedByStrict: () =>
      [...groups.values()].filter((one) => one.differsFrom !== undefined).map(toOmission),
    /** How much an SDK would evaluate differently from Burgee. */
    countServedOtherwise: () =>
      [...groups.values()]
        .filter((one) => one.differsFrom === "Burgee")
        .reduce((sum, { which }) => sum + which.size, 0),
  };
}

function toOmission({ what, why, which }: Group) {
  return { what, why, count: which.size, which: [...which] };
}

/** Leaving one of these out changes what an SDK evaluates. */
const decisive: ReadonlySet<string> = new Set(["payload", "stickiness", "overrides", "variants"]);

export const lacking: Reason = { text: "the file lacks them", differsFrom: "Burgee" };

/** Features of other projects, and unknown ones. SDKs get them as the file has them. */
export const foreign: Reason = {
  text: "not in Burgee, in this project and environment: they stay as the file has them",
  differsFrom: "Burgee",
};

/** Without these variants the document is as in Burgee. */
export const removed: Reason = { text: "the feature lacks them: they are removed", differsFrom: "the file" };
