// The emulator's addresses end in ".localhost", which not every machine's resolver knows.
const dns = require("node:dns");
const { lookup } = dns;

/** @param {[name: string, ...others: unknown[]]} given */
const lookUp = (...[name, ...others]) =>
  Reflect.apply(lookup, dns, [name.endsWith(".localhost") ? "localhost" : name, ...others]);

Reflect.set(dns, "lookup", lookUp);
