/** Options of a write that its route does not accept: those that a caller relies on are never dropped in silence. */
import { readFileSync } from "node:fs";
import { beforeEach, expect, it } from "vitest";
import { type OptionName, optionDeclarations } from "../../../lib/http/options.ts";
import { parseOptions } from "../../../lib/http/parse-request.ts";
import { optionsToRepeat } from "../../../lib/http/stamp-request.ts";
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
  "a switch": (feature: string) => ({
    method: "POST",
    path: featurePath(feature, { ...place, below: "/on" }),
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

/** Headers that a caller relies on. */
type Relied = {
  [Name in OptionName]: (typeof optionDeclarations)[Name] extends { whyNotAccepted: string } ? Name : never;
}[OptionName];

/** A value of each, and what shows that a request which accepts it does not ignore it. */
const effects: Readonly<Record<Relied, [value: string, effect: "is stored" | object]>> = {
  prefersStrict: ["handling=strict", { headers: { "preference-applied": "handling=strict" } }],
  ifMatch: ['"x"', { status: 412 }],
  ifNoneMatch: ["*", { status: 412 }],
  idempotencyKey: ["once", "is stored"],
  reason: ["a-reason", "is stored"],
  mostMoves: ["0", { status: 409 }],
  guard: ["other-guard", "is stored"],
};
const options = Object.keys(effects) as Relied[];

const accepted: Readonly<Record<keyof typeof requests, readonly Relied[]>> = {
  "a creation": ["idempotencyKey", "reason"],
  "a deletion": ["ifMatch", "ifNoneMatch", "reason"],
  "a restoration": ["idempotencyKey", "reason"],
  "a trip": ["idempotencyKey", "reason"],
  "a tag update": ["prefersStrict", "ifMatch", "ifNoneMatch"],
  "a switch": options,
  "an undo": options.filter((option) => option !== "guard"),
};

/** A hash is stored with an idempotency key. A trip stores none, as a second trip writes nothing anyway. */
const storedAs = (option: Relied, value: string) => (option === "idempotencyKey" ? "requestHash" : value);
const isStoredBy = (kind: string, option: Relied) => kind !== "a trip" || option !== "idempotencyKey";

const kinds = Object.keys(requests) as (keyof typeof requests)[];
const rows = kinds.flatMap((kind) => options.map((option) => [kind, option] as const));

it.each(rows)("%s heeds %s, or is a 400 that says why not, and writes nothing", async (kind, option) => {
  const { name, whyNotAccepted } = optionDeclarations[option];
  const [value, effect] = effects[option];

  const answer = await burgee.send({ ...requests[kind](feature, change), headers: { [name]: value } });

  if (!accepted[kind].includes(option)) {
    expect(answer).toEqual(invalid({ message: `${name} is not accepted here: ${whyNotAccepted}` }));
    expect(burgee.writes()).toEqual([]);
  } else if (effect === "is stored") {
    const sent = burgee.wire.calls.map(({ input }) => JSON.stringify(input)).join();
    expect(answer.status).toBeLessThan(300);
    expect(sent.includes(storedAs(option, value))).toBe(isStoredBy(kind, option));
  } else expect(answer).toMatchObject(effect);
});

/** A value of each that its parser refuses. */
const malformed: Readonly<Record<Relied, string>> = {
  prefersStrict: "handeling=strict",
  ifMatch: "no-quotes",
  ifNoneMatch: "no-quotes",
  idempotencyKey: "two words",
  reason: "é",
  mostMoves: "2",
  guard: "two words",
};

it.each(rows.filter(([kind, option]) => !accepted[kind].includes(option)))(
  "%s with a malformed %s is a 400 that says why it is not accepted",
  async (kind, option) => {
    const { name, whyNotAccepted } = optionDeclarations[option];
    const headers = { [name]: malformed[option] };

    const answer = await burgee.send({ ...requests[kind](feature, change), headers });

    expect(answer).toEqual(invalid({ message: `${name} is not accepted here: ${whyNotAccepted}` }));
    expect(burgee.writes()).toEqual([]);
  },
);

it.each(kinds)("%s with a misspelt header of our own is a 400, and writes nothing", async (kind) => {
  const request = requests[kind](feature, change);

  const answer = await burgee.send({ ...request, headers: { "Burgee-Gaurd": "errors" } });

  expect(answer).toEqual(invalid({ message: 'Unknown header "burgee-gaurd"' }));
  expect(burgee.writes()).toEqual([]);
});

it.each(kinds)("%s accepts Prefer: handling=lenient, which means the same as its absence", async (kind) => {
  const request = requests[kind](feature, change);

  const { status } = await burgee.send({ ...request, headers: { prefer: "handling=lenient" } });

  expect(status).toBeLessThan(300);
  expect(burgee.writes()).not.toEqual([]);
});

it.each(
  kinds.flatMap((kind) => ["handeling=strict", "return=minimal"].map((prefer) => [kind, prefer] as const)),
)("%s with Prefer: %s is a 400, and writes nothing", async (kind, prefer) => {
  const request = requests[kind](feature, change);

  const { status } = await burgee.send({ ...request, headers: { prefer } });

  expect(status).toBe(400);
  expect(burgee.writes()).toEqual([]);
});

/** Options that no write refuses or that are in the query, which refuses unknown ones, and the tests that send them. */
const testedElsewhere: Readonly<Record<Exclude<OptionName, Relied>, string>> = {
  dryRun: "test/http/changes/dry-run.test.ts",
  form: "test/http/variants/by-name.test.ts",
  with: "test/http/read/lists.test.ts",
  limit: "test/http/read/lists.test.ts",
  after: "test/http/read/lists.test.ts",
  acceptsGzip: "test/http/read/documents.test.ts",
};

it.each(Object.entries(testedElsewhere))("a test sends %s", (option, file) => {
  const { name } = optionDeclarations[option as OptionName];

  expect(readFileSync(file, "utf8").toLowerCase()).toContain(name.toLowerCase());
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

it("compares a retry by the options that the request has, so that a new option does not refuse retries of older ones", () => {
  const absent = parseOptions({} as never, { method: "GET" });

  expect(optionsToRepeat(absent)).toEqual([]);
  expect(optionsToRepeat({ ...absent, form: "name" })).toEqual([["form", "name"]]);
});
