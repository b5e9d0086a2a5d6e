/** Behind a stage that has a name, or a domain that serves more than one API, `rawPath` begins with that. */
import { expect, it } from "vitest";
import { notFound, patchedTo, refused } from "../../support/answers.ts";
import { adminKey, useBurgee } from "../../support/burgee.ts";
import { deliver } from "../../support/deliver.ts";
import { toEvent } from "../../support/event.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();

/** A patch that changes nothing, as the gateway would deliver it. */
function atStage(stage: string, feature: string) {
  const event = toEvent({
    method: "PATCH",
    path: `/api/admin/projects/default/features/${feature}/variants`,
    headers: { authorization: adminKey, "content-type": "application/json" },
    body: "[]",
  });
  const rawPath = `/${stage}${event.rawPath}`;
  const { http } = event.requestContext;
  return {
    ...event,
    rawPath,
    requestContext: { ...event.requestContext, stage, http: { ...http, path: rawPath } },
  };
}

it("a request is answered as without it", async () => {
  const feature = await addFeature(burgee, { environments: { development: [variant("blue")] } });

  expect(await deliver("variants", atStage("prod", feature))).toEqual(patchedTo([variant("blue")]));
  expect(await deliver("variants", atStage("prod", "not-there"))).toEqual(notFound());
});

it("a path that the gateway could not decode is refused as without it", async () => {
  const { pathParameters, ...event } = atStage("prod", "100%");

  expect(await deliver("variants", event)).toEqual(
    refused(400, "ValidationError", { message: expect.stringContaining("100%") }),
  );
});
