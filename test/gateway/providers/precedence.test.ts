import t from 'tap'
import { pixOf } from '../../../engine/payments/methods/pix/pix.ts'
import type { AnyAnswer } from '../../../gateway/providers/answers.ts'
import { providers } from '../../../gateway/providers/index.ts'
import { paidPix } from '../../engine/story.ts'
import { askDirectly, opened } from '../../engine/world.ts'

// Decisions, section 29: what the metadata names comes before what a key, a bank, an address or a document would trigger.

const accountId = 'cmp_00000000000000000000000001/SANDBOX'
const minute = 60_000

const sends = (payee: object, sandboxScenario: string | null, afterMs = 0): Promise<AnyAnswer> =>
  askDirectly(providers.SANDBOX.PAYOUT!.instance, {
    reference: 'trf_1.1',
    operation: 'SEND_TRANSFER',
    rail: 'PAYOUT',
    accountId,
    metadata: sandboxScenario === null ? {} : { sandboxScenario },
    payee: { pixKey: null, bankCode: '341', ...payee },
    openedAtMs: 0,
    nowMs: afterMs,
  } as never)

const triggers = [
  { pixKey: 'bloqueada@sandbox.test' },
  { pixKey: 'trocou@sandbox.test' },
  { pixKey: 'lenta@sandbox.test' },
  { bankCode: '000' },
] as const

t.test('a scenario of a transfer comes before its payee', async (t) => {
  for (const payee of triggers) {
    t.match(await sends(payee, 'transfer_fails'), { type: 'REFUSED', code: null })
    t.match(await sends(payee, 'transfer_silent'), { type: 'SILENT' })
    t.match(await sends(payee, 'transfer_silent', 15 * minute), { type: 'DONE' }, 'then it is paid')
    t.match(await sends(payee, 'transfer_slow'), { type: 'PENDING' })
    t.match(await sends(payee, 'transfer_slow', 5_000), { type: 'DONE' }, 'then it is paid')
  }
})

t.test('without one the payee decides', async (t) => {
  t.match(await sends(triggers[0], null), { type: 'REFUSED', code: 'AC06' })
  t.match(await sends(triggers[1], null), { type: 'REFUSED', code: 'OWNER' })
  t.match(await sends(triggers[2], null), { type: 'PENDING' })
  t.match(await sends(triggers[2], null, 5_000), { type: 'DONE' })
  t.match(await sends(triggers[3], null), { type: 'REFUSED', code: 'AC03' })
})

t.test('a scenario of a withdrawal comes before the end of its address', async (t) => {
  const withdraws = (end: string, sandboxScenario: string | null, afterMs: number): Promise<AnyAnswer> =>
    askDirectly(providers.SANDBOX.CRYPTO!.instance, {
      operation: 'SEND',
      rail: 'CRYPTO',
      network: 'POLYGON',
      accountId,
      address: `0x${end.padStart(40, '1')}`,
      reference: 'wdr_1.1',
      metadata: sandboxScenario === null ? {} : { sandboxScenario },
      openedAtMs: 0,
      nowMs: afterMs,
    } as never)
  for (const end of ['dead', 'beef']) {
    t.match(await withdraws(end, 'withdrawal_silent', 0), { type: 'SILENT' })
    t.match(await withdraws(end, 'withdrawal_silent', 15 * minute), { type: 'CONFIRMED' })
  }
  t.match(await withdraws('dead', null, 0), { type: 'REFUSED' })
  t.match(await withdraws('beef', null, 15 * minute), { type: 'SENT' })
})

t.test('a scenario of a charge comes before the document of its payer', async (t) => {
  const world = await opened()
  const customer = {
    name: 'Ana Souza',
    document: '00000000353',
    documentType: 'CPF',
    email: null,
    phone: null,
    address: null,
  } as const
  const byDocument = await paidPix(world, { customer })
  t.equal(pixOf(byDocument)!.payment!.payerMatchesCustomer, false)
  const byScenario = await paidPix(world, { customer, metadata: { sandboxScenario: 'refund_slow' } })
  t.equal(pixOf(byScenario)!.payment!.payerMatchesCustomer, true)
})
