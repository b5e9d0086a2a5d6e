/** Finds the route of an event, and the parameters of its path. */
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { MethodNotAllowed, NotFoundError, ValidationError } from "../contract/errors.ts";
import type { PathParameters, Route } from "./route.ts";

/**
 * An HTTP API delivers `routeKey` as it was declared, and `pathParameters` and `rawPath` percent-decoded. So the
 * parameters are used as they are: decoding them again would turn the name "100%25" into "100%". Where an event
 * has none (one of `npm run invoke` in the form of AWS's examples, whose route is `$default`; a function URL; a path that
 * could not be decoded), `rawPath` is still encoded and is decoded here.
 */
export function matchRoute<Store>(
  event: APIGatewayProxyEventV2,
  routes: readonly Route<Store>[],
): Route<Store> {
  const declared = event.routeKey?.split(" ")[1];
  const path =
    routes.find((route) => route.path === declared)?.path ??
    routes.find((route) => matchesPath(route.path, event.rawPath))?.path;
  if (path === undefined) throw new NotFoundError("There is no resource at this path");
  const ofPath = routes.filter((route) => route.path === path);
  const { method } = event.requestContext.http;
  const found = ofPath.find((route) => route.method === method);
  if (found) return found;
  const allow = ofPath.map((route) => route.method).join(", ");
  throw new MethodNotAllowed(`${method} is not allowed for this path; allowed: ${allow}`, {
    headers: { allow },
  });
}

export function pathParameters(event: APIGatewayProxyEventV2, { path }: { path: string }): PathParameters {
  const names = segments(path);
  // A stage's name, or a path that a domain maps to this API, stands in front.
  const values = segments(event.rawPath).slice(-names.length);
  const parameters = names.flatMap((segment, index) => {
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    return name === undefined ? [] : [[name, event.pathParameters?.[name] ?? decode(values[index] ?? "")]];
  });
  return Object.fromEntries(parameters);
}

function matchesPath(path: string, rawPath = ""): boolean {
  const values = segments(rawPath);
  const names = segments(path);
  return (
    names.length === values.length &&
    names.every((name, index) => (name.startsWith("{") ? values[index] !== "" : name === values[index]))
  );
}

function segments(path = ""): string[] {
  return path.split("/");
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch (cause) {
    throw new ValidationError(`Malformed percent-encoding in the path: "${value}"`, { cause });
  }
}
