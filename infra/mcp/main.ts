#!/usr/bin/env node
/** The MCP server over stdio: `npm run --silent mcp`, or `burgee-mcp`. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { Command } from "commander";
import { exitOnErrors } from "../cli/exit.ts";
import { isDeliverable, toServiceUrl } from "../cli/options.ts";
import { createServer } from "./server.ts";

const command = exitOnErrors(new Command("burgee-mcp"))
  .description("Lets an agent read variants and propose patches. The API key is in BURGEE_KEY.")
  .option("--url <url>", "the address of the API", toServiceUrl, "http://127.0.0.1:3000")
  .option("--page <url>", "the page that opens proposals, if it is not /patch of that address", toServiceUrl)
  .parse();

const { BURGEE_KEY: key = "" } = process.env;
if (!isDeliverable(key)) {
  command.error("error: set BURGEE_KEY to an API key, best to one that has READ alone");
}
const { url, page = `${url}/patch` } = command.opts<{ url: string; page?: string }>();
serveStdio(() => createServer({ url, page, key }));
