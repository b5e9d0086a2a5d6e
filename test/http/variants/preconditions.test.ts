/** If-Match together with an Idempotency-Key, and under concurrency. */
import { describe, expect, it } from "vitest";
import { patchedTo, refused } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add, times } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();

const environments = { development: [variant("blue")], production: [variant("blue")] };
const adding = (name: string) => [add("/-", { name, weight: 1 })];
const both = "development=patched, production=patched";

async function names(feature: string, environment: string): Promise<string[]> {
  return (await burgee.storedEnvironment(feature, environment)).variants.map(({ name }) => name);
}

/** A keyed patch with If-Match that patched development and was cut off in production. */
async function stopHalfway(feature: string) {
  const { headers } = await burgee.getVariants(feature);
  const options = { headers: { "if-match": headers.etag ?? "", "idempotency-key": "one" } };
  burgee.wire.decide(({ operation, input }) =>
    operation === "UpdateItem" && JSON.stringify(input.Key).includes("production")
      ? { error: "ProvisionedThroughputExceededException" }
      : "pass",
  );
  const stopped = await burgee.patch(feature, adding("red"), { ...options, timeoutMs: 600 });
  burgee.wire.reset();
  return { options, stopped };
}

describe("a patch with If-Match and an Idempotency-Key that stopped halfway", () => {
  it("is finished by a retry: its own earlier writes do not break the precondition", async () => {
    const feature = await addFeature(burgee, { environments });
    const { options, stopped } = await stopHalfway(feature);

    const retried = await burgee.patch(feature, adding("red"), options);
    const again = await burgee.patch(feature, adding("red"), options);

    expect(stopped.status).toBe(503);
    expect([retried, again]).toEqual(times(2, () => patchedTo(expect.any(Array), both)));
    expect(await names(feature, "production")).toEqual(["blue", "red"]);
  });

  it("is finished also after others changed an environment that it has patched", async () => {
    const feature = await addFeature(burgee, { environments });
    const { options } = await stopHalfway(feature);
    await burgee.patch(feature, adding("amber"), { environment: "development" });

    const retried = await burgee.patch(feature, adding("red"), options);

    expect(retried.status).toBe(200);
    expect(await names(feature, "development")).toEqual(["amber", "blue", "red"]);
  });

  it("is a 412 with the outcome of each environment once others changed one that it has yet to patch", async () => {
    const feature = await addFeature(burgee, { environments });
    const { options } = await stopHalfway(feature);
    await burgee.patch(feature, adding("amber"), { environment: "production" });
    const { headers } = await burgee.getVariants(feature);

    const answer = await burgee.patch(feature, adding("red"), options);

    const details = [
      { environment: "development", outcome: "patched" },
      { environment: "production", outcome: "not attempted" },
    ];
    expect(answer).toEqual(
      refused(412, "PreconditionFailed", {
        headers: { etag: headers.etag ?? "" },
        details,
        message: expect.not.stringContaining("nothing was written"),
      }),
    );
  });
});

it("an Idempotency-Key that was used with another path or form is refused with 409", async () => {
  const feature = await addFeature(burgee, { environments });
  const headers = { "idempotency-key": "one" };
  await burgee.patch(feature, adding("red"), { headers });

  const path = await burgee.patch(feature, adding("red"), { headers, environment: "production" });
  const form = await burgee.send({
    method: "PATCH",
    path: `/api/admin/projects/default/features/${feature}/variants?by=name`,
    json: adding("red"),
    headers,
  });

  expect([path, form]).toEqual(times(2, () => refused(409, "ConflictError")));
});

it("If-Match: * means that the feature exists: under concurrency all patches are applied", async () => {
  const feature = await addFeature(burgee, { environments });

  const answers = await Promise.all(
    times(8, (index) => burgee.patch(feature, adding(`red-${index}`), { headers: { "if-match": "*" } })),
  );

  expect(answers.map(({ status }) => status)).toEqual(times(8, () => 200));
  expect(await names(feature, "production")).toHaveLength(9);
});

it.each(['"other",', ' ,"other" ,, ', ',"other"', '"a,b"'])(
  "If-Match %j has empty members or a comma in an ETag, and is well-formed",
  async (value) => {
    const feature = await addFeature(burgee, { environments });

    const answer = await burgee.patch(feature, adding("red"), { headers: { "if-match": value } });

    expect(answer.status).toBe(412);
  },
);

it.each(["gzip", "br", "GZIP, deflate"])(
  "Content-Encoding %s is refused with 415 that names it",
  async (encoding) => {
    const feature = await addFeature(burgee, { environments });

    const answer = await burgee.patch(feature, adding("red"), { headers: { "content-encoding": encoding } });

    expect(answer).toEqual(
      refused(415, "ContentTypeError", {
        headers: { "accept-encoding": "identity" },
        message: expect.stringContaining(encoding),
      }),
    );
  },
);

it("Content-Encoding identity is accepted", async () => {
  const feature = await addFeature(burgee, { environments });

  const { status } = await burgee.patch(feature, [], { headers: { "content-encoding": "identity" } });

  expect(status).toBe(200);
});
