/**
 * Rules between the fields of a body as JSON Schema, for the document. `if` is what validators everywhere know, and what
 * readers leave out of their lists of fields; `read` of the route checks the same, and says better what is wrong.
 */
export const when = (condition: object, then: object, otherwise?: object): object => ({
  if: condition,
  then,
  ...(otherwise && { else: otherwise }),
})

export const has = (field: string): object => ({ required: [field] })
export const lacks = (field: string): object => ({ properties: { [field]: false } })
export const equals = (field: string, word: string): object => ({
  required: [field],
  properties: { [field]: { const: word } },
})

/** At most one of two fields. */
export const onlyOneOf = (one: string, other: string): object => when(has(one), lacks(other))

export const exactlyOneOf = (one: string, other: string): object => when(has(one), lacks(other), has(other))
