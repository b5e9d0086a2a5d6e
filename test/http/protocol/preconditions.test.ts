/** If-Match and If-None-Match on patches and tag updates. Together with an Idempotency-Key: ../changes/idempotency-key.test.ts */
import { beforeEach, describe, expect, it } from "vitest";
import { detailsOf, naming, patchedTo, refused, tagged } from "../../support/answers.ts";
import { type Place, type Request, useBurgee } from "../../support/burgee.ts";
import { add } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";
import type { Call } from "../../support/wire.ts";

const environments = { development: [variant("blue")], production: [variant("blue")] };
const stickTo = (name: string) => [add("/0/stickiness", name)];
const sticky = variant("blue", { stickiness: "userId" });
const adding = (value: string) => ({ addedTags: [tag(value)], removedTags: [] });
const nothing = { addedTags: [], removedTags: [] };
const inProduction: Place = { environment: "production" };

const burgee = useBurgee();

let feature: string;
beforeEach(async () => {
  feature = await addFeature(burgee, { environments });
});

const ifMatch = (value: string) => ({ headers: { "if-match": value } });
const unmet = (etag: string) => refused(412, "PreconditionFailed", { headers: { etag } });
/** Another one of the same path. */
const earlier = (etag: string) => `${etag.slice(0, -4)}${etag.endsWith('AAA"') ? "BBB" : "AAA"}"`;
const tagsEtag = async (feature: string) => (await burgee.getTags(feature)).headers.etag ?? "";

const etagOfFeature = (feature: string) => burgee.etag(feature);

type Send = (feature: string, options: Partial<Request>) => ReturnType<typeof burgee.send>;

function patchOf(place: Place): [send: Send, etagOf: (feature: string) => Promise<string>] {
  const send: Send = (feature, options) =>
    burgee.patchVariants(feature, stickTo("userId"), { ...place, ...options });
  return [send, (feature) => burgee.etag(feature, { environment: place.environment })];
}

describe.each<[string, Send, etagOf: (feature: string) => Promise<string>]>([
  ["a patch of every environment", ...patchOf({})],
  ["a patch of one environment", ...patchOf(inProduction)],
  ["a dry run of a patch", ...patchOf({ dryRun: true })],
  ["a switch", (feature, options) => burgee.switch(feature, "on", options), etagOfFeature],
  [
    "a dry run of a switch",
    (feature, options) => burgee.switch(feature, "on", { dryRun: true, ...options }),
    etagOfFeature,
  ],
  ["a tag update", (feature, options) => burgee.putTags(feature, adding("added"), options), tagsEtag],
  ["an empty tag update", (feature, options) => burgee.putTags(feature, nothing, options), tagsEtag],
  [
    "a dry run of a tag update",
    (feature, options) => burgee.putTags(feature, adding("added"), { dryRun: true, ...options }),
    tagsEtag,
  ],
])("%s with a precondition", (_, send, etagOf) => {
  it.each([
    ["the current ETag", (etag: string) => etag],
    ["the current ETag as a weak one", (etag: string) => `"other", W/${etag}`],
    ["*", () => "*"],
  ])("is refused with 412 and writes nothing where If-None-Match has %s", async (_, value) => {
    const etag = await etagOf(feature);
    burgee.wire.reset();

    const answer = await send(feature, { headers: { "if-none-match": value(etag) } });

    expect(answer).toEqual(unmet(etag));
    expect(burgee.writes()).toEqual([]);
  });

  it("succeeds where If-None-Match has other ETags", async () => {
    const etag = earlier(await etagOf(feature));

    const { status } = await send(feature, { headers: { "if-none-match": etag } });

    expect([200, 201]).toContain(status);
  });

  it.each([
    ["the ETag that was read", (etag: string) => etag],
    ["the ETag among others and empty members", (etag: string) => `"other" , ,${etag} ,`],
    ["*", () => "*"],
  ])("succeeds with %s, and returns the current ETag", async (_, value) => {
    const { status, headers } = await send(feature, ifMatch(value(await etagOf(feature))));

    expect([200, 201]).toContain(status);
    expect(headers.etag).toBe(await etagOf(feature));
  });

  it.each([
    ["several other ETags", () => '"other", "another"'],
    ["a weak ETag", (etag: string) => `W/${etag}`],
    ["an ETag that begins with W/ in its quotes", (etag: string) => `"W/${etag.slice(1)}`],
    ["one of another path, and one of an earlier state", (etag: string) => `"other", ${earlier(etag)}`],
  ])("returns 412 and the current ETag with %s, and writes nothing", async (_, value) => {
    const etag = await etagOf(feature);

    expect(await send(feature, ifMatch(value(etag)))).toEqual(unmet(etag));
    expect(await etagOf(feature)).toBe(etag);
  });

  it.each(["*", '"other"'])("returns 404 for an unknown feature with %s", async (value) => {
    expect((await send("nothing", ifMatch(value))).status).toBe(404);
  });
});

