import type { RailConnection } from '../../../engine/connections/rail-connection.ts'
import type { ReportPayOut } from '../../../engine/money-out/commands.ts'
import type { TransferRequest } from '../../../engine/money-out/methods/bank-request.ts'
import type { Transfer } from '../../../engine/money-out/money-out.ts'
import type { TransferAnswer } from '../../../engine/payments/sent-money.ts'
import type { BeneficiaryId, TransferId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { aConnect, connectionIdOf, laterIn, live, liveAccount, openLive } from '../connections/live.ts'
import { institution, newTransactionId, newWorld, type World } from '../world.ts'
import { ana } from './transfer-story.ts'

/** Transfers of Production, by the connections of their account (rails, section 2.8). */
export const payOutRails = { rails: ['PIX', 'PAYOUT'], offers: ['REFUND', 'PIX'] } as const
export const firstConnection = connectionIdOf(1)
export const secondConnection = connectionIdOf(2)

export type TransferBank = (request: TransferRequest) => TransferAnswer

export const silentBank: TransferBank = () => ({ type: 'SILENT' })
export const paidByBank: TransferBank = () => ({ type: 'DONE', endToEndId: `E${'1'.repeat(31)}` })

/** Puts R$ 1,000.00 into an account in Production, registers a beneficiary that has cooled off, and sends to it. */
export const senderIn = async (world: World) => {
  await world.execute({
    type: 'ReceiveUnrequestedPix',
    ...live,
    transactionId: newTransactionId(),
    amountCents: toCents(100_000),
    payer: null,
    endToEndId: `E${'0'.repeat(31)}`,
    paidAtMs: world.now(),
    providerId: 'made-up-bank',
  })
  const beneficiaryId = `ben_${'1'.repeat(26)}` as BeneficiaryId
  const payee = {
    name: 'Comercial Aurora Ltda',
    document: '11222333000181',
    documentType: 'CNPJ',
    pixKey: null,
    ispb: '60701190',
    bankName: null,
    bankCode: null,
    branch: '1234',
    account: '56789-0',
    accountType: 'CHECKING',
  } as const
  await world.execute({
    type: 'RegisterBeneficiary',
    ...live,
    by: ana,
    beneficiaryId,
    of: { payee },
    nickname: null,
  })
  let made = 0
  return async (cents: number, kind: 'PIX' | 'TED' = 'PIX') => {
    const transferId = `trf_${String(++made).padStart(26, '0')}` as TransferId
    const reply = await world.execute({
      type: 'CreateTransfer',
      ...live,
      by: ana,
      transferId,
      kind,
      amountCents: toCents(cents),
      to: { beneficiaryId },
      scheduledFor: null,
      description: null,
      externalId: null,
      metadata: {},
      allowDuplicate: true,
      othersCount: 0,
      ownDocument: '00000000000191',
    })
    await world.settle()
    return { transferId, reply }
  }
}

/** An account in Production with R$ 1,000.00, connections, and a beneficiary that has cooled off. */
export const liveTransfers = async (...connections: readonly Partial<RailConnection>[]) => {
  const requests: TransferRequest[] = []
  let bank: TransferBank = silentBank
  const unreachable = new Set<string | null>()
  const world = newWorld(
    undefined,
    undefined,
    [],
    { ...institution, unreachableSeconds: (_, __, id) => (unreachable.has(id) ? 15 : null) },
    async (request) => {
      requests.push(request as TransferRequest)
      return bank(request as TransferRequest)
    },
  )
  await world.open()
  await openLive(world)
  for (const change of connections) await world.execute(aConnect(change))
  const send = await senderIn(world)
  const facts = () => world.told.flatMap(({ steps }) => steps.map(({ event }) => event))
  const linesOf = (id: TransferId) =>
    facts().flatMap((event) =>
      event.type === 'StatementWritten' && event.line.objectId === id ? [event.line] : [],
    )
  const transfer = (id: TransferId): Transfer => world.memory.find('transfer', id)!.state
  const balances = () => world.memory.find('account', liveAccount)!.state.balances
  const later = laterIn(world)
  const report = (
    transferId: TransferId,
    state: ReportPayOut['payOut']['state'],
    change: Partial<ReportPayOut['payOut']> = {},
    connectionId = firstConnection,
  ) =>
    world.execute({
      type: 'ReportPayOut',
      ...live,
      transferId,
      connectionId,
      payOut: {
        state,
        amountCents: toCents(5_000),
        railId: `E${'2'.repeat(31)}`,
        code: null,
        returns: [],
        ...change,
      },
    })
  const back = (id: string, cents: number) => ({ id, amountCents: toCents(cents), atMs: 1 })
  const change = (n: number, state: RailConnection['state'], revision: number) =>
    world.execute({ type: 'ChangeRail', ...live, connectionId: connectionIdOf(n), state, revision })
  return {
    world,
    facts,
    linesOf,
    requests,
    unreachable,
    answers: (next: TransferBank) => {
      bank = next
    },
    send,
    transfer,
    balances,
    later,
    report,
    back,
    change,
  }
}
