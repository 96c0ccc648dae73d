/** The version of the service, as `--version` and the OpenAPI document say it. */
export const version = '0.1.0'
