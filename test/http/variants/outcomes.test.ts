/** On success, the header burgee-environments tells what became of each environment. */
import { expect, it } from "vitest";
import { patchedTo } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { add, times } from "../../support/patching.ts";
import { addFeature, variant } from "../../support/seed.ts";

const blue = variant("blue");
const sticky = variant("blue", { stickiness: "id" });
const makeSticky = [add("/0/stickiness", "id")];

const burgee = useBurgee();

it("in the project's order, patched or unchanged", async () => {
  const feature = await addFeature(burgee, { environments: { zulu: [blue], mike: [sticky], alpha: [blue] } });

  const answer = await burgee.patch(feature, makeSticky);

  expect(answer).toEqual(patchedTo([sticky], "zulu=patched, mike=unchanged, alpha=patched"));
});

it("with percent-encoded names, as a header has no other characters", async () => {
  const feature = await addFeature(burgee, { environments: { "a=b, c\r\nx: y": [blue], "ü🏁": [blue] } });

  const answer = await burgee.patch(feature, makeSticky);

  const header = "a%3Db%2C%20c%0D%0Ax%3A%20y=patched, %C3%BC%F0%9F%8F%81=patched";
  expect(answer).toEqual(patchedTo([sticky], header));
});

it("is left out where it would be longer than 4,096 characters", async () => {
  const names = times(5, (at) => String(at).repeat(807));
  const environments = Object.fromEntries(names.map((name) => [name, []]));
  const shorter = await addFeature(burgee, { environments });
  const longer = await addFeature(burgee, { project: "long", environments: { ...environments, x: [] } });

  const fits = await burgee.patch(shorter, []);
  const tooLong = await burgee.patch(longer, [], { project: "long" });

  expect(fits.headers["burgee-environments"]).toHaveLength(5 * (807 + "=unchanged".length) + 4 * ", ".length);
  expect(tooLong.headers).not.toHaveProperty("burgee-environments");
  expect(tooLong.status).toBe(200);
});
