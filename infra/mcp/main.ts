#!/usr/bin/env node
/** The MCP server over stdio: `npm run --silent mcp`, or `burgee-mcp`. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { Command, InvalidArgumentError } from "commander";
import { exitOnErrors } from "../cli/exit.ts";
import { createServer } from "./server.ts";

const command = exitOnErrors(new Command("burgee-mcp"))
  .description("Lets an agent read variants and propose patches. The API key is in BURGEE_KEY.")
  .option("--url <url>", "the address of the API", toUrl, "http://127.0.0.1:3000")
  .option("--page <url>", "the page that opens proposals, if it is not /patch of that address", toUrl)
  .parse();

const { BURGEE_KEY: key = "" } = process.env;
// An error of `fetch` would quote a key that no header can carry.
if (!/^[\x20-\x7e\x80-\xff]+$/.test(key)) {
  command.error("error: set BURGEE_KEY to an API key, best to one that has READ alone");
}
const { url, page = `${url}/patch` } = command.opts<{ url: string; page?: string }>();
serveStdio(() => createServer({ url, page, key }));

/** In plain HTTP, the key could be read on its way to another machine. */
function toUrl(text: string): string {
  const isSafe = /^(https:\/\/|http:\/\/(localhost|127(\.\d+){3}|\[::1\])([:/]|$))[^@?#]*$/.test(text);
  if (isSafe && URL.canParse(text)) return text.replace(/\/+$/, "");
  throw new InvalidArgumentError("It must be an https: address, or an http: address of this machine.");
}
