import t from 'tap'
import type { ConnectionId } from '../../../../engine/shared/ids.ts'
import { credentialsOf } from '../../../../gateway/operations/connections/connection-input.ts'
import { modules } from '../../../../gateway/providers/modules.ts'

const settings = {
  clientId: 'Client_Id_1',
  clientSecret: 'Client_Secret_1',
  pixKey: 'b6e8a2b4-0000-4000-8000-000000000001',
  merchantName: 'Loja Demo',
  merchantCity: 'Sao Paulo',
}
const made = (more: object) =>
  credentialsOf(
    modules.efi!,
    `con_${'1'.repeat(26)}` as ConnectionId,
    { ...settings, ...more },
    Buffer.alloc(32),
  )

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
