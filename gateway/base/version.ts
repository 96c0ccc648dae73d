/** The service's version, as printed by `--version` and in the OpenAPI document. */
export const version = '0.1.0'
