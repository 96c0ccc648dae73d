import type { TObject } from 'typebox'
import type { FieldError } from '../problems/problem.ts'

type Parameters = {
  readonly values: Readonly<Record<string, unknown>>
  readonly unknown: readonly string[]
  readonly errors: readonly FieldError[]
}

type Listed = { readonly type?: string; readonly items?: { readonly format?: string } }
type Properties = Readonly<Record<string, Listed>>

/** Whether commas separate the items of a list parameter. Texts may hold commas, so a list of them is only repeated. */
export const isSeparated = ({ items }: Listed): boolean => items?.format !== 'text'

/**
 * Reads query texts as the types of the route's schema: integers, lists (`a,b`, repeated, or both), texts. What does not fit
 * stays as it is, for the schema to refuse.
 */
export const readParameters = (
  schema: TObject | null,
  raw: Readonly<Record<string, readonly string[]>>,
): Parameters => {
  const properties = (schema?.properties ?? {}) as Properties
  const values: Record<string, unknown> = {}
  const unknown: string[] = []
  const errors: FieldError[] = []
  for (const [name, texts] of byOurNames(properties, raw)) {
    if (!Object.hasOwn(properties, name)) {
      unknown.push(name)
      continue
    }
    const { type } = properties[name]!
    const field = `query.${name}`
    if (type === 'array') {
      const parts = isSeparated(properties[name]!) ? texts.flatMap((text) => text.split(',')) : texts
      const items = parts.filter((item) => item !== '')
      if (items.length > 0) values[name] = items
    } else if (texts.length > 1) {
      errors.push({ field, code: 'DUPLICATE', message: (say) => say.parameterRepeated(field) })
      values[name] = texts[0]
    } else if (type === 'integer' && /^[0-9]+$/.test(texts[0]!)) {
      values[name] = Number(texts[0])
    } else {
      values[name] = texts[0]
    }
  }
  return { values, unknown, errors }
}

/**
 * The texts under the names of the schema. Other software writes `status[]=a`, `status[0]=a`, `STATUS=a` or `page_size=5` (decisions,
 * section 6): a filter that is overlooked would show, and export, everything.
 */
const byOurNames = (
  properties: Properties,
  raw: Readonly<Record<string, readonly string[]>>,
): Iterable<[string, readonly string[]]> => {
  const given = Object.entries(raw)
  if (given.every(([name]) => Object.hasOwn(properties, name))) return given
  const ours = new Map(Object.keys(properties).map((name) => [bare(name), name]))
  const named = new Map<string, readonly string[]>()
  for (const [name, texts] of given) {
    const known = Object.hasOwn(properties, name) ? name : (ours.get(bare(name)) ?? name)
    named.set(known, [...(named.get(known) ?? []), ...texts])
  }
  return named
}

/** A name without what only says that it is a list, and without how its words are joined. */
const bare = (name: string): string =>
  name
    .replace(/\[[0-9]*\]$/, '')
    .replace(/[_-]/g, '')
    .toLowerCase()
