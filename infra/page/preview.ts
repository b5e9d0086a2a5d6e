/** Previews a request: what is stored, what the request would make of it, and the last changes. */
import type * as z from "zod/mini";
import type { changesSchema } from "../../lib/contract/changes.ts";
import type { Tag } from "../../lib/contract/tags.ts";
import { ambiguities } from "./indexes.ts";
import { loadChanges, loadFeature } from "./load.ts";
import { isPatch, type PatchRequest } from "./request.ts";
import { type EnvironmentOutcome, named, type Reply, send } from "./send.ts";

export interface Preview {
  draft: PatchRequest;
  stored: EnvironmentOutcome[];
  plan: Reply;
  /** The environment where the patch would stop. */
  stop: string | undefined;
  /** The environments that it would change before it stops. */
  changed: string[];
  /** For each operation the different variants that its indexes mean, also where it would stop. */
  ambiguities: string[];
  tags: Tag[];
  /** Has the last changes of the feature, newest first; undefined if they are not known. */
  history: z.infer<typeof changesSchema> | undefined;
  readAt: number;
  /** What is stored could not be read: it is shown as it was before. */
  isOld?: boolean;
}

export async function loadPreview(draft: PatchRequest): Promise<Preview> {
  const requests = [loadFeature(draft), send(draft, "dry run"), loadChanges(draft)] as const;
  const [{ json: feature, error, status }, sent, history] = await Promise.all(requests);
  const stored: EnvironmentOutcome[] = (feature?.environments ?? []).map((each) => ({
    ...each,
    outcome: "unchanged",
  }));
  const plan = { ...sent, environments: withStored(sent.environments, stored, draft) };
  const namesOf = (...wanted: EnvironmentOutcome["outcome"][]) =>
    plan.environments.filter(({ outcome }) => wanted.includes(outcome)).map(({ environment }) => environment);
  const [stop, changed] = [namesOf("failed")[0], namesOf("will be patched")];
  const pending = namesOf("will be patched", "failed", "not attempted");
  const written = stored.filter(({ environment }) => pending.includes(environment));
  return {
    draft,
    stored,
    plan: error ? { ...plan, error, status } : plan,
    stop,
    changed,
    ambiguities: draft.form === "index" && isPatch(draft) ? ambiguities(draft.text, written) : [],
    tags: feature?.tags ?? [],
    history,
    readAt: Date.now(),
  };
}

/** The dry run of a switch has no variants: they stay. */
function withStored(
  planned: EnvironmentOutcome[],
  stored: EnvironmentOutcome[],
  { switchTo }: PatchRequest,
): EnvironmentOutcome[] {
  if (!switchTo) return planned;
  const enabled = switchTo === "on";
  return planned.map((each) => {
    const { variants = [], enabled: was } = named(stored, each.environment) ?? {};
    const isPending = each.outcome === "would patch" && was !== enabled;
    return { ...each, enabled, variants, outcome: isPending ? "will be patched" : each.outcome };
  });
}
