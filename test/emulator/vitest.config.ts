/** The deployments to an emulator, which need Python 3, a Chromium, and a network once. */
import { suite } from "../support/suite.ts";

export default suite("emulator", ["test/browser/chromium.ts", "test/emulator/stage.ts"], {
  execArgv: ["--require", "./test/emulator/resolve-localhost.cjs"],
  // Each test depends on the previous ones of its file.
  bail: 1,
  testTimeout: 300_000,
});
