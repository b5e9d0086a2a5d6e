/** Sends a patch or an undo, previews it by dry runs, and loads the names to choose from. */
import type * as z from "zod/mini";
import { limits } from "../../lib/contract/limits.ts";
import type { Features, Projects } from "../../lib/contract/lists.ts";
import type {
  changesSchema,
  Detail,
  ErrorBody,
  featureVariantsByNameSchema,
  featureVariantsSchema,
} from "../../lib/contract/responses.ts";
import type { Variant } from "../../lib/contract/variants.ts";
import { ambiguities } from "./indexes.ts";
import { jsonError } from "./patch.ts";
import { bodyOf, headersOf, methodOf, newKey, otherPath, type PatchRequest, urlOf } from "./request.ts";

export interface Environment {
  environment: string;
  outcome: "will be patched" | NonNullable<Detail["outcome"]>;
  variants: Variant[];
  message?: string;
  hint?: string;
}

export type Reply = Awaited<ReturnType<typeof send>>;
export type Preview = Awaited<ReturnType<typeof loadPreview>>;
type History = z.infer<typeof changesSchema>;
type DryRun = z.infer<typeof featureVariantsSchema> | z.infer<typeof featureVariantsByNameSchema>;

/** `error` is why the request failed, or empty; where the page cannot know whether it did, the status is 0. */
export async function send(request: PatchRequest, mode: "dry run" | "write") {
  const url = urlOf(request) + (mode === "dry run" ? "&dryRun=true" : "");
  const headers = { authorization: request.key, ...headersOf(request) };
  const init: RequestInit = { method: methodOf(request), headers, credentials: "omit", redirect: "error" };
  // The server would not say where the text stops being JSON.
  const invalid = otherPath(request) || (request.change ? "" : jsonError(request.text));
  const sent = invalid ? undefined : fetch(url, { ...init, body: bodyOf(request) });
  const response = await sent?.catch(() => undefined);
  const body: Partial<DryRun & ErrorBody> = Object(await response?.json().catch(() => undefined));
  const { environments = [], details = [], missingPermissions = [] } = body;
  const { message = `HTTP status ${response?.status}` } = body;
  const etag = response?.headers.get("etag") ?? "";
  const change = response?.headers.get("burgee-change") ?? "";
  const lost = `No response from ${location.origin}`;
  // Apply would have no precondition.
  const unsafe = "This page could not see changes since its preview: the response has no ETag";
  const refused =
    response?.status === 412 ? "Another request has changed the variants since this preview." : message;
  const error = invalid || (!response ? lost : !response.ok ? refused : etag === "" ? unsafe : "");
  // What was not sent has no response, but its outcome is known.
  const status = invalid ? 400 : response && error !== unsafe ? response.status : 0;
  const planned = toEnvironments(environments, request);
  return { status, error, details, etag, change, missingPermissions, environments: planned };
}

/**
 * `stop` is where the patch would stop, `changed` what it would change before that, and `ambiguities` has the different
 * variants that each operation means, also where it would stop. `history` has the last changes of the feature, newest first, and is undefined if they are not known.
 */
export async function loadPreview(draft: PatchRequest) {
  const read = { ...draft, environment: "", text: "[]", change: "", reason: "", idempotencyKey: newKey() };
  const changesUrl = urlOf({ ...read, form: "name" }, ["changes"]);
  const loaded = get<History>(changesUrl, draft.key);
  const requests = [send(read, "dry run"), send(draft, "dry run"), loaded] as const;
  const [{ environments: stored, error, status }, plan, list] = await Promise.all(requests);
  const namesOf = (...wanted: Environment["outcome"][]) =>
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
    ambiguities: draft.form === "index" && !draft.change ? ambiguities(draft.text, written) : [],
    history: list,
  };
}

/** What the key may read, to choose from: projects, and the features of this one. */
export async function loadNames({ key, project }: Pick<PatchRequest, "key" | "project">) {
  const features = `api/admin/projects/${encodeURIComponent(project)}/features?limit=${limits.listedFeatures}`;
  const loaded = project === "" ? undefined : get<Features>(features, key);
  const [allowed, listed] = await Promise.all([get<Projects>("api/admin/projects", key), loaded]);
  return {
    projects: allowed?.projects.map(({ id }) => id) ?? [],
    features: listed?.features.map(({ name }) => name) ?? [],
  };
}

async function get<Body>(url: string, key: string): Promise<Body | undefined> {
  const response = await fetch(url, { headers: { authorization: key } }).catch(() => undefined);
  return response?.ok ? response.json().catch(() => undefined) : undefined;
}

export function named<Type extends { environment?: string }>(environments: readonly Type[], name: string) {
  return environments.find(({ environment }) => environment === name);
}

/**
 * A patch stops at the first failure; an undo with one does nothing. An environment without changes was patched by an
 * earlier attempt.
 */
function toEnvironments(
  previews: NonNullable<DryRun["environments"]>,
  { change }: PatchRequest,
): Environment[] {
  const stop = previews.findIndex(({ outcome }) => outcome === "failed");
  return previews.map(({ variants, outcome, changes = [], ...others }, index) => {
    const planned = outcome === "patched" && changes.length > 0 ? "will be patched" : outcome;
    const isStopped = stop !== -1 && (change ? planned === "will be patched" : index > stop);
    return {
      ...others,
      outcome: isStopped ? "not attempted" : planned,
      variants: Object.entries(variants).map(([name, variant]) => ({ name, ...variant })),
    };
  });
}
