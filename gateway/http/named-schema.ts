import type { TSchema } from 'typebox'

/** Every schema with a name, as it was named: other descriptions and `null` may be added where it is used. */
const known = new Map<string, TSchema>()

/**
 * Gives a schema a name: the OpenAPI document lists it once among its components, and generated clients have a type of
 * that name. The name is JSON Schema's own `title`, so it survives copies, and what checks and writes JSON ignores it.
 */
export const named = <Schema extends TSchema>(title: string, schema: Schema): Schema => {
  if (known.has(title)) throw new Error(`two schemas are named ${title}`)
  const withName = { ...schema, title }
  known.set(title, withName)
  return withName
}

export const schemaNamed = (title: string): TSchema | undefined => known.get(title)

/** The same schema with what it means where it is used. */
export const described = <Schema extends TSchema>(schema: Schema, description: string): Schema => ({
  ...schema,
  description,
})
