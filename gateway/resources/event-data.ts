import Type, { type TProperties } from 'typebox'
import { named } from '../http/named-schema.ts'
import { flag } from './fields.ts'

/** `data` of an event, which says of a sample that it is one. Only what the schema names is written. */
export const eventData = <Properties extends TProperties>(
  title: string,
  fields: Properties,
  description: string,
) =>
  named(
    title,
    Type.Object(
      {
        ...fields,
        test: Type.Optional(
          flag('Always true. Only sample events have it, which tell of nothing that happened.'),
        ),
      },
      { description },
    ),
  )
