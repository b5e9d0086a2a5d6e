/** Stands in for the framework: packages the template that the account is given. */
const { mkdirSync, readFileSync, writeFileSync } = require("node:fs");

mkdirSync(".serverless", { recursive: true });
for (const name of ["tags.zip", "variants.zip", "read.zip"]) writeFileSync(`.serverless/${name}`, "");
const { template, unpackaged } = JSON.parse(readFileSync("account.json", "utf8"));
if (unpackaged) {
  console.log(`Error:\n${unpackaged}`);
  process.exit(1);
}
const given = Object.keys(process.env).filter((key) => key.startsWith("AWS_"));
if (given.length > 0) throw new Error(`the framework was given ${given}`);
writeFileSync(".serverless/cloudformation-template-update-stack.json", JSON.stringify(template));
