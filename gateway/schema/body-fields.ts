import type { TSchema } from 'typebox'

/**
 * Takes what other languages write for nothing as nothing (decisions, section 8): an optional member that is null is removed, unless
 * its schema wants null, and `[]` in the place of an object, which PHP writes for an empty map, becomes one. Changes the body itself.
 */
export const dropNothings = (schema: TSchema, body: object): void => {
  const { properties, required } = schema as Known
  if (properties === undefined) return
  const members = body as Record<string, unknown>
  for (const name in members) {
    const member = members[name]
    if (typeof member !== 'object' || !Object.hasOwn(properties, name)) continue
    const known = properties[name]!
    if (member === null) {
      if (!required?.includes(name) && !isOfType(known, 'null')) delete members[name]
    } else if (!Array.isArray(member)) dropNothings(known as TSchema, member)
    else if (member.length === 0 && isOfType(known, 'object')) members[name] = {}
    else if (known.items !== undefined)
      for (const item of member)
        if (typeof item === 'object' && item !== null) dropNothings(known.items as TSchema, item)
  }
}

const isOfType = ({ type }: Known, name: string): boolean => [type].flat().includes(name)

/** The fields of a body that its schema does not know, as in `customer.nickname`; they are ignored and named in a header. */
export const unknownFields = (schema: TSchema, value: unknown): readonly string[] => {
  unknown = none
  collectUnknown(schema as Known, value, '')
  return unknown
}

/** Most bodies have no unknown fields, so an array is created only for the first. */
let unknown: string[]
const none: string[] = Object.freeze([]) as never

/** A value without the fields that its schema does not know. Objects of any content, as metadata is, are left as they are. */
export const knownPart = (schema: TSchema, value: unknown): unknown => {
  const { properties, items } = schema as Known
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value))
    return items === undefined ? value : value.map((item) => knownPart(items as TSchema, item))
  if (properties === undefined) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      Object.hasOwn(properties, name) ? [[name, knownPart(properties[name] as TSchema, member)]] : [],
    ),
  )
}

type Known = {
  readonly type?: string | readonly string[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Known>>
  readonly items?: Known
}

const collectUnknown = ({ properties }: Known, value: unknown, prefix: string): void => {
  if (properties === undefined || typeof value !== 'object' || value === null) return
  for (const name in value) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    const member = (value as Record<string, unknown>)[name]
    if (known === undefined) {
      if (unknown === none) unknown = []
      unknown.push(prefix + name)
    } else if (typeof member !== 'object') continue
    else if (!Array.isArray(member)) collectUnknown(known, member, `${prefix}${name}.`)
    else if (known.items !== undefined)
      for (let n = 0; n < member.length; n++)
        collectUnknown(known.items, member[n], `${prefix}${name}[${n}].`)
  }
}
