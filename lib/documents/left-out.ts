/** Collects what a document leaves out, and why. */

export type Omissions = ReturnType<typeof createOmissions>;

/** The same thing in several places counts once. */
export function createOmissions() {
  const groups = new Map<string, Set<string>>();
  return {
    add(what: string, why: string, which: string): void {
      const id = JSON.stringify([what, why]);
      groups.set(id, (groups.get(id) ?? new Set<string>()).add(which));
    },
    list: () =>
      [...groups].map(([id, which]) => {
        const [what, why]: [string, string] = JSON.parse(id);
        return { what, why, count: which.size, which: [...which] };
      }),
  };
}

/** Leaving these out changes what an SDK evaluates; leaving out tags, for example, does not. */
export const decisive: ReadonlySet<string> = new Set(["payload", "stickiness", "overrides", "variants"]);

/** Why features of Burgee are not in a document that is made from a base document. */
export const lacking = "the file lacks them";

/** Why variants of a base document are not in what is made from it: as in Burgee. */
export const removed = "the feature lacks them: they are removed";

/** How many variants and features a document lacks, or has otherwise than Burgee. */
export function countServedOtherwise({ list }: Omissions): number {
  const counted = list().filter(
    ({ what, why }) => why !== removed && (decisive.has(what) || why === lacking),
  );
  return counted.reduce((sum, { count }) => sum + count, 0);
}
