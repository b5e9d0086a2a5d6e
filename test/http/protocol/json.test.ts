import { describe, expect, it } from "vitest";
import { faultsAt, invalid, naming, patchedTo, tagged } from "../../support/answers.ts";
import { type Response, useBurgee } from "../../support/burgee.ts";
import { add } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

type Body = string | Uint8Array;

const burgee = useBurgee();

async function sendBoth(feature: string, body: Body | undefined) {
  const options = body === undefined ? {} : { body };
  return [
    await burgee.putTags(feature, undefined, options),
    await burgee.patch(feature, undefined, options),
  ] satisfies Response[];
}

describe("a body that is not JSON is refused with 400", () => {
  it.each<[string, Body | undefined]>([
    ["no body", undefined],
    ["an empty body", ""],
    ["two byte-order marks", "\uFEFF\uFEFF[]"],
    ["an open list", "["],
    ["NaN", "NaN"],
  ])("%s", async (_, body) => {
    const answers = await sendBoth("any", body);

    expect(answers).toEqual([invalid(), invalid()]);
  });
});

describe("a body that is not UTF-8 is refused with 400", () => {
  it.each([
    ["a lone continuation byte", [0x80]],
    ["a cut-off sequence", [0xe2, 0x82]],
    ["an overlong slash", [0xc0, 0xaf]],
    ["an encoded surrogate", [0xed, 0xa0, 0x80]],
  ])("%s", async (_, bytes) => {
    const start = Buffer.from('{"addedTags":[{"type":"simple","value":"team');
    const body = Buffer.concat([start, Uint8Array.from(bytes), Buffer.from('"}],"removedTags":[]}')]);

    const answers = await sendBoth("any", new Uint8Array(body));

    expect(answers).toEqual([invalid(), invalid()]);
  });

  it("UTF-16 with its byte-order mark", async () => {
    const answers = await sendBoth("any", new Uint8Array(Buffer.from("\uFEFF[]", "utf16le")));

    expect(answers).toEqual([invalid(), invalid()]);
  });
});

describe("nesting", () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  // The list of the patch, the operation, and 30 more.
  const ignored = (levels: number) => `[{"op":"copy","from":"","path":"","note":${nested(levels)}}]`;

  it("32 levels deep is accepted", async () => {
    const feature = await addFeature(burgee);

    const answer = await burgee.patch(feature, undefined, { body: ignored(30) });

    expect(answer).toEqual(patchedTo([]));
  });

  it("33 levels deep is refused with 400 that names the limit", async () => {
    const feature = await addFeature(burgee);

    const answer = await burgee.patch(feature, undefined, { body: ignored(31) });

    const details = faultsAt(`/0/note${"/0".repeat(30)}`);
    expect(answer).toEqual(invalid({ message: naming("32"), details }));
  });

  it("100,000 levels deep is refused with 400", async () => {
    const answers = await sendBoth("any", nested(100_000));

    const refusal = invalid({ message: naming("32"), details: faultsAt("/0".repeat(32)) });
    expect(answers).toEqual([refusal, refusal]);
  });
});

describe("a string with a lone surrogate is refused with 400", () => {
  it.each([["a high one", "\\ud83d"]])("%s", async (_, escaped) => {
    const tagBody = `{"addedTags":[{"type":"simple","value":"team${escaped}"}],"removedTags":[]}`;
    const patchBody = `[{"op":"add","path":"/-","value":{"name":"blue","weight":0,"stickiness":"${escaped}"}}]`;

    const put = await burgee.putTags("any", undefined, { body: tagBody });
    const patched = await burgee.patch("any", undefined, { body: patchBody });

    expect(put).toEqual(invalid({ details: faultsAt("/addedTags/0/value") }));
    expect(patched).toEqual(invalid({ details: faultsAt("/0/value/stickiness") }));
  });

  it("as the name of a member", async () => {
    const answer = await burgee.patch("any", undefined, {
      body: '[{"op":"remove","path":"/0","\\ud83d":1}]',
    });

    expect(answer).toEqual(invalid({ details: faultsAt("/0") }));
  });

  it("and a whole pair is accepted", async () => {
    const feature = await addFeature(burgee);
    const body = '{"addedTags":[{"type":"simple","value":"\\ud83d\\ude00!"}],"removedTags":[]}';

    const answer = await burgee.putTags(feature, undefined, { body });

    expect(answer).toEqual(tagged(feature, [tag("😀!")]));
  });
});

describe("a name that could reach a prototype is refused with 400", () => {
  const names = ["__proto__", "constructor", "prototype"];

  it.each(names)("%s as a member, wherever it stands in a body", async (name) => {
    const own = await burgee.putTags("any", undefined, {
      body: `{"addedTags":[],"removedTags":[],"${name}":{"polluted":true}}`,
    });
    const inTag = await burgee.putTags("any", undefined, {
      body: `{"addedTags":[{"type":"simple","value":"team","${name}":{}}],"removedTags":[]}`,
    });
    const inOperation = await burgee.patch("any", undefined, {
      body: `[{"op":"remove","path":"/0","${name}":{"polluted":true}}]`,
    });
    const inValue = await burgee.patch("any", undefined, {
      body: `[{"op":"add","path":"/-","value":{"name":"blue","weight":0,"payload":{"${name}":{"polluted":true}}}}]`,
    });

    expect(own).toEqual(invalid({ details: faultsAt(`/${name}`) }));
    expect(inTag).toEqual(invalid({ details: faultsAt(`/addedTags/0/${name}`) }));
    expect(inOperation).toEqual(invalid({ details: faultsAt(`/0/${name}`) }));
    expect(inValue).toEqual(invalid({ details: faultsAt(`/0/value/payload/${name}`) }));
    expect({}).not.toHaveProperty("polluted");
  });

  it.each(names)("%s in a path or a from", async (name) => {
    const answer = await burgee.patch("any", [
      add(`/${name}/polluted`, true),
      add(`/0/${name}`, { polluted: true }),
      { op: "copy", from: `/0/${name}/${name}`, path: "/-" },
      { op: "move", from: "/0", path: `/${name}` },
    ]);

    expect(answer).toEqual(invalid({ details: faultsAt("/0/path", "/1/path", "/2/from", "/3/path") }));
    expect({}).not.toHaveProperty("polluted");
  });

  it("but such a name as a value is a text like any other", async () => {
    const feature = await addFeature(burgee);

    const put = await burgee.putTags(feature, {
      addedTags: [tag("__proto__", "constructor")],
      removedTags: [],
    });
    const patched = await burgee.patch(feature, [add("/-", { name: "prototype", weight: 0 })]);

    expect(put).toEqual(tagged(feature, [tag("__proto__", "constructor")]));
    expect(patched).toEqual(patchedTo([variant("prototype")]));
  });
});
