/**
 * Detects requests sent by pages of other sites: by their Origin, or by a Host that is not this server's, as after DNS
 * rebinding. Clients other than browsers send no Origin. `allowHost` are other names of this server and of its pages: a
 * host, with its port if it has one.
 */
import type { IncomingHttpHeaders } from "node:http";
import { isIPv4 } from "node:net";

/** Returns the reason for refusing a request whose Host names another server. The port may be a forwarded one. */
export function foreignHost({ host = "" }: IncomingHttpHeaders, allowHost: readonly string[] = []) {
  const name = hostname(host) ?? "";
  // DNS rebinding needs a name.
  const isAddress = isIPv4(name) || name.startsWith("[");
  const isLocal = name === "localhost" || name.endsWith(".localhost");
  if (isAddress || isLocal || allowHost.some((allowed) => hostname(allowed) === name)) return undefined;
  return `This server does not accept requests for the host ${JSON.stringify(host)}${advice(name)}.`;
}

/** Returns the reason for refusing a request from a page of another origin. Another port is another origin. */
export function foreignOrigin({ host, origin }: IncomingHttpHeaders, allowHost: readonly string[] = []) {
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

function advice(name: string): string {
  return hostname(name) === undefined ? "" : `; npm start -- --allow-host ${name} allows them`;
}
