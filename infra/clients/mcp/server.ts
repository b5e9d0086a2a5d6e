/** The MCP server: an agent reads and proposes. In the environments of --write it also changes features itself. */
import { McpServer } from "@modelcontextprotocol/server";
import { version } from "../../../package.json";
import { openHttpApi } from "../api/http.ts";
import { addPreviewTools } from "./preview-tools.ts";
import { addReadTools } from "./read-tools.ts";
import { notice } from "./requests.ts";
import { addWriteTools, type WriteOptions } from "./write-tools.ts";

interface Options extends WriteOptions {
  url: string;
  key: string;
  /** The page that opens proposals. */
  page: string;
}

export function createServer({ url, key, page, ...options }: Options): McpServer {
  const server = new McpServer({ name: "burgee", version }, { instructions: instructionsFor(options) });
  const api = openHttpApi({ url, key });
  addReadTools(server, api);
  addPreviewTools(server, api, page);
  if (options.write.length > 0) addWriteTools(server, api, options);
  return server;
}

function instructionsFor({ write }: WriteOptions): string {
  const propose =
    "Preview a patch of a feature flag, or turning it on or off, and give its link to a person, who can apply it.";
  const change = `In ${write.join(", ")} you may change features yourself; preview first, and give a reason.`;
  return [propose, ...(write.length > 0 ? [change] : []), notice].join(" ");
}
