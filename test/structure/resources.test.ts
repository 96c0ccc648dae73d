import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'
import { eventTypes } from '../../engine/kernel/event-types.ts'
import { dataOfEvent } from '../../gateway/events/events.ts'
import { routes } from '../../gateway/routes/index.ts'

/** Holds that a field of an answer or an event is written in the file of its noun, and in no other of the gateway. */
const root = resolve(import.meta.dirname, '../../..')

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** The names of all properties of a schema, at whatever depth. */
const namesIn = (schema: Schema): readonly string[] => [
  ...Object.keys(schema.properties ?? {}),
  ...Object.values(schema.properties ?? {}).flatMap(namesIn),
  ...(schema.items === undefined ? [] : namesIn(schema.items)),
  ...(schema.anyOf ?? []).flatMap(namesIn),
]

const told = new Set([
  ...routes.flatMap(({ answer }) => namesIn(answer as Schema)),
  ...eventTypes.flatMap((type) => namesIn(dataOfEvent(type) as Schema)),
])
for (const { body, query } of routes)
  for (const schema of [body, query]) for (const name of namesIn((schema ?? {}) as Schema)) told.delete(name)

/** An amount or an instant is a text on the wire and a number in the engine: its name says which of the two is meant. */
const fields = [...told].filter((name) => /(Amount|At|Url)$/.test(name))

const files = readdirSync(join(root, 'gateway'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.startsWith('dashboard/'))
  .map((name) => ({ name, code: readFileSync(join(root, 'gateway', name), 'utf8') }))

t.test('a field of an answer is written in the file of its noun alone', async (t) => {
  t.ok(fields.includes('netAmount') && fields.includes('approvedAt'))
  const isWritten = (field: string) => new RegExp(`(?<![\\w.'])${field}: `)
  const elsewhere = files
    // Members of a problem are no fields of an answer.
    .filter(({ name }) => !name.startsWith('resources/') && name !== 'api/problem-of.ts')
    .flatMap(({ name, code }) =>
      fields.filter((field) => isWritten(field).test(code)).map((field) => `${name}: ${field}`),
    )
  t.strictSame(elsewhere, [])
})
