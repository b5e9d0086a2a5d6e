/** The requests that faults are injected into, and the purpose of each of their calls. */
import type { Burgee, Request, Response } from "../support/burgee.ts";
import { add } from "../support/patching.ts";
import { variant } from "../support/seed.ts";
import type { Call } from "../support/wire.ts";

export const environments = { development: [variant("blue")], production: [variant("blue")] };

export interface Operation {
  /** The environments that the request patches. */
  patches: readonly string[];
  calls: readonly string[];
  send(burgee: Burgee, feature: string, options: Partial<Request>): Promise<Response>;
}

const addRed = [add("/-", { name: "red", weight: 1 })];

export const operations: Readonly<Record<string, Operation>> = {
  "the tag update": {
    patches: [],
    calls: ["find the key", "change the tags"],
    send: (burgee, feature, options) =>
      burgee.putTags(feature, { addedTags: [{ type: "simple", value: "new" }], removedTags: [] }, options),
  },
  "the patch of every environment": {
    patches: ["development", "production"],
    calls: ["find the key", "read the feature", "write development", "write production"],
    send: (burgee, feature, options) => burgee.patch(feature, addRed, options),
  },
  "the patch of one environment": {
    patches: ["production"],
    calls: ["find the key", "read the feature", "read production", "write production"],
    send: (burgee, feature, options) =>
      burgee.patch(feature, addRed, { ...options, environment: "production" }),
  },
};

/** Identifies the request of a call, by its feature or the hash of its API key. */
export function subjectOf({ input }: Call): string {
  const { Key, ExpressionAttributeValues } = input as {
    Key?: { pk: { S: string } };
    ExpressionAttributeValues?: { ":pk"?: { S: string } };
  };
  const pk = Key?.pk.S ?? ExpressionAttributeValues?.[":pk"]?.S ?? "";
  return pk.slice(pk.indexOf("#") + 1);
}

export function purposeOf({ operation, input }: Call): string {
  const { pk, sk } = (input as { Key?: { pk: { S: string }; sk: { S: string } } }).Key ?? {};
  if (operation === "Query") return "read the feature";
  if (pk?.S.startsWith("KEY#")) return "find the key";
  const environment = /^ENVIRONMENT#(.*)$/.exec(sk?.S ?? "")?.[1];
  if (operation === "GetItem") return environment === undefined ? "read the feature" : `read ${environment}`;
  return environment === undefined ? "change the tags" : `write ${environment}`;
}
