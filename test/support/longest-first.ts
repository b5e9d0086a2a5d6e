/** Starts the test files that take longest first: one that starts last leaves a processor idle. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

const longest = [
  "test/infra/clients/mcp/write.test.ts",
  "test/infra/clients/mcp/mcp.test.ts",
  "test/explore/explore.test.ts",
  "test/infra/clients/admin/apply.test.ts",
  "test/infra/local/start.test.ts",
  "test/infra/clients/admin/by-key.test.ts",
  "test/infra/pages/command-line.test.ts",
  "test/infra/clients/admin/import-from-unleash.test.ts",
  "test/unit/documents/moves.test.ts",
  "test/http/features/delete.test.ts",
];

/** Vitest knows how long a file took only where it has run before, and starts with the largest otherwise. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((file) => moduleId.endsWith(file));
      return at < 0 ? longest.length : at;
    };
    return (await super.sort(files)).sort((left, right) => rank(left) - rank(right));
  }
}
