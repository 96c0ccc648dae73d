import Type, { type Static } from 'typebox'
import { named } from '../schema/named-schema.ts'
import { booleanOf, objectName, textOf } from './fields.ts'

/** The answer to a DELETE: a resource with a history is only deactivated (decisions, section 3). */
export const removalOf = <const Name extends string>(title: string, object: Name) =>
  named(
    title,
    Type.Object({
      id: textOf('What was to be removed.'),
      object: objectName(object),
      deleted: booleanOf('False: it is in use, or was, and is only deactivated.'),
      active: booleanOf('Always false.'),
    }),
  )

/** What a DELETE did: the resource was deleted, or only deactivated. */
export const removalView = <const Name extends string>(
  object: Name,
  { id, isRemoved }: { readonly id: string; readonly isRemoved: boolean },
): Static<ReturnType<typeof removalOf<Name>>> => ({ id, object, deleted: isRemoved, active: false })
