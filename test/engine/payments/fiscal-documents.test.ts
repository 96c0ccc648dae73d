import t from 'tap'
import { anyTransaction } from '../../../engine/payments/transaction/filters.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import type { TransactionId } from '../../../engine/shared/ids.ts'
import { transaction } from '../../../gateway/resources/payments/transaction.ts'
import { paidPix } from '../story.ts'
import {
  aBoleto,
  aCardPayment,
  aCharge,
  account,
  anUnrequestedPix,
  aPayment,
  aRefund,
  key,
  opened,
  type World,
} from '../world.ts'

const nfe = '35261212345678000195550010000001231123456781'
const other = '35261212ABC34501DE35550010000001241123456797'

const setDocuments = (id: TransactionId, documents: readonly string[]) =>
  ({ type: 'SetFiscalDocuments', accountId: account, by: key, transactionId: id, documents }) as const

const payee = {
  cnpj: '12345678000195',
  timeZone: 'America/Sao_Paulo',
  institutionOf: () => null,
}

const shown = (world: World, one: Transaction) =>
  transaction.view(one, { date: '2026-11-28' as never, nowMs: world.now(), payee })

t.test('documents are kept, replaced and removed, in whatever state the charge is', async (t) => {
  const world = await opened()
  const early = await world.accepted(aCharge({ fiscalDocuments: [nfe] }))
  t.strictSame(shown(world, early).fiscalDocuments, [nfe])
  const paid = await world.accepted(aPayment(early.id))
  t.strictSame(shown(world, paid).fiscalDocuments, [nfe])
  const both = await world.accepted(setDocuments(paid.id, [other, nfe]))
  t.strictSame(shown(world, both).fiscalDocuments, [other, nfe])
  const same = await world.accepted(setDocuments(paid.id, [other, nfe]))
  t.equal((same as Transaction).version, (both as Transaction).version, 'the same list changes nothing')
  const none = await world.accepted(setDocuments(paid.id, []))
  t.strictSame(shown(world, none).fiscalDocuments, [])
  t.equal(
    await world.refused(setDocuments('txn_00000000000000000000000000' as TransactionId, [])),
    'NOT_FOUND',
  )
})

t.test('lists find sales without a document: paid, no deposit, not given back whole', async (t) => {
  const world = await opened()
  const list = async (fiscalDocuments: 'MISSING' | 'PRESENT' | null): Promise<readonly string[]> => {
    const asked = world.shard.query({
      type: 'ListTransactions',
      accountId: account,
      ...anyTransaction,
      fiscalDocuments,
      order: { by: 'createdAt', isDescending: false },
      page: 1,
      pageSize: 100,
      asOf: null,
      from: null,
      to: null,
      totals: true,
    })
    await world.settle()
    return ((await asked) as { rows: readonly Transaction[] }).rows.map(({ id }) => id)
  }
  const missing = await paidPix(world)
  const named = await paidPix(world)
  await world.accepted(setDocuments(named.id, [nfe]))
  const open = await world.accepted(aCharge())
  const deposit = await world.accepted(anUnrequestedPix())
  const back = await paidPix(world)
  await world.accepted(aRefund(back.id))
  const partly = await paidPix(world)
  await world.accepted(aRefund(partly.id, 100))
  const card = await world.accepted(aCardPayment())
  t.strictSame(await list('MISSING'), [missing.id, partly.id, card.id])
  t.strictSame(await list('PRESENT'), [named.id])
  t.equal((await list(null)).length, 7)
  await world.accepted(setDocuments(named.id, []))
  t.strictSame(await list('MISSING'), [missing.id, named.id, partly.id, card.id])
  await world.accepted(setDocuments(open.id, [nfe]))
  t.strictSame(await list('PRESENT'), [open.id])
  t.ok(deposit.id)
})

t.test('a payment says how a fiscal document names it, before the sale and after it', async (t) => {
  const world = await opened()
  const charge = await world.accepted(aCharge())
  const { fiscal, pix } = shown(world, charge)
  t.strictSame(fiscal, {
    idTransacao: pix!.txid,
    tpMeioPgto: '17',
    cnpjReceb: '12345678000195',
    cnpjBasePsp: null,
  })
  t.strictSame(shown(world, await world.accepted(aPayment(charge.id))).fiscal, fiscal)
  const deposit = shown(world, await world.accepted(anUnrequestedPix()))
  t.match(deposit.fiscal, { idTransacao: deposit.pix!.endToEndId, tpMeioPgto: '20' })
  const boleto = shown(world, await world.accepted(aBoleto()))
  t.match(boleto.fiscal, { idTransacao: boleto.boleto!.ourNumber, tpMeioPgto: '15' })
  const card = shown(world, await world.accepted(aCardPayment()))
  t.match(card.fiscal, { idTransacao: card.card!.tid, tpMeioPgto: '03' })
  for (const { fiscal } of [deposit, boleto, card]) t.match(fiscal.idTransacao, /^.{2,35}$/)
})
