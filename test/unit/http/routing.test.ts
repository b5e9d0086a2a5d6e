import { describe, expect, it } from "vitest";
import { MethodNotAllowed, NotFoundError } from "../../../lib/contract/errors.ts";
import { matchRoute } from "../../../lib/http/routing.ts";
import { declaredEvent, routeAt, undeclaredEvent } from "../../support/routes.ts";

const tagsPath = "/api/admin/features/{featureName}/tags";
const variantsPath = "/api/admin/projects/{projectId}/features/{featureName}/variants";
const putTags = routeAt("PUT", tagsPath);
const getTags = routeAt("GET", tagsPath);
const patchVariants = routeAt("PATCH", variantsPath);
const routes = [putTags, getTags, patchVariants];

describe("the route of an event", () => {
  it("is the one that the gateway declared, whatever the decoded path looks like", () => {
    const odd = { projectId: "a/b", featureName: "x/tags" };

    expect(matchRoute(declaredEvent("PATCH", variantsPath, odd), routes)).toBe(patchVariants);
    expect(matchRoute(declaredEvent("PUT", tagsPath, { featureName: "" }), routes)).toBe(putTags);
  });

  it("is found by the path where the gateway declared none", () => {
    expect(matchRoute(undeclaredEvent("PUT", "/api/admin/features/checkout/tags"), routes)).toBe(putTags);
    expect(matchRoute(undeclaredEvent("PATCH", "/api/admin/projects/p/features/f/variants"), routes)).toBe(
      patchVariants,
    );
  });

  it("is found by the path where the declared one is not ours", () => {
    const event = {
      ...undeclaredEvent("PUT", "/api/admin/features/checkout/tags"),
      routeKey: "ANY /{proxy+}",
    };

    expect(matchRoute(event, routes)).toBe(putTags);
  });

  it("is found by the method", () => {
    expect(matchRoute(declaredEvent("GET", tagsPath, { featureName: "f" }), routes)).toBe(getTags);
    expect(matchRoute(undeclaredEvent("GET", "/api/admin/features/f/tags"), routes)).toBe(getTags);
  });

  it.each([
    "/",
    "",
    "/api/admin/features/checkout",
    "/api/admin/features/checkout/tags/",
    "/api/admin/features//tags",
    "/api/admin/features/a/b/tags",
    "/api/admin/features/checkout/Tags",
    "/API/admin/features/checkout/tags",
    "//api/admin/features/checkout/tags",
    "/api/admin/projects//features/f/variants",
    "/api/admin/projects/p/features/f/tags",
    "/x/api/admin/features/checkout/tags",
    "/api/admin/projects/default/features/any/environments//variants",
    "/api/admin/projects/default/features/any/environments/development",
    "/api/admin/projects/default/features/any/variants/",
    "/api/admin/features/any/tags/more",
    "/api/admin/features/",
    "/api/admin",
  ])("is not found for the path %j", (path) => {
    expect(() => matchRoute(undeclaredEvent("PUT", path), routes)).toThrow(
      new NotFoundError("There is no resource at this path"),
    );
  });

  it.each(["DELETE", "put", "OPTIONS", ""])(
    "has not the method %j: the answer lists those it has",
    (method) => {
      let refused: unknown;
      try {
        matchRoute(undeclaredEvent(method, "/api/admin/features/checkout/tags"), routes);
      } catch (error) {
        refused = error;
      }

      expect(refused).toBeInstanceOf(MethodNotAllowed);
      expect(refused).toMatchObject({ status: 405, headers: { allow: "PUT, GET" } });
    },
  );
});
