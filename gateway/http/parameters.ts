import type { TObject } from 'typebox'
import type { FieldError } from './problem.ts'

type Parameters = {
  readonly values: Readonly<Record<string, unknown>>
  readonly unknown: readonly string[]
  readonly errors: readonly FieldError[]
}

/**
 * Query texts as the route's schema types them: integers, lists (`a,b` or repeated), texts. Ranges and enums are the
 * schema's own business afterwards.
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
      values[name] = texts.flatMap((text) => text.split(','))
    } else if (texts.length > 1) {
      errors.push({ field, code: 'DUPLICATE', message: `${field} is given more than once` })
    } else if (type === 'integer') {
      if (/^[0-9]{1,15}$/.test(texts[0]!)) values[name] = Number(texts[0])
      else errors.push({ field, code: 'INVALID_TYPE', message: `${field} must be an integer` })
    } else {
      values[name] = texts[0]
    }
  }
  return { values, unknown, errors }
}