describe("the ETag of the feature with its tags", () => {
  const etagOfAll = async () => (await burgee.getFeature(feature)).headers.etag ?? "";

  it("is that of a patch of every environment, also after a tag update, until an environment changes", async () => {
    const read = await etagOfAll();
    await burgee.putTags(feature, adding("meanwhile"));
    const first = await burgee.patchVariants(feature, stickTo("userId"), ifMatch(read));
    const second = await burgee.patchVariants(feature, stickTo("sessionId"), ifMatch(read));

    expect([first.status, second.status]).toEqual([200, 412]);
  });

  it("is that of a tag update, also after a patch, until the tags change", async () => {
    const read = await etagOfAll();
    await burgee.patchVariants(feature, stickTo("userId"));
    const first = await burgee.putTags(feature, adding("first"), ifMatch(read));
    const second = await burgee.putTags(feature, adding("second"), ifMatch(read));

    expect([first.status, second.status]).toEqual([201, 412]);
  });

  it("is not that of one environment", async () => {
    const options = { ...inProduction, ...ifMatch(await etagOfAll()) };

    expect(await burgee.patchVariants(feature, stickTo("userId"), options)).toMatchObject({ status: 412 });
  });

  it("is another for a read of the feature once either has changed", async () => {
    const read = await etagOfAll();
    const readAgain = () => burgee.getFeature(feature, { headers: { "if-none-match": read } });
    expect(await readAgain()).toMatchObject({ status: 304 });
    await burgee.putTags(feature, adding("later"));

    expect(await readAgain()).toMatchObject({ status: 200 });
  });
});

it.each([
  [' ,"other" ,, ', 412],
  ['"a,b"', 412],
  [" * ", 200],
  ["", 400],
  [",", 400],
  ["no-quotes", 400],
  ['"open', 400],
  ['"a" "b"', 400],
  ['*, "a"', 400],
])("an If-Match of %j returns %i", async (value, status) => {
  expect((await burgee.patchVariants(await addFeature(burgee), [], ifMatch(value))).status).toBe(status);
});

it("a patch returns 412 after another request's change, and succeeds with the ETag of that response", async () => {
  const read = await burgee.etag(feature);
  await burgee.patchVariants(feature, stickTo("sessionId"), inProduction);

  const late = await burgee.patchVariants(feature, stickTo("userId"), ifMatch(read));
  const { etag = "" } = late.headers;
  const again = await burgee.patchVariants(feature, stickTo("userId"), ifMatch(etag));

  expect(late).toEqual(unmet(etag));
  expect(late.json.message).toEqual(naming("the feature changed after", "nothing was written"));
  expect(again).toEqual(patchedTo([sticky]));
});

const isWriteOf =
  (environment: string) =>
  ({ operation, input }: Call) =>
    operation === "UpdateItem" && JSON.stringify(input.Key).includes(environment);

it.each(["a patch", "a switch", "an undo"])(
  "%s returns 412 after a switch, and says that the feature changed",
  async (kind) => {
    const { headers } = await burgee.patchVariants(feature, stickTo("userId"));
    const [change, read] = [headers["burgee-change"] ?? "", headers.etag ?? ""];
    await burgee.switch(feature, "on", inProduction);
    const send: Record<string, (options: Partial<Request>) => ReturnType<typeof burgee.send>> = {
      "a patch": (options) => burgee.patchVariants(feature, stickTo("sessionId"), options),
      "a switch": (options) => burgee.switch(feature, "off", options),
      "an undo": (options) => burgee.undo(feature, change, options),
    };

    const answer = await send[kind]?.(ifMatch(read));

    expect(answer).toEqual(unmet(await burgee.etag(feature)));
  },
);

it.each([
  ["a switch", "switched", (options) => burgee.switch(feature, "on", options)],
  ["an undo", "restored", (options, change) => burgee.undo(feature, change, options)],
] satisfies [
  string,
  string,
  (options: Partial<Request>, change: string) => ReturnType<typeof burgee.send>,
][])("a retry of %s says in a 412 what its earlier attempt has done", async (_, done, send) => {
  const change = (await burgee.patchVariants(feature, stickTo("userId"))).headers["burgee-change"] ?? "";
  const headers = { "if-match": await burgee.etag(feature), "idempotency-key": "retried" };
  burgee.wire.decideWrites((count) => (count === 2 ? { error: "ResourceNotFoundException" } : "pass"));
  await send({ headers }, change);
  await burgee.patchVariants(feature, stickTo("sessionId"), inProduction);

  const answer = await send({ headers }, change);

  const message = naming(`an earlier attempt of this request has ${done} some environments`);
  const details = detailsOf({ development: "already patched", production: "not attempted" });
  const etag = await burgee.etag(feature);
  expect(answer).toEqual(refused(412, "PreconditionFailed", { headers: { etag }, message, details }));
});

