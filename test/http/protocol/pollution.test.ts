/** Names that could reach a prototype, wherever a request has names: they are refused in bodies, and harmless elsewhere. */
import { beforeAll, expect, it } from "vitest";
import { faultsAt, invalid, patchedTo, tagged, unchanged } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add, copy, move } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const forbidden = ["__proto__", "constructor", "prototype"];
const names = [...forbidden, "__defineGetter__", "toString"];
const prototypes = () => [Object.prototype, Array.prototype].map((each) => Object.getOwnPropertyNames(each));

const burgee = useBurgee();
let feature: string;
let before: string[][];

beforeAll(async () => {
  feature = await addFeature(burgee, { environments: { development: [variant("blue")] } });
  before = prototypes();
});

it.each(forbidden)("%s returns 400 as a member of a body, in a path or in a from", async (name) => {
  const member = `"${name}":{"polluted":true}`;
  const tags = `[{"type":"simple","value":"team",${member}}]`;
  const put = (body: string) => burgee.putTags("any", undefined, { body });
  const patch = (operation: string) => burgee.patch("any", undefined, { body: `[${operation}]` });

  const inUpdate = await put(`{"addedTags":${tags},"removedTags":[],${member}}`);
  const inOperation = await patch(`{"op":"remove","path":"/0",${member},"${name}":1}`);
  const inValue = await patch(`{"op":"add","path":"/-","value":{"payload":{${member}}}}`);
  const paths = [add(`/0/${name}`, 1), copy(`/0/${name}/${name}`, "/-"), move("/0", `/${name}`)];
  const inPaths = await burgee.patch("any", paths);

  expect(inUpdate).toEqual(invalid({ details: faultsAt(`/addedTags/0/${name}`, `/${name}`) }));
  expect(inOperation).toEqual(invalid({ details: faultsAt(`/0/${name}`) }));
  expect(inValue).toEqual(invalid({ details: faultsAt(`/0/value/payload/${name}`) }));
  expect(inPaths).toEqual(invalid({ details: faultsAt("/0/path", "/1/from", "/2/path") }));
  expect(prototypes()).toEqual(before);
});

it("a name that could reach a prototype may be the value of a tag or the name of a variant", async () => {
  const other = await addFeature(burgee);
  const tags = [tag("__proto__", "constructor")];

  const put = await burgee.putTags(other, { addedTags: tags, removedTags: [] });
  const patched = await burgee.patch(other, [add("/-", { name: "prototype", weight: 0 })]);

  expect(put).toEqual(tagged(other, tags));
  expect(patched).toEqual(patchedTo([variant("prototype")]));
});

it.each(names)("%s changes nothing in a query, a header, an Idempotency-Key or a path", async (name) => {
  const query = `${name}=polluted&${name}[polluted]=1&${name}.polluted=1`;
  const headers = { ...JSON.parse(`{"${name}":"polluted"}`), "idempotency-key": name };

  expect((await burgee.getVariants(feature, { query })).json.variants).toEqual([variant("blue")]);
  expect(await burgee.patch(feature, [], { headers })).toEqual(unchanged([variant("blue")], "development"));
  for (const place of [{ environment: name }, { project: name }])
    expect((await burgee.getVariants(feature, place)).status).toBe(404);
  expect(prototypes()).toEqual(before);
});
