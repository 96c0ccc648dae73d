import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'
import { kinds } from '../../engine/registry.ts'

const root = resolve(import.meta.dirname, '../../..')

t.test('the type of a reply names actors by the members by which the kernel finds them', async (t) => {
  const written = [
    ...readFileSync(join(root, 'engine/kernel/reply.ts'), 'utf8').matchAll(/\['(\w+)', '(\w+)'\]/g),
  ].map(([, member, name]) => [member, name])
  const named = Object.entries(kinds).flatMap(([name, { namedBy }]) =>
    namedBy === undefined ? [] : [[namedBy, name]],
  )
  // Reversals belong to transactions; commands about deliveries find theirs by themselves.
  t.strictSame(written, [['reversalId', 'transaction'], ...named, ['deliveryId', 'delivery']])
})
