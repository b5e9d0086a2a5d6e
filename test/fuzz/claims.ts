/** Derives from a response which items may have changed, and checks that it states what is stored. */
import { isDeepStrictEqual } from "node:util";
import { toDocument } from "../../lib/features/variant-list.ts";
import {
  type EnvironmentItem,
  environmentKey,
  type FeatureItem,
  featureKey,
  type Key,
  parseTagMember,
} from "../../lib/store/items.ts";
import type { Answer } from "./send.ts";
import { isByName, isDryRun, type Taken } from "./steps.ts";
import type { Table } from "./table.ts";

/** Selects the items that a request may have changed, by its path and its response; undefined if there are none. */
export function mayChange(step: Taken, answer: Answer | undefined): ((item: Key) => boolean) | undefined {
  if (step.by === "bytes") return (item) => names(step.bytes, item.pk.slice("FEATURE#".length));
  const { address, request } = step;
  if (!answer || !/^(PUT|PATCH)$/.test(request.method) || !saysWritten(answer) || isDryRun(step))
    return undefined;
  const { featureName = "", environment } = address.names;
  const { pk, sk } = featureKey(featureName);
  if (request.method === "PUT") return (item) => item.pk === pk && item.sk === sk;
  if (environment === undefined) return (item) => item.pk === pk && item.sk.startsWith("ENVIRONMENT#");
  return (item) => item.pk === pk && item.sk === environmentKey(featureName, environment).sk;
}

/** The issues of a 2xx, unless of a dry run, that does not state what is stored. */
export function falseClaims(step: Taken, answer: Answer | undefined, table: Table): string[] {
  if (step.by === "bytes" || !answer || answer.status >= 300 || isDryRun(step)) return [];
  const {
    route,
    names: { featureName = "", environment },
  } = step.address;
  if (route === undefined || step.request.method === "HEAD") return [];
  const item = (key: Key) => table.get(JSON.stringify([key.pk, key.sk]));
  const feature = item(featureKey(featureName)) as FeatureItem | undefined;
  const { tags, variants } = JSON.parse(answer.body);
  if (route.endsWith("/tags")) {
    const stored = Object.keys(feature?.tags ?? {}).map(parseTagMember);
    const isSame =
      stored.length === tags.length &&
      stored.every((tag) => tags.some((each: unknown) => isDeepStrictEqual(each, tag)));
    return isSame ? [] : [`the response has tags that are not stored: ${answer.body}`];
  }
  const first = environmentKey(featureName, environment ?? feature?.environments[0] ?? "");
  const stored = item(first) as EnvironmentItem | undefined;
  return isDeepStrictEqual(stored && toDocument(stored.variants, isByName(step) ? "name" : "index"), variants)
    ? []
    : [`the response has variants that are not stored: ${answer.body}`];
}

function saysWritten({ status, body }: Answer): boolean {
  return status < 300 || body.includes('"outcome":"patched"');
}

/** Whether these bytes contain the name of a feature, encoded or not. */
function names(bytes: Buffer, feature: string): boolean {
  const decoded = bytes
    .toString("latin1")
    .replaceAll(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return decoded.includes(Buffer.from(feature).toString("latin1"));
}
