/** Names that could reach a prototype, where a request has names beside its body. */
import { beforeAll, describe, expect, it } from "vitest";
import { patchedTo } from "../../support/answers.ts";
import { adminKey, useBurgee } from "../../support/burgee.ts";
import { addFeature, variant } from "../../support/seed.ts";

const names = ["__proto__", "constructor", "prototype", "__defineGetter__", "hasOwnProperty", "toString"];
const untouched = () => [Object.prototype, Array.prototype].map((each) => Object.getOwnPropertyNames(each));

const burgee = useBurgee();
let feature: string;
let before: string[][];

beforeAll(async () => {
  feature = await addFeature(burgee, { environments: { development: [variant("blue")] } });
  before = untouched();
});

function send(query: string, headers: Record<string, string>) {
  return burgee.send({
    method: "PATCH",
    path: `/api/admin/projects/default/features/${feature}/variants${query}`,
    headers: { authorization: adminKey, "content-type": "application/json", ...headers },
    body: "[]",
  });
}

describe("a name that could reach a prototype changes nothing", () => {
  it.each(names)("%s in a query", async (name) => {
    const answer = await send(`?${name}=polluted&${name}[polluted]=1&${name}.polluted=1`, {});

    expect(answer).toEqual(patchedTo([variant("blue")]));
    expect(untouched()).toEqual(before);
  });

  it.each(names)("%s as a header", async (name) => {
    const answer = await send("", JSON.parse(`{"${name}":"polluted"}`));

    expect(answer).toEqual(patchedTo([variant("blue")]));
    expect(untouched()).toEqual(before);
  });

  it.each(names)("%s as an idempotency key, twice", async (name) => {
    const answers = [
      await send("", { "idempotency-key": name }),
      await send("", { "idempotency-key": name }),
    ];

    expect(answers).toEqual(Array(2).fill(patchedTo([variant("blue")])));
    expect(untouched()).toEqual(before);
  });

  it.each(names)("%s as an environment, a feature or a project: there is none", async (name) => {
    const answers = [
      await burgee.getVariants(feature, { environment: name }),
      await burgee.getVariants(name),
      await burgee.getVariants(feature, { project: name }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(untouched()).toEqual(before);
  });
});
