/** The bytes of a body, and its text: what JavaScript or DynamoDB cannot hold is refused, never changed silently. */
import { beforeEach, describe, expect, it } from "vitest";
import { invalid, issuesAt, naming, patchedTo, refused, tagged, unchanged } from "../../support/answers.ts";
import { adminKey, eventOf, tagsPath, useBurgee, variantsPath } from "../../support/burgee.ts";
import { add, times } from "../../support/patching.ts";
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
    await burgee.patchVariants(feature, undefined, { headers, body: ofPatch }),
  ];
}

/** The events of both, changed. */
async function deliverBoth(change: (body: string) => object) {
  const put = eventOf({ method: "PUT", path: tagsPath(feature), body: update });
  const patched = eventOf({ method: "PATCH", path: variantsPath(feature), body: patch });
  return [
    await burgee.deliver("tags", { ...put, ...change(update) }),
    await burgee.deliver("variants", { ...patched, ...change(patch) }),
  ];
}

const accepted = () => [tagged(feature, [tag("équipe")]), patchedTo([variant("blue")])];
const ofType = (contentType: string) => ({ "content-type": contentType });
const base64 = (text: string) => ({ body: Buffer.from(text).toString("base64"), isBase64Encoded: true });
const put415 = (refusal = {}, headers = {}) =>
  refused(415, "ContentTypeError", { headers: { accept: "application/json", ...headers }, ...refusal });
const acceptPatch = { "accept-patch": "application/json, application/json-patch+json" };
const patch415 = (refusal = {}, headers = {}) =>
  refused(415, "ContentTypeError", { headers: { ...acceptPatch, ...headers }, ...refusal });

describe("the media type", () => {
  it.each(["application/json", "application/json ; x=y", "Application/Json; Charset=utf-8"])(
    "%j is accepted",
    async (contentType) => {
      expect(await sendBoth(ofType(contentType))).toEqual(accepted());
    },
  );

  it("application/json-patch+json is accepted for a PATCH alone", async () => {
    const answers = await sendBoth(ofType("Application/JSON-Patch+JSON; charset=utf-8"));

    expect(answers).toEqual([put415(), patchedTo([variant("blue")])]);
  });

  it.each(["", "text/plain", "application/json, application/json", "application/json-patch"])(
    "%j returns 415 with accept, or accept-patch on PATCH",
    async (contentType) => {
      expect(await sendBoth(ofType(contentType))).toEqual([put415(), patch415()]);
    },
  );

  it("is required", async () => {
    const headers = { authorization: adminKey };

    expect(await deliverBoth(() => ({ headers }))).toEqual([put415(), patch415()]);
  });
});

describe("a body is decoded from base64 by the event's flag, never by the media type:", () => {
  const headers = { authorization: adminKey, ...ofType("application/json-patch+json") };

  it("application/json in base64", async () => {
    expect(await deliverBoth(base64)).toEqual(accepted());
  });

  it.each([
    ["in base64, as HTTP APIs deliver it", base64(patch), () => patchedTo([variant("blue")])],
    ["as text", {}, () => patchedTo([variant("blue")])],
    ["in base64 without the flag", { body: base64(patch).body }, invalid],
    ["as text with the flag", { isBase64Encoded: true }, invalid],
  ])("application/json-patch+json %s", async (_, change, expected) => {
    expect((await deliverBoth(() => ({ headers, ...change })))[1]).toEqual(expected());
  });
});

it.each([
  ["in a text", (text: string) => ({ body: `\uFEFF${text}` })],
  ["in base64", (text: string) => base64(`\uFEFF${text}`)],
])("a byte-order mark is accepted %s", async (_, change) => {
  expect(await deliverBoth(change)).toEqual(accepted());
});

it.each([
  ["a lone continuation byte", Buffer.from([0x22, 0x80, 0x22])],
  ["an encoded surrogate", Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ["UTF-16 with its byte-order mark", Buffer.from("\uFEFF[]", "utf16le")],
])("a body that is not UTF-8 returns 400: %s", async (_, bytes) => {
  expect(await sendBoth({}, [bytes])).toEqual([invalid(), invalid()]);
});

it.each(["gzip", "GZIP, deflate"])("the Content-Encoding %s returns 415 that names it", async (encoding) => {
  const message = { message: expect.stringContaining(encoding) };
  const accepts = { "accept-encoding": "identity" };

  const answers = await sendBoth({ "content-encoding": encoding });

  expect(answers).toEqual([put415(message, accepts), patch415(message, accepts)]);
  expect(await sendBoth({ "content-encoding": "Identity" })).toEqual(accepted());
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
});

it.each([
  ["no body", undefined],
  ["an empty body", ""],
  ["two byte-order marks", "\uFEFF\uFEFF[]"],
  ["NaN", "NaN"],
])("%s is not JSON and returns 400", async (_, body) => {
  const options = body === undefined ? {} : { body };

  expect(await burgee.putTags("any", undefined, options)).toEqual(invalid());
  expect(await burgee.patchVariants("any", undefined, options)).toEqual(invalid());
});

it("nesting of 32 levels is accepted, and of 33 returns 400 that names the limit", async () => {
  // In a member that is ignored: the list of the patch, the operation, and these.
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  const send = (levels: number) =>
    burgee.patchVariants(feature, undefined, {
      body: `[{"op":"copy","from":"","path":"","note":${nested(levels)}}]`,
    });

  expect(await send(30)).toEqual(unchanged([], "development", "production"));
  const details = issuesAt(`/0/note${"/0".repeat(30)}`);
  expect(await send(31)).toEqual(invalid({ message: naming("32"), details }));
});

it("at most 100 issues are listed, of the JSON and of the schema together", async () => {
  const tags = (value: string) => times(100, () => `{"type":"simple","value":"${value}"}`).join();
  const body = `{"addedTags":[${tags("team\\ud83d")}],"removedTags":[${tags("x")}]}`;

  expect((await burgee.putTags("any", undefined, { body })).json.details).toHaveLength(100);
});

it.each([
  ["a member's name has one", '[{"op":"add","path":"","value":{"\\ud83d":"\\ud83d"}}]'],
  ["an operation that is quoted has one at its limit", `[{"op":"remove","path":"/${"a".repeat(118)}😀"}]`],
  ["an index that is quoted has one at its limit", `[{"op":"remove","path":"/${"a".repeat(59)}😀"}]`],
])("a lone surrogate returns 400, and is in no response: %s", async (_, body) => {
  const { status, json } = await burgee.patchVariants(feature, undefined, { body });

  expect([status, JSON.stringify(json)]).toEqual([400, expect.not.stringMatching(/\\ud/)]);
});

it("a number that JavaScript cannot hold returns 400, instead of being stored as null", async () => {
  const body = '[{"op":"add","path":"/targeting","value":{"targeting":{">":[{"var":"n"},1e999]}}}]';

  const answer = await burgee.patchFeature(feature, undefined, { body });

  const details = issuesAt("/0/value/targeting/>/1");
  expect(answer).toEqual(invalid({ message: naming("too large for a number"), details }));
  expect(burgee.writes()).toEqual([]);
});

it("a body of more than 20,000 list elements and members returns 400 before its feature is read", async () => {
  const overrides = [{ contextName: "a", values: Array(20_000).fill(1) }];
  const answer = await burgee.patchVariants("missing", [add("/a", { weight: 0, overrides })]);

  expect(answer).toEqual(invalid({ message: naming("20,000"), details: issuesAt("") }));
});
