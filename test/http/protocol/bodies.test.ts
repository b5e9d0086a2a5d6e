import { beforeEach, describe, expect, it } from "vitest";
import { invalid, patchedTo, refused, tagged } from "../../support/answers.ts";
import { adminKey, useBurgee } from "../../support/burgee.ts";
import { deliver } from "../../support/deliver.ts";
import { toEvent } from "../../support/event.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const update = JSON.stringify({ addedTags: [tag("équipe")], removedTags: [] });
const patch = JSON.stringify([{ op: "add", path: "/-", value: { name: "blue", weight: 0 } }]);

const burgee = useBurgee();
let feature: string;

beforeEach(async () => {
  feature = await addFeature(burgee);
});

const putEvent = () =>
  toEvent({
    method: "PUT",
    path: `/api/admin/features/${feature}/tags`,
    headers: { authorization: adminKey, "content-type": "application/json" },
    body: update,
  });
const patchEvent = () =>
  toEvent({
    method: "PATCH",
    path: `/api/admin/projects/default/features/${feature}/variants`,
    headers: { authorization: adminKey, "content-type": "application/json" },
    body: patch,
  });
const base64 = (text: string) => ({ body: Buffer.from(text).toString("base64"), isBase64Encoded: true });
const ofType = (contentType: string) => ({
  headers: { authorization: adminKey, "content-type": contentType },
});

describe("the media type application/json is accepted", () => {
  it.each([
    "application/json",
    "application/json; charset=utf-8",
    "application/json ; x=y",
    "Application/Json; Charset=utf-8",
  ])("as %j", async (contentType) => {
    const headers = { "content-type": contentType };

    const put = await burgee.putTags(feature, undefined, { headers, body: update });
    const patched = await burgee.patch(feature, undefined, { headers, body: patch });

    expect(put).toEqual(tagged(feature, [tag("équipe")]));
    expect(patched).toEqual(patchedTo([variant("blue")]));
  });

  it.each(["Content-Type", "CONTENT-TYPE", "cOnTeNt-TyPe"])("in a header named %s", async (name) => {
    const headers = { authorization: adminKey, [name]: "application/json" };

    const answer = await deliver("tags", { ...putEvent(), headers });

    expect(answer).toEqual(tagged(feature, [tag("équipe")]));
  });
});

describe("the media type application/json-patch+json", () => {
  it.each([
    "application/json-patch+json",
    "application/json-patch+json; charset=utf-8",
    "Application/JSON-Patch+JSON",
  ])("is accepted for a PATCH: %s", async (contentType) => {
    const answer = await burgee.patch(feature, undefined, {
      headers: { "content-type": contentType },
      body: patch,
    });

    expect(answer).toEqual(patchedTo([variant("blue")]));
  });

  it("is refused with 415 for a PUT", async () => {
    const headers = { "content-type": "application/json-patch+json" };

    const answer = await burgee.putTags(feature, undefined, { headers, body: update });

    expect(answer).toEqual(refused(415, "ContentTypeError", { headers: { accept: "application/json" } }));
  });
});

describe("any other media type, or none, is refused with 415 ContentTypeError", () => {
  const put415 = () => refused(415, "ContentTypeError", { headers: { accept: "application/json" } });
  const acceptPatch = { "accept-patch": "application/json, application/json-patch+json" };
  const patch415 = () => refused(415, "ContentTypeError", { headers: acceptPatch });

  it.each([
    "",
    "text/plain",
    "application/json, application/json",
    "application/merge-patch+json",
    "application/json-patch",
    ";application/json",
  ])("%j, and on PATCH accept-patch tells what would do", async (contentType) => {
    const headers = { "content-type": contentType };

    const put = await burgee.putTags(feature, undefined, { headers, body: update });
    const patched = await burgee.patch(feature, undefined, { headers, body: patch });

    expect(put).toEqual(put415());
    expect(patched).toEqual(patch415());
  });

  it("no content-type at all", async () => {
    const headers = { authorization: adminKey };

    const put = await deliver("tags", { ...putEvent(), headers });
    const patched = await deliver("variants", { ...patchEvent(), headers });

    expect(put).toEqual(put415());
    expect(patched).toEqual(patch415());
  });
});

describe("a body is decoded from base64 by the event's flag, never by the media type", () => {
  it("application/json in base64", async () => {
    const put = await deliver("tags", { ...putEvent(), ...base64(update) });
    const patched = await deliver("variants", { ...patchEvent(), ...base64(patch) });

    expect(put).toEqual(tagged(feature, [tag("équipe")]));
    expect(patched).toEqual(patchedTo([variant("blue")]));
  });

  it("application/json-patch+json in base64, as HTTP APIs deliver it", async () => {
    const event = { ...patchEvent(), ...ofType("application/json-patch+json"), ...base64(patch) };

    const answer = await deliver("variants", event);

    expect(answer).toEqual(patchedTo([variant("blue")]));
  });

  it("application/json-patch+json as text", async () => {
    const event = { ...patchEvent(), ...ofType("application/json-patch+json") };

    const answer = await deliver("variants", event);

    expect(answer).toEqual(patchedTo([variant("blue")]));
  });

  it("base64 that is not flagged is not decoded", async () => {
    const { body } = base64(patch);

    const answer = await deliver("variants", { ...patchEvent(), body });

    expect(answer).toEqual(invalid());
  });

  it("text that is flagged as base64 by mistake is refused with 400", async () => {
    const answer = await deliver("variants", { ...patchEvent(), isBase64Encoded: true });

    expect(answer).toEqual(invalid());
  });
});

describe("a byte-order mark is tolerated", () => {
  it.each([
    ["in a text", (text: string) => ({ body: `\uFEFF${text}` })],
    ["in base64", (text: string) => base64(`\uFEFF${text}`)],
  ])("%s", async (_, encode) => {
    const put = await deliver("tags", { ...putEvent(), ...encode(update) });
    const patched = await deliver("variants", { ...patchEvent(), ...encode(patch) });

    expect(put).toEqual(tagged(feature, [tag("équipe")]));
    expect(patched).toEqual(patchedTo([variant("blue")]));
  });
});
