import type { ChainRequest } from '../../../engine/crypto/chain-request.ts'
import { publicEventsOf } from '../../../engine/events/events-of-entry.ts'
import type { CreateWithdrawal } from '../../../engine/money-out/commands.ts'
import type { FindKeyRequest } from '../../../engine/money-out/lookups/key-lookup.ts'
import type { TransferRequest } from '../../../engine/money-out/methods/bank-request.ts'
import type { Withdrawal } from '../../../engine/money-out/money-out.ts'
import type { Network } from '../../../engine/shared/asset.ts'
import type { ChangeId, PersonId, WalletId, WithdrawalId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import type { AnyAnswer } from '../../../gateway/providers/answers.ts'
import { aChargeOf, aTransfer, booksIn } from '../crypto/crypto.ts'
import { longStanding } from '../standing.ts'
import { account, institution, newWorld, type World } from '../world.ts'

const person = (name: string) => ({ kind: 'PERSON', id: `per_${name}` }) as const
export const ana = person('ana')
export const bia = person('bia')
export const caio = person('caio')

let made = 0
const numbered = (prefix: string): string => `${prefix}_${String(++made).padStart(26, '0')}`

/** One of the addresses of Ethereum and its kin, by its last characters. */
export const addressEnding = (end: string): string => `0x${end.padStart(40, '1')}`

type Change = Partial<Omit<CreateWithdrawal, 'type' | 'units' | 'by'>> & {
  readonly by?: ReturnType<typeof person>
}

/** An account with so many USDT, less the fee of the charge that brought them, and people who withdraw them. */
export const withdrawalStory = async (
  usdt = 10_000,
  askOthers?: (request: TransferRequest | FindKeyRequest | ChainRequest) => Promise<AnyAnswer>,
) => {
  const world = newWorld(undefined, undefined, [], institution, askOthers)
  await world.open()
  if (usdt > 0) await funded(world, usdt)
  return withdrawalActs(world)
}

const funded = async (world: World, usdt: number): Promise<void> => {
  const { id } = await world.accepted(aChargeOf(usdt * 1_000_000))
  await world.accepted(aTransfer(id))
}

/** What people do with wallets and withdrawals of an open account. */
export const withdrawalActs = (world: World) => {
  const { execute, settle, memory } = world

  const register = async (
    address = addressEnding('a'),
    network: Network = 'POLYGON',
    asset: 'USDT' | 'USDC' = 'USDT',
  ): Promise<WalletId> => {
    const walletId = numbered('wal') as WalletId
    const reply = await execute({
      type: 'RegisterWallet',
      accountId: account,
      by: ana,
      walletId,
      wallet: {
        name: `Cofre ${address.slice(-4)}`,
        asset,
        network,
        address,
        ownership: 'SELF_CUSTODY',
        holderName: 'Loja São João',
        holderDocument: '11222333000181',
        providerName: null,
        createdBy: ana.id,
      },
    })
    if (!reply.accepted) throw new Error(reply.rejection.reason)
    return walletId
  }

  /** One that has cooled off. */
  const known = async (...of: Parameters<typeof register>): Promise<WalletId> => {
    const id = await register(...of)
    await world.advance('PT24H')
    return id
  }

  const creating = (units: number, to: WalletId, change: Change = {}): CreateWithdrawal => ({
    type: 'CreateWithdrawal',
    accountId: account,
    by: ana,
    withdrawalId: numbered('wdr') as WithdrawalId,
    to,
    units: toCents(units),
    externalId: null,
    metadata: {},
    allowDuplicate: true,
    othersCount: 2,
    ...change,
  })

  const withdrawal = (id: WithdrawalId): Withdrawal => memory.find('withdrawal', id)!.state

  /** Creates it, lets the network answer, and says what it is then. */
  const sends = async (units: number, to: WalletId, change: Change = {}): Promise<Withdrawal> => {
    const command = creating(units, to, change)
    const reply = await execute(command)
    if (!reply.accepted) throw new Error(JSON.stringify(reply.rejection))
    await settle()
    return withdrawal(command.withdrawalId)
  }

  const refusal = async (units: number, to: WalletId, change: Change = {}): Promise<any> => {
    const reply = await execute(creating(units, to, change))
    return reply.accepted ? 'accepted' : reply.rejection
  }

  const approve = async (withdrawalId: WithdrawalId, by = bia, standing = longStanding): Promise<any> => {
    const target = { accountId: account, by, withdrawalId } as const
    const reply = await execute({
      type: 'ApproveMoneyOut',
      ...target,
      personId: by.id as PersonId,
      name: by.id,
      standing,
    })
    await settle()
    return reply.accepted ? withdrawal(withdrawalId) : reply.rejection
  }

  const reject = (withdrawalId: WithdrawalId, reason: string) =>
    execute({
      type: 'RejectMoneyOut',
      accountId: account,
      by: bia,
      withdrawalId,
      personId: bia.id as PersonId,
      name: 'Bia',
      standing: longStanding,
      reason,
    })

  /** The types of the public events about a withdrawal, in order. */
  const eventsOf = (id: WithdrawalId): readonly string[] =>
    world.told
      .flatMap((entry) => publicEventsOf(entry, 0))
      .filter(({ subject }) => subject.object === 'crypto_withdrawal' && subject.withdrawal.id === id)
      .map(({ type }) => type)

  return {
    ...world,
    register,
    known,
    creating,
    sends,
    refusal,
    approve,
    reject,
    withdrawal,
    eventsOf,
    books: () => booksIn(world, 'USDT'),
  }
}

/** Lets every fact of withdrawals happen. */
export const everyWithdrawalFact = async (world: World): Promise<void> => {
  await funded(world, 10_000)
  const { register, sends, approve, reject } = withdrawalActs(world)
  const to = await register()
  const refused = await register(addressEnding('dead'), 'BASE', 'USDC')
  await world.advance('PT24H')
  await sends(1_000_001, to, { externalId: 'ção', metadata: { a: 1.5 } })
  const silent = { metadata: { sandboxScenario: 'withdrawal_silent' } }
  await sends(1_000_002, to, silent)
  await world.advance('PT1H')
  // What others have to approve, whatever was agreed before.
  await world.execute({
    type: 'SetControls',
    accountId: account,
    by: ana,
    wanted: { enabled: true },
    idOfChange: `chg_${'9'.repeat(26)}` as ChangeId,
    hasApprover: true,
  })
  const { id } = await sends(3_000_000_000, to)
  await approve(id)
  await reject((await sends(3_000_000_001, to)).id, 'não')
  const usdc = await world.accepted(aChargeOf(10_000_000, { asset: 'USDC', network: 'BASE' }))
  await world.accepted(aTransfer(usdc.id))
  await sends(1_000_003, refused)
}
