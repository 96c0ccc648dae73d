import { assert } from './assert.ts'

/** Adds an entry to a register, or replaces it, in place: readers get registers as read-only, and entries are never mutated. */
export const putEntry = <Value extends { readonly id: string }>(
  register: ReadonlyMap<Value['id'], Value>,
  entry: Value,
): void => {
  ;(register as Map<Value['id'], Value>).set(entry.id, entry)
}

/** Changes an entry of a register, in place. */
export const changeEntry = <Value extends { readonly id: string }>(
  register: ReadonlyMap<Value['id'], Value>,
  id: Value['id'],
  changes: Partial<NoInfer<Value>>,
): void => {
  const entry = register.get(id)
  assert(entry !== undefined, `${id} was created before it is changed`)
  putEntry(register, { ...entry, ...changes })
}
