/** Makes test runs repeatable, and tells Stryker apart what prepares tests from what loads modules. */
import fc from "fast-check";
import { afterAll, beforeAll } from "vitest";

/** What the mutated code and Stryker's runner share. */
interface Stryker {
  currentTestId?: string;
  mutantCoverage?: { perTest: Record<string, unknown> };
}

const hooks = "hooks";

// Property tests get the same values in every run, so that a mutant's fate depends on its code alone.
fc.configureGlobal({ seed: 20_240_229, endOnFailure: true });

// Stryker assigns whatever runs outside a test to the loading of modules, and tries such mutants with all tests. The
// hooks that prepare several tests are no such code, and what they run is covered by tests as well.
beforeAll(() => {
  const stryker = getStryker();
  if (stryker) stryker.currentTestId = hooks;
});
afterAll(() => {
  delete getStryker()?.mutantCoverage?.perTest[hooks];
});

function getStryker(): Stryker | undefined {
  return Reflect.get(globalThis, "__stryker__");
}
