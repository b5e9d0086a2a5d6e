/** `npm run openapi`: writes the document. */
import { writeFileSync } from "node:fs";
import { render } from "./document.ts";

writeFileSync("infra/reference/openapi.json", render());
