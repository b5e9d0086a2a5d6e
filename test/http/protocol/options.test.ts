/** Options of a write that its route does not accept: those that a caller relies on are never dropped in silence. */
import { readFileSync } from "node:fs";
import { beforeEach, expect, it } from "vitest";
import { type OptionName, requestOptions } from "../../../lib/http/options.ts";
import { invalid } from "../../support/answers.ts";
import { featurePath, tagsPath, useBurgee, variantsPath } from "../../support/burgee.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const burgee = useBurgee();
const place = { environment: "production" };
const guard = { "burgee-guard": "errors" };

/** Each would succeed, and write, without another header. */
const requests = {
  "a creation": (feature: string) => ({
    method: "POST",
    path: "/api/admin/projects/default/features",
    json: { name: `${feature}-new` },
  }),
  "a deletion": (feature: string) => ({ method: "DELETE", path: featurePath(feature) }),
  "a restoration": () => ({ method: "POST", path: featurePath(deleted, { below: "/restore" }) }),
  "a trip": () => ({
    method: "POST",
    path: "/api/admin/projects/default/environments/production/guards/errors/trip",
  }),
  "a tag update": (feature: string) => ({
    method: "PUT",
    path: tagsPath(feature),
    json: { addedTags: [tag("new")], removedTags: [] },
  }),
  "an undo": (feature: string, change: string) => ({
    method: "POST",
    path: variantsPath(feature, { ...place, below: `/changes/${change}/undo` }),
  }),
};

let feature: string;
let deleted: string;
let change: string;
beforeEach(async () => {
  deleted = await addFeature(burgee, { environments: { production: [variant("blue")] } });
  await burgee.send({ method: "DELETE", path: featurePath(deleted) });
  feature = await addFeature(burgee, { environments: { production: [variant("blue")] }, enabled: true });
  const { headers } = await burgee.switch(feature, "off", { ...place, headers: guard });
  change = headers["burgee-change"] ?? "";
  burgee.wire.reset();
});

const noEtag = "there is no ETag of what this request writes";
const strict = "handling=strict is for changes and tag updates";
const reason = "this request stores no reason";
const mostMoves = "only changes of a feature can be limited by it";
const noGuard = "only a change of a feature can be under a guard, and no undo";

const refusals: [keyof typeof requests, header: string, value: string, why: string][] = [
  ["a creation", "If-Match", "*", noEtag],
  ["a creation", "If-None-Match", "*", noEtag],
  ["a creation", "Prefer", "handling=strict", strict],
  ["a creation", "Burgee-Reason", "why", reason],
  ["a creation", "Burgee-Most-Moves", "1", mostMoves],
  ["a creation", "Burgee-Guard", "errors", noGuard],
  ["a deletion", "If-Match", "*", noEtag],
  ["a deletion", "If-None-Match", '"x"', noEtag],
  ["a deletion", "Prefer", "handling=strict", strict],
  ["a deletion", "Idempotency-Key", "once", "this request keeps no keys"],
  ["a deletion", "Burgee-Most-Moves", "1", mostMoves],
  ["a deletion", "Burgee-Guard", "errors", noGuard],
  ["a restoration", "If-Match", "*", noEtag],
  ["a restoration", "If-None-Match", '"x"', noEtag],
  ["a restoration", "Prefer", "handling=strict", strict],
  ["a restoration", "Burgee-Most-Moves", "1", mostMoves],
  ["a restoration", "Burgee-Guard", "errors", noGuard],
  ["a trip", "If-Match", '"nonsense"', noEtag],
  ["a trip", "If-None-Match", '"nonsense"', noEtag],
  ["a trip", "Prefer", "handling=strict", strict],
  ["a trip", "Burgee-Most-Moves", "1", mostMoves],
  ["a trip", "Burgee-Guard", "other", noGuard],
  ["a tag update", "Idempotency-Key", "once", "this request keeps no keys"],
  ["a tag update", "Burgee-Reason", "why", reason],
  ["a tag update", "Burgee-Most-Moves", "1", mostMoves],
  ["a tag update", "Burgee-Guard", "errors", noGuard],
  ["an undo", "Burgee-Guard", "errors", noGuard],
];

