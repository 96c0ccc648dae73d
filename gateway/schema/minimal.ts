import type { TSchema } from 'typebox'
import { named, schemaNamed } from './named-schema.ts'

/** Whether the request prefers the smallest answer: `Prefer: return=minimal` (RFC 7240, section 4.2). Of several, the first counts. */
export const prefersMinimal = ({ prefer }: Readonly<Record<string, string>>): boolean =>
  prefer !== undefined &&
  isMinimal.test(prefer.split(',').find((preference) => isReturn.test(preference)) ?? '')

const isReturn = /^\s*return\s*=/i
const isMinimal = /=\s*"?minimal"?\s*(;|$)/i

/** Members that identify an object, let its payer pay, or are shown only once (decisions, section 3). */
export const minimalMembers = [
  'id',
  'object',
  'status',
  'version',
  'createdAt',
  'copyPaste',
  'uri',
  'cryptoAmount',
  'txid',
  'expiresAt',
  'digitableLine',
  'barcode',
  'dueDate',
  'url',
  'secret',
] as const

/**
 * Makes a function that reduces answers of this schema to their minimal form. A nested member, such as `pix.txid`,
 * moves to the top level, unless the part that holds it is null.
 */
export const minimalOf = (schema: TSchema): ((answer: object) => object) => {
  const places = placesIn(schema)
  return (answer) => {
    const minimal: Members = {}
    for (const { name, part } of places) {
      const members = part === null ? (answer as Members) : ((answer as Members)[part] as Members | null)
      if (members?.[name] !== undefined) minimal[name] ??= members[name]
    }
    return minimal
  }
}

/** The schema of these minimal answers, for the document. What a part has is there only where the answer has that part. */
export const minimalSchemaOf = (schema: TSchema): TSchema => {
  const { title, properties = {}, required = [] } = schema as Shape
  const name = `${title}Minimal`
  const known = schemaNamed(name)
  if (known !== undefined) return known
  const places = placesIn(schema)
  const members: Record<string, object> = {}
  for (const { name, part } of places)
    members[name] ??= (part === null ? properties : properties[part]!.properties!)[name]!
  return named(name, {
    type: 'object',
    description: 'The answer to `Prefer: return=minimal`: members of the whole one, at the top level.',
    required: places.flatMap(({ name, part }) => (part === null && required.includes(name) ? name : [])),
    properties: members,
  } as TSchema)
}

const placesIn = (schema: TSchema): readonly Place[] => {
  const { properties = {} } = schema as Shape
  return minimalMembers.flatMap((name): Place[] => {
    if (Object.hasOwn(properties, name)) return [{ name, part: null }]
    const parts = Object.keys(properties).filter((part) =>
      Object.hasOwn(properties[part]!.properties ?? {}, name),
    )
    return parts.map((part) => ({ name, part }))
  })
}

type Shape = {
  readonly title?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Shape>>
}
type Place = { readonly name: string; readonly part: string | null }
type Members = { [name: string]: unknown }
