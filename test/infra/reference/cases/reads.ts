/** Requests whose answers are the examples of the reads of variants. */
import type { Place, Request } from "../../../support/burgee.ts";
import { broken, type Case, type Cases, denied, noMethod, short, throttled, unknownKey } from "./case.ts";

const malformed = "/api/admin/projects/default/features/100%";
const environment = "development";

export const getFeatureVariants: Cases = {
  ...inPlace({}, `${malformed}/variants`),
  "404 noSuchFeature": (burgee) => burgee.getVariants("nothing"),
};

export const getEnvironmentFeatureVariants: Cases = {
  ...inPlace({ environment }, `${malformed}/environments/${environment}/variants`),
  "404 noSuchFeature": (burgee) => burgee.getVariants("nothing", { environment }),
  "404 noSuchEnvironment": (burgee) => burgee.getVariants("checkout", { environment: "staging" }),
};

function inPlace(place: Place, malformedPath: string): Cases {
  const read =
    (options: Partial<Request> = {}): Case =>
    (burgee) =>
      burgee.getVariants("checkout", { ...place, ...options });
  return {
    "200 list": read(),
    "304": async (burgee) => {
      const { headers } = await read()(burgee);
      return read({ headers: { "if-none-match": `"another", ${headers.etag}` } })(burgee);
    },
    "400 malformedPath": read({ path: malformedPath }),
    "401 noValidKey": read(unknownKey),
    "403 noPermission": async (burgee) =>
      read({ key: await burgee.keyWith({ permission: "ADMIN", project: "other" }) })(burgee),
    "405 wrongMethod": read(noMethod),
    "500 internalError": broken(denied, read()),
    "503 databaseOutOfReach": broken(throttled, read(short)),
  };
}
