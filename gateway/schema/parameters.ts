import type { TObject } from 'typebox'
import type { FieldError } from '../problems/problem.ts'

type Parameters = {
  readonly values: Readonly<Record<string, unknown>>
  readonly unknown: readonly string[]
  readonly errors: readonly FieldError[]
}

/**
 * Reads query texts as the types of the route's schema: integers, lists (`a,b`, repeated, or both), texts. What does not fit
 * stays as it is, for the schema to refuse.
 */
export const readParameters = (
  schema: TObject | null,
  raw: Readonly<Record<string, readonly string[]>>,
): Parameters => {
  const properties = (schema?.properties ?? {}) as Record<string, { type?: string }>
  const values: Record<string, unknown> = {}
  const unknown: string[] = []
  const errors: FieldError[] = []
  for (const [name, texts] of Object.entries(raw)) {
    if (!Object.hasOwn(properties, name)) {
      unknown.push(name)
      continue
    }
    const { type } = properties[name]!
    const field = `query.${name}`
    if (type === 'array') {
      const items = texts.flatMap((text) => text.split(',')).filter((item) => item !== '')
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
