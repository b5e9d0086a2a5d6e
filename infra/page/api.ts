/** Sends a patch, a switch or an undo, previews it by dry runs, and loads what is stored. */
import type * as z from "zod/mini";
import type { changesSchema } from "../../lib/contract/changes.ts";
import type { Detail, ErrorBody } from "../../lib/contract/error-body.ts";
import type { FeaturesWithEnvironments, Projects } from "../../lib/contract/lists.ts";
import type {
  featureSchema,
  featureVariantsByNameSchema,
  featureVariantsSchema,
  switchedFeatureSchema,
} from "../../lib/contract/responses.ts";
import type { Variant } from "../../lib/contract/variants.ts";
import { ambiguities } from "./indexes.ts";
import { jsonError } from "./patch.ts";
import {
  bodyOf,
  headersOf,
  isPatch,
  methodOf,
  otherPath,
  type PatchRequest,
  toApiUrl,
  urlOf,
} from "./request.ts";

export interface Environment {
  environment: string;
  outcome: "will be patched" | NonNullable<Detail["outcome"]>;
  variants: Variant[];
  /** Whether the feature is on; in a plan, where the request switches it. */
  enabled?: boolean | undefined;
  message?: string;
  hint?: string;
}

export type Reply = Awaited<ReturnType<typeof send>>;
export type Preview = Awaited<ReturnType<typeof loadPreview>> & {
  /** What is stored could not be read: it is shown as it was before. */
  isOld?: boolean;
};
type History = z.infer<typeof changesSchema>;
/** API Gateway ends a request within 30 seconds, so no response comes later. */
const longestWait = 35_000;

type DryRun =
  | z.infer<typeof featureVariantsSchema>
  | z.infer<typeof featureVariantsByNameSchema>
  | z.infer<typeof switchedFeatureSchema>;
type Feature = z.infer<typeof featureSchema>;

/** `error` is why the request failed, or empty; where the page cannot know whether it did, the status is 0. */
export async function send(request: PatchRequest, mode: "dry run" | "write") {
  const url = urlOf(request, mode === "dry run" ? { dryRun: "true" } : {});
  const headers = { authorization: request.key, ...headersOf(request) };
  const init: RequestInit = { method: methodOf(request), headers, redirect: "error" };
  // The server would not say where the text stops being JSON.
  const invalid = otherPath(request) || (isPatch(request) ? jsonError(request.text) : "");
  const answer = invalid ? undefined : await exchange(url, { ...init, body: bodyOf(request) });
  const { response, json } = answer ?? {};
  const body: Partial<Omit<DryRun, "environments"> & ErrorBody> & { environments?: Shown[] } = Object(json);
  const { environments = [], details = [], missingPermissions = [] } = body;
  const { message = `HTTP status ${response?.status}` } = body;
  const etag = response?.headers.get("etag") ?? "";
  const change = response?.headers.get("burgee-change") ?? "";
  const hint = response?.headers.get("burgee-hint") ?? "";
  const lost = `No response from ${location.origin}`;
  // Apply would have no precondition.
  const unsafe = "This page could not see changes since its preview: the response has no ETag";
  const refused =
    response?.status === 412 ? "Another request has changed the variants since this preview." : message;
  const error = invalid || (!response ? lost : !response.ok ? refused : etag === "" ? unsafe : "");
  // What was not sent has no response, but its outcome is known.
  const status = invalid ? 400 : response && error !== unsafe ? response.status : 0;
  const planned = toEnvironments(environments, request);
  return { status, error, details, etag, change, hint, missingPermissions, environments: planned };
}

/**
 * `stop` is where the patch would stop, `changed` what it would change before that, and `ambiguities` has the different
 * variants that each operation means, also where it would stop. `history` has the last changes of the feature, newest first, and is undefined if they are not known.
 */
export async function loadPreview(draft: PatchRequest) {
  const path = ["projects", draft.project, "features", draft.feature];
  const loaded = get<History>(toApiUrl([...path, "variants", "changes"]), draft.key);
  const requests = [loadFeature(draft), send(draft, "dry run"), loaded] as const;
  const [{ json: feature, error, status }, sent, history] = await Promise.all(requests);
  const stored: Environment[] = (feature?.environments ?? []).map((each) => ({
    ...each,
    outcome: "unchanged",
  }));
  const plan = { ...sent, environments: withStored(sent.environments, stored, draft) };
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
    ambiguities: draft.form === "index" && isPatch(draft) ? ambiguities(draft.text, written) : [],
    tags: feature?.tags ?? [],
    history,
    readAt: Date.now(),
  };
}

