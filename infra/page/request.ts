/** A patch, a switch or an undo as a request to the server that the page is from: for fetch, and as a curl command. */
import type { VariantForm } from "../../lib/contract/variants.ts";
import { printableLines, quoted } from "../cli/printable.ts";

/**
 * With the environment "", the request is for every environment. With a change it undoes that, with `switchTo` it switches
 * the feature on or off; its text is not sent then.
 * `proposed` is the ETag of the proposal that this is, unchanged; or empty.
 */
export type PatchRequest = Record<Field, string> & { form: VariantForm };
type Field = Place | "text" | "change" | "switchTo" | "reason" | "idempotencyKey" | "etag" | "proposed";
type Place = "key" | "project" | "feature" | "environment";

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

type Edit = Pick<PatchRequest, "change" | "switchTo">;
export const isPatch = ({ change, switchTo }: Edit) => change === "" && switchTo === "";
export const methodOf = (request: Edit) => (isPatch(request) ? "PATCH" : "POST");
export const bodyOf = ({ text, ...edit }: PatchRequest) => (isPatch(edit) ? text : "{}");

/** A browser resolves "." and ".." in a URL: as an environment, ".." would mean all. */
export function otherPath({ project, feature, environment }: Record<Place, string>): string {
  const name = [project, feature, environment].find((each) => [".", ".."].includes(each));
  return name === undefined ? "" : `${name} is not a name: in a URL it means another path`;
}

export function urlOf(request: PatchRequest, query: Record<string, string> = {}): string {
  const { project, feature, environment, form, change, switchTo } = request;
  const scope = environment === "" ? [] : ["environments", environment];
  const rest = switchTo ? [switchTo] : ["variants", ...(change ? ["changes", change, "undo"] : [])];
  const path = ["projects", project, "features", feature, ...scope, ...rest];
  return toApiUrl(path, { ...(!switchTo && { by: form }), ...query });
}

export function toApiUrl(path: readonly string[], query: Record<string, string> = {}): string {
  const given = new URLSearchParams(query);
  const end = given.size === 0 ? "" : `?${given}`;
  return new URL(`api/admin/${path.map(encodeURIComponent).join("/")}${end}`, location.href).href;
}

export function headersOf({ etag, idempotencyKey, reason }: PatchRequest) {
  const encoded = reason.replaceAll(/[^ -$&-~]/gu, encodeURIComponent);
  return {
    "content-type": "application/json",
    "if-match": etag,
    "idempotency-key": idempotencyKey,
    ...(reason && { "burgee-reason": encoded }),
  };
}
