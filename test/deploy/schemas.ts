/** AWS's own resource schemas as judges of a template. */
import { loadAwsServiceSpecSync } from "@aws-cdk/aws-service-spec";
import type { Template } from "./synthesis.ts";

const spec = loadAwsServiceSpecSync();

type Reference = Parameters<typeof spec.get<"typeDefinition">>[1];
type Properties = Readonly<Record<string, { type: Type; required?: boolean }>>;

/** As far as it judges values. */
interface Type {
  type: string;
  allowedValues?: readonly unknown[];
  element?: Type;
  types?: readonly Type[];
  reference?: Reference;
}

/** What is wrong with each resource; nothing if all are right. */
export function faultsOf({ Resources }: Template): string[] {
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
      return property ? judge(content, property.type, `${at}.${member}`) : [];
    }),
  ];
}

function judge(value: unknown, type: Type, at: string): string[] {
  if (isComputed(value)) return [];
  const { types, element, reference, allowedValues } = type;
  if (types) {
    const each = types.map((one) => judge(value, one, at));
    return each.some((issues) => issues.length === 0) ? [] : (each[0] ?? []);
  }
  if (type.type === "array" && element) {
    if (!Array.isArray(value)) return [`${at} is no list`];
    return value.flatMap((each, index) => judge(each, element, `${at}.${index}`));
  }
  if (type.type === "map" && element) {
    return Object.entries(Object(value)).flatMap(([name, each]) => judge(each, element, `${at}.${name}`));
  }
  if (reference) {
    if (typeof value !== "object" || value === null) return [`${at} is no object`];
    return object(value, spec.get("typeDefinition", reference).properties, at);
  }
  if (!isOfPrimitive(value, type.type)) return [`${at} is no ${type.type}`];
  return allowedValues && !allowedValues.includes(value)
    ? [`${at} is none of ${allowedValues.join(", ")}`]
    : [];
}

function isOfPrimitive(value: unknown, type: string): boolean {
  if (type === "json") return typeof value === "object" || typeof value === "string";
  if (type === "integer") return Number.isInteger(value);
  if (type === "tag") return typeof value === "object";
  return typeof value === (type === "date-time" ? "string" : type);
}

/** Known only to CloudFormation. */
function isComputed(value: unknown): boolean {
  const [member, ...others] = Object.keys(Object(value));
  return typeof value === "object" && others.length === 0 && /^(?:Ref|Fn::\w+)$/.test(member ?? "");
}
