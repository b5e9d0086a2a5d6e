/** The largest state that its schema accepts, and the largest requests: each is stored. */
import { randomInt } from "node:crypto";
import { expect, it } from "vitest";
import { limits } from "../../lib/contract/limits.ts";
import { storedBytes } from "../../lib/features/stored-bytes.ts";
import { toTagMembers } from "../../lib/features/tags/tag-list.ts";
import { useBurgee } from "../support/burgee.ts";
import { add, times } from "../support/patching.ts";
import { featureOf, projectOf, tag, variant } from "../support/seed.ts";

const burgee = useBurgee();

const named = (prefix: string) => prefix.padEnd(limits.nameBytes, "x");
const project = named("project");
const feature = named("feature");
const first = named("0");
/** The most environments that the limit permits: each takes a byte more in its list. */
const environments = [
  first,
  ...times(203, (index) => named(`${index + 1}-`)),
  "y".repeat(limits.environmentsBytes - 3 - 204 * (limits.nameBytes + 1) - 1),
];

/** The longest as they are stored: JSON has six characters for each of these. */
const wide = (index: number) => tag("\u0001".repeat(50), String(index).padStart(50, "\u0002"));
const mostTags = () => {
  const each = storedBytes(toTagMembers([wide(100)])) - 3;
  return times(Math.floor((limits.tagsBytes - 3) / each), (index) => wide(100 + index));
};

const bare = storedBytes([variant("blue", { payload: { type: "string", value: "" } })]);
const largestOf = (char: string) => char.repeat(limits.contentBytes - bare);

it("the largest tags, names and variants are stored, and updated at their limits as dry runs say", async () => {
  const key = named("key");
  const tags = mostTags();
  expect(storedBytes(environments)).toBe(limits.environmentsBytes);
  await burgee.store({
    projects: [projectOf(project, ...environments)],
    features: [
      featureOf(
        feature,
        { [first]: [variant("blue", { payload: { type: "string", value: largestOf("x") } })] },
        { project, tags },
      ),
    ],
    apiKeys: [{ name: key, key, permissions: [{ permission: "ADMIN" }] }],
  });
  const [removed] = tags;

  for (const dryRun of [true, false]) {
    const update = { addedTags: [wide(9999)], removedTags: [removed] };
    expect((await burgee.putTags(feature, update, { dryRun, key })).status).toBe(dryRun ? 200 : 201);
    const more = { addedTags: [wide(10_000)], removedTags: [] };
    expect((await burgee.putTags(feature, more, { dryRun, key })).status).toBe(400);
  }

  const headers = { "burgee-reason": encodeURIComponent("🚩".repeat(limits.reasonLength)) };
  for (const char of ["a", "b", "c", "d", "e"]) {
    const place = { project, environment: first, key, headers };
    const payload = (more: string) => [add("/0/payload/value", largestOf(char) + more)];
    for (const dryRun of [true, false]) {
      expect((await burgee.patchVariants(feature, payload(""), { ...place, dryRun })).status).toBe(200);
    }
    expect((await burgee.patchVariants(feature, payload("x"), place)).status).toBe(400);
  }
});

it("strategies whose text does not repeat are stored up to the limit, beside those before them", async () => {
  const name = "dense";
  await burgee.store({
    projects: [projectOf("dense", "live")],
    features: [featureOf(name, { live: [] }, { project: "dense" })],
  });
  // All printable characters of ASCII that JSON does not escape, drawn anew each time: compressed and in base64 it is longer.
  const characters = times(95, (index) => String.fromCharCode(32 + index)).filter(
    (one) => !/["\\]/.test(one),
  );
  const drawn = () => times(189 * 1024, () => characters[randomInt(characters.length)]).join("");

  for (const dryRun of [true, false, false, false]) {
    const strategy = { name: "default", title: drawn() };
    const place = { project: "dense", environment: "live", dryRun };
    const { status } = await burgee.patchFeature(name, [add("/strategies/s", strategy)], place);
    expect(status).toBe(200);
  }
});
