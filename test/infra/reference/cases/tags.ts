/** Requests whose answers are the examples of the operations on tags. */
import type { Burgee, Request } from "../../../support/burgee.ts";
import { requestOf } from "../operations.ts";
import {
  broken,
  type Case,
  type Cases,
  denied,
  noMethod,
  short,
  textual,
  throttled,
  tooLarge,
  unknownKey,
} from "./case.ts";

const path = "/api/admin/features/checkout/tags";
const change = requestOf("updateTags", "change");
const nothing = requestOf("updateTags", "nothing");

export const listTags: Cases = {
  "200 list": list(),
  "400 malformedPath": list({ path: "/api/admin/features/100%/tags" }),
  "401 noValidKey": list(unknownKey),
  "403 noPermission": async (burgee) =>
    list({ key: await burgee.keyWith({ permission: "ADMIN", project: "other" }) })(burgee),
  "404 noSuchFeature": (burgee) => burgee.getTags("nothing"),
  "405 wrongMethod": list(noMethod),
  "500 internalError": broken(denied, list()),
  "503 databaseOutOfReach": broken(throttled, list(short)),
};

export const updateTags: Cases = {
  "200 dryRun": update(change, { path: `${path}?dryRun=true` }),
  "201 change": update(change),
  "201 nothing": update(nothing),
  "400 notAsTheSchemaHasIt": update({ addedTags: [{ type: "simple", value: "b" }] }),
  "400 notJson": update(undefined, { body: "{" }),
  "400 neitherTrueNorFalse": update(nothing, { path: `${path}?dryRun=yes` }),
  "401 noValidKey": update({}, unknownKey),
  "403 noPermission": async (burgee) =>
    update({}, { key: await burgee.keyWith({ permission: "UPDATE_FEATURE_VARIANTS" }) })(burgee),
  "404 noSuchFeature": (burgee: Burgee) => burgee.putTags("nothing", nothing),
  "405 wrongMethod": update(undefined, noMethod),
  "413 tooLarge": update(undefined, tooLarge),
  "415 wrongContentType": update({}, textual),
  "500 internalError": broken(denied, update(nothing)),
  "503 databaseOutOfReach": broken(throttled, update(nothing, short)),
};

function list(options: Partial<Request> = {}): Case {
  return (burgee) => burgee.getTags("checkout", options);
}

function update(json: unknown, options: Partial<Request> = {}): Case {
  return (burgee) => burgee.putTags("checkout", json, options);
}
