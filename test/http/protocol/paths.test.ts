import { describe, expect, it } from "vitest";
import { invalid, patchedTo, tagged, unauthenticated } from "../../support/answers.ts";
import { adminKey, useBurgee } from "../../support/burgee.ts";
import { deliver } from "../../support/deliver.ts";
import { toEvent } from "../../support/event.ts";
import { add } from "../../support/patching.ts";
import { addFeature, tag, variant } from "../../support/seed.ts";

const update = { addedTags: [tag("team")], removedTags: [] };
const patch = [add("/-", { name: "blue", weight: 0 })];

const unusualNames = [
  "100%25",
  "100%",
  "%2F",
  "two words",
  "a/b",
  "/",
  "a+b",
  "a?b=c&d",
  "a#b",
  "a#ENVIRONMENT#development",
  "FEATURE",
  "ENVIRONMENT#development",
  "KEY",
  "Übergrößenträger",
  "旗",
  "🏴‍☠️",
  "line\nbreak",
  "nul\u0000",
  '"quoted"',
  "{featureName}",
  "__proto__",
  "..",
  ".",
];

const burgee = useBurgee();

describe("a name is percent-decoded once", () => {
  it.each(unusualNames)("%j, as the name of a feature and of its project", async (name) => {
    await addFeature(burgee, { name, project: name });

    const put = await burgee.putTags(name, update);
    const patched = await burgee.patch(name, patch, { project: name });

    expect(put).toEqual(tagged(name, [tag("team")]));
    expect(patched).toEqual(patchedTo([variant("blue")]));
    expect((await burgee.storedEnvironment(name, "production")).variants).toEqual([variant("blue")]);
  });

  it("also characters that need no encoding may be encoded", async () => {
    await addFeature(burgee, { name: "plain" });
    const path = "/api/admin/features/%70l%61in/tags";

    const answer = await burgee.send({ method: "PUT", path, json: update });

    expect(answer).toEqual(tagged("plain", [tag("team")]));
  });

  it("also where the event carries no parameters, and an encoded path, as from a function URL", async () => {
    await addFeature(burgee, { name: "50%25 / more" });
    const path = `/api/admin/features/${encodeURIComponent("50%25 / more")}/tags`;
    const headers = { authorization: adminKey, "content-type": "application/json" };
    const { pathParameters, ...event } = toEvent({
      method: "PUT",
      path,
      headers,
      body: JSON.stringify(update),
    });

    const answer = await deliver("tags", { ...event, routeKey: "$default", rawPath: path });

    expect(pathParameters).toEqual({ featureName: "50%25 / more" });
    expect(answer).toEqual(tagged("50%25 / more", [tag("team")]));
  });
});

describe("a malformed percent-encoding is refused with 400", () => {
  const malformed = ["%", "%zz", "%E2%82", "%FF"];

  it.each(malformed)("%s", async (segment) => {
    const answers = [
      await burgee.send({ method: "PUT", path: `/api/admin/features/${segment}/tags`, json: update }),
      await burgee.send({
        method: "PATCH",
        path: `/api/admin/projects/default/features/${segment}/variants`,
        json: patch,
      }),
      await burgee.send({
        method: "PATCH",
        path: `/api/admin/projects/${segment}/features/any/variants`,
        json: patch,
      }),
    ];

    expect(answers).toEqual([invalid(), invalid(), invalid()]);
  });

  it("but a request without a valid key gets 401 first", async () => {
    const answers = [
      await burgee.send({ method: "PUT", path: "/api/admin/features/%zz/tags", json: update, key: null }),
      await burgee.send({
        method: "PUT",
        path: "/api/admin/features/%zz/tags",
        json: update,
        key: "unknown",
      }),
      await burgee.send({
        method: "PATCH",
        path: "/api/admin/projects/%zz/features/%zz/variants",
        json: patch,
        key: "unknown",
      }),
    ];

    expect(answers).toEqual([unauthenticated(), unauthenticated(), unauthenticated()]);
  });
});
