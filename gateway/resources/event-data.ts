import Type, { type TProperties } from 'typebox'
import { namedObject } from '../schema/named-schema.ts'
import { booleanOf } from './fields.ts'
import { type FieldTable, schemasOf, viewOf } from './resource.ts'

/** The schema of an event's `data`, with the mark that samples carry. Only fields of the schema are written. */
export const eventData = <Properties extends TProperties>(
  title: string,
  description: string,
  fields: Properties,
) =>
  namedObject(title, description, {
    ...fields,
    test: Type.Optional(booleanOf('Always true. Only sample events have it: nothing has happened.')),
  })

/** Makes schema and view of an event's `data` from one table, as `resource` does. */
export const eventResource = <State, Context extends readonly unknown[] = []>(
  title: string,
  description: string,
) => ({
  with: <Schemas extends TProperties>(fields: FieldTable<State, Context, Schemas>) => ({
    fields,
    schema: eventData(title, description, schemasOf(fields)),
    view: viewOf(fields),
  }),
})
