/** Environment variables of a function that change what the SDK sends. */

/** As Lambda sets them. */
export const usual: Record<string, string> = {
  AWS_REGION: "eu-central-1",
  AWS_DEFAULT_REGION: "eu-central-1",
  AWS_ACCESS_KEY_ID: "ASIAEXAMPLE",
  AWS_SECRET_ACCESS_KEY: "secret",
  AWS_SESSION_TOKEN: "the token of the session",
  AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
  AWS_LAMBDA_FUNCTION_NAME: "burgee-tags",
  _X_AMZN_TRACE_ID: "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1",
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
};

const region = (AWS_REGION: string) => ({ AWS_REGION, AWS_DEFAULT_REGION: AWS_REGION });

export const environments: Record<string, Record<string, string>> = {
  "in China": region("cn-north-1"),
  "in GovCloud": region("us-gov-west-1"),
  "in an isolated partition": region("us-iso-east-1"),
  "in the European partition": region("eusc-de-east-1"),
  "in a region that is not known yet": region("mars-north-1"),
  "in a region that cannot be one": region("not a region"),
  "by FIPS": { ...region("us-gov-west-1"), AWS_USE_FIPS_ENDPOINT: "true" },
  "by dual stack": { AWS_USE_DUALSTACK_ENDPOINT: "true" },
  "at an account's endpoint": { AWS_ACCOUNT_ID: "123456789012", AWS_ACCOUNT_ID_ENDPOINT_MODE: "required" },
  "at an endpoint of one's own": { AWS_ENDPOINT_URL_DYNAMODB: "http://engine.test:8000" },
  "where endpoints are to be ignored": {
    AWS_ENDPOINT_URL: "https://gateway.test",
    AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: "true",
  },
  "without a session": { AWS_SESSION_TOKEN: "" },
  "with a scope of credentials": { AWS_CREDENTIAL_SCOPE: "us-east-1" },
  "with the SDK's own retries": { AWS_MAX_ATTEMPTS: "7", AWS_RETRY_MODE: "adaptive" },
  "with defaults of a region": { AWS_DEFAULTS_MODE: "in-region" },
  "outside of a trace": { _X_AMZN_TRACE_ID: "" },
};
