/** Sends a patch or an undo, previews it by dry runs, and writes it as a curl command. */
import type * as z from "zod/mini";
import type {
  changesSchema,
  Detail,
  ErrorBody,
  featureVariantsByNameSchema,
  featureVariantsSchema,
} from "../../lib/contract/responses.ts";
import type { Variant, VariantForm } from "../../lib/contract/variants.ts";
import { printableLines, quoted } from "../cli/printable.ts";
import { ambiguities } from "./indexes.ts";
import { jsonError } from "./patch.ts";

/**
 * With the environment "", the request is for every environment. With a change, it undoes that, and its text is not sent.
 * `proposed` is the ETag of the proposal that this is, unchanged; or empty.
 */
export type PatchRequest = Record<Field, string> & { form: VariantForm };
type Field = Place | "text" | "change" | "reason" | "idempotencyKey" | "etag" | "proposed";
type Place = "address" | "key" | "project" | "feature" | "environment";

export interface Environment {
  environment: string;
  outcome: "will be patched" | NonNullable<Detail["outcome"]>;
  variants: Variant[];
  message?: string;
  hint?: string;
}

export type Reply = Awaited<ReturnType<typeof send>>;
export type Preview = Awaited<ReturnType<typeof loadPreview>>;
export type History = z.infer<typeof changesSchema>;
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
  const lost = `No response from ${request.address}: out of reach, or CORS does not allow ${location.origin}`;
  // Without an ETag, Apply would have no precondition.
  const unsafe =
    "This page cannot see changes since its preview: the server's CORS settings must expose ETag";
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

/** The features that the local server lists for a valid key; another Burgee lists none. */
export async function loadFeatures({ address, key }: Pick<PatchRequest, "address" | "key">) {
  if (address !== location.origin || key === "") return [];
  return (await get<Pick<PatchRequest, "project" | "feature">[]>("/patch/features", key)) ?? [];
}

async function get<Body>(url: string, key: string): Promise<Body | undefined> {
  const response = await fetch(url, { headers: { authorization: key } }).catch(() => undefined);
  return response?.ok ? response.json() : undefined;
}

export function named<Type extends { environment?: string }>(environments: readonly Type[], name: string) {
  return environments.find(({ environment }) => environment === name);
}

/** Not crypto.randomUUID, which a page served over plain HTTP from another machine does not have. */
export function newKey(): string {
  return `page-${crypto.getRandomValues(new Uint32Array(3)).join("")}`;
}

/** For a POSIX shell; the key stays out of it. */
export function toCurl(request: PatchRequest): string {
  const headers = Object.entries(headersOf(request)).map((header) => `-H ${quoted(header.join(": "))}`);
  const start = [`curl -X ${methodOf(request)} ${quoted(urlOf(request))}`, '-H "Authorization: $BURGEE_KEY"'];
  return [...start, ...headers, `-d ${quoted(printableLines(bodyOf(request)))}`].join(" \\\n  ");
}

const methodOf = ({ change }: PatchRequest) => (change ? "POST" : "PATCH");
const bodyOf = ({ change, text }: PatchRequest) => (change ? "{}" : text);
const undoOf = ({ change }: PatchRequest) => (change ? ["changes", change, "undo"] : []);

/** A browser resolves "." and ".." in a URL: as an environment, ".." would mean all. */
function otherPath({ project, feature, environment }: PatchRequest): string {
  const name = [project, feature, environment].find((each) => [".", ".."].includes(each));
  return name === undefined ? "" : `${name} is not a name: in a URL it means another path`;
}

function urlOf(request: PatchRequest, rest = undoOf(request)): string {
  const { address, project, feature, environment, form } = request;
  const scope = environment === "" ? [] : ["environments", environment];
  const path = ["projects", project, "features", feature, ...scope, "variants", ...rest].map(
    encodeURIComponent,
  );
  return `${address.replace(/\/+$/, "")}/api/admin/${path.join("/")}?by=${form}`;
}

function headersOf({ etag, idempotencyKey, reason }: PatchRequest) {
  const encoded = reason.replaceAll(/[^ -$&-~]/gu, encodeURIComponent);
  return {
    "content-type": "application/json",
    "if-match": etag,
    "idempotency-key": idempotencyKey,
    ...(reason && { "burgee-reason": encoded }),
  };
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
