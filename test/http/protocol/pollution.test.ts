/** Names that could reach a prototype, wherever a request has names: they are refused in bodies, and harmless elsewhere. */
import { beforeAll, describe, expect, it } from "vitest";
import { faultsAt, invalid, patchedTo, tagged, unchanged } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add, copy, move } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const forbidden = ["__proto__", "constructor", "prototype"];
const names = [...forbidden, "__defineGetter__", "hasOwnProperty", "toString"];
const prototypes = () => [Object.prototype, Array.prototype].map((each) => Object.getOwnPropertyNames(each));

const burgee = useBurgee();
let feature: string;
let before: string[][];

beforeAll(async () => {
  feature = await addFeature(burgee, { environments: { development: [variant("blue")] } });
  before = prototypes();
});

describe("a name that could reach a prototype returns 400 in a body:", () => {
  it.each(forbidden)("%s as a member of a tag update", async (name) => {
    const member = `"${name}":{"polluted":true}`;
    const put = (body: string) => burgee.putTags("any", undefined, { body });

    const own = await put(`{"addedTags":[],"removedTags":[],${member}}`);
    const inTag = await put(`{"addedTags":[{"type":"simple","value":"team",${member}}],"removedTags":[]}`);

    expect(own).toEqual(invalid({ details: faultsAt(`/${name}`) }));
    expect(inTag).toEqual(invalid({ details: faultsAt(`/addedTags/0/${name}`) }));
    expect(prototypes()).toEqual(before);
  });

  it.each(forbidden)("%s as a member of a patch, also twice", async (name) => {
    const member = `"${name}":{"polluted":true}`;
    const patch = (body: string) => burgee.patch("any", undefined, { body });
    const value = `{"name":"blue","weight":0,"payload":{${member}}}`;

    const inOperation = await patch(`[{"op":"remove","path":"/0",${member}}]`);
    const twice = await patch(`[{"op":"remove","path":"/0",${member},"${name}":1}]`);
    const inValue = await patch(`[{"op":"add","path":"/-","value":${value}}]`);

    expect(inOperation).toEqual(invalid({ details: faultsAt(`/0/${name}`) }));
    expect(twice).toEqual(invalid({ details: faultsAt(`/0/${name}`) }));
    expect(inValue).toEqual(invalid({ details: faultsAt(`/0/value/payload/${name}`) }));
    expect(prototypes()).toEqual(before);
  });

  it.each(forbidden)("%s in a path or a from", async (name) => {
    const answer = await burgee.patch("any", [
      add(`/${name}/polluted`, true),
      add(`/0/${name}`, { polluted: true }),
      copy(`/0/${name}/${name}`, "/-"),
      move("/0", `/${name}`),
    ]);

    expect(answer).toEqual(invalid({ details: faultsAt("/0/path", "/1/path", "/2/from", "/3/path") }));
    expect(prototypes()).toEqual(before);
  });
});

it("a name that could reach a prototype may be the value of a tag or the name of a variant", async () => {
  const other = await addFeature(burgee);
  const tags = [tag("__proto__", "constructor")];

  const put = await burgee.putTags(other, { addedTags: tags, removedTags: [] });
  const patched = await burgee.patch(other, [add("/-", { name: "prototype", weight: 0 })]);

  expect(put).toEqual(tagged(other, tags));
  expect(patched).toEqual(patchedTo([variant("prototype")]));
});

describe("a name that could reach a prototype changes nothing:", () => {
  const asBefore = unchanged([variant("blue")], "development");

  it.each(names)("%s in a query, as a header, and as an Idempotency-Key, twice", async (name) => {
    const query = `${name}=polluted&${name}[polluted]=1&${name}.polluted=1`;
    const headers = { ...JSON.parse(`{"${name}":"polluted"}`), "idempotency-key": name };

    expect((await burgee.getVariants(feature, { query })).json).toEqual(asBefore.json);
    expect(await burgee.patch(feature, [], { headers })).toEqual(asBefore);
    expect(await burgee.patch(feature, [], { headers })).toEqual(asBefore);
    expect(prototypes()).toEqual(before);
  });

  it.each(names)("%s as an environment, a feature or a project that does not exist", async (name) => {
    const answers = [
      await burgee.getVariants(feature, { environment: name }),
      await burgee.getVariants(name),
      await burgee.getVariants(feature, { project: name }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(prototypes()).toEqual(before);
  });
});
