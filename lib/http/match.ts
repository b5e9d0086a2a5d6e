/** Finds the route that an event is for, and the parameters of its path. */
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { MethodNotAllowed, NotFoundError, ValidationError } from "../contract/errors.ts";
import type { PathParameters, Route } from "./route.ts";

/**
 * An HTTP API delivers `routeKey` as it was declared, and `pathParameters` and `rawPath` percent-decoded. So the
 * parameters are taken as they are: decoding them again would turn the name "100%25" into "100%". Where an event
 * has none (a function URL, or a path that could not be decoded), `rawPath` is still encoded and is decoded here.
 */
export function match(event: APIGatewayProxyEventV2, routes: readonly Route[]): Route {
  const declared = event.routeKey?.split(" ")[1];
  const path =
    routes.find((route) => route.path === declared)?.path ??
    routes.find((route) => isFor(route.path, event.rawPath))?.path;
  if (path === undefined) throw new NotFoundError("there is nothing at this path");
  const here = routes.filter((route) => route.path === path);
  const { method } = event.requestContext.http;
  const found = here.find((route) => route.method === method);
  if (found) return found;
  const allow = here.map((route) => route.method).join(", ");
  throw new MethodNotAllowed(`${method} is not a method of this path: ${allow}`, { headers: { allow } });
}

export function pathParameters(event: APIGatewayProxyEventV2, { path }: Route): PathParameters {
  const names = segments(path);
  // Where the stage has a name, or a domain serves more than this API, that stands in front.
  const values = segments(event.rawPath).slice(-names.length);
  const parameters = names.flatMap((segment, index) => {
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    return name === undefined ? [] : [[name, event.pathParameters?.[name] ?? decode(values[index] ?? "")]];
  });
  return Object.fromEntries(parameters);
}

function isFor(path: string, rawPath = ""): boolean {
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
    throw new ValidationError(`the path has a malformed percent-encoding in "${value}"`, { cause });
  }
}
