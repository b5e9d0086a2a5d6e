/** The bytes of a body: its media type, encoding and size. */
import { beforeEach, describe, expect, it } from "vitest";
import { invalid, naming, patchedTo, refused, tagged } from "../../support/answers.ts";
import { adminKey, eventOf, tagsPath, useBurgee, variantsPath } from "../../support/burgee.ts";
import { deliver } from "../../support/deliver.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const update = JSON.stringify({ addedTags: [tag("équipe")], removedTags: [] });
const patch = JSON.stringify([{ op: "add", path: "/-", value: { name: "blue", weight: 0 } }]);

const burgee = useBurgee();
let feature: string;

beforeEach(async () => {
  feature = await addFeature(burgee);
});

/** A tag update and a patch. */
async function sendBoth(headers: Record<string, string>, bodies: (string | Uint8Array)[] = [update, patch]) {
  const [ofUpdate = "", ofPatch = ofUpdate] = bodies;
  return [
    await burgee.putTags(feature, undefined, { headers, body: ofUpdate }),
    await burgee.patch(feature, undefined, { headers, body: ofPatch }),
  ];
}

/** The events of both, changed. */
async function deliverBoth(change: (body: string) => object) {
  const put = eventOf({ method: "PUT", path: tagsPath(feature), body: update });
  const patched = eventOf({ method: "PATCH", path: variantsPath(feature), body: patch });
  return [
    await deliver("tags", { ...put, ...change(update) }),
    await deliver("variants", { ...patched, ...change(patch) }),
  ];
}

const accepted = () => [tagged(feature, [tag("équipe")]), patchedTo([variant("blue")])];
const ofType = (contentType: string) => ({ "content-type": contentType });
const base64 = (text: string) => ({ body: Buffer.from(text).toString("base64"), isBase64Encoded: true });
const put415 = () => refused(415, "ContentTypeError", { headers: { accept: "application/json" } });
const acceptPatch = { "accept-patch": "application/json, application/json-patch+json" };
const patch415 = () => refused(415, "ContentTypeError", { headers: acceptPatch });

describe("the media type", () => {
  it.each(["application/json", "application/json ; x=y", "Application/Json; Charset=utf-8"])(
    "%j is accepted",
    async (contentType) => {
      expect(await sendBoth(ofType(contentType))).toEqual(accepted());
    },
  );

  it.each([
    "application/json-patch+json",
    "application/json-patch+json; charset=utf-8",
    "Application/JSON-Patch+JSON",
  ])("%s is accepted for a PATCH alone", async (contentType) => {
    expect(await sendBoth(ofType(contentType))).toEqual([put415(), patchedTo([variant("blue")])]);
  });

  it.each([
    "",
    "text/plain",
    "application/json, application/json",
    "application/merge-patch+json",
    "application/json-patch",
    ";application/json",
  ])("%j returns 415 with accept, or accept-patch on PATCH", async (contentType) => {
    expect(await sendBoth(ofType(contentType))).toEqual([put415(), patch415()]);
  });

  it("is required", async () => {
    const headers = { authorization: adminKey };

    expect(await deliverBoth(() => ({ headers }))).toEqual([put415(), patch415()]);
  });
});

describe("a body is decoded from base64 by the event's flag, never by the media type:", () => {
  const headers = { authorization: adminKey, ...ofType("application/json-patch+json") };
  const patched = async (change: object) => (await deliverBoth(() => change))[1];

  it("application/json in base64", async () => {
    expect(await deliverBoth(base64)).toEqual(accepted());
  });

  it.each([
    ["in base64, as HTTP APIs deliver it", base64(patch)],
    ["as text", {}],
  ])("application/json-patch+json %s", async (_, change) => {
    expect(await patched({ headers, ...change })).toEqual(patchedTo([variant("blue")]));
  });

  it.each([
    ["base64 without the flag", { body: base64(patch).body }],
    ["text with the flag", { isBase64Encoded: true }],
  ])("%s returns 400", async (_, change) => {
    expect(await patched(change)).toEqual(invalid());
  });
});

it.each([
  ["in a text", (text: string) => ({ body: `\uFEFF${text}` })],
  ["in base64", (text: string) => base64(`\uFEFF${text}`)],
])("a byte-order mark is accepted %s", async (_, change) => {
  expect(await deliverBoth(change)).toEqual(accepted());
});

describe("a body that is not UTF-8 returns 400:", () => {
  it.each([
    ["a lone continuation byte", [0x80]],
    ["a cut-off sequence", [0xe2, 0x82]],
    ["an overlong slash", [0xc0, 0xaf]],
    ["an encoded surrogate", [0xed, 0xa0, 0x80]],
  ])("%s", async (_, bytes) => {
    const start = Buffer.from('{"addedTags":[{"type":"simple","value":"team');
    const end = Buffer.from('"}],"removedTags":[]}');

    expect(await sendBoth({}, [Buffer.concat([start, Uint8Array.from(bytes), end])])).toEqual([
      invalid(),
      invalid(),
    ]);
  });

  it("UTF-16 with its byte-order mark", async () => {
    expect(await sendBoth({}, [Buffer.from("\uFEFF[]", "utf16le")])).toEqual([invalid(), invalid()]);
  });
});

describe("a Content-Encoding", () => {
  it.each(["gzip", "br", "GZIP, deflate"])("%s returns 415 that names it", async (encoding) => {
    const message = expect.stringContaining(encoding);
    const refusal = (headers: object) =>
      refused(415, "ContentTypeError", { headers: { "accept-encoding": "identity", ...headers }, message });

    expect(await sendBoth({ "content-encoding": encoding })).toEqual([
      refusal({ accept: "application/json" }),
      refusal({ "accept-patch": "application/json, application/json-patch+json" }),
    ]);
  });

  it.each(["identity", "Identity"])("%s is accepted", async (encoding) => {
    expect(await sendBoth({ "content-encoding": encoding })).toEqual(accepted());
  });
});

describe("a body of 262,144 bytes (256 KiB) is accepted, and one more returns 413 that names the limit:", () => {
  const padded = (text: string, bytes: number) => text + " ".repeat(bytes - Buffer.byteLength(text));
  const refusal = () => refused(413, "PayloadTooLarge", { message: naming("256 KiB") });

  it.each([
    ["as text", (body: string): object => ({ body })],
    ["in base64", base64],
  ])("%s", async (_, encode) => {
    expect(await deliverBoth((text) => encode(padded(text, 262_144)))).toEqual(accepted());
    expect(await deliverBoth((text) => encode(padded(text, 262_145)))).toEqual([refusal(), refusal()]);
  });

  it("in bytes, not characters", async () => {
    expect(await sendBoth({}, [`"${"é".repeat(131_072)}"`])).toEqual([refusal(), refusal()]);
  });
});
