/** CloudFormation makes a replacement before it deletes the replaced resource, so the two cannot have one name. */
import { expect, it } from "vitest";
import { readSchemas } from "./schemas.ts";
import { readTemplate, resourcesOf } from "./templates.ts";

const createOnly = new Map(
  readSchemas().map(({ typeName, createOnlyProperties = [] }) => [
    typeName,
    createOnlyProperties.map((pointer) => pointer.split("/").slice(2)),
  ]),
);

const valueAt = (properties: unknown, path: string[]): unknown =>
  path.reduce((value, name) => Object(value)[name], properties);

const isFixed = (value: unknown) => typeof value === "string";

/** Resources of one stage under different settings, by name. */
const variants = ["prod", "options", "others"].map(readTemplate);
const types = new Set(variants.flatMap(({ Resources }) => Object.values(Resources).map(({ Type }) => Type)));

/** Properties that only a replacement can change, each with its values under the different settings. */
function valuesOf(type: string, name: string): Map<string, unknown[]> {
  const made = variants.flatMap((variant) =>
    resourcesOf(variant, type).flatMap(([other, { Properties }]) => (other === name ? [Properties] : [])),
  );
  const paths = createOnly.get(type) ?? [];
  return new Map(paths.map((path) => [path.join("."), made.map((properties) => valueAt(properties, path))]));
}

const isSetting = (values: unknown[]) => new Set(values.map((value) => JSON.stringify(value))).size > 1;

it("a resource with a name of ours has no other property from a setting that only a replacement can change", () => {
  const resources = [...types].flatMap((type) => {
    const found = variants.flatMap((variant) => resourcesOf(variant, type).map(([name]) => name));
    return [...new Set(found)].map((name) => ({ type, name, values: valuesOf(type, name) }));
  });
  const replaced = resources.filter(({ values }) => [...values.values()].some(isSetting));
  expect(resources.length).toBeGreaterThan(50);
  const clashing = replaced.filter(({ values }) =>
    [...values].some(
      ([property, given]) => /Name$/.test(property) && !isSetting(given) && given.some(isFixed),
    ),
  );

  expect(clashing.map(({ name }) => name)).toEqual([]);
});
