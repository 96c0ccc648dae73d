import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

/**
 * Whether a value that a bank sent has this shape. A schema is compiled when it is first used: typebox's own `Check` walks through it each time, which
 * takes 10 microseconds for a charge.
 */
export const hasShape = <Schema extends TSchema>(schema: Schema, value: unknown): value is Static<Schema> => {
  let has = compiled.get(schema)
  if (has === undefined) {
    const validator = Compile(schema)
    has = (checked) => validator.Check(checked)
    compiled.set(schema, has)
  }
  return has(value)
}

const compiled = new WeakMap<TSchema, (value: unknown) => boolean>()
