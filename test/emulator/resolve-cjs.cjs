// The emulator looks for a handler's file by Node's `require`, which tries .js but not .cjs. Lambda's own runtime does
// try .cjs (test/runtime loads the same archives with it), so this lends Node that one habit.
require.extensions[".cjs"] ??= require.extensions[".js"];
