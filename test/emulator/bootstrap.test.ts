/** A bootstrap stack that was deleted by mistake is made again as OPERATIONS.md says, around its bucket. */
import { expect, it, onTestFinished } from "vitest";
import { blocksOf } from "./blocks.ts";
import { openStage } from "./stage.ts";

it("imports the bucket that is left, with what is in it", async () => {
  const prod = await openStage("prod");
  onTestFinished(() => prod.close());
  const run = async (lines: string) => {
    const { code, out, err } = await prod.shell(lines);
    expect({ lines, code, said: code === 0 ? "" : err }).toEqual({ lines, code: 0, said: "" });
    return out;
  };
  const [block] = blocksOf("docs/OPERATIONS.md").filter(({ heading }) => heading.startsWith("A deleted"));
  await prod.bootstrap();
  await run(`
    BUCKET=burgee-prod-$(aws sts get-caller-identity --query Account --output text)-us-east-1
    aws s3api delete-bucket-policy --bucket $BUCKET
    echo archive | aws s3 cp - s3://$BUCKET/deployments/one
    aws cloudformation delete-stack --stack-name people-burgee-prod
    aws cloudformation wait stack-delete-complete --stack-name people-burgee-prod`);
  expect((await prod.bootstrap()).code).not.toBe(0);
  await prod.shell("aws cloudformation delete-stack --stack-name people-burgee-prod");

  await run(block?.lines ?? "false");
  const { code } = await prod.bootstrap();

  expect(code).toBe(0);
  const resources = await run(
    "aws cloudformation list-stack-resources --stack-name people-burgee-prod --query StackResourceSummaries[].LogicalResourceId",
  );
  expect(JSON.parse(resources)).toEqual(
    expect.arrayContaining(["Bucket", "BucketPolicy", "StackRole", "Boundary"]),
  );
  await run(`
    BUCKET=burgee-prod-$(aws sts get-caller-identity --query Account --output text)-us-east-1
    aws s3api delete-bucket-policy --bucket $BUCKET
    aws s3 cp s3://$BUCKET/deployments/one -`);
});
