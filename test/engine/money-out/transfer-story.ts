import type { ChainRequest } from '../../../engine/crypto/chain-request.ts'
import { publicEventsOf } from '../../../engine/events/events-of-entry.ts'
import type { Reply } from '../../../engine/kernel/reply.ts'
import type { CreateTransfer, RegisterBeneficiary } from '../../../engine/money-out/commands.ts'
import type { FindKeyRequest } from '../../../engine/money-out/lookups/key-lookup.ts'
import type { TransferRequest } from '../../../engine/money-out/methods/bank-request.ts'
import type { Transfer } from '../../../engine/money-out/money-out.ts'
import type { BankPayee } from '../../../engine/money-out/payees/payee.ts'
import type {
  BeneficiaryId,
  Id,
  IdPrefix,
  KeyLookupId,
  PersonId,
  TransferId,
} from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { readPixKey } from '../../../engine/shared/pix-key.ts'
import type { AnyAnswer } from '../../../gateway/providers/answers.ts'
import { longStanding } from '../standing.ts'
import { account, institution, key, newTransactionId, newWorld, type World } from '../world.ts'

let made = 0
const newIdOf = <Prefix extends IdPrefix>(prefix: Prefix): Id<Prefix> =>
  `${prefix}_${String(++made).padStart(26, '0')}` as Id<Prefix>

const person = (name: string) => ({ kind: 'PERSON', id: `per_${name}` }) as const
export const ana = person('ana')
export const bia = person('bia')
export const caio = person('caio')

const aPayee = (change: Partial<BankPayee> = {}): BankPayee => ({
  name: 'Comercial Aurora Ltda',
  document: '11222333000181',
  documentType: 'CNPJ',
  pixKey: null,
  ispb: null,
  bankName: null,
  bankCode: '341',
  branch: '1234',
  account: '56789-0',
  accountType: 'CHECKING',
  ...change,
})

type Change = Partial<Omit<CreateTransfer, 'type' | 'amountCents' | 'by'>> & {
  readonly by?: ReturnType<typeof person>
}

/** An account with money, and people who send it. */
export const moneyStory = async (
  reais = 100_000,
  askOthers?: (request: TransferRequest | FindKeyRequest | ChainRequest) => Promise<AnyAnswer>,
  timeZone?: string,
) => {
  const world = newWorld(undefined, undefined, [], institution, askOthers)
  await world.open(timeZone)
  return moneyActs(world, reais)
}

/** What people do with the money of an open account. */
export const moneyActs = async (world: World, reais: number) => {
  const receive = (amount: number): Promise<Reply> =>
    world.execute({
      type: 'ReceiveUnrequestedPix',
      accountId: account,
      by: key,
      transactionId: newTransactionId(),
      amountCents: toCents(amount),
      payer: null,
      providerId: 'sandbox-psp',
    })
  if (reais > 0) await receive(100 * reais)

  const register = async (change: Partial<BankPayee> = {}): Promise<BeneficiaryId> => {
    const beneficiaryId = newIdOf('ben')
    const command: RegisterBeneficiary = {
      type: 'RegisterBeneficiary',
      accountId: account,
      by: ana,
      beneficiaryId,
      of: { payee: aPayee(change) },
      nickname: null,
    }
    const reply = await world.execute(command)
    if (!reply.accepted) throw new Error(reply.rejection.reason)
    return beneficiaryId
  }

  /** One that has cooled off. */
  const known = async (change: Partial<BankPayee> = {}): Promise<BeneficiaryId> => {
    const id = await register(change)
    await world.advance('PT24H')
    return id
  }

  const lookUp = async (text: string, by = ana): Promise<KeyLookupId> => {
    const keyLookupId = newIdOf('lkp')
    const reply = await world.execute({
      type: 'LookUpKey',
      accountId: account,
      by,
      keyLookupId,
      ...readPixKey(text)!,
    })
    if (!reply.accepted) throw new Error(reply.rejection.reason)
    return keyLookupId
  }

  const creating = (amount: number, to: CreateTransfer['to'], change: Change = {}): CreateTransfer => ({
    type: 'CreateTransfer',
    accountId: account,
    by: ana,
    transferId: newIdOf('trf'),
    kind: 'PIX',
    amountCents: toCents(amount),
    to,
    scheduledFor: null,
    description: null,
    externalId: null,
    metadata: {},
    allowDuplicate: true,
    othersCount: 2,
    ownDocument: '00000000000191',
    ...change,
  })

  const transfer = (id: TransferId): Transfer => world.memory.find('transfer', id)!.state

  /** Creates it, lets the bank answer, and says what it is then. */
  const sends = async (amount: number, to: CreateTransfer['to'], change: Change = {}): Promise<Transfer> => {
    const command = creating(amount, to, change)
    const reply = await world.execute(command)
    if (!reply.accepted) throw new Error(JSON.stringify(reply.rejection))
    await world.settle()
    return transfer(command.transferId)
  }

  const refusal = async (amount: number, to: CreateTransfer['to'], change: Change = {}): Promise<any> => {
    const reply = await world.execute(creating(amount, to, change))
    return reply.accepted ? 'accepted' : reply.rejection
  }

  const approve = async (transferId: TransferId, by = bia, standing = longStanding): Promise<any> => {
    const reply = await world.execute({
      type: 'ApproveMoneyOut',
      accountId: account,
      by,
      transferId,
      personId: by.id as PersonId,
      name: by.id,
      standing,
    })
    await world.settle()
    return reply.accepted ? transfer(transferId) : reply.rejection
  }

  /** The types of the public events about a transfer, in order. */
  const eventsOf = (id: TransferId): readonly string[] =>
    world.told
      .flatMap((entry) => publicEventsOf(entry, 0))
      .filter(({ subject }) => subject.object === 'transfer' && subject.transfer.id === id)
      .map(({ type }) => type)

  return {
    ...world,
    receive,
    register,
    known,
    lookUp,
    creating,
    sends,
    refusal,
    approve,
    transfer,
    eventsOf,
    balances: () => world.account().balances,
    planned: () => world.account().moneyOut?.plannedCents ?? 0n,
  }
}
