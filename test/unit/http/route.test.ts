import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MethodNotAllowed, NotFoundError, ValidationError } from "../../../lib/contract/errors.ts";
import { matchRoute, pathParameters } from "../../../lib/http/route.ts";
import { wellFormed } from "../../support/arbitraries.ts";
import { itProp } from "../../support/property.ts";
import { declaredEvent, routeAt, undeclaredEvent } from "../../support/routes.ts";

const tagsPath = "/api/admin/features/{featureName}/tags";
const variantsPath = "/api/admin/projects/{projectId}/features/{featureName}/variants";
const putTags = routeAt("PUT", tagsPath);
const getTags = routeAt("GET", tagsPath);
const patchVariants = routeAt("PATCH", variantsPath);
const routes = [putTags, getTags, patchVariants];

const putEvent = undeclaredEvent("PUT", "/api/admin/features/checkout/tags");
const patchEvent = (project: string, feature: string) =>
  undeclaredEvent("PATCH", `/api/admin/projects/${project}/features/${feature}/variants`);
const declaredPatch = (projectId: string, featureName: string) =>
  declaredEvent("PATCH", variantsPath, { projectId, featureName });

describe("the route of an event", () => {
  it.each([
    ["declared", declaredPatch("a/b", "x/tags"), patchVariants],
    ["declared, with an empty name", declaredEvent("PUT", tagsPath, { featureName: "" }), putTags],
    ["declared, by its method", declaredEvent("GET", tagsPath, { featureName: "f" }), getTags],
    ["not declared", putEvent, putTags],
    ["not declared, by its method", undeclaredEvent("GET", "/api/admin/features/f/tags"), getTags],
    ["not declared, of another path", patchEvent("p", "f"), patchVariants],
    ["declared as another", { ...putEvent, routeKey: "ANY /{proxy+}" }, putTags],
  ])("is found where it is %s", (_, event, route) => {
    expect(matchRoute(event, routes)).toBe(route);
  });

  it.each([
    "",
    "/api/admin/features/a/b/tags",
    "/api/admin/features/checkout/Tags",
    "/API/admin/features/checkout/tags",
    "//api/admin/features/checkout/tags",
    "/api/admin/projects//features/f/variants",
    "/api/admin/projects/p/features/f/tags",
    "/x/api/admin/features/checkout/tags",
    "/api/admin/projects/default/features/any/environments/development",
    "/api/admin/projects/default/features/any/variants/",
    "/api/admin/features/any/tags/more",
    "/api/admin/features/",
    "/api/admin",
  ])("is not found for the path %j", (path) => {
    const notFound = new NotFoundError("There is no resource at this path");

    expect(() => matchRoute(undeclaredEvent("PUT", path), routes)).toThrow(notFound);
  });

  it.each(["DELETE", "put", "OPTIONS", ""])(
    "is not found for the method %j: the others are listed",
    (method) => {
      const match = () => matchRoute(undeclaredEvent(method, "/api/admin/features/checkout/tags"), routes);

      expect(match).toThrow(MethodNotAllowed);
      expect(match).toThrow(expect.objectContaining({ status: 405, headers: { allow: "PUT, GET" } }));
    },
  );
});

describe("the names in a path", () => {
  const oddName = fc.oneof(
    wellFormed({ minLength: 1 }),
    fc.string({ unit: fc.constantFrom(..."%25/+&?#. {}"), minLength: 1 }),
  );

  it.each([
    ["my%20project", "a%2Fb%25", "my project", "a/b%"],
    // Decoded once: an encoded percent sign stays a percent sign.
    ["100%2525", "%252F", "100%25", "%2F"],
    // A plus sign is no space in a path.
    ["a+b", "c%2Bd", "a+b", "c+d"],
  ])("are decoded where the gateway gives none: %s and %s", (project, feature, projectId, featureName) => {
    expect(pathParameters(patchEvent(project, feature), patchVariants)).toEqual({ projectId, featureName });
  });

  it("are none where the path has none", () => {
    expect(pathParameters(undeclaredEvent("GET", "/health"), routeAt("GET", "/health"))).toEqual({});
  });

  it.each(["%", "100%", "%2", "%zz", "%E0%A4%A", "%ff", "%C0%AF", "%ED%A0%80"])(
    "are refused where their encoding is malformed: %j",
    (name) => {
      const cause = new URIError("URI malformed");
      const error = new ValidationError(`Malformed percent-encoding in the path: "${name}"`, { cause });

      expect(() => pathParameters(patchEvent("default", name), patchVariants)).toThrow(error);
    },
  );

  itProp([oddName, oddName], { numRuns: 500 })(
    "come back from any names, by way of the path alone or of the gateway",
    (projectId, featureName) => {
      const encoded = patchEvent(encodeURIComponent(projectId), encodeURIComponent(featureName));
      for (const event of [encoded, declaredPatch(projectId, featureName)]) {
        expect(matchRoute(event, [patchVariants])).toBe(patchVariants);
        expect(pathParameters(event, patchVariants)).toEqual({ projectId, featureName });
      }
    },
  );

  const segment = fc.string({ unit: fc.constantFrom(..."%0aAfF2c/é"), minLength: 1, maxLength: 8 });

  itProp([segment], { numRuns: 500 })("are names or a ValidationError for any path", (name) => {
    try {
      expect(typeof pathParameters(patchEvent("default", name), patchVariants).featureName).toBe("string");
    } catch (error) {
      expect(error).toBeInstanceOf(ValidationError);
    }
  });
});
