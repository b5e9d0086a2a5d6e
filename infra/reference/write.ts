/** `npm run openapi`: records the document on the embedded engine, and writes it. */
import { writeFileSync } from "node:fs";
import { openEngine } from "../local/engine.ts";
import { createDocument } from "./openapi.ts";

// The log of the recorded requests is of no use here.
process.stdout.write = () => true;
const { client } = await openEngine();
writeFileSync("infra/reference/openapi.json", await createDocument(client));
process.exit();
