import t from 'tap'
import type { CompanyConnection } from '../../../../engine/companies/connection.ts'
import type { ConnectionId } from '../../../../engine/shared/ids.ts'
import {
  credentialsOf,
  rotatedSettings,
} from '../../../../gateway/operations/connections/connection-input.ts'
import { sealedCredentials, settingForms } from '../../../../gateway/providers/connection-settings.ts'
import { modules } from '../../../../gateway/providers/modules.ts'

const settings = {
  clientId: 'Client_Id_1',
  clientSecret: 'Client_Secret_1',
  pixKey: 'b6e8a2b4-0000-4000-8000-000000000001',
  merchantName: 'Loja Demo',
  merchantCity: 'Sao Paulo',
}
const id = `con_${'1'.repeat(26)}` as ConnectionId
const masterKey = Buffer.alloc(32)
const made = (more: object, module = modules.efi!) =>
  credentialsOf(module, id, { ...settings, ...more }, masterKey)

t.test(
  'R3: a connection with Pix Automático says which account it pays to; a branch is not needed',
  async (t) => {
    t.throws(() => made({ pixAutomatic: true }), {
      code: 'VALIDATION_ERROR',
      extra: { errors: [{ field: 'settings.receiverAccount', code: 'REQUIRED' }] },
    })
    t.ok(made({ pixAutomatic: true, receiverAccount: '123456' }))
    t.ok(made({ pixAutomatic: true, receiverAccount: '123456', receiverBranch: '0001' }))
    t.ok(made({ pixAutomatic: false }))
    t.ok(made({}))
  },
)

t.test('statements are read only where the bank has an interface for them that is known', async (t) => {
  const reading = Object.values(modules).filter((module) =>
    settingForms(module).some(({ name }) => name === 'readsStatement'),
  )
  t.strictSame(reading.map(({ name }) => name).sort(), ['banco-do-brasil', 'inter', 'sicoob'])
  for (const name of ['efi', 'itau'] as const)
    t.throws(() => made({ readsStatement: true }, modules[name]), {
      code: 'VALIDATION_ERROR',
      extra: { errors: [{ field: 'settings.readsStatement', texts: { en: /people upload it as a file/ } }] },
    })
  t.match(made({ readsStatement: true }, modules.inter).settings, { readsStatement: true })
})

t.test('a connection that had a setting which its bank has no more is rotated without it', async (t) => {
  const before = sealedCredentials(modules.efi!, id, { ...settings, readsStatement: true }, masterKey)
  const connection = { id, credentials: before } as CompanyConnection
  const after = rotatedSettings(modules.efi!, connection, { clientSecret: 'the next' }, masterKey)
  t.match(after, { clientId: 'Client_Id_1', clientSecret: 'the next' })
  t.notOk('readsStatement' in after)
  t.ok(made(after))
})
