/** Preconditions of the tag update, and conditional reads of tags. */
import { describe, expect, it } from "vitest";
import { invalid, refused } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { addFeature, tag } from "../../support/seed.ts";
import type { Fate } from "../../support/wire.ts";

const burgee = useBurgee();

const adding = (value: string) => ({ addedTags: [tag(value)], removedTags: [] });
const none = { addedTags: [], removedTags: [] };
const ifMatch = (value: string) => ({ headers: { "if-match": value } });
const etagOf = async (feature: string) => (await burgee.getTags(feature)).headers.etag ?? "";
const unmet = (etag: string) => refused(412, "PreconditionFailed", { headers: { etag } });

describe.each([
  ["adds a tag", adding("added"), "?"],
  ["changes nothing", none, "?"],
  ["is a dry run", adding("added"), "?dryRun=true"],
])("a tag update with If-Match that %s", (_, update, query) => {
  const put = (feature: string, value: string) =>
    burgee.putTags(feature, update, {
      ...ifMatch(value),
      path: `/api/admin/features/${feature}/tags${query}`,
    });

  it.each([
    ["the ETag that was read", (etag: string) => etag],
    ["the ETag among others", (etag: string) => `"other", ,${etag} ,`],
    ["*", () => "*"],
  ])("is made with %s", async (_, value) => {
    const feature = await addFeature(burgee);

    const { status, headers } = await put(feature, value(await etagOf(feature)));

    expect([200, 201]).toContain(status);
    expect(headers.etag).toBe(await etagOf(feature));
  });

  it.each([
    ["another ETag", () => '"other"'],
    ["several other ETags", () => '"other", "another"'],
    ["a weak ETag", (etag: string) => `W/${etag}`],
    ["an empty ETag", () => '""'],
  ])("is refused with 412 and the current ETag with %s", async (_, value) => {
    const feature = await addFeature(burgee);
    const etag = await etagOf(feature);

    expect(await put(feature, value(etag))).toEqual(unmet(etag));
    expect((await burgee.getTags(feature)).json.tags).toEqual([]);
  });

  it.each(["no-quotes", ",", ""])("is refused with 400 when it is malformed: %j", async (value) => {
    const feature = await addFeature(burgee);

    expect(await put(feature, value)).toEqual(invalid());
  });
});

it("the update is one write, whose condition the ETag is", async () => {
  const feature = await addFeature(burgee);
  const etag = await etagOf(feature);
  burgee.wire.reset();

  await burgee.putTags(feature, adding("added"), ifMatch(etag));

  expect(burgee.wire.calls.map(({ operation }) => operation)).toEqual(["UpdateItem"]);
});

it("the ETag of a stale read is refused under concurrency: of ten updates with one ETag, one is made", async () => {
  const feature = await addFeature(burgee);
  const etag = await etagOf(feature);

  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => burgee.putTags(feature, adding(`t${index}`), ifMatch(etag))),
  );

  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(412)]);
  expect((await burgee.getTags(feature)).json.tags).toHaveLength(1);
});

it("an unknown feature is a 404, and one of another project a 403, before the precondition is compared", async () => {
  const feature = await addFeature(burgee);
  const key = await burgee.keyWith({ permission: "UPDATE_FEATURE", project: "other" });

  const unknown = await burgee.putTags("no-such-feature", adding("added"), ifMatch('"other"'));
  const forbidden = await burgee.putTags(feature, adding("added"), { ...ifMatch('"other"'), key });

  expect([unknown.status, forbidden.status]).toEqual([404, 403]);
});

it("an update whose response was lost is made once, and acknowledged by the SDK's own retry", async () => {
  const feature = await addFeature(burgee);
  const etag = await etagOf(feature);
  burgee.wire.decide(({ operation, attempt }) =>
    operation === "UpdateItem" && attempt === 1 ? "lose the answer" : "pass",
  );

  const { status } = await burgee.putTags(feature, adding("added"), ifMatch(etag));

  expect(status).toBe(201);
});

it("where it cannot be known whether a lost update was made, the answer is a 409", async () => {
  const feature = await addFeature(burgee);
  const etag = await etagOf(feature);
  let lost = false;
  burgee.wire.decide(async ({ operation, attempt }): Promise<Fate> => {
    if (operation !== "UpdateItem") return "pass";
    if (!lost) {
      lost = true;
      return "lose the answer";
    }
    if (attempt > 1) await burgee.putTags(feature, adding("other"));
    return "pass";
  });

  const answer = await burgee.putTags(feature, adding("added"), ifMatch(etag));

  expect(answer).toEqual(refused(409, "ConflictError"));
});

describe("GET of tags", () => {
  it("is a 304 with If-None-Match of the current ETag, and a 200 once the tags have changed", async () => {
    const feature = await addFeature(burgee);
    const headers = { "if-none-match": await etagOf(feature) };

    const known = await burgee.getTags(feature, { headers });
    await burgee.putTags(feature, adding("added"));
    const changed = await burgee.getTags(feature, { headers });

    expect([known.status, known.json, known.headers.etag]).toEqual([
      304,
      undefined,
      headers["if-none-match"],
    ]);
    expect(changed.status).toBe(200);
  });
});
