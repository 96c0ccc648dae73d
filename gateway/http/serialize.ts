import fastJson from 'fast-json-stringify'
import type { TSchema } from 'typebox'

/**
 * Writes answers of one schema as JSON: what the OpenAPI document shows is what is written, and nothing else. By
 * fast-json-stringify, Fastify's own, which knows every name and type beforehand.
 */
export const serializer = (schema: TSchema): Serialize => {
  const known = serializers.get(schema)
  if (known !== undefined) return known
  const made: Serialize = fastJson(withoutEscapes(schema))
  serializers.set(schema, made)
  return made
}

type Serialize = (value: object) => string

/** Making one takes milliseconds, and several routes answer with the same schema. */
const serializers = new WeakMap<TSchema, Serialize>()

/** A data URI in base64 (RFC 2397) has no character that JSON escapes: an image is not searched for one. */
const withoutEscapes = (schema: TSchema): object =>
  JSON.parse(JSON.stringify(schema), (name, value) =>
    name === 'format' && value === 'data-uri' ? 'unsafe' : value,
  ) as object
