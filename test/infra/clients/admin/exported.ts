/** Features whose documents for SDKs are exported, exports of Unleash, and how evenly an SDK spreads users over variants. */
import { expect } from "vitest";
import type { Variant } from "../../../../lib/contract/variants.ts";
import { times } from "../../../support/patching.ts";
import { featureOf, projectOf, tag, variant } from "../../../support/seed.ts";

export const half = (name: string, rest: Partial<Variant> = {}) => variant(name, { weight: 500, ...rest });
export const payload = (type: string, value: string) => ({ payload: { type, value } });
export const override = (contextName: string, ...values: string[]) => ({ contextName, values });

/** The variants of production, by feature. */
export const lists: Record<string, Variant[]> = {
  banner: [
    half("dark", { ...payload("json", '{"color":"#000","sizes":[1,2.5]}'), stickiness: "sessionId" }),
    half("light", { ...payload("json", '{"color":"#fff","sizes":[]}'), stickiness: "sessionId" }),
  ],
  checkout: [
    variant("blue", { weight: 700 }),
    variant("green", { weight: 300, weightType: "fix" }),
    variant("red", {
      weight: 0,
      weightType: "fix",
      overrides: [override("userId", "user-1", "user-2"), override("plan", "beta")],
    }),
    variant("violet", { weight: 0, overrides: [override("userId", "user-2", "user-3")] }),
  ],
  constant: [variant("only", payload("csv", "a,b,c"))],
  empty: [],
  "rate-limit": [half("high", payload("number", "1e2")), half("low", payload("number", "-2.50"))],
};

export const state = {
  projects: [projectOf("default", "development", "production"), projectOf("web", "production")],
  features: [
    ...Object.entries(lists).map(([name, production]) =>
      featureOf(
        name,
        { development: [], production },
        { enabled: true, tags: name === "checkout" ? [tag("team-a")] : [] },
      ),
    ),
    featureOf("early", { development: [variant("v")] }, { enabled: true }),
    featureOf("home", { production: [variant("new")] }, { enabled: true, project: "web" }),
  ],
};

/** What a running Unleash 6.10.1 exported. */
export const recorded = ["development", "production"].map(
  (environment) => `test/infra/clients/admin/data/unleash-export-6.10.1-${environment}.json`,
);

const users = times(4000, (index) => `person-${index}`);

/** Each user gets the same variant twice, and each variant its share of all users, within four standard deviations. */
export function expectSpread(shares: Record<string, number>, choose: (user: string) => string): void {
  const chosen = users.map(choose);

  expect(users.map(choose)).toEqual(chosen);
  expect([...new Set(chosen)].sort()).toEqual(Object.keys(shares).sort());
  for (const [name, share] of Object.entries(shares)) {
    const deviation = chosen.filter((one) => one === name).length - users.length * share;
    expect(Math.abs(deviation), name).toBeLessThan(4 * Math.sqrt(users.length * share * (1 - share)));
  }
}

/** How many users have the same choice in both: half of them, if two even choices are independent. */
export function expectIndependent(first: (user: string) => boolean, second: (user: string) => boolean): void {
  const same = users.filter((user) => first(user) === second(user)).length;
  expect(Math.abs(same - users.length / 2)).toBeLessThan(2 * Math.sqrt(users.length));
}
