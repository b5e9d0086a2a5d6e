/** The bodies that the alarm systems of docs/GUARDS.md send: each trips a guard. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { useBurgee } from "../../support/burgee.ts";
import { addFeature, variant } from "../../support/seed.ts";
import { bodies } from "./webhook-bodies.ts";

const burgee = useBurgee();

it("has a body of each alarm system", () => {
  const [, systems = ""] = readFileSync("docs/GUARDS.md", "utf8").split("## What to paste");
  const headings = [...systems.matchAll(/^### (.+)$/gm)].map(([, name]) => name);
  expect(Object.keys(bodies)).toEqual(headings);
});

it.each(Object.entries(bodies))(
  "%s trips the guard with its body and a key that may do nothing else",
  async (name, body) => {
    const place = { environment: "production" };
    const feature = await addFeature(burgee, {
      environments: { production: [variant("blue")] },
      enabled: true,
    });
    const key = await burgee.keyWith({ permission: "TRIP_GUARD", project: "default", ...place });
    await burgee.switch(feature, "off", { ...place, headers: { "burgee-guard": name } });

    const { status, json } = await burgee.send({
      method: "POST",
      path: `/api/admin/projects/default/environments/production/guards/${name}/trip`,
      json: body,
      headers: { "content-type": "application/json; charset=utf-8", authorization: `Bearer ${key}` },
      key: null,
    });

    expect(status).toBe(200);
    expect(json.features).toMatchObject([{ feature, outcome: "undone" }]);
    expect((await burgee.storedEnvironment(feature, "production")).enabled).toBe(true);
  },
);

it.each(["{}", undefined])("a kill switch takes the body %s", async (body) => {
  const place = { environment: "production" };
  const feature = await addFeature(burgee, { environments: { production: [] }, enabled: true });
  const key = await burgee.keyWith({
    permission: "UPDATE_FEATURE_ENVIRONMENT",
    project: "default",
    ...place,
  });

  const { status } = await burgee.switch(feature, "off", {
    ...place,
    key,
    ...(body !== undefined && { body }),
  });

  expect(status).toBe(200);
});
