import Type, { type TProperties, type TSchema } from 'typebox'

/** Every named schema as it was first named; uses may add a description or `null`. */
const known = new Map<string, TSchema>()

/**
 * Names a schema. The OpenAPI document lists it once among its components, and generated clients get a type of that name. The
 * name is kept as JSON Schema's `title`: it survives copies, and neither checks nor serializers look at it.
 */
export const named = <Schema extends TSchema>(title: string, schema: Schema): Schema => {
  if (known.has(title)) throw new Error(`two schemas are named ${title}`)
  const withName = { ...schema, title }
  known.set(title, withName)
  return withName
}

/** Names the schema of an object, and says what it is. */
export const namedObject = <Properties extends TProperties>(
  title: string,
  description: string,
  properties: Properties,
) => named(title, Type.Object(properties, { description }))

/** The schema with this name, if there is one. */
export const schemaNamed = (title: string): TSchema | undefined => known.get(title)

/** The same schema, described for the place where it is used. */
export const described = <Schema extends TSchema>(schema: Schema, description: string): Schema => ({
  ...schema,
  description,
})
