import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Caller, isAllowed, missingPermission, projectsWith } from "../../../lib/access/permissions.ts";
import { NoAccessError } from "../../../lib/contract/errors.ts";
import { type Permission, type Permit, permissionSchema } from "../../../lib/contract/permissions.ts";

const holding = (...permits: Permit[]): Caller => ({ name: "pipeline", permits });

const none = {};
const inShop = { project: "shop" };
const inProduction = { environment: "production" };
const inShopProduction = { project: "shop", environment: "production" };

/** Where a permit holds, what is asked, and whether it is granted. */
const scopes: [held: Partial<Permit>, asked: { project: string; environment?: string }, granted: boolean][] =
  [
    [none, { project: "shop" }, true],
    [none, { project: "shop", environment: "production" }, true],
    [inShop, { project: "shop" }, true],
    [inShop, { project: "shop", environment: "production" }, true],
    [inShop, { project: "Shop" }, false],
    [inShop, { project: "other" }, false],
    [inShop, { project: "other", environment: "production" }, false],
    [inProduction, { project: "shop" }, false],
    [inProduction, { project: "shop", environment: "production" }, true],
    [inProduction, { project: "other", environment: "production" }, true],
    [inProduction, { project: "shop", environment: "staging" }, false],
    [inShopProduction, { project: "shop" }, false],
    [inShopProduction, { project: "shop", environment: "production" }, true],
    [inShopProduction, { project: "shop", environment: "staging" }, false],
    [inShopProduction, { project: "other", environment: "production" }, false],
  ];

describe.each(permissionSchema.options)("the permission %s", (permission) => {
  const others = permissionSchema.options.filter((other) => other !== permission && permission !== "ADMIN");

  it.each(scopes)("held in %j, asked for %j: %s", (held, asked, granted) => {
    const caller = holding({ permission, ...held });

    expect(isAllowed(caller, permission, asked)).toBe(granted);
  });

  it.each(scopes)("is part of ADMIN: ADMIN held in %j, it is asked for %j: %s", (held, asked, granted) => {
    const caller = holding({ permission: "ADMIN", ...held });

    expect(isAllowed(caller, permission, asked)).toBe(granted);
  });

  it("is no other permission", () => {
    for (const other of others) {
      expect(isAllowed(holding({ permission }), other, { project: "shop" })).toBe(false);
      expect(projectsWith(holding({ permission }), other)).toEqual([]);
    }
  });

  it("is not granted by no permissions at all", () => {
    expect(isAllowed(holding(), permission, { project: "shop" })).toBe(false);
    expect(projectsWith(holding(), permission)).toEqual([]);
  });
});

describe("several permits", () => {
  it("grant what any of them grants, and nothing that only both together would", () => {
    const caller = holding(
      { permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", project: "shop", environment: "staging" },
      { permission: "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", project: "blog", environment: "production" },
      { permission: "UPDATE_FEATURE", project: "shop" },
    );
    const ask = (project: string, environment: string) =>
      isAllowed(caller, "UPDATE_FEATURE_ENVIRONMENT_VARIANTS", { project, environment });

    expect(ask("shop", "staging")).toBe(true);
    expect(ask("blog", "production")).toBe(true);
    expect(ask("shop", "production")).toBe(false);
    expect(ask("blog", "staging")).toBe(false);
  });
});

describe("the projects in which a caller has a permission", () => {
  const permission = "UPDATE_FEATURE";

  it.each<[string, Permit[], "all" | string[]]>([
    ["are all where it is not limited", [{ permission }], "all"],
    ["are all for an admin", [{ permission: "ADMIN" }], "all"],
    [
      "are those it is limited to",
      [
        { permission, project: "shop" },
        { permission, project: "blog" },
      ],
      ["shop", "blog"],
    ],
    ["are those that an admin is limited to", [{ permission: "ADMIN", project: "shop" }], ["shop"]],
    [
      "are named once",
      [
        { permission, project: "shop" },
        { permission: "ADMIN", project: "shop" },
      ],
      ["shop"],
    ],
    ["are all where one permit is not limited", [{ permission, project: "shop" }, { permission }], "all"],
    ["are none for an environment alone", [{ permission, project: "shop", environment: "production" }], []],
    ["are none for an environment of any project", [{ permission, environment: "production" }], []],
    ["are none for another permission", [{ permission: "UPDATE_FEATURE_VARIANTS" }], []],
  ])("%s", (_, permits, projects) => {
    expect(projectsWith(holding(...permits), permission)).toEqual(projects);
  });

  it("are for any permits those in which the caller may act", () => {
    const name = fc.constantFrom("shop", "blog", "docs");
    const permit = fc.record(
      { permission: fc.constantFrom(...permissionSchema.options), project: name, environment: name },
      { requiredKeys: ["permission"], noNullPrototype: true },
    );
    const asked = fc.constantFrom<Permission>(...permissionSchema.options);
    fc.assert(
      fc.property(fc.array(permit, { maxLength: 4 }), asked, name, (permits, permission, project) => {
        const caller = holding(...permits);

        const projects = projectsWith(caller, permission);

        expect(projects === "all" || projects.includes(project)).toBe(
          isAllowed(caller, permission, { project }),
        );
      }),
    );
  });
});

describe("the error for a missing permission", () => {
  it.each([
    [{}, "The API key lacks the permission UPDATE_FEATURE"],
    [{ project: "shop" }, 'The API key lacks the permission UPDATE_FEATURE in project "shop"'],
    [
      { project: "shop", environment: "production" },
      'The API key lacks the permission UPDATE_FEATURE in environment "production" of project "shop"',
    ],
    [
      { environment: "production" },
      'The API key lacks the permission UPDATE_FEATURE in environment "production"',
    ],
  ])("for %j is %j", (scope, message) => {
    expect(missingPermission("UPDATE_FEATURE", scope)).toEqual(new NoAccessError(message));
  });
});
