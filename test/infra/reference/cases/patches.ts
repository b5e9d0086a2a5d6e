/** Requests whose answers are the examples of the patches of variants. */
import type { Place, Request } from "../../../support/burgee.ts";
import { replace } from "../../../support/patching.ts";
import { requestOf } from "../operations.ts";
import {
  broken,
  type Case,
  type Cases,
  denied,
  noMethod,
  overtaken,
  short,
  textual,
  throttled,
  tooLarge,
  unknownKey,
} from "./case.ts";

type Ask = (json: unknown, options?: Partial<Request> & Place) => Case;

const feature = "/api/admin/projects/default/features/checkout";
const environment = "development";
const permission = "UPDATE_FEATURE_ENVIRONMENT_VARIANTS";
const change = [replace("/0/stickiness", "userId")];
const changeOfSecond = [replace("/1/stickiness", "userId")];
const update = { kind: "UpdateItem" };

const everywhere: Ask =
  (json, options = {}) =>
  (burgee) =>
    burgee.patch("checkout", json, options);

const inDevelopment: Ask = (json, options = {}) => everywhere(json, { environment, ...options });

export const patchFeatureVariants: Cases = {
  ...ofBoth("patchFeatureVariants", everywhere, `${feature}/variants`),
  "200 dryRunStopped": everywhere(changeOfSecond, { dryRun: true }),
  "400 stoppedHalfway": everywhere(changeOfSecond),
  "403 noPermissionInAnEnvironment": async (burgee) => {
    const key = await burgee.keyWith(
      { permission: "UPDATE_FEATURE_VARIANTS" },
      { permission, environment: "development" },
    );
    return everywhere(change, { key })(burgee);
  },
  "404 noSuchFeature": (burgee) => burgee.patch("nothing", change),
  "409 changedByOthersHalfwayWithIfMatch": broken(
    overtaken,
    everywhere(change, { headers: { "if-match": "*" } }),
    { ...update, after: 1 },
  ),
};

export const patchEnvironmentsFeatureVariants: Cases = {
  ...ofBoth(
    "patchEnvironmentsFeatureVariants",
    inDevelopment,
    `${feature}/environments/${environment}/variants`,
  ),
  "400 notToBeFollowed": inDevelopment([replace("/2/stickiness", "userId")]),
  "403 noPermission": async (burgee) =>
    inDevelopment(change, { key: await burgee.keyWith({ permission, environment: "production" }) })(burgee),
  "404 noSuchFeature": (burgee) => burgee.patch("nothing", change, { environment }),
  "404 noSuchEnvironment": (burgee) => burgee.patch("checkout", change, { environment: "staging" }),
};

function ofBoth(id: string, ask: Ask, path: string): Cases {
  const mediaType = "application/json-patch+json";
  const add = requestOf(id, "add", mediaType);
  const keyed = { headers: { "idempotency-key": "b4e0a9b2" } };
  return {
    "200 replace": ask(requestOf(id, "replace")),
    "200 add": ask(add, { headers: { "content-type": mediaType } }),
    "200 nothing": ask(requestOf(id, "nothing")),
    "200 dryRun": ask(add, { dryRun: true }),
    "400 notAsTheSchemaHasIt": ask([
      { op: "test", path: "/0/weight", value: 500 },
      { op: "move", path: "/0/stickiness" },
    ]),
    "400 notEntityTags": ask(change, { headers: { "if-match": "abc" } }),
    "400 neitherTrueNorFalse": ask(change, { path: `${path}?dryRun=yes` }),
    "401 noValidKey": ask(change, unknownKey),
    "405 wrongMethod": ask(undefined, noMethod),
    "409 changedByOthers": broken(overtaken, ask(change, short), update),
    "409 theKeyOfAnotherBody": async (burgee) => {
      await ask(change, keyed)(burgee);
      return ask(add, keyed)(burgee);
    },
    "412 changedByOthers": ask(change, { headers: { "if-match": '"another"' } }),
    "413 tooLarge": ask(undefined, tooLarge),
    "415 wrongContentType": ask(change, textual),
    "500 internalError": broken(denied, ask(change)),
    "503 databaseOutOfReach": broken(throttled, ask(change, short)),
  };
}
