import fastJson from 'fast-json-stringify'
import type { TSchema } from 'typebox'

/**
 * Makes the function that writes answers of one schema as JSON: exactly what the OpenAPI document shows. It uses
 * fast-json-stringify (Fastify's), which knows every name and type beforehand.
 */
export const serializer = (schema: TSchema): Serialize => {
  const known = serializers.get(schema)
  if (known !== undefined) return known
  const made: Serialize = fastJson(withoutEscapes(schema))
  serializers.set(schema, made)
  return made
}

type Serialize = (value: object) => string

/** Compiling one takes milliseconds, and several routes share a schema. */
const serializers = new WeakMap<TSchema, Serialize>()

/** A base64 data URI (RFC 2397) contains no character that JSON escapes, so images are not searched for one. */
const withoutEscapes = (schema: TSchema): object =>
  JSON.parse(JSON.stringify(schema), (name, value) =>
    name === 'format' && value === 'data-uri' ? 'unsafe' : value,
  ) as object