it("a patch returns 409 with each outcome when a write conflict follows a written environment", async () => {
  const etag = await burgee.etag(feature);
  burgee.wire.beforeFirst(isWriteOf("production"), () =>
    burgee.patchVariants(feature, stickTo("sessionId"), inProduction),
  );

  const answer = await burgee.patchVariants(feature, stickTo("userId"), ifMatch(etag));

  const code = "changed-meanwhile";
  const failed = { code, message: expect.any(String) } as const;
  const details = detailsOf({ development: "patched", production: failed });
  expect(answer).toEqual(refused(409, "ConflictError", { code, details }));
});

it("a patch returns 412 when a write conflict follows unchanged environments only", async () => {
  const feature = await addFeature(burgee, { environments: { ...environments, development: [sticky] } });
  const etag = await burgee.etag(feature);
  burgee.wire.beforeFirst(
    ({ operation }) => operation === "UpdateItem",
    () => burgee.patchVariants(feature, stickTo("sessionId"), inProduction),
  );

  const answer = await burgee.patchVariants(feature, stickTo("userId"), ifMatch(etag));

  expect(answer).toEqual(unmet(await burgee.etag(feature)));
  expect(answer.headers.etag).not.toBe(etag);
});

it.each<[string, Send, of: (feature: string) => Promise<string>]>([
  ["a patch of every environment", patchOf({})[0], (feature) => burgee.etag(feature, inProduction)],
  ["a patch of one environment", patchOf(inProduction)[0], (feature) => burgee.etag(feature)],
  [
    "a patch of another feature",
    patchOf({})[0],
    async () => burgee.etag(await addFeature(burgee, { environments })),
  ],
  [
    "a tag update",
    (feature, options) => burgee.putTags(feature, adding("added"), options),
    (feature) => burgee.etag(feature),
  ],
])("%s with an ETag of another path returns 412", async (_, send, of) => {
  const answer = await send(feature, ifMatch(await of(feature)));

  const etag = expect.stringMatching(/^"(0|[\w-]+)"$/);
  const message = naming("or it is weak or that of another path", "nothing was written");
  expect(answer).toEqual(refused(412, "PreconditionFailed", { headers: { etag }, message }));
  expect(burgee.writes().every((written) => written === "FEATURE")).toBe(true);
});

it("a tag update returns 412 after another request's change, and succeeds with the ETag of that response", async () => {
  const read = await tagsEtag(feature);
  const theirs = await burgee.putTags(feature, adding("theirs"), ifMatch(read));

  const late = await burgee.putTags(feature, adding("ours"), ifMatch(read));
  const again = await burgee.putTags(feature, adding("ours"), ifMatch(late.headers.etag ?? ""));

  expect(late).toEqual(unmet(theirs.headers.etag ?? ""));
  expect(late.json.message).toEqual(naming("the tags changed after", "nothing was written"));
  expect(again).toEqual(tagged(feature, [tag("ours"), tag("theirs")]));
  expect(again.headers.etag).not.toBe(theirs.headers.etag);
});

it("an undo is refused with 412 and writes nothing where If-None-Match matches, also as a dry run", async () => {
  const { headers } = await burgee.patchVariants(feature, stickTo("userId"));
  const [change, etag] = [headers["burgee-change"] ?? "", headers.etag ?? ""];
  burgee.wire.reset();

  for (const dryRun of [true, false]) {
    const answer = await burgee.undo(feature, change, { headers: { "if-none-match": etag }, dryRun });
    expect(answer).toEqual(unmet(etag));
  }
  expect(burgee.writes()).toEqual([]);
  const { status } = await burgee.undo(feature, change, { headers: { "if-none-match": earlier(etag) } });
  expect(status).toBe(200);
});

it("a tag update with If-None-Match is written after a concurrent one, of which nothing is lost", async () => {
  const another = earlier(await tagsEtag(feature));
  burgee.wire.beforeFirst(
    ({ operation }) => operation === "UpdateItem",
    () => burgee.putTags(feature, adding("theirs")),
  );

  const answer = await burgee.putTags(feature, adding("ours"), { headers: { "if-none-match": another } });

  expect(answer).toEqual(tagged(feature, [tag("ours"), tag("theirs")]));
});

it("a tag update with several ETags in If-Match is refused with 412 after a concurrent one, and writes nothing", async () => {
  const read = await tagsEtag(feature);
  burgee.wire.beforeFirst(
    ({ operation }) => operation === "UpdateItem",
    () => burgee.putTags(feature, adding("theirs")),
  );

  const answer = await burgee.putTags(feature, adding("ours"), ifMatch(`"other", ${read}`));

  const { headers, json } = await burgee.getTags(feature);
  expect(answer).toEqual(unmet(headers.etag ?? ""));
  expect(json.tags).toEqual([tag("theirs")]);
});
