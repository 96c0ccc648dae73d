/**
 * A rule between fields of a body as JSON Schema, for the document. Validators everywhere understand `if`, and documentation
 * tools keep it out of their lists of fields. The route's `read` makes the same check with a better message.
 */
export const when = (condition: object, then: object, otherwise?: object): object => ({
  if: condition,
  then,
  ...(otherwise && { else: otherwise }),
})

/** The field is present. */
export const has = (field: string): object => ({ required: [field] })
/** The field is absent: said by `not`, because generators of clients stop at a property whose schema is `false`. */
export const lacks = (field: string): object => ({ not: has(field) })
/** The field has this value. */
export const equals = (field: string, value: string): object => ({
  required: [field],
  properties: { [field]: { const: value } },
})

/** At most one of two fields. */
export const onlyOneOf = (one: string, other: string): object => when(has(one), lacks(other))

/** Exactly one of two fields. */
export const exactlyOneOf = (one: string, other: string): object => when(has(one), lacks(other), has(other))
