import t from 'tap'
import type { ProviderAsk } from '../../../../gateway/providers/port.ts'
import { type BankConnection, connectedBank, paidCharge } from './bank-connection.ts'

const defend = (
  { asks }: Pick<BankConnection, 'asks'>,
  disputeId: string,
  text = 'Entregue em 20/11.',
): ProviderAsk => ({
  operation: 'DEFEND_MED',
  rail: 'PIX',
  ...asks.head(0),
  data: { disputeId, text },
})

const medsOf = async ({ instance, bank }: BankConnection) => {
  const notices = []
  for await (const page of instance.poll!('from=0;hour=0', bank.clock.nowMs()))
    notices.push(...page.notices.filter(({ kind }) => kind === 'MED'))
  return [...new Map(notices.map((notice) => [notice.key, notice])).values()]
}

t.test('a MED is found when it is opened, fetched, defended, and found when it is over', async (t) => {
  const connection = await connectedBank(t, 'efi')
  const { bank, instance } = connection
  const { endToEndId } = await paidCharge(connection)
  t.strictSame(await medsOf(connection), [])
  const { id, deadlineMs, openedMs } = bank.bank.meds.open({ endToEndId, valor: '10.00' })
  const [opened] = await medsOf(connection)
  t.strictSame(opened, {
    kind: 'MED',
    key: `${id}:OPEN`,
    atMs: openedMs,
    data: { medId: id, endToEndId, state: 'OPEN' },
  })
  t.strictSame(await instance.fetch!(opened!), {
    type: 'FOUND',
    object: {
      kind: 'MED',
      medId: id,
      endToEndId,
      state: 'OPEN',
      amountCents: 1_000,
      reason: 'Solicitação de devolução: golpe',
      openedAtMs: openedMs,
      analysisDueAtMs: deadlineMs,
      closedAtMs: null,
      hasReturn: null,
    },
  })
  const ask = defend(connection, id)
  t.match(await instance.inquire(ask), { type: 'NOT_FOUND' })
  bank.bank.faults.add({ verb: 'POST', path: 'defesa', does: { kind: 'cut', when: 'after' } })
  t.strictSame(await instance.ask(ask), { type: 'SILENT' })
  t.match(await instance.ask(ask), { type: 'DONE' }, 'the bank has it')
  t.match(await instance.inquire(ask), { type: 'DONE' })
  t.match(await instance.ask(defend(connection, id, 'Another text.')), { type: 'REFUSED' })
  t.match(await medsOf(connection), [{ key: `${id}:IN_DEFENCE` }])
  bank.bank.meds.close(id, 'ACEITA')
  t.match(await medsOf(connection), [{ key: `${id}:ACCEPTED` }])
})

t.test('a day after a MED is accepted, its payment says whether money went back', async (t) => {
  const connection = await connectedBank(t, 'efi')
  const { bank, instance } = connection
  const accepted = async (hasMoney: boolean) => {
    const { endToEndId } = await paidCharge(connection)
    const { id } = bank.bank.meds.open({ endToEndId })
    if (!hasMoney) await bank.hold('POST /returns', { endToEndId, cents: 1_234 })
    bank.bank.meds.close(id, 'ACEITA')
    return id
  }
  const withReturn = await accepted(true)
  const without = await accepted(false)
  const noticeOf = async (id: string) => (await medsOf(connection)).find(({ key }) => key.startsWith(id))!
  const hasReturn = async (id: string) => {
    const fetched = await instance.fetch!(await noticeOf(id))
    return fetched.type === 'FOUND' && fetched.object.kind === 'MED' ? fetched.object.hasReturn : fetched
  }
  t.match([await hasReturn(withReturn), await hasReturn(without)], [null, null])
  await bank.clock.advance(86_400_000)
  t.equal((await noticeOf(without)).key, `${without}:ACCEPTED:RETURN`, 'it is looked at once more')
  t.match([await hasReturn(withReturn), await hasReturn(without)], [true, false])
})

t.test('a defence that is late, or of no MED, is refused', async (t) => {
  const connection = await connectedBank(t, 'efi')
  const { bank, instance } = connection
  const { endToEndId } = await paidCharge(connection)
  const { id } = bank.bank.meds.open({ endToEndId })
  await bank.clock.advance(9 * 86_400_000)
  t.match(await instance.ask(defend(connection, id)), { type: 'REFUSED', refusal: { message: /prazo/ } })
  t.match(await instance.ask(defend(connection, 'none')), { type: 'REFUSED' })
})

t.test('a bank without a list of MED is not asked for one', async (t) => {
  const connection = await connectedBank(t, 'itau')
  t.equal(connection.module.capabilities.medFeed, false)
  t.match(await connection.instance.ask(defend(connection, 'x')), { type: 'REFUSED' })
})
