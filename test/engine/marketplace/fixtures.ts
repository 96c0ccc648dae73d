import { publicEventsOf } from '../../../engine/events/events-of-entry.ts'
import type { Command } from '../../../engine/kernel/registry.ts'
import { ledgerSum } from '../../../engine/ledger/postings.ts'
import type { SplitItem } from '../../../engine/ledger/split.ts'
import type { SplitTransfer } from '../../../engine/marketplace/split-transfer.ts'
import type { RecipientId, SplitRuleId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { account, newWorld, ours } from '../world.ts'

/** Recipients, rules and what came of them, for the stories below this folder. */

let made = 0
const nextId = (prefix: string) => `${prefix}_${String(++made).padStart(26, '0')}`

export const aRecipient = (bankCode = '341') =>
  ({
    type: 'CreateRecipient',
    ...ours,
    recipientId: nextId('rcp') as RecipientId,
    name: 'Vendedora Ltda',
    document: '11222333000181',
    documentType: 'CNPJ',
    email: null,
    bank: { bankCode, branch: '1234', account: '56789-0' },
    metadata: {},
  }) as const satisfies Command

export const aRule = (...items: readonly SplitItem[]) =>
  ({
    type: 'CreateSplitRule',
    ...ours,
    ruleId: nextId('spr') as SplitRuleId,
    name: 'rule',
    items,
    metadata: {},
    isActive: true,
  }) as const satisfies Command

let priority = 0
const item = (recipientId: RecipientId | null, change: Partial<SplitItem>): SplitItem => ({
  recipientId,
  percentBps: null,
  fixedCents: null,
  priority: (++priority % 100) + 1,
  chargeFees: false,
  chargeRemainder: false,
  ...change,
})

export const percent = (
  recipientId: RecipientId | null,
  percentBps: number,
  change: Partial<SplitItem> = {},
) => item(recipientId, { percentBps, ...change })
export const fixed = (recipientId: RecipientId | null, cents: number, change: Partial<SplitItem> = {}) =>
  item(recipientId, { fixedCents: toCents(cents), ...change })

/** A world with a recipient of 80 %, who pays the fee, and a rule for it. */
export const marketplace = async (
  { bankCode = '341', fees = true } = {},
  ...world: Parameters<typeof newWorld>
) => {
  const market = newWorld(...world)
  await market.open()
  const seller = aRecipient(bankCode)
  await market.execute(seller)
  const rule = aRule(
    percent(seller.recipientId, 8000, { chargeFees: fees, priority: 1 }),
    percent(null, 2000, { priority: 2 }),
  )
  await market.execute(rule)
  return { ...market, ...tellsOf(market), seller: seller.recipientId, rule: rule.ruleId, ours }
}

export type Market = Awaited<ReturnType<typeof marketplace>>

const tellsOf = (world: ReturnType<typeof newWorld>) => {
  /** Those of one moment are listed by their ids, which are random: here they stand as they came. */
  const transfers = (): readonly SplitTransfer[] =>
    world.told
      .flatMap(({ steps }) => steps.map(({ event }) => event))
      .flatMap((event) =>
        event.type === 'TransferCreated' ? (world.memory.find('splitTransfer', event.id)?.state ?? []) : [],
      )
  return {
    /** Oldest first. */
    transfers,
    statuses: (): readonly string[] => transfers().map(({ status }) => status),
    recipient: (id: RecipientId) => world.memory.find('recipient', id)!.state,
    balance: (id: RecipientId): number => world.memory.find('recipient', id)!.state.balanceCents,
    /** Everything told so far from this entry on, by type. */
    heard: (from: number): readonly string[] =>
      world.told.slice(from).flatMap((entry) => publicEventsOf(entry, 0).map(({ type }) => type)),
    /** Whatever must hold of the books of recipients, at any moment. */
    bookProblems: (): readonly string[] => {
      const { balances } = world.account()
      const recipients = world.memory.list(account, 'recipient', { offset: 0, limit: 1000 }).states
      const owed = recipients.reduce((sum, { balanceCents }) => sum + BigInt(balanceCents), 0n)
      const problems: string[] = []
      if (ledgerSum(balances) !== 0n) problems.push(`the ledger sums to ${ledgerSum(balances)}`)
      if (balances.recipients !== owed) problems.push(`${balances.recipients} owed, recipients say ${owed}`)
      return problems
    },
  }
}
