import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'
import { settingForms } from '../../gateway/providers/connection-settings.ts'
import { modules } from '../../gateway/providers/modules.ts'

const built = resolve(import.meta.dirname, '../../gateway/dashboard')
const manifest = JSON.parse(readFileSync(join(built, 'manifest.json'), 'utf8'))
const forms = Object.values(modules).flatMap(settingForms)

for (const [file, name] of [
  ['connections-pt.ts', 'connectionsPt'],
  ['connections-en.ts', 'connectionsEn'],
] as const)
  t.test(`${name}: every setting of a bank has a name for people`, async (t) => {
    const { field } = (await import(join(built, manifest[file])))[name] as {
      readonly field: Readonly<Record<string, unknown>>
    }
    t.ok(forms.length > 50)
    t.strictSame(
      [...new Set(forms.map(({ name }) => name))].filter((setting) => !(setting in field)),
      [],
    )
  })

t.test('what people cannot type into a field is told apart', async (t) => {
  const kinds = new Map(forms.map(({ name, type }) => [name, type]))
  t.equal(kinds.get('terms'), 'OBJECT')
  t.equal(kinds.get('pixAutomatic'), 'BOOLEAN')
  t.equal(kinds.get('host'), 'CHOICE')
  t.equal(kinds.get('institution'), 'TEXT')
})
