import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { everyAnswer, patchedTo, tagged } from "../../support/answers.ts";
import { type Response, useBurgee } from "../../support/burgee.ts";
import { add } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const update = { addedTags: [tag("team")], removedTags: [] };
const patch = [add("/-", { name: "blue", weight: 0 })];
const asText = { headers: { "content-type": "text/plain" } };
const tooLarge = { body: " ".repeat(262_145) };

const burgee = useBurgee();
let feature: string;
let powerless: string;

beforeAll(async () => {
  powerless = await burgee.keyWith();
});
beforeEach(async () => {
  burgee.wire.reset();
  feature = await addFeature(burgee);
});

describe("every answer is application/json, is not to be stored, and is not to be sniffed", () => {
  const answers: [number, string, () => Promise<Response>][] = [
    [201, "tag update", () => burgee.putTags(feature, update)],
    [200, "variant patch", () => burgee.patch(feature, patch)],
    [400, "tag update", () => burgee.putTags(feature, [])],
    [400, "variant patch", () => burgee.patch(feature, {})],
    [401, "tag update", () => burgee.putTags(feature, update, { key: null })],
    [401, "variant patch", () => burgee.patch(feature, patch, { key: null })],
    [403, "tag update", () => burgee.putTags(feature, update, { key: powerless })],
    [403, "variant patch", () => burgee.patch(feature, patch, { key: powerless })],
    [404, "tag update", () => burgee.putTags("missing", update)],
    [404, "variant patch", () => burgee.patch("missing", patch)],
    [404, "unknown path", () => burgee.send({ method: "GET", path: "/" })],
    [405, "tag update", () => burgee.putTags(feature, update, { method: "POST" })],
    [405, "variant patch", () => burgee.patch(feature, patch, { method: "POST" })],
    [413, "tag update", () => burgee.putTags(feature, undefined, tooLarge)],
    [413, "variant patch", () => burgee.patch(feature, undefined, tooLarge)],
    [415, "tag update", () => burgee.putTags(feature, update, asText)],
    [415, "variant patch", () => burgee.patch(feature, patch, asText)],
    [500, "tag update", () => failing(() => burgee.putTags(feature, update))],
    [500, "variant patch", () => failing(() => burgee.patch(feature, patch))],
    [503, "tag update", () => burgee.putTags(feature, update, { timeoutMs: 0 })],
    [503, "variant patch", () => burgee.patch(feature, patch, { timeoutMs: 0 })],
  ];

  it.each(answers)("%i of the %s", async (status, _, request) => {
    const answer = await request();

    expect(answer).toEqual({
      status,
      headers: expect.objectContaining(everyAnswer),
      json: expect.any(Object),
    });
  });

  function failing(request: () => Promise<Response>): Promise<Response> {
    burgee.wire.decide(() => ({ error: "ResourceNotFoundException" }));
    return request();
  }
});

describe("an answer that is no error", () => {
  it("to a tag update has the location and the tag list, and the version of its schema is 1", async () => {
    const answer = await burgee.putTags(feature, update);

    expect(answer).toEqual(tagged(feature, [tag("team")]));
    expect(answer.json.version).toBe(1);
  });

  it("to a variant patch has the variants, and the version of their schema is 1", async () => {
    const answer = await burgee.patch(feature, patch);

    expect(answer).toEqual(patchedTo([variant("blue")]));
    expect(answer.json.version).toBe(1);
  });
});