type FeaturePlace = Pick<PatchRequest, "key" | "project" | "feature">;

/** As it is stored, in every environment. */
export async function loadFeature(place: FeaturePlace): Promise<Loaded<Feature>> {
  const invalid = otherPath({ ...place, environment: "" });
  if (invalid) return { json: undefined, error: invalid, status: 400 };
  return load<Feature>(toApiUrl(["projects", place.project, "features", place.feature]), place.key);
}

export function loadProjects(key: string): Promise<Loaded<Projects>> {
  return load<Projects>(toApiUrl(["projects"]), key);
}

/** A page of the features of a project, after this one. */
export function loadFeatures({ key, project }: FeaturePlace, after: string, limit: number) {
  const query = { with: "environments", limit: String(limit), ...(after && { after }) };
  return load<FeaturesWithEnvironments>(toApiUrl(["projects", project, "features"], query), key);
}

interface Loaded<Body> {
  json: Body | undefined;
  /** Why it is not there, or empty. */
  error: string;
  status: number;
}

async function load<Body>(url: string, key: string): Promise<Loaded<Body>> {
  const { response, json } = await exchange(url, { headers: { authorization: key } });
  if (!response) return { json: undefined, error: `No response from ${location.origin}`, status: 0 };
  if (response.ok && json !== undefined) return { json: json as Body, error: "", status: response.status };
  const { message = `HTTP status ${response.status}` }: Partial<ErrorBody> = Object(json);
  return { json: undefined, error: message, status: response.status };
}

async function get<Body>(url: string, key: string): Promise<Body | undefined> {
  return (await load<Body>(url, key)).json;
}

/** There is no response where the server does not answer in time, and no JSON where the body is none. */
async function exchange(url: string, init: RequestInit): Promise<{ response?: Response; json?: unknown }> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), longestWait);
  try {
    const response = await fetch(url, { ...init, credentials: "omit", signal: timeout.signal });
    return { response, json: await response.json().catch(() => undefined) };
  } catch {
    return {};
  } finally {
    clearTimeout(timer);
  }
}

export function named<Type extends { environment?: string }>(environments: readonly Type[], name: string) {
  return environments.find(({ environment }) => environment === name);
}

type Shown = Omit<Partial<Environment>, "variants" | "environment" | "outcome"> & {
  environment: string;
  outcome?: Detail["outcome"];
  variants?: Variant[] | Record<string, Omit<Variant, "name">>;
  changes?: unknown[];
};

/** The dry run of a switch has no variants: they stay. */
function withStored(
  planned: Environment[],
  stored: Environment[],
  { switchTo }: PatchRequest,
): Environment[] {
  if (!switchTo) return planned;
  const enabled = switchTo === "on";
  return planned.map((each) => {
    const { variants = [], enabled: was } = named(stored, each.environment) ?? {};
    const isPending = each.outcome === "patched" && was !== enabled;
    return { ...each, enabled, variants, outcome: isPending ? "will be patched" : each.outcome };
  });
}

/**
 * A patch stops at the first failure; an undo with one does nothing. An environment without changes was patched by an
 * earlier attempt.
 */
function toEnvironments(previews: readonly Shown[], { change }: PatchRequest): Environment[] {
  const stop = previews.findIndex(({ outcome }) => outcome === "failed");
  return previews.map(({ variants = [], outcome = "unchanged", changes, ...others }, index) => {
    const isPending = outcome === "patched" && (changes?.length || (changes && others.enabled !== undefined));
    const planned = isPending ? "will be patched" : outcome;
    const isStopped = stop !== -1 && (change ? planned === "will be patched" : index > stop);
    return {
      ...others,
      outcome: isStopped ? "not attempted" : planned,
      variants: Object.entries(variants).map(([name, variant]) => ({ name, ...variant })),
    };
  });
}
