/** Copies an object, changed in some members; of two changes of one member the second counts. */
export type Copier<Value extends object> = (
  value: Value,
  changes: Partial<Value>,
  more?: Partial<Value> | undefined,
) => Value

/**
 * A copier for one type of object. For each list of members that it meets it generates the literal that copies them. A spread is as fast only
 * while all objects that come to it have been made in the same way: a subscription of 33 members, created, billed and paid, took it a
 * microsecond or two instead of a fifth of one.
 */
export const copierOf = <Value extends object>(): Copier<Value> => {
  const shapes: Shape<Value>[] = []
  let last: Shape<Value> = { names: [], copy: (value) => ({ ...value }) }

  const shapeOf = (names: readonly string[]): Shape<Value> | undefined => {
    const known = shapes.find((shape) => isSame(shape.names, names))
    if (known !== undefined || shapes.length === shapesMax) return known
    const shape = { names, copy: literalOf<Value>(names) }
    shapes.push(shape)
    return shape
  }

  return (value, changes, more) => {
    const names = Object.keys(value)
    if (!isSame(last.names, names)) {
      const shape = shapeOf(names)
      if (shape === undefined) return { ...value, ...changes, ...more }
      last = shape
    }
    return Object.assign(last.copy(value), changes, more)
  }
}

type Shape<Value> = { readonly names: readonly string[]; readonly copy: (value: Value) => Value }

/** Optional members give objects of one type only a few different lists of members. */
const shapesMax = 16

const isSame = (a: readonly string[], b: readonly string[]): boolean => {
  if (a.length !== b.length) return false
  for (let n = 0; n < a.length; n++) if (a[n] !== b[n]) return false
  return true
}

const literalOf = <Value>(names: readonly string[]): Shape<Value>['copy'] => {
  const members = names.map((name) => JSON.stringify(name)).map((name) => `${name}: value[${name}]`)
  return new Function('value', `return { ${members.join(', ')} }`) as Shape<Value>['copy']
}
