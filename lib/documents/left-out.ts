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

/** Leaving one of these out changes what an SDK evaluates. */
const decisive: ReadonlySet<string> = new Set(["payload", "stickiness", "overrides", "variants"]);

export const lacking = "the file lacks them";

/** Features of other projects, and unknown ones: SDKs get them as the file has them. */
export const foreign = "not in Burgee, in this project and environment: they stay as the file has them";

/** These variants do not count: without them the document is as in Burgee. */
export const removed = "the feature lacks them: they are removed";

/** What `--strict` refuses: an SDK would evaluate it differently from Burgee, or from the file. */
export function refusedByStrict({ list }: Omissions): ReturnType<Omissions["list"]> {
  return list().filter(({ what, why }) => decisive.has(what) || why === lacking || why === foreign);
}

/** What an SDK would evaluate differently from Burgee. */
export function countServedOtherwise(omissions: Omissions): number {
  const served = refusedByStrict(omissions).filter(({ why }) => why !== removed);
  return served.reduce((sum, { count }) => sum + count, 0);
}
