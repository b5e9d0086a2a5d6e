#!/usr/bin/env node
/** The MCP server over stdio: `npm run --silent mcp`, or `burgee-mcp`. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { InvalidArgumentError } from "commander";
import { storedNameSchema } from "../../../lib/contract/names.ts";
import { exitOnErrors } from "../../cli/exit.ts";
import { OneValueCommand, toServiceUrl, toShare } from "../../cli/options.ts";
import { openHttpApi } from "../api/http.ts";
import { keyIssue } from "../api/key-issue.ts";
import { createServer } from "./server.ts";
import { warningOfUnknownEnvironments } from "./unknown-environments.ts";

interface Given {
  url: string;
  page?: string;
  write: string[];
  mostMoves?: string;
}

const command = exitOnErrors(new OneValueCommand("burgee-mcp"))
  .description("Lets an agent read features and propose changes. The API key is in BURGEE_KEY.")
  .option("--url <url>", "the address of the API", toServiceUrl, "http://127.0.0.1:3000")
  .option("--page <url>", "the page that opens proposals, if it is not /patch of that address", toServiceUrl)
  .option("--write <environments>", "change features in these too, such as development,test", toNames, [])
  .option("--most-moves <share>", "with --write: at most this share of the users, such as 0.2", toShare)
  .parse();

const { BURGEE_KEY: key = "" } = process.env;
if (key === "") command.error("error: set BURGEE_KEY to an API key, best to one that has READ alone");
const issue = keyIssue(key);
if (issue) command.error(`error: BURGEE_KEY: ${issue}`);
const { url, page = `${url}/patch`, write, mostMoves } = command.opts<Given>();
if (mostMoves !== undefined && write.length === 0) command.error("error: --most-moves needs --write");
serveStdio(() => createServer({ url, page, key, write, mostMoves }));
const warning = write.length > 0 && (await warningOfUnknownEnvironments(openHttpApi({ url, key }), write));
if (warning) console.error(`burgee: ${warning}`);

/** Reads the names of environments. No pattern stands for several of them. */
function toNames(text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  const wrong = names.find((name) => name === "*" || !storedNameSchema.safeParse(name).success);
  if (wrong === undefined) return names;
  throw new InvalidArgumentError(
    `It must be names of environments, separated by commas; "${wrong}" cannot be one.`,
  );
}
