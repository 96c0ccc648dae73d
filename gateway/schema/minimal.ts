import type { TSchema } from 'typebox'

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
  const { properties = {} } = schema as Shape
  const places = minimalMembers.flatMap((name): Place[] => {
    if (Object.hasOwn(properties, name)) return [{ name, part: null }]
    const parts = Object.keys(properties).filter((part) =>
      Object.hasOwn(properties[part]!.properties ?? {}, name),
    )
    return parts.map((part) => ({ name, part }))
  })
  return (answer) => {
    const minimal: Members = {}
    for (const { name, part } of places) {
      const members = part === null ? (answer as Members) : ((answer as Members)[part] as Members | null)
      if (members?.[name] !== undefined) minimal[name] ??= members[name]
    }
    return minimal
  }
}

type Shape = { readonly properties?: Readonly<Record<string, Shape>> }
type Place = { readonly name: string; readonly part: string | null }
type Members = { [name: string]: unknown }
