/** Validates a template against AWS's own resource schemas. */
import { loadAwsServiceSpecSync } from "@aws-cdk/aws-service-spec";
import type { Template } from "./synthesis.ts";

const spec = loadAwsServiceSpecSync();

type Reference = Parameters<typeof spec.get<"typeDefinition">>[1];
type Properties = Readonly<Record<string, { type: Type; required?: boolean }>>;

/** The part of a schema that is checked. */
interface Type {
  type: string;
  allowedValues?: readonly unknown[];
  element?: Type;
  types?: readonly Type[];
  reference?: Reference;
}

/** Returns the issues of all resources. */
export function issuesOf({ Resources }: Template): string[] {
  return Object.entries(Resources).flatMap(([name, { Type, Properties }]) => {
    const [resource] = spec.lookup("resource", "cloudFormationType", "equals", Type);
    if (!resource) return [`${name}: there is no ${Type}`];
    return object(Properties ?? {}, resource.properties, name);
  });
}

function object(value: object, properties: Properties, at: string): string[] {
  const unknown = Object.keys(value).filter((member) => !Object.hasOwn(properties, member));
  const missing = Object.entries(properties).filter(([name, { required }]) => required && !(name in value));
  return [
    ...unknown.map((member) => `${at} has no ${member}`),
    ...missing.map(([name]) => `${at} lacks ${name}`),
    ...Object.entries(value).flatMap(([member, content]) => {
      const property = properties[member];
      return property ? check(content, property.type, `${at}.${member}`) : [];
    }),
  ];
}

function check(value: unknown, type: Type, at: string): string[] {
  if (isComputed(value)) return [];
  const { types, element, reference, allowedValues } = type;
  if (types) {
    const each = types.map((one) => check(value, one, at));
    return each.some((issues) => issues.length === 0) ? [] : (each[0] ?? []);
  }
  if (type.type === "array" && element) {
    if (!Array.isArray(value)) return [`${at} is not a list`];
    return value.flatMap((each, index) => check(each, element, `${at}.${index}`));
  }
  if (type.type === "map" && element) {
    return Object.entries(Object(value)).flatMap(([name, each]) => check(each, element, `${at}.${name}`));
  }
  if (reference) {
    if (typeof value !== "object" || value === null) return [`${at} is not an object`];
    return object(value, spec.get("typeDefinition", reference).properties, at);
  }
  if (!isOfPrimitive(value, type.type)) return [`${at} is not of type ${type.type}`];
  return allowedValues && !allowedValues.includes(value)
    ? [`${at} is not one of ${allowedValues.join(", ")}`]
    : [];
}

function isOfPrimitive(value: unknown, type: string): boolean {
  if (type === "json") return typeof value === "object" || typeof value === "string";
  if (type === "integer") return Number.isInteger(value);
  if (type === "tag") return typeof value === "object";
  return typeof value === (type === "date-time" ? "string" : type);
}

/** Values that only CloudFormation knows. */
function isComputed(value: unknown): boolean {
  const [member, ...others] = Object.keys(Object(value));
  return typeof value === "object" && others.length === 0 && /^(?:Ref|Fn::\w+)$/.test(member ?? "");
}
