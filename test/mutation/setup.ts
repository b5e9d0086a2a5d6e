/** Makes test runs repeatable, and lets Stryker distinguish hooks from the loading of modules. */
import fc from "fast-check";
import { afterAll, beforeAll } from "vitest";

/** The object that the mutated code and Stryker's runner share. */
interface Stryker {
  currentTestId?: string;
  mutantCoverage?: { perTest: Record<string, unknown> };
}

const hooks = "hooks";

// Property tests get the same values in every run, so that a mutant's fate depends on its code alone.
fc.configureGlobal({ seed: 20_240_229, endOnFailure: true });

// Stryker attributes code that runs outside a test to the loading of modules, and runs all tests on such mutants. The
// hooks that prepare several tests are not such code, and tests cover what they run.
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
