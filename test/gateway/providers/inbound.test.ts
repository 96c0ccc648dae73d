import assert from 'node:assert'
import t from 'tap'
import { pixOf } from '../../../engine/payments/methods/pix/pix.ts'
import type { TransactionId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { openInbound } from '../../../gateway/providers/inbound.ts'
import { providers } from '../../../gateway/providers/index.ts'
import type { BoletoPaid, Notice, PixIn, UnrequestedPixIn } from '../../../gateway/providers/notice.ts'
import { aBoleto, aCharge, account, aList, newTransactionId, opened, type World } from '../../engine/world.ts'

const payer = {
  name: 'Bia Lima',
  document: '98765432100',
  documentType: 'CPF',
  ispb: '60701190',
  bankName: 'Itaú Unibanco S.A.',
} as const
const endToEndId = 'E60701190202611201200ABCDEFGHIJK'
const unknown = 'txn_77777777777777777777777777' as TransactionId

const pixFor = (id: TransactionId, cents: number, kind: 'CHARGE' | 'BOLETO' = 'CHARGE'): PixIn => ({
  kind: 'PIX_IN',
  accountId: account,
  pays: { kind, id },
  amountCents: toCents(cents),
  payer,
  endToEndId,
  paidAtMs: Date.UTC(2026, 10, 20, 11, 59, 58),
})

const inbound = async () => {
  const world: World = await opened()
  const told: string[] = []
  const hear = openInbound({
    providers,
    execute: world.execute,
    query: world.shard.query,
    newTransactionId,
    onTaken: ({ module: { name } }, { kind }, { type }) => told.push(`${name} ${kind} ${type}`),
  })
  return {
    world,
    /** What became of it, and how many entries it made. */
    hear: async (notice: Notice): Promise<readonly [string, number]> => {
      const appended = world.journal.appended()
      const provider = notice.kind === 'PIX_IN' ? providers.SANDBOX.PIX! : providers.SANDBOX.BOLETO!
      const { type } = await hear(provider, notice)
      assert.equal(
        told.pop(),
        `${provider.module.name} ${notice.kind} ${type}`,
        'operators are told the same',
      )
      return [type, world.journal.appended() - appended]
    },
  }
}

t.test('a PIX pays its charge with what the provider says of it, by the provider', async (t) => {
  const { world, hear } = await inbound()
  const { id } = await world.accepted(aCharge())
  t.strictSame(await hear(pixFor(id, 1990)), ['TAKEN', 1])
  const { status, means, timeline } = world.transaction(id)
  t.equal(status, 'APPROVED')
  t.match(pixOf({ means })?.payment, { endToEndId, payer, paidAtMs: Date.UTC(2026, 10, 20, 11, 59, 58) })
  t.match(timeline.at(-1), { type: 'ChargePaid', actor: { kind: 'PROVIDER', id: null } })
})

t.test('money that is told again arrives once; other money for the same charge goes back', async (t) => {
  const { world, hear } = await inbound()
  const { id } = await world.accepted(aCharge())
  await hear(pixFor(id, 1990))
  t.strictSame(await hear(pixFor(id, 1990)), ['REPEAT', 0])
  t.strictSame(await hear({ ...pixFor(id, 1990), endToEndId: `${endToEndId}2` }), ['TAKEN', 1])
  t.match(world.transaction(id).timeline.at(-1), { type: 'PaymentReturned' })
  t.strictSame(
    await hear({ ...pixFor(id, 1990), endToEndId: `${endToEndId}2` }),
    ['REPEAT', 0],
    'also of that',
  )
})

t.test('a PIX to the key becomes one transaction of the provider that tells of it', async (t) => {
  const { world, hear } = await inbound()
  const { pays: _, ...pix } = pixFor(unknown, 700)
  const notice: UnrequestedPixIn = { ...pix, pays: null, amountCents: toCents(700) }
  t.strictSame(await hear(notice), ['TAKEN', 1])
  t.strictSame(await hear(notice), ['REPEAT', 0])
  const { rows } = await world.shard.query(aList({}))
  t.match(rows, [{ status: 'APPROVED', paidCents: 700, providerId: 'sandbox-psp' }])
})

t.test('a boleto is paid once by its bar code, or by its QR code', async (t) => {
  const { world, hear } = await inbound()
  const byBarCode = await world.accepted(aBoleto())
  const paid: BoletoPaid = {
    kind: 'BOLETO_PAID',
    accountId: account,
    transactionId: byBarCode.id,
    amountCents: toCents(9500),
    paidAtMs: world.now(),
    clearing: 'NEXT_BUSINESS_DAY',
  }
  t.strictSame(await hear(paid), ['TAKEN', 1])
  t.match(world.transaction(byBarCode.id), { status: 'PROCESSING' })
  t.strictSame(await hear(paid), ['REPEAT', 0])
  t.strictSame(await hear({ ...paid, paidAtMs: world.now() - 1 }), ['REFUSED', 0], 'another payment of it')
  await world.advance('P5D')
  t.strictSame(await hear(paid), ['REPEAT', 0], 'also once it has cleared')
  const byCode = await world.accepted(aBoleto())
  t.strictSame(await hear({ ...pixFor(byCode.id, 9500, 'BOLETO'), paidAtMs: world.now() }), ['TAKEN', 1])
  t.strictSame(await hear(pixFor(byCode.id, 9500, 'BOLETO')), ['REPEAT', 0])
})

t.test('what nothing is known of is unknown, and what a charge cannot take is refused', async (t) => {
  const { world, hear } = await inbound()
  t.strictSame(await hear(pixFor(unknown, 1)), ['UNKNOWN', 0])
  t.strictSame(await hear(pixFor(unknown, 1, 'BOLETO')), ['UNKNOWN', 0])
  const elsewhere = `${account}`.replace('SANDBOX', 'PRODUCTION') as typeof account
  const { id } = await world.accepted(aCharge())
  t.strictSame(
    await hear({ ...pixFor(id, 1990), accountId: elsewhere }),
    ['UNKNOWN', 0],
    'the Sandbox knows nothing of Production',
  )
  t.strictSame(await hear(pixFor(id, 1991)), ['REFUSED', 0], 'another amount')
  t.match(world.transaction(id), { status: 'PENDING' })
})
