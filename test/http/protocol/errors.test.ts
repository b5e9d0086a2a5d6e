import { describe, expect, it } from "vitest";
import { faultsAt, invalid, notFound, refused } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { log } from "../../support/log.ts";
import { addFeature } from "../../support/seed.ts";

const noTags = { addedTags: [], removedTags: [] };

const burgee = useBurgee();

describe("an error body", () => {
  it("has an id, a name and a message, and is JSON, on the tag update", async () => {
    const answer = await burgee.putTags("missing", noTags);

    expect(answer).toEqual(notFound());
  });

  it("has an id, a name and a message, and is JSON, on the variant patch", async () => {
    const answer = await burgee.patch("missing", []);

    expect(answer).toEqual(notFound());
  });

  it("has a fresh id each time, which stands in the log line of that error", async () => {
    const first = await burgee.putTags("missing", noTags);
    const second = await burgee.putTags("missing", noTags);
    const third = await burgee.patch("missing", []);

    const ids = [first, second, third].map(({ json }) => json.id);
    expect(new Set(ids).size).toBe(3);
    expect(log.map(({ error }) => error)).toEqual(ids.map((id) => ({ id, name: "NotFoundError" })));
  });

  it("tells all issues of a tag update at once, each with a JSON Pointer into the body", async () => {
    const body = {
      addedTags: [{ value: "a", type: "simple" }, { value: "team" }, "team", { value: 12, type: "" }],
      removedTags: [{ value: "team", type: "simple", "a/b~c": true }],
      more: [],
    };

    const answer = await burgee.putTags("any", body);

    expect(answer).toEqual(
      invalid({
        details: faultsAt(
          "/addedTags/0/value",
          "/addedTags/1/type",
          "/addedTags/2",
          "/addedTags/3/value",
          "/addedTags/3/type",
          "/removedTags/0/a~1b~0c",
          "/more",
        ),
      }),
    );
  });

  it("tells all issues of a patch at once, each with a JSON Pointer into the body", async () => {
    const body = [
      { op: "add", path: "0" },
      { op: "test", path: "/0", value: 1 },
      { op: "copy", path: "/0", from: "/~2" },
      { op: "move", path: "/0" },
      { op: "remove" },
      { path: "/0" },
      null,
    ];

    const answer = await burgee.patch("any", body);

    expect(answer).toEqual(
      invalid({
        details: faultsAt("/0/path", "/0/value", "/1/op", "/2/from", "/3/from", "/4/path", "/5/op", "/6"),
      }),
    );
  });

  it("points to the whole body with an empty JSON Pointer", async () => {
    const answers = [
      await burgee.putTags("any", []),
      await burgee.patch("any", { op: "remove", path: "/0" }),
    ];

    expect(answers).toEqual([invalid({ details: faultsAt("") }), invalid({ details: faultsAt("") })]);
  });
});

describe("a path that is no route is answered with 404, with a key or without", () => {
  it.each([
    "/",
    "/api/admin/features/any",
    "/api/admin/features//tags",
    "/api/admin/features/any/tags/",
    "/api/admin/projects/default/features//variants",
    "/api/admin/projects/default/features/any/environments//variants",
    "/api/admin/projects/default/features/any/environments/development/variants/",
  ])("%s", async (path) => {
    const answers = [
      await burgee.send({ method: "PUT", path, json: noTags }),
      await burgee.send({ method: "PATCH", path, json: [] }),
      await burgee.send({ method: "GET", path, key: null }),
    ];

    expect(answers).toEqual([notFound(), notFound(), notFound()]);
  });
});

describe("a method that a path does not have is answered with 405 MethodNotAllowed and allow", () => {
  it.each(["HEAD", "POST", "PATCH", "DELETE", "OPTIONS"])("%s of tags", async (method) => {
    const answer = await burgee.send({ method, path: "/api/admin/features/any/tags", json: noTags });

    expect(answer).toEqual(refused(405, "MethodNotAllowed", { headers: { allow: "GET, PUT" } }));
  });

  it.each([
    ["HEAD", "/variants"],
    ["POST", "/variants"],
    ["PUT", "/variants"],
    ["DELETE", "/variants"],
    ["OPTIONS", "/variants"],
    ["POST", "/environments/development/variants"],
    ["PUT", "/environments/development/variants"],
  ])("%s of %s", async (method, end) => {
    const path = `/api/admin/projects/default/features/any${end}`;

    const answer = await burgee.send({ method, path, json: [] });

    expect(answer).toEqual(refused(405, "MethodNotAllowed", { headers: { allow: "GET, PATCH" } }));
  });
});

describe("a query string", () => {
  it("changes nothing", async () => {
    const feature = await addFeature(burgee);

    const answer = await burgee.send({
      method: "PUT",
      path: `/api/admin/features/${feature}/tags?dry=1&x=%ZZ`,
      json: noTags,
    });

    expect(answer.status).toBe(201);
  });
});
