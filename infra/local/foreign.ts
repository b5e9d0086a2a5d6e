/**
 * Detects requests sent by pages of other sites: by their Origin, or by a Host that is not this server's, as after DNS
 * rebinding. Clients other than browsers send no Origin.
 */
import type { IncomingHttpHeaders } from "node:http";
import { isIPv4, isIPv6 } from "node:net";

export interface OwnNames {
  /** The address that the server is listening on. */
  host?: string;
  /** Other names of this server and of its pages, as `--allow-host` has them: a host, with its port if it has one. */
  allowHost?: readonly string[];
}

/** Returns the reason for refusing a request whose Host names another server. The port may be a forwarded one. */
export function foreignHost({ host = "" }: IncomingHttpHeaders, own: OwnNames): string | undefined {
  const name = hostname(host);
  if (name !== undefined && isOwn(name, own)) return undefined;
  return `This server does not accept requests for the host ${JSON.stringify(host)}${advice(name ?? "")}.`;
}

/** Returns the reason for refusing a request from a page of another origin. Another port is another origin. */
export function foreignOrigin(
  { host, origin }: IncomingHttpHeaders,
  { allowHost = [] }: OwnNames,
): string | undefined {
  if (origin === undefined || origin === `http://${host}`) return undefined;
  const [, name = ""] = /^https?:\/\/(.+)$/.exec(origin) ?? [];
  if (allowHost.some((allowed) => allowed.toLowerCase() === name)) return undefined;
  return `This server does not accept requests from pages of ${JSON.stringify(origin)}${advice(name)}.`;
}

/** Removes the port and normalises as the URL standard does; undefined if it is not a host. */
export function hostname(host: string): string | undefined {
  const url = `http://${host}`;
  if (!/^[^\s/\\?#@]+$/.test(host) || !URL.canParse(url)) return undefined;
  return new URL(url).hostname.replace(/\.$/, "");
}

function isOwn(name: string, { host = "127.0.0.1", allowHost = [] }: OwnNames): boolean {
  const listening = hostname(isIPv6(host) ? `[${host}]` : host);
  // A server on all addresses can be called by any of them; DNS rebinding needs a name.
  const isForAll = listening === "0.0.0.0" || listening === "[::]";
  return (
    isLoopback(name) ||
    name === listening ||
    (isForAll && isAddress(name)) ||
    allowHost.some((allowed) => hostname(allowed) === name)
  );
}

function isLoopback(name: string): boolean {
  return (
    name === "localhost" ||
    name.endsWith(".localhost") ||
    name === "[::1]" ||
    (isIPv4(name) && name.startsWith("127."))
  );
}

function isAddress(name: string): boolean {
  return isIPv4(name) || name.startsWith("[");
}

function advice(name: string): string {
  return hostname(name) === undefined ? "" : `; npm start -- --allow-host ${name} allows them`;
}