it.each(refusals)(
  "%s with %s: %s is a 400 that says why, and writes nothing",
  async (kind, header, value, why) => {
    const request = requests[kind](feature, change);

    const answer = await burgee.send({ ...request, headers: { [header]: value } });

    expect(answer).toEqual(invalid({ message: `${header} is not accepted here: ${why}` }));
    expect(burgee.writes()).toEqual([]);
  },
);

const acceptances: [keyof typeof requests, header: string, value: string, status: number][] = [
  ["a creation", "Prefer", "handling=lenient", 201],
  ["a creation", "Idempotency-Key", "once", 201],
  ["a deletion", "Prefer", "handling=lenient", 202],
  ["a deletion", "Burgee-Reason", "why", 202],
  ["a restoration", "Idempotency-Key", "once", 201],
  ["a restoration", "Burgee-Reason", "why", 201],
  ["a trip", "Prefer", "handling=lenient", 200],
  ["a trip", "Idempotency-Key", "once", 200],
  ["a trip", "Burgee-Reason", "why", 200],
  ["a tag update", "Prefer", "handling=strict", 201],
  ["a tag update", "If-Match", "*", 201],
  ["a tag update", "If-None-Match", '"x"', 201],
  ["an undo", "Prefer", "handling=strict", 200],
  ["an undo", "If-Match", "*", 200],
  ["an undo", "If-None-Match", '"x"', 200],
  ["an undo", "Idempotency-Key", "once", 200],
  ["an undo", "Burgee-Reason", "why", 200],
  ["an undo", "Burgee-Most-Moves", "1", 200],
];

it.each(acceptances)("%s accepts %s: %s", async (kind, header, value, status) => {
  const request = requests[kind](feature, change);

  expect(await burgee.send({ ...request, headers: { [header]: value } })).toMatchObject({ status });
  expect(burgee.writes()).not.toEqual([]);
});

type Relied = {
  [Name in OptionName]: (typeof requestOptions)[Name] extends { whyNotAccepted: string } ? Name : never;
}[OptionName];

/** Options that no write refuses or that are in the query, which refuses unknown ones, and the tests that send them. */
const testedElsewhere: Readonly<Record<Exclude<OptionName, Relied>, string>> = {
  dryRun: "test/http/variants/dry-run.test.ts",
  form: "test/http/variants/by-name.test.ts",
  with: "test/http/read/lists.test.ts",
  limit: "test/http/read/lists.test.ts",
  after: "test/http/read/lists.test.ts",
  acceptsGzip: "test/http/read/documents.test.ts",
};

it("each request refuses or accepts each header that a caller relies on, and the other options have tests", () => {
  const rows = new Set([...refusals, ...acceptances].map(([kind, header]) => `${kind}: ${header}`));
  const relied = Object.values(requestOptions).filter((option) => "whyNotAccepted" in option);
  const all = Object.keys(requests).flatMap((kind) => relied.map(({ name }) => `${kind}: ${name}`));
  expect(all.filter((row) => !rows.has(row))).toEqual([]);
  for (const [option, file] of Object.entries(testedElsewhere)) {
    const { name } = requestOptions[option as OptionName];
    expect(readFileSync(file, "utf8").toLowerCase()).toContain(name.toLowerCase());
  }
});

it.each(["If-Match", "Prefer", "Idempotency-Key", "Burgee-Guard", "Burgee-Most-Moves"])(
  "a read ignores %s, whatever its value",
  async (header) => {
    expect(await burgee.getVariants(feature, { headers: { [header]: "é" } })).toMatchObject({ status: 200 });
  },
);

it("a malformed If-None-Match is ignored by a read", async () => {
  expect(await burgee.getVariants(feature, { headers: { "if-none-match": "no-quotes" } })).toMatchObject({
    status: 200,
  });
});
