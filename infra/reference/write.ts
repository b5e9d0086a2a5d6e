/** `npm run openapi`: records the document on the embedded engine, and writes it. */
import { writeFileSync } from "node:fs";
import { startEngine } from "../local/engine.ts";
import { createDocument, render } from "./document.ts";

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = "true";
const engine = await startEngine();
process.once("exit", engine.stop);
const { write } = process.stdout;
// The log of the recorded requests is of no use here.
process.stdout.write = () => true;
const document = await createDocument(engine.endpoint);
process.stdout.write = write;
writeFileSync("infra/reference/openapi.json", render(document));
process.exit();
