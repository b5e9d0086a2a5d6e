/** By whatever name, and by whichever route: nobody reaches items that are not those of exactly this name. */
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { beforeAll, describe, expect, it } from "vitest";
import { notFound } from "../../support/answers.ts";
import { adminKey, type Response, useBurgee } from "../../support/burgee.ts";
import { deliver } from "../../support/deliver.ts";
import { toEvent } from "../../support/event.ts";
import { add } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const update = { addedTags: [tag("team")], removedTags: [tag("old")] };
const patch = [add("/-", { name: "green", weight: 0 })];
const environments = { development: [variant("blue")], production: [variant("blue")] };

const burgee = useBurgee();
beforeAll(async () => {
  await addFeature(burgee, { name: "flag", tags: [tag("old")], environments });
});

const similar: [string, string][] = [
  ["with a slash", "flag/"],
  ["with a path to it", "x/../flag"],
  ["with the route's own words", "flag/tags"],
  ["with a zero", "flag\u0000"],
  ["with a line break", "flag\n"],
  ["with a separator of keys", "flag#"],
  ["with the kind of its key", "FEATURE#flag"],
  ["with the key of its environment", "flag#ENVIRONMENT#development"],
  ["as a member of a list", '["flag"]'],
  ["with a Cyrillic letter", "fl\u0430g"],
  ["in full width", "\uff46\uff4c\uff41\uff47"],
  ["with a ligature", "\ufb02ag"],
  ["with a zero-width space", "fl\u200bag"],
  ["with a soft hyphen", "fl\u00adag"],
  ["with a byte-order mark", "\ufeffflag"],
  ["with a combining mark", "flag\u0301"],
  ["with its direction turned", "\u202egalf"],
  ["with a replacement character", "flag\ufffd"],
  ["in other letters' case", "FLAG"],
  ["with a space before", " flag"],
  ["with a space after", "flag "],
  ["encoded once more", "fl%61g"],
  ["with a plus for a space", "flag+"],
];

describe("a feature's name that is like another's is not it, on any route", () => {
  it.each(similar)("%s", async (_, name) => {
    const before = await everything();

    const answers = await byEveryRoute(name, "development");

    expect(answers).toEqual(Array(6).fill(notFound()));
    expect(await everything()).toEqual(before);
  });
});

describe("an environment's name that is like another's is not it", () => {
  it.each([
    ...similar.map(([what, name]): [string, string] => [what, name.replace("flag", "development")]),
    ["of the feature's own item", "FEATURE"],
    ["of the environment's key", "ENVIRONMENT#development"],
  ])("%s", async (_, environment) => {
    const before = await everything();

    const answers = [
      await burgee.getVariants("flag", { environment }),
      await burgee.patch("flag", patch, { environment }),
      await burgee.patch("flag", patch, { environment, dryRun: true }),
    ];

    expect(answers).toEqual(Array(3).fill(notFound()));
    expect(await everything()).toEqual(before);
  });
});

describe("a name with a lone surrogate, which would be stored as another character, is not found", () => {
  it.each(["flag\ud800", "\udc00flag", "\ud83d"])("%j", async (name) => {
    const other = await addFeature(burgee, { name: name.toWellFormed(), tags: [tag("old")], environments });
    const before = await everything(other);

    const answers = [
      await deliver("tags", named(toEvent(request("PUT", "/api/admin/features/x/tags", update)), name)),
      await deliver(
        "variants",
        named(toEvent(request("PATCH", "/api/admin/projects/default/features/x/variants", patch)), name),
      ),
    ];

    expect(answers).toEqual([notFound(), notFound()]);
    expect(await everything(other)).toEqual(before);
  });
});

async function byEveryRoute(name: string, environment: string): Promise<Response[]> {
  return [
    await burgee.getTags(name),
    await burgee.putTags(name, update),
    await burgee.getVariants(name),
    await burgee.patch(name, patch),
    await burgee.getVariants(name, { environment }),
    await burgee.patch(name, patch, { environment }),
  ];
}

async function everything(feature = "flag") {
  return [
    await burgee.storedFeature(feature),
    await burgee.storedEnvironment(feature, "development"),
    await burgee.storedEnvironment(feature, "production"),
  ];
}

function request(method: string, path: string, json: unknown) {
  const headers = { authorization: adminKey, "content-type": "application/json" };
  return { method, path, headers, body: JSON.stringify(json) };
}

function named(event: APIGatewayProxyEventV2, featureName: string): APIGatewayProxyEventV2 {
  return { ...event, pathParameters: { ...event.pathParameters, featureName } };
}
