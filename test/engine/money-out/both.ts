import type { MoneyOutKind } from '../../../engine/money-out/asked.ts'
import type { ApproveMoneyOut, CreateTransfer, CreateWithdrawal } from '../../../engine/money-out/commands.ts'
import type { MoneyOutAnswer } from '../../../engine/money-out/methods/method.ts'
import type { MoneyOut } from '../../../engine/money-out/money-out.ts'
import type { MoneyOutTarget } from '../../../engine/money-out/target.ts'
import type { PersonId } from '../../../engine/shared/ids.ts'
import type { AnyAnswer } from '../../../gateway/providers/answers.ts'
import { longStanding } from '../standing.ts'
import { account, newWorld, type World } from '../world.ts'
import { type ana, bia, moneyActs, moneyStory } from './transfer-story.ts'
import { withdrawalActs, withdrawalStory } from './withdrawal-story.ts'

export type Ask = (request: { readonly reference: string }) => Promise<AnyAnswer>
type Change = { readonly by?: typeof ana; readonly allowDuplicate?: boolean; readonly othersCount?: number }
type Create = CreateTransfer | CreateWithdrawal

/** What people do with one kind of money out, in the same words for both. */
export type Story = World & {
  readonly kind: MoneyOutKind
  readonly creating: (amount: number, change?: Change) => Create
  /** Creates it, lets the provider answer, and says what it is then. */
  readonly sends: (amount: number, change?: Change) => Promise<MoneyOut>
  readonly approve: (id: MoneyOut['id'], by?: typeof ana) => Promise<any>
  readonly out: (id: MoneyOut['id']) => MoneyOut
}

/** A kind of money out. */
export type Kind = {
  readonly kind: MoneyOutKind
  /** The sum in which a day of it counts. */
  readonly method: 'PIX' | 'CRYPTO'
  /** What is worth 5.40 reais. */
  readonly unit: number
  readonly resource: string
  /** A decisive yes of its provider. */
  readonly yes: MoneyOutAnswer
  /** An account with so many units, or nearly. */
  readonly begin: (ask: Ask, units?: number) => Promise<Story>
}

/** The next life of a story, with what is on its disk. */
export const restarted = (story: Story, ask?: Ask): Story => {
  const entries = [...story.journal.replay(0)].map(({ record }) => record)
  const world = newWorld(undefined, undefined, entries, undefined, ask)
  world.pass(story.now() - world.now())
  return storyOf(world, story.kind, story.creating)
}

/** Transfers to one beneficiary that has cooled off, in a world that may have withdrawals, too. */
export const transfersIn = async (world: World, reais: number): Promise<Story> => {
  const { known, creating } = await moneyActs(world, reais)
  const to = { beneficiaryId: await known() }
  return storyOf(world, 'transfer', (amount, change) => creating(amount, to, change))
}

/** Withdrawals to one wallet that has cooled off. */
export const withdrawalsIn = async (world: World): Promise<Story> => {
  const { known, creating } = withdrawalActs(world)
  const to = await known()
  return storyOf(world, 'withdrawal', (amount, change) => creating(amount, to, change))
}

const storyOf = (world: World, kind: MoneyOutKind, creating: Story['creating']): Story => {
  const { execute, settle, memory } = world
  const out = (id: MoneyOut['id']): MoneyOut => memory.find(kind, id)!.state
  return {
    ...world,
    kind,
    out,
    creating,
    sends: async (amount, change) => {
      const command = creating(amount, change)
      const reply = await execute(command)
      if (!reply.accepted) throw new Error(JSON.stringify(reply.rejection))
      await settle()
      return out(idIn(command))
    },
    approve: async (id, by = bia) => {
      const reply = await execute(anApproval(targetIn(kind, id), by))
      await settle()
      return reply.accepted ? out(id) : reply.rejection
    },
  }
}

/** How commands name a payment of a kind. */
export const targetIn = (kind: MoneyOutKind, id: string): MoneyOutTarget =>
  kind === 'transfer'
    ? { transferId: id as CreateTransfer['transferId'] }
    : { withdrawalId: id as CreateWithdrawal['withdrawalId'] }

/** The id that a command creates. */
export const idIn = (command: Create): MoneyOut['id'] =>
  'transferId' in command ? command.transferId : command.withdrawalId

export const anApproval = (target: MoneyOutTarget, by = bia): ApproveMoneyOut => ({
  type: 'ApproveMoneyOut',
  accountId: account,
  by,
  ...target,
  personId: by.id as PersonId,
  name: by.id,
  standing: longStanding,
})

export const bothKinds: readonly Kind[] = [
  {
    kind: 'transfer',
    method: 'PIX',
    unit: 540,
    resource: 'transfer',
    yes: { type: 'DONE' },
    begin: async (ask, units = 10_000) => transfersIn(await moneyStory(0, ask), 5.4 * units),
  },
  {
    kind: 'withdrawal',
    method: 'CRYPTO',
    unit: 1_000_000,
    resource: 'crypto_withdrawal',
    yes: { type: 'CONFIRMED', txHash: '0xff' },
    begin: async (ask, units = 10_000) => withdrawalsIn(await withdrawalStory(units, ask)),
  },
]
