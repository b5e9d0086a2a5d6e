import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ValidationError } from "../../../lib/contract/errors.ts";
import { matchRoute, pathParameters } from "../../../lib/http/routing.ts";
import { wellFormed } from "../../support/arbitraries.ts";
import { declaredEvent, routeAt, undeclaredEvent } from "../../support/routes.ts";

const path = "/api/admin/projects/{projectId}/features/{featureName}/variants";
const route = routeAt("PATCH", path);
const encodedPath = (project: string, feature: string) =>
  `/api/admin/projects/${project}/features/${feature}/variants`;

const oddName = fc.oneof(
  wellFormed({ minLength: 1 }),
  fc.string({ unit: fc.constantFrom(..."%25/+&?#. {}"), minLength: 1 }),
);

describe("the names in a path", () => {
  it("are taken as they are where the gateway gives them: it has decoded them", () => {
    const given = { projectId: "100%25", featureName: "a%2Fb +%" };

    expect(pathParameters(declaredEvent("PATCH", path, given), route)).toEqual(given);
  });

  it("are decoded where the gateway gives none", () => {
    const event = undeclaredEvent("PATCH", encodedPath("my%20project", "a%2Fb%25"));

    expect(pathParameters(event, route)).toEqual({ projectId: "my project", featureName: "a/b%" });
  });

  it("are decoded once: an encoded percent sign stays a percent sign", () => {
    const event = undeclaredEvent("PATCH", encodedPath("100%2525", "%252F"));

    expect(pathParameters(event, route)).toEqual({ projectId: "100%25", featureName: "%2F" });
  });

  it("have a plus sign where they have one: it is no space in a path", () => {
    const event = undeclaredEvent("PATCH", encodedPath("a+b", "c%2Bd"));

    expect(pathParameters(event, route)).toEqual({ projectId: "a+b", featureName: "c+d" });
  });

  it("are none where the path has none", () => {
    expect(pathParameters(undeclaredEvent("GET", "/health"), routeAt("GET", "/health"))).toEqual({});
  });

  it.each(["%", "100%", "%2", "%zz", "%E0%A4%A", "%ff", "%C0%AF", "%ED%A0%80"])(
    "are refused where their encoding is malformed: %j",
    (name) => {
      expect(() => pathParameters(undeclaredEvent("PATCH", encodedPath("default", name)), route)).toThrow(
        new ValidationError(`Malformed percent-encoding in the path: "${name}"`, {
          cause: new URIError("URI malformed"),
        }),
      );
    },
  );

  it("come back from any names, by way of the path alone", () => {
    fc.assert(
      fc.property(oddName, oddName, (projectId, featureName) => {
        const rawPath = encodedPath(encodeURIComponent(projectId), encodeURIComponent(featureName));
        const event = undeclaredEvent("PATCH", rawPath);

        expect(matchRoute(event, [route])).toBe(route);
        expect(pathParameters(event, route)).toEqual({ projectId, featureName });
      }),
      { numRuns: 500 },
    );
  });

  it("come back from any names, by way of the gateway", () => {
    fc.assert(
      fc.property(oddName, oddName, (projectId, featureName) => {
        const event = declaredEvent("PATCH", path, { projectId, featureName });

        expect(matchRoute(event, [route])).toBe(route);
        expect(pathParameters(event, route)).toEqual({ projectId, featureName });
      }),
      { numRuns: 500 },
    );
  });

  it("are names or a ValidationError for any path at all", () => {
    const segment = fc.string({ unit: fc.constantFrom(..."%0aAfF2c/é"), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(segment, (name) => {
        const event = undeclaredEvent("PATCH", encodedPath("default", name));
        try {
          expect(typeof pathParameters(event, route).featureName).toBe("string");
        } catch (error) {
          expect(error).toBeInstanceOf(ValidationError);
        }
      }),
      { numRuns: 500 },
    );
  });
});
