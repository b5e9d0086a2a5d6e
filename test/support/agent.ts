/** An agent that reads through the MCP server, and hands a link to a person. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

interface Proposal {
  project: string;
  feature: string;
  environment?: string;
  /** The patch to propose; without it the feature is switched. */
  patch?: readonly unknown[];
  to?: "on" | "off";
}

/** The link that the server makes, which knows the address of the API alone. */
export async function linkOfAgent(url: string, key: string, proposal: Proposal): Promise<string> {
  const client = new Client({ name: "an agent", version: "1" });
  const args = ["dist/tools/mcp.mjs", "--url", url];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: { BURGEE_KEY: key } }),
  );
  const given = { ...proposal, reason: "an agent" };
  const { structuredContent } = await client.callTool({
    name: proposal.patch ? "preview_patch" : "preview_switch",
    arguments: given,
  });
  await client.close();
  return String(Object(structuredContent).link);
}
